//! The claims of the literature: what is said, where, and which figures bear it out.
//!
//! They are data, in `claims.tsv`. Words in quotation marks are the source's own, the
//! others give its meaning. What is claimed nowhere, and is judged because it explains
//! something, is a question of this project. `doc/compare.md` has the verdicts.

use std::sync::LazyLock;

use crate::lab::experiment::claim::{Range, Unit};

/// Whether a claim is about all trees or about one that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    Every,
    Some,
}

/// What a source says, and how it is put to the test.
#[derive(Debug)]
pub(super) struct Claim {
    /// Its name in files for programs.
    pub id: &'static str,
    /// A few words for a terminal.
    pub short: &'static str,
    pub quotation: &'static str,
    pub source: &'static str,
    /// What the figure of a case counts.
    pub measured: &'static str,
    pub unit: Unit,
    /// The figures for which it is true, and the words for them.
    pub range: Range,
    pub rule: &'static str,
    pub scope: Scope,
}

/// Every claim, in the order of the file.
pub(super) static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| {
    let lines = include_str!("claims.tsv").lines().skip(1);
    lines
        .map(|line| parsed(line).unwrap_or_else(|| panic!("a claim in eight columns: {line}")))
        .collect()
});

fn parsed(line: &'static str) -> Option<Claim> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [id, short, quotation, source, measured, unit, rule, scope] = fields[..] else {
        return None;
    };
    let unit = if unit == "%" { Unit::Percent } else { Unit::Number(unit.parse().ok()?) };
    let scope = if scope == "some" { Scope::Some } else { Scope::Every };
    let range = rule.parse().ok()?;
    Some(Claim { id, short, quotation, source, measured, unit, range, rule, scope })
}
