//! The standing of a match in words and tables.

use super::schedule::Schedule;
use super::standing::{Score, Standing, TestStanding};
use super::stats::{Estimate, Model, Verdict};
use crate::report::{Cell, Table};

/// The standing in one line, for while the match runs.
pub fn line(schedule: &Schedule, standing: &Standing) -> String {
    let mut parts = Vec::new();
    match standing.scores.iter().next() {
        Some((&(first, second), score)) if schedule.config.players.len() == 2 => {
            let names = [first, second].map(|player| schedule.name(player));
            parts.push(format!("{} - {} {}", names[0], names[1], wins_draws_losses(score)));
            parts.extend(score.estimate().map(|estimate| elo(&estimate)));
        }
        _ => {
            let leader = (0..).zip(standing.ratings()).max_by(|a, b| a.1.elo.total_cmp(&b.1.elo));
            let leader = leader.filter(|(_, rating)| rating.games > 0);
            parts.extend(leader.map(|(player, rating)| {
                format!("{} leads with {:+.0} Elo", schedule.name(player), rating.elo)
            }));
        }
    }
    parts.extend(standing.test.map(|test| llr(schedule, test)));
    let failures: u32 = standing.conduct.iter().flat_map(|c| c.failures.values()).sum();
    for (count, what) in [
        (failures, "lost by failing"),
        (standing.duplicates, "repeated"),
        (standing.warnings, "warnings"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    parts.join(", ")
}

fn wins_draws_losses(score: &Score) -> String {
    format!("+{} ={} -{}", score.wins, score.draws, score.losses)
}

fn elo(estimate: &Estimate) -> String {
    format!("Elo {:+.1} ± {:.1}", tenths(estimate.elo), estimate.elo_error())
}

/// Rounded to tenths; a zero has no minus.
fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0 + 0.0
}

fn llr(schedule: &Schedule, test: TestStanding) -> String {
    let bounds = schedule.config.sprt.map(|sprt| sprt.bounds()).unwrap_or_default();
    format!("LLR {:.2} ({:.2}, {:.2})", test.llr, bounds[0], bounds[1])
}

/// All that the finished games mean, for the end of a match.
pub fn sentences(schedule: &Schedule, standing: &Standing) -> Vec<String> {
    let mut lines = vec![games(schedule, standing)];
    if schedule.config.players.len() == 2 {
        for (&(first, second), score) in &standing.scores {
            lines.extend(pairing(schedule, first, second, score));
        }
    }
    lines.extend(standing.test.and_then(|test| verdict(schedule, test)));
    lines.extend(conduct(schedule, standing));
    if standing.duplicates > 0 {
        lines.push(format!(
            "{} games repeat earlier ones move by move and are not counted: \
             more openings would help.",
            standing.duplicates
        ));
    }
    if standing.after_decision > 0 {
        lines.push(format!(
            "{} games after the decision of the test are in the file and not counted.",
            standing.after_decision
        ));
    }
    if standing.warnings > 0 {
        lines.push(format!("{} warnings; the records tell.", standing.warnings));
    }
    lines
}

fn games(schedule: &Schedule, standing: &Standing) -> String {
    let all = schedule.fixtures.len();
    format!("Games: {} of {all} finished, {} counted.", standing.finished, standing.counted())
}

fn pairing(schedule: &Schedule, first: usize, second: usize, score: &Score) -> Vec<String> {
    let names = [first, second].map(|player| schedule.name(player));
    let games = score.games();
    let mut lines = vec![format!(
        "{} against {}: {} wins, {} draws, {} losses ({:.1} of {games} points, {:.1} %).",
        names[0],
        names[1],
        score.wins,
        score.draws,
        score.losses,
        score.points(),
        100.0 * score.points() / f64::from(games.max(1)),
    )];
    if let Some((mean, error)) = score.mean_margin() {
        let known = score.margins.len();
        lines.push(format!("Margin: {mean:+.2} ± {:.2} seeds in {known} games.", 1.96 * error));
    }
    if let Some(estimate) = score.estimate() {
        lines.push(format!(
            "Elo: {:+.1} ± {:.1} (95 %: {:+.1} to {:+.1}); normalised {:+.1} ± {:.1}; \
             likelihood of superiority {:.1} %.",
            tenths(estimate.elo),
            estimate.elo_error(),
            tenths(estimate.elo_interval[0]),
            tenths(estimate.elo_interval[1]),
            tenths(estimate.normalised),
            estimate.normalised_error,
            100.0 * estimate.superiority,
        ));
        let [a, b, c, d, e] = score.pairs.0;
        lines.push(format!("Pairs with 0, ½, 1, 1½, 2 points: {a}, {b}, {c}, {d}, {e}."));
    }
    lines
}

fn verdict(schedule: &Schedule, test: TestStanding) -> Option<String> {
    let sprt = schedule.config.sprt?;
    let unit = match sprt.model {
        Model::Logistic => "Elo",
        Model::Normalized => "normalised Elo",
    };
    let verdict = match test.verdict {
        Verdict::Open => "is open".to_owned(),
        Verdict::AcceptH0 => format!("accepts H0, a difference of {} {unit}", sprt.elo0),
        Verdict::AcceptH1 => format!("accepts H1, a difference of {} {unit}", sprt.elo1),
    };
    Some(format!(
        "SPRT of {} against {} {unit} {verdict} after {} pairs: {}.",
        sprt.elo0,
        sprt.elo1,
        test.pairs,
        llr(schedule, test),
    ))
}

fn conduct(schedule: &Schedule, standing: &Standing) -> Vec<String> {
    let mut lines = Vec::new();
    for (player, conduct) in standing.conduct.iter().enumerate() {
        if conduct.failures.is_empty() {
            continue;
        }
        let of = |(reason, count): (_, &u32)| format!("{count} {reason}");
        let reasons: Vec<_> = conduct.failures.iter().map(of).collect();
        lines.push(format!("{} lost games by: {}.", schedule.name(player), reasons.join(", ")));
    }
    lines
}

/// The players by rating, with their results against each other.
pub fn crosstable(schedule: &Schedule, standing: &Standing) -> Table {
    let ratings = standing.ratings();
    let mut order: Vec<usize> = (0..ratings.len()).collect();
    order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
    let mut headings = vec!["#".to_owned(), "player".to_owned(), "Elo".to_owned()];
    headings.extend(["± 95 %", "points", "games"].map(str::to_owned));
    headings.extend(order.iter().map(|&player| schedule.name(player).to_owned()));
    let headings: Vec<_> = headings.iter().map(String::as_str).collect();
    let mut table = Table::new("Ratings and points against each other", &headings);
    for (place, &player) in order.iter().enumerate() {
        let rating = &ratings[player];
        let mut row = vec![
            Cell::Count(place as u64 + 1),
            Cell::Text(schedule.name(player).to_owned()),
            Cell::Signed(rating.elo, 1),
            rating.error.map_or(Cell::Empty, |error| Cell::Number(error, 1)),
            Cell::Number(rating.points, 1),
            Cell::Count(rating.games.into()),
        ];
        row.extend(order.iter().map(|&other| against(standing, player, other)));
        table.push(row);
    }
    table
}

/// A player's points out of the games against another.
fn against(standing: &Standing, player: usize, other: usize) -> Cell {
    let (score, points) = match standing.scores.get(&(player, other)) {
        Some(score) => (score, score.points()),
        None => match standing.scores.get(&(other, player)) {
            Some(score) => (score, f64::from(score.games()) - score.points()),
            None => return Cell::Empty,
        },
    };
    Cell::Text(format!("{points:.1}/{}", score.games()))
}
