//! Names of algorithms in arguments.

use crate::cli::failure::Failure;
use crate::lab::{Algorithm, ExtraTurns, Method};

/// The list of algorithms in the help of commands that take their names.
pub(super) fn names() -> String {
    let algorithms = Algorithm::NAMED.map(|(name, _, about)| format!("\n  {name:<18} {about}"));
    let forms = Algorithm::FORMS.map(|(suffix, about)| format!("\n  {suffix:<18} {about}"));
    format!(
        "Algorithms:{}\n\nForms of negascout and, except for the last, of f4':{}\n\n\
         uct-tuned and ucb1-tuned use UCB1-tuned. Add +tt, +id or +asp for a transposition \
         table,\niterative deepening or aspiration windows: negascout-depth3+tt+id. test and \
         proof-number\nalso answer questions: 'test>5', 'test>=5', 'test<5', 'test<=5'; \
         test:5 means test>5\nand needs no quotes.",
        algorithms.concat(),
        forms.concat()
    )
}

/// Fails if an algorithm would give wrong values.
pub(super) fn sound(methods: &[Method], extra_turns: &[ExtraTurns]) -> Result<(), Failure> {
    let repeats = extra_turns.iter().find(|extra_turns| !extra_turns.alternates());
    let ruled = methods.iter().find(|method| method.algorithm.needs_alternation());
    match (ruled, repeats) {
        (Some(method), Some(extra_turns)) => Err(Failure::Usage(format!(
            "expected --extra-turns compound for {method}, whose depth < 3 rule is wrong if a \
             side may move twice in a row; got {extra_turns}"
        ))),
        _ => Ok(()),
    }
}
