//! The conditions under which the games of a document were played, and how the games ended.

use std::collections::BTreeSet;

use super::totals::GameTotals;
use super::viewer::board;
use crate::file::MatchRun;
use crate::schedule::Schedule;
use crate::standing::Standing;
use kalah_tables::Table;

/// The players as their games record them.
pub(super) fn players(schedule: &Schedule, totals: &GameTotals) -> Table {
    let mut table = Table::new("", &["player", "version", "limit", "options"]);
    for (index, config) in schedule.config.players.iter().enumerate() {
        let player = totals.player(index);
        let options: Vec<_> =
            player.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        table.push(vec![
            config.name.as_str().into(),
            player.version.into(),
            player.limit.into(),
            options.join(", ").into(),
        ]);
    }
    table.without_empty_columns()
}

/// When, where and how the games were played. The command of a match states its rules.
pub(super) fn conditions(schedule: &Schedule, totals: &GameTotals, runs: &[MatchRun]) -> Table {
    let config = &schedule.config;
    let mut conditions = vec![
        ("date", totals.dates()),
        ("version", distinct(runs.iter().map(|run| run.version.clone()))),
        ("command", distinct(runs.iter().map(|run| run.command.clone()))),
        ("machine", distinct(runs.iter().map(|run| run.machine.clone()))),
        ("board", distinct(config.openings.iter().map(|opening| board(&opening.start)))),
    ];
    if schedule.fixtures.len() > 1 {
        conditions.push(("openings", config.openings.len().to_string()));
    }
    let mut table = Table::new("", &["condition", "value"]);
    for (condition, value) in conditions {
        if !value.is_empty() {
            table.push(vec![condition.into(), value.into()]);
        }
    }
    table
}

/// The texts in alphabetical order, without repetitions.
fn distinct(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join("; ")
}

/// The number of games that ended for each reason, and the player whose failure it was.
pub(super) fn endings(schedule: &Schedule, standing: &Standing) -> Table {
    let mut table = Table::new("", &["reason", "failed", "games"]);
    for (&(failed, reason), &(count, _)) in &standing.endings {
        let failed = failed.map(|player| schedule.name(player));
        table.push(vec![reason.name().into(), failed.into(), count.into()]);
    }
    table.without_empty_columns()
}
