//! The standing of a match for people: lines of text, tables, and an HTML page
//! with charts.

use std::collections::BTreeMap;

use super::ledger::Games;
use super::schedule::Schedule;
use super::standing::{PairingScore, Standing, TestStanding};
use super::stats::{DEVIATIONS_95, Model, Pentanomial, Strength, Verdict};
use crate::game::Side;
use crate::report::{Axis, Cell, Chart, Findings, Marks, Picture, Section, Series, Table};
use crate::sys::statistics::Estimate;

/// The most points of a line in a chart.
const POINTS: usize = 60;

/// The standing in one line, for while the match runs.
pub(crate) fn progress_line(schedule: &Schedule, standing: &Standing) -> String {
    let mut parts = Vec::new();
    match standing.scores.iter().next() {
        Some((&(first, second), score)) if schedule.config.players.len() == 2 => {
            let names = [first, second].map(|player| schedule.name(player));
            parts.push(format!("{} - {} {}", names[0], names[1], wins_draws_losses(score)));
            parts.extend(score.strength().map(|strength| elo(&strength)));
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
    let failures: u32 = standing.failures.iter().flat_map(|counts| counts.values()).sum();
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

fn wins_draws_losses(score: &PairingScore) -> String {
    format!("+{} ={} -{}", score.wins, score.draws, score.losses)
}

/// `Elo +12.0 ± 3.1`, or what is known if one player got nearly every point.
fn elo(strength: &Strength) -> String {
    match strength.elo_error() {
        error if error.is_finite() => format!("Elo {:+.1} ± {error:.1}", tenths(strength.elo)),
        _ => format!("Elo {}", interval(strength)),
    }
}

/// [`elo`] with its interval.
fn in_full(strength: &Strength) -> String {
    let (elo, interval) = (elo(strength).replacen(' ', ": ", 1), interval(strength));
    if elo.ends_with(&interval) {
        format!("{elo} (95 %)")
    } else {
        format!("{elo} (95 %: {interval})")
    }
}

/// The 95 % interval of Elo; its ends are infinite where one player may win every
/// game.
fn interval(strength: &Strength) -> String {
    match strength.elo_interval.map(tenths) {
        [low, high] if low.is_finite() && high.is_finite() => format!("{low:+.1} to {high:+.1}"),
        [low, _] if low.is_finite() => format!("{low:+.1} or more"),
        [_, high] if high.is_finite() => format!("{high:+.1} or less"),
        _ => "unknown".to_owned(),
    }
}

/// A probability that is never quite certain.
fn percent(probability: f64) -> String {
    match 100.0 * probability {
        percent if percent >= 99.95 => "above 99.9 %".to_owned(),
        percent if percent < 0.05 => "below 0.1 %".to_owned(),
        percent => format!("{percent:.1} %"),
    }
}

/// Rounded to tenths; a zero has no minus.
fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0 + 0.0
}

fn llr(schedule: &Schedule, test: TestStanding) -> String {
    let bounds = schedule.config.sprt.map(|sprt| sprt.bounds()).unwrap_or_default();
    format!("LLR {:.2} ({:.2}, {:.2})", test.llr, bounds[0], bounds[1])
}

/// The results of the finished games, one statement a line.
pub(crate) fn sentences(schedule: &Schedule, standing: &Standing) -> Vec<String> {
    let mut lines = vec![games(schedule, standing)];
    if schedule.config.players.len() == 2 {
        for (&(first, second), score) in &standing.scores {
            lines.extend(pairing(schedule, first, second, score));
        }
    }
    lines.extend(standing.test.and_then(|test| verdict(schedule, test)));
    lines.extend(failures(schedule, standing));
    if standing.by_delay > 0 {
        lines.push(format!(
            "{} of these losses fell into games in which the system woke a thread later than \
             the margin: the machine may be to blame, not the player.",
            standing.by_delay
        ));
    }
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
        lines.push(format!("{} warnings; they are in the records.", standing.warnings));
    }
    lines
}

fn games(schedule: &Schedule, standing: &Standing) -> String {
    let all = schedule.fixtures.len();
    format!("Games: {} of {all} finished, {} counted.", standing.finished, standing.counted())
}

fn pairing(schedule: &Schedule, first: usize, second: usize, score: &PairingScore) -> Vec<String> {
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
    if let Some(Estimate { value, error }) = score.mean_margin() {
        let pairs = score.pair_margins.len();
        lines.push(match error > 0.0 {
            true => {
                let error = DEVIATIONS_95 * error;
                format!("Margin: {value:+.2} ± {error:.2} seeds in {pairs} pairs.")
            }
            false => format!("Margin: {value:+.2} seeds, too few pairs for an error."),
        });
    }
    lines.extend(leaves(names, score));
    if let Some(strength) = score.strength() {
        lines.push(match score.pairs.pairs() {
            1 => "Elo: one pair is too few for an estimate.".to_owned(),
            _ => format!(
                "{}; normalised {:+.1} ± {:.1}; likelihood of superiority {}.",
                in_full(&strength),
                tenths(strength.normalised),
                strength.normalised_error,
                percent(strength.superiority),
            ),
        });
        let [a, b, c, d, e] = score.pairs.0;
        lines.push(format!("Pairs with 0, ½, 1, 1½, 2 points: {a}, {b}, {c}, {d}, {e}."));
    }
    lines
}

/// The leaves a move of those that report them, and the second's share saved by
/// the first.
fn leaves(names: [&str; 2], score: &PairingScore) -> Option<String> {
    match score.leaves_a_move() {
        [None, None] => None,
        [Some(first), Some(second)] => Some(format!(
            "Leaves a move: {} {first:.0}, {} {second:.0} ({:+.1} % saved by {}).",
            names[0],
            names[1],
            tenths(100.0 * (1.0 - first / second)),
            names[0]
        )),
        known => {
            let one = names.iter().zip(known).find_map(|(name, mean)| Some((name, mean?)));
            one.map(|(name, mean)| format!("Leaves a move: {name} {mean:.0}."))
        }
    }
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

fn failures(schedule: &Schedule, standing: &Standing) -> Vec<String> {
    let failing = standing.failures.iter().enumerate().filter(|(_, counts)| !counts.is_empty());
    failing
        .map(|(player, counts)| {
            let reasons: Vec<_> =
                counts.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
            format!("{} lost games by: {}.", schedule.name(player), reasons.join(", "))
        })
        .collect()
}

/// The players by rating, with their results against each other.
pub(crate) fn crosstable(schedule: &Schedule, standing: &Standing) -> Table {
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

/// The page of a match.
pub(crate) fn page(schedule: &Schedule, standing: &Standing, games: &Games) -> Findings {
    let title = match schedule.config.event.as_str() {
        "" => "Match",
        event => event,
    };
    let drawn = |heading: &str, chart: Chart, caption: &str| Section {
        heading: heading.to_owned(),
        pictures: vec![Picture { name: String::new(), chart, caption: caption.to_owned() }],
        ..Section::default()
    };
    let mut sections = vec![
        Section::of("Players", players(schedule)),
        Section::of("Crosstable", crosstable(schedule, standing)),
    ];
    sections.extend(score_chart(schedule, standing).map(|chart| {
        drawn("PairingScore over time", chart, "Each bar is one standard error to either side.")
    }));
    sections.extend(margins(schedule, standing).map(|chart| {
        let caption = "Final store minus the opponent's, of games played to the end.";
        drawn("Margins", chart, caption)
    }));
    sections.extend(time_use(schedule, games).map(|chart| {
        let caption = "Mean time by the number of the move in the game, opening moves left out.";
        drawn("Time", chart, caption)
    }));
    sections.push(Section::of("How games ended", endings(schedule, games)));
    Findings {
        title: title.to_owned(),
        summary: sentences(schedule, standing).join("\n"),
        sections,
        ..Findings::default()
    }
}

fn players(schedule: &Schedule) -> Table {
    let mut table = Table::new("", &["player", "limit", "options"]);
    for player in &schedule.config.players {
        let option = |(name, value): (&String, &String)| format!("{name}={value}");
        let options: Vec<_> = player.options.iter().map(option).collect();
        table.push(vec![
            Cell::Text(player.name.clone()),
            Cell::Text(player.limits.to_string()),
            Cell::Text(options.join(", ")),
        ]);
    }
    table
}

/// The names of the first pairing.
fn first_pairing(schedule: &Schedule, standing: &Standing) -> Option<[String; 2]> {
    let (first, second) = standing.scores.keys().next()?;
    Some([*first, *second].map(|player| schedule.name(player).to_owned()))
}

fn score_chart(schedule: &Schedule, standing: &Standing) -> Option<Chart> {
    let [first, second] = first_pairing(schedule, standing)?;
    let step = standing.history.len().div_ceil(POINTS).max(1);
    let shown = standing.history.iter().skip(step - 1).step_by(step);
    let (points, errors): (Vec<_>, _) = shown.filter_map(score_and_error).unzip();
    (!points.is_empty()).then(|| Chart {
        title: format!("{first} against {second}"),
        subtitle: "mean score of all pairs so far".to_owned(),
        x: Axis::whole("pairs of games"),
        y: Axis::linear("score a game"),
        marks: Marks::Lines(vec![Series { name: first, points, errors }]),
        levels: vec![(0.5, "equal".to_owned())],
    })
}

fn score_and_error(pairs: &Pentanomial) -> Option<((f64, f64), f64)> {
    let strength = Strength::of(pairs)?;
    Some(((pairs.pairs() as f64, strength.score), strength.score_error))
}

fn margins(schedule: &Schedule, standing: &Standing) -> Option<Chart> {
    let [first, second] = first_pairing(schedule, standing)?;
    let score = standing.scores.values().next()?;
    let sample: Vec<_> = score.margins.iter().map(|&margin| f64::from(margin)).collect();
    (!sample.is_empty()).then(|| Chart {
        title: format!("Margins of {first} against {second}"),
        subtitle: format!("{} games", sample.len()),
        x: Axis::whole("margin in seeds"),
        y: Axis::whole("games"),
        marks: Marks::Histogram(sample, 33),
        levels: Vec::new(),
    })
}

/// The mean time of each player by the number of the move.
fn time_use(schedule: &Schedule, games: &Games) -> Option<Chart> {
    let mut times: BTreeMap<(usize, usize), (f64, u32)> = BTreeMap::new();
    for (&index, game) in games {
        let players = schedule.fixtures[index].players;
        let mut numbers = [0; 2];
        for step in game.steps() {
            let side: Side = step.played.side;
            let number = &mut numbers[side.index()];
            *number += 1;
            if let (false, Some(time)) = (step.r#move.book, step.r#move.time) {
                let sum = times.entry((players[side.index()], *number)).or_default();
                *sum = (sum.0 + time.as_secs_f64() * 1000.0, sum.1 + 1);
            }
        }
    }
    let series: Vec<_> = (0..schedule.config.players.len())
        .map(|player| Series {
            name: schedule.name(player).to_owned(),
            points: times
                .range((player, 0)..=(player, usize::MAX))
                .map(|(&(_, number), &(sum, count))| (number as f64, sum / f64::from(count)))
                .collect(),
            errors: Vec::new(),
        })
        .filter(|series| !series.points.is_empty())
        .collect();
    (!series.is_empty()).then(|| Chart {
        title: "Time for a move".to_owned(),
        subtitle: format!("{} games", games.len()),
        x: Axis::whole("move of the player"),
        y: Axis::linear("milliseconds"),
        marks: Marks::Lines(series),
        levels: Vec::new(),
    })
}

fn endings(schedule: &Schedule, games: &Games) -> Table {
    let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
    for (&index, game) in games {
        let Some(ending) = game.ending() else { continue };
        let loser = Side::BOTH
            .into_iter()
            .find(|side| ending.reason.is_failure() && ending.outcome.half_points(*side) == 0)
            .map(|side| schedule.name(schedule.fixtures[index].players[side.index()]).to_owned());
        *counts.entry((ending.reason.to_string(), loser.unwrap_or_default())).or_default() += 1;
    }
    let mut table = Table::new("", &["reason", "failed", "games"]);
    for ((reason, failed), count) in counts {
        table.push(vec![Cell::Text(reason), Cell::Text(failed), Cell::Count(count)]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strength(pairs: [u64; 5]) -> Strength {
        Strength::of(&Pentanomial(pairs)).unwrap()
    }

    #[test]
    fn nothing_is_infinite_or_certain() {
        let all = strength([0, 0, 0, 0, 30]);
        assert_eq!(in_full(&all), "Elo: +557.0 or more (95 %)");
        let few = strength([0, 0, 4, 4, 0]);
        assert_eq!(elo(&few), "Elo +88.7 ± 65.1");
        assert_eq!(in_full(&few), "Elo: +88.7 ± 65.1 (95 %: +26.7 to +156.9)");
        assert_eq!(elo(&strength([30, 0, 0, 0, 0])), "Elo -557.0 or less");
        assert_eq!(percent(strength([0, 0, 0, 0, 300]).superiority), "above 99.9 %");
    }
}
