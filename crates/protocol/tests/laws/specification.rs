//! The tables of `protocol.md` agree with those of the program, row by row and word by word.

use kalah_engine::{Engine, OptionKind};
use kalah_lab::LabSearcher;
use kalah_protocol::command::COMMANDS;
use kalah_protocol::go::LIMITS;

pub(crate) const SPECIFICATION: &str = include_str!("../../../../protocol.md");

/// The cells of the table whose first column is headed `head`.
fn table(head: &str) -> Vec<Vec<String>> {
    let start = format!("| {head} |");
    let from_head = SPECIFICATION.lines().skip_while(|line| !line.starts_with(&start));
    let rows = from_head.skip(2).take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let row = row.replace("\\|", "\u{1}");
        let cells = row.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().trim_matches('`').replace('\u{1}', "|")).collect()
    })
    .collect()
}

fn owned<const N: usize>(row: [&str; N]) -> Vec<String> {
    row.map(str::to_owned).to_vec()
}

#[test]
fn the_commands_are_those_of_the_specification() {
    let ours = COMMANDS.iter().map(|spec| owned([spec.name, spec.usage, spec.doc]));
    assert_eq!(ours.collect::<Vec<_>>(), table("Command"));
}

#[test]
fn the_limits_of_go_are_those_of_the_specification() {
    let ours = LIMITS.iter().map(|spec| owned([spec.name, spec.doc]));
    assert_eq!(ours.collect::<Vec<_>>(), table("Limit"));
}

#[test]
fn the_options_are_those_of_the_specification() {
    let engine = Engine::without_tables(1).expect("a MiB").with_searcher(LabSearcher::default());
    let ours = engine.options().map(|option| {
        let [kind, default, values] = match &option.kind {
            OptionKind::Check { default, .. } => {
                ["check".to_owned(), default.to_string(), "true, false".to_owned()]
            }
            OptionKind::Spin { default, range, .. } => {
                let values = format!("{} to {}", range.start(), range.end());
                ["spin".to_owned(), default.to_string(), values]
            }
            OptionKind::Combo { default, choices, .. } => {
                ["combo".to_owned(), (*default).to_owned(), choices().join(", ")]
            }
            OptionKind::Button { .. } => ["button".to_owned(), String::new(), String::new()],
            OptionKind::Text { .. } | OptionKind::File { .. } => {
                ["string".to_owned(), String::new(), "any text".to_owned()]
            }
        };
        vec![option.name.to_owned(), kind, default, values, option.doc.to_owned()]
    });
    assert_eq!(ours.collect::<Vec<_>>(), table("Option"));
}
