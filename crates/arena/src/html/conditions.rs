//! The conditions under which the games of a document were played, and how the games ended.

use std::collections::BTreeSet;

use super::totals::GameTotals;
use super::viewer::board;
use crate::config::{Adjudication, MatchConfig, TournamentFormat};
use crate::file::MatchRun;
use crate::schedule::Schedule;
use crate::standing::Standing;
use crate::stats::Sprt;
use kalah_tables::Table;
use kalah_text::format::counted;

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
    if runs.is_some() {
        conditions.extend(conditions_of_match(config));
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

fn conditions_of_match(config: &MatchConfig) -> Vec<(&'static str, String)> {
    let pairs = counted(config.rounds.into(), "pair");
    let pairings = match config.format {
        TournamentFormat::RoundRobin => {
            format!("every player against every other, {pairs} per pairing")
        }
        TournamentFormat::Gauntlet => {
            format!("the first against each of the others, {pairs} per pairing")
        }
    };
    let timing = config.timing;
    let time_limits = format!(
        "a margin of {} ms; {} s for a move without a time limit, {} s to start",
        timing.margin.as_millis(),
        timing.patience.as_secs_f64(),
        timing.start.as_secs_f64(),
    );
    let sprt = config.sprt.map(|Sprt { elo0, elo1, alpha, beta, model }| {
        let unit = model.unit();
        format!("{elo0} against {elo1} {unit}, alpha {alpha}, beta {beta}")
    });
    vec![
        ("pairings", pairings),
        ("seed", config.seed.to_string()),
        ("adjudication", adjudication(&config.adjudication)),
        ("time limits", time_limits),
        ("SPRT", sprt.unwrap_or_default()),
    ]
}

fn adjudication(adjudication: &Adjudication) -> String {
    let Adjudication { majority, table_seeds, move_limit, resign, draw } = adjudication;
    let mut rules = Vec::new();
    if *majority {
        rules.push("a store with more than half of the seeds".to_owned());
    }
    if let Some(seeds) = *table_seeds {
        rules.push(format!("an endgame table with {}", counted(seeds.into(), "seed")));
    }
    if let Some(rule) = resign {
        rules.push(format!("a loss by score ({rule})"));
    }
    if let Some(rule) = draw {
        rules.push(format!("a draw by score ({rule})"));
    }
    if let Some(moves) = *move_limit {
        rules.push(format!("a draw after {}", counted(moves.into(), "move")));
    }
    rules.join(", ")
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
