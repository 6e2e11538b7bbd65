//! Names of algorithms in arguments.

use crate::cli::failure::Failure;
use crate::lab::{Algorithm, ExtraTurns, Method};

/// The list of algorithms in the help of commands that take their names.
pub(super) fn names() -> String {
    let lines = Algorithm::NAMED.map(|(name, _, about)| format!("\n  {name:<18} {about}"));
    format!(
        "Algorithms:{}\n\nAdd +tt, +id or +asp for a transposition table, iterative deepening, \
         aspiration.\ntest:3 and proof-number:3 ask whether the value is above 3.",
        lines.concat()
    )
}

/// Fails if an algorithm would give wrong values.
pub(super) fn sound(methods: &[Method], extra_turns: &[ExtraTurns]) -> Result<(), Failure> {
    let repeats = extra_turns.iter().find(|extra_turns| !extra_turns.alternates());
    let ruled = methods.iter().find(|method| method.algorithm.needs_alternation());
    match (ruled, repeats) {
        (Some(method), Some(extra_turns)) => Err(Failure::Usage(format!(
            "expected --extra-turns compound for {method}, whose depth < 3 rule is wrong where a \
             side may move again; got {extra_turns}"
        ))),
        _ => Ok(()),
    }
}
