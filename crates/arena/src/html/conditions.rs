//! The conditions under which the games of a document were played, and how the games ended.

use std::collections::BTreeSet;

use serde_json::Value;

use super::totals::GameTotals;
use super::viewer::board;
use crate::config::MatchConfig;
use crate::file::MatchRun;
use crate::schedule::Schedule;
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

/// When, where and by which rules the games were played.
pub(super) fn conditions(
    schedule: &Schedule,
    totals: &GameTotals,
    runs: Option<&[MatchRun]>,
) -> Table {
    let config = &schedule.config;
    let each_run = runs.unwrap_or_default().iter();
    let mut conditions = vec![
        ("date", totals.dates()),
        ("version", distinct(each_run.clone().map(|run| run.version.clone()))),
        ("command", distinct(each_run.clone().map(|run| run.command.clone()))),
        ("machine", distinct(each_run.map(|run| run.machine.clone()))),
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
    if runs.is_some() {
        for (name, value) in rules(config) {
            table.push(vec![name.into(), value.to_string().into()]);
        }
    }
    table
}

/// The rules of a match by their names in its file.
fn rules(config: &MatchConfig) -> serde_json::Map<String, Value> {
    let config = serde_json::to_value(config);
    let Ok(Value::Object(mut rules)) = config else { unreachable!("a struct: {config:?}") };
    rules.retain(|name, _| !["event", "players", "openings"].contains(&name.as_str()));
    rules
}

/// The texts in alphabetical order, without repetitions.
fn distinct(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join("; ")
}

/// The number of games that ended for each reason, and the player whose failure it was.
pub(super) fn endings(schedule: &Schedule, totals: &GameTotals) -> Table {
    let mut table = Table::new("", &["reason", "failed", "games"]);
    for ((reason, failed), count) in totals.endings() {
        let failed = failed.map(|player| schedule.name(player));
        table.push(vec![reason.into(), failed.into(), count.into()]);
    }
    table.without_empty_columns()
}
