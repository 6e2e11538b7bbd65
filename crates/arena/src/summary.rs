//! The standing of a match: lines of text and tables for people, and figures for programs.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::schedule::Schedule;
use crate::standing::{PairingScore, Standing, TestStanding};
use crate::stats::{Rating, SprtVerdict, Strength};
use kalah_tables::statistics::{DEVIATIONS_95, Estimate};
use kalah_tables::{Cell, Column, Table};
use kalah_text::foreign::Foreign;
use kalah_text::format::{counted, fixed, signed, wrapped};

/// Fewer games give a rating only if they bound it on both sides.
const FEW_GAMES: u32 = 40;

fn is_rated(games: u32, elo_interval: [f64; 2]) -> bool {
    games >= FEW_GAMES || elo_interval.iter().all(|end| end.is_finite())
}

/// The standing in one line, shown while the match runs.
pub fn progress_line(schedule: &Schedule, standing: &Standing) -> String {
    let mut parts = Vec::new();
    match standing.scores.iter().next() {
        Some((&(first, second), score)) if schedule.config.players.len() == 2 => {
            let names = [first, second].map(|player| schedule.name(player));
            let PairingScore { wins, draws, losses, .. } = score;
            parts.push(format!("{} - {} +{wins} ={draws} -{losses}", names[0], names[1]));
            parts.extend(rated_strength(score).map(|strength| format!("Elo {}", elo(&strength))));
        }
        _ => parts.extend(leader(schedule, standing)),
    }
    parts.extend(standing.test.map(llr));
    let failures: u32 = standing.failures().map(|(_, _, count, _)| count).sum();
    for (count, what) in [(failures, "lost by failure"), (standing.duplicates, "repeated")] {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    let warnings = Some(u64::from(standing.warnings)).filter(|&count| count > 0);
    parts.extend(warnings.map(|count| counted(count, "warning")));
    parts.join(", ")
}

/// The player with the highest rating. Points alone would favour those who have played more games.
fn leader(schedule: &Schedule, standing: &Standing) -> Option<String> {
    let ratings = standing.ratings(schedule.config.players.len());
    let played = ratings.iter().enumerate().filter(|(_, rating)| rating.games > 0);
    let (player, rating) = played.max_by(|(_, one), (_, other)| one.elo.total_cmp(&other.elo))?;
    let Rating { points, games, .. } = rating;
    Some(format!("{} leads with {points} of {games} points", schedule.name(player)))
}

/// The difference in strength of two players, if their games suffice for a rating.
fn rated_strength(score: &PairingScore) -> Option<Strength> {
    score.strength().filter(|strength| is_rated(score.games(), strength.elo_interval))
}

/// `+12.0 (95 %: +8.9 to +15.1)`, or the interval alone if one player got every point. Half its
/// width would mislead: the interval is wider on the side away from zero.
fn elo(strength: &Strength) -> String {
    if strength.elo.is_finite() {
        format!("{} (95 %: {})", signed(strength.elo, 1), interval(strength.elo_interval))
    } else {
        format!("{} (95 %)", interval(strength.elo_interval))
    }
}

/// A player's Elo, if the player's games suffice for one.
fn known_elo(rating: &Rating) -> Option<f64> {
    if is_rated(rating.games, rating.interval?) { Some(rating.elo) } else { None }
}

/// An interval of Elo, whose ends may be infinite.
fn interval(ends: [f64; 2]) -> String {
    let [low, high] = ends;
    match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("{} to {}", signed(low, 1), signed(high, 1)),
        (true, false) => format!("{} or more", signed(low, 1)),
        (false, true) => format!("{} or less", signed(high, 1)),
        (false, false) => "unknown".to_owned(),
    }
}

/// A probability in percent. It is never shown as 0 or 100 %, because no sample is certain.
fn percent(probability: f64) -> String {
    match 100.0 * probability {
        percent if percent >= 99.95 => "above 99.9 %".to_owned(),
        percent if percent < 0.05 => "below 0.1 %".to_owned(),
        percent => format!("{percent:.1} %"),
    }
}

fn llr(test: TestStanding) -> String {
    let [lower, upper] = test.bounds;
    format!("LLR {:.2} ({lower:.2}, {upper:.2})", test.llr)
}

/// The standing as text, in lines of at most `width` columns.
pub fn text(schedule: &Schedule, standing: &Standing, width: usize) -> String {
    let mut text = String::new();
    if schedule.config.players.len() > 2 {
        for table in [crosstable(schedule, standing), pairings(schedule, standing)] {
            text += &(table.aligned(width) + "\n");
        }
    }
    for sentence in sentences(schedule, standing) {
        for line in wrapped(&Foreign(&sentence).to_string(), width) {
            text += &(line + "\n");
        }
    }
    text
}

/// The games that no part has played, with consecutive numbers as ranges; none if all were played.
pub fn missing(standing: &Standing) -> Option<String> {
    let mut ranges = Vec::new();
    let mut games = 0;
    for &[first, last] in &standing.missing {
        games += last + 1 - first;
        ranges.push(if first == last { first.to_string() } else { format!("{first}-{last}") });
    }
    if games == 0 {
        return None;
    }
    Some(format!("Missing: {}, numbers {}.", counted(games as u64, "game"), ranges.join(", ")))
}

/// The results of the finished games, one statement per line.
pub fn sentences(schedule: &Schedule, standing: &Standing) -> Vec<String> {
    let mut lines = vec![format!(
        "Games: {} of {} finished, {} counted.",
        standing.finished,
        schedule.fixtures.len(),
        standing.counted()
    )];
    if schedule.config.players.len() == 2 {
        for (&(first, second), score) in &standing.scores {
            lines.extend(pairing(schedule, first, second, score));
        }
    } else {
        lines.extend(unrated(schedule, standing));
    }
    lines.extend(standing.test.map(verdict));
    lines.extend(failures(schedule, standing));
    if standing.duplicates > 0 {
        lines.push(format!(
            "Not counted because all moves after the opening repeat an earlier game: {}. Use \
             more openings.",
            counted(standing.duplicates.into(), "game")
        ));
    }
    if standing.after_decision > 0 {
        lines.push(format!(
            "Not counted because they finished after the test had decided: {}.",
            counted(standing.after_decision.into(), "game")
        ));
    }
    if standing.warnings > 0 {
        let warnings = counted(standing.warnings.into(), "warning");
        lines.push(format!("{warnings} in the records."));
    }
    lines
}

fn pairing(schedule: &Schedule, first: usize, second: usize, score: &PairingScore) -> Vec<String> {
    let names = [first, second].map(|player| schedule.name(player));
    let games = score.games();
    let mut lines = vec![format!(
        "{} against {}: {}, {}, {} {} ({:.1} of {games} points, {:.1} %).",
        names[0],
        names[1],
        counted(score.wins.into(), "win"),
        counted(score.draws.into(), "draw"),
        score.losses,
        if score.losses == 1 { "loss" } else { "losses" },
        score.points(),
        100.0 * score.points() / f64::from(games.max(1)),
    )];
    if let Some(Estimate { value, error }) = score.mean_margin() {
        let margin = signed(value, 2);
        let pairs = score.pair_margins.len();
        lines.push(if pairs == 1 {
            format!("Margin: {margin} seeds; one pair is too few for an error.")
        } else if error == 0.0 {
            format!("Margin: {margin} seeds in each of {pairs} pairs.")
        } else {
            let error = DEVIATIONS_95 * error;
            format!("Margin: {margin} ± {error:.2} seeds in {pairs} pairs.")
        });
    }
    lines.extend(leaves(names, score));
    if score.pairs.pairs() > 0 {
        match rated_strength(score) {
            None => lines.push("Too few games for a rating.".to_owned()),
            Some(strength) => lines.extend([
                format!("Elo: {}.", elo(&strength)),
                format!(
                    "Normalised Elo: {} ± {:.1}.",
                    signed(strength.normalised, 1),
                    strength.normalised_error
                ),
                format!("Likelihood of superiority: {}.", percent(strength.superiority)),
            ]),
        }
        let [a, b, c, d, e] = score.pairs.0;
        lines.push(format!("Pairs with 0, ½, 1, 1½, 2 points: {a}, {b}, {c}, {d}, {e}."));
    }
    lines
}

/// Who has no rating among several players.
fn unrated(schedule: &Schedule, standing: &Standing) -> Option<String> {
    let ratings = standing.ratings(schedule.config.players.len());
    let known = ratings.iter().filter(|rating| known_elo(rating).is_some()).count();
    if standing.counted() == 0 || known == ratings.len() {
        None
    } else if known == 0 {
        Some("Too few games for ratings.".to_owned())
    } else {
        Some("Players without an Elo have played too few games for one.".to_owned())
    }
}

/// Leaves per move of the players that report them, and the share of the second player's
/// leaves that the first saves.
fn leaves(names: [&str; 2], score: &PairingScore) -> Option<String> {
    match score.leaves_a_move() {
        [None, None] => None,
        [Some(first), Some(second)] => Some(format!(
            "Leaves per move: {} {first:.0}, {} {second:.0} ({} % saved by {}).",
            names[0],
            names[1],
            signed(100.0 * (1.0 - first / second), 1),
            names[0]
        )),
        known => {
            let one = names.iter().zip(known).find_map(|(name, mean)| Some((name, mean?)));
            one.map(|(name, mean)| format!("Leaves per move: {name} {mean:.0}."))
        }
    }
}

fn verdict(test: TestStanding) -> String {
    let sprt = test.hypotheses;
    let unit = sprt.model.unit();
    let verdict = match test.verdict {
        SprtVerdict::Open => "is open".to_owned(),
        SprtVerdict::AcceptH0 => format!("accepts H0, a difference of {} {unit}", sprt.elo0),
        SprtVerdict::AcceptH1 => format!("accepts H1, a difference of {} {unit}", sprt.elo1),
    };
    format!(
        "SPRT of {} against {} {unit} {verdict} after {}: {}.",
        sprt.elo0,
        sprt.elo1,
        counted(test.pairs, "pair"),
        llr(test),
    )
}

fn failures(schedule: &Schedule, standing: &Standing) -> Vec<String> {
    let mut by_player: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (player, reason, count, detail) in standing.failures() {
        let detail = detail.map(|detail| format!(" ({detail})")).unwrap_or_default();
        by_player.entry(player).or_default().push(format!("{count} {reason}{detail}"));
    }
    let lines = by_player.into_iter().map(|(player, reasons)| {
        format!("{} lost games by failure: {}.", schedule.name(player), reasons.join(", "))
    });
    lines.collect()
}

/// The players in order of their rating, with their points against each other. Omits the rating
/// columns if no player has enough games for a rating.
pub fn crosstable(schedule: &Schedule, standing: &Standing) -> Table {
    let ratings = standing.ratings(schedule.config.players.len());
    let mut order: Vec<usize> = (0..ratings.len()).collect();
    order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
    let is_rated = ratings.iter().any(|rating| known_elo(rating).is_some());
    let mut headings = vec!["#", "player"];
    if is_rated {
        headings.extend(["Elo", "95 %"]);
    }
    headings.extend(["points", "games"]);
    headings.extend(order.iter().map(|&player| schedule.name(player)));
    let mut table = Table::new("Ratings and points against each other", &headings);
    for (place, &player) in order.iter().enumerate() {
        let rating = &ratings[player];
        let mut row = vec![(place + 1).into(), schedule.name(player).into()];
        if is_rated {
            let elo = known_elo(rating);
            row.push(elo.map(|elo| Cell::Signed(elo, 1)).into());
            row.push(elo.and(rating.interval).map(interval).into());
        }
        row.extend([Cell::Number(rating.points, 1), rating.games.into()]);
        row.extend(order.iter().map(|&other| against(standing, [player, other])));
        table.push(row);
    }
    table
}

/// A player's points in the games against another, and the number of these games.
fn against(standing: &Standing, [player, other]: [usize; 2]) -> Cell {
    let (points, games) = if let Some(score) = standing.scores.get(&(player, other)) {
        (score.points(), score.games())
    } else if let Some(score) = standing.scores.get(&(other, player)) {
        (f64::from(score.games()) - score.points(), score.games())
    } else {
        return Cell::Empty;
    };
    format!("{}/{games}", fixed(points, 1)).into()
}

/// A mean margin, with half the width of its 95 % interval if there is one.
fn margin(Estimate { value, error }: Estimate) -> String {
    if error == 0.0 {
        return signed(value, 2);
    }
    format!("{} ± {}", signed(value, 2), fixed(DEVIATIONS_95 * error, 2))
}

/// The score of each pairing from its first player's point of view.
pub fn pairings(schedule: &Schedule, standing: &Standing) -> Table {
    let columns: [Column<'_, (&(usize, usize), &PairingScore)>; 7] = [
        ("pairing", &|&(pairing, _)| versus(schedule, *pairing).into()),
        ("wins", &|(_, score)| score.wins.into()),
        ("draws", &|(_, score)| score.draws.into()),
        ("losses", &|(_, score)| score.losses.into()),
        ("points", &|(_, score)| Cell::Number(score.points(), 1)),
        ("margin ± 95 %", &|(_, score)| score.mean_margin().map(margin).into()),
        ("Elo", &|(_, score)| rated_strength(score).map(|strength| elo(&strength)).into()),
    ];
    let is_rated = standing.scores.values().any(|score| rated_strength(score).is_some());
    let shown = if is_rated { &columns[..] } else { &columns[..columns.len() - 1] };
    Table::from_items(
        "Each pairing, from its first player's point of view",
        &standing.scores,
        shown,
    )
}

pub(super) fn versus(schedule: &Schedule, (first, second): (usize, usize)) -> String {
    format!("{} - {}", schedule.name(first), schedule.name(second))
}

/// The standing of a match for programs, without its pairings.
#[derive(Serialize)]
pub struct Summary<'a> {
    event: &'a str,
    /// Games of the whole schedule.
    scheduled: usize,
    counted: u32,
    #[serde(flatten)]
    standing: &'a Standing,
    players: Vec<PlayerFigures<'a>>,
    failures: Vec<FailureFigures<'a>>,
}

#[derive(Serialize)]
struct PlayerFigures<'a> {
    name: &'a str,
    elo: Option<f64>,
    /// The 95 % interval of `elo`; `null` for an end that is infinite.
    interval: Option<[f64; 2]>,
    points: f64,
    games: u32,
}

#[derive(Serialize)]
struct FailureFigures<'a> {
    player: &'a str,
    reason: &'static str,
    games: u32,
    detail: Option<&'a str>,
}

/// A pairing for programs, from its first player's point of view.
#[derive(Serialize)]
pub struct PairingFigures<'a> {
    players: [&'a str; 2],
    games: u32,
    points: f64,
    #[serde(flatten)]
    score: &'a PairingScore,
    margin: Option<Estimate>,
    leaves_per_move: [Option<f64>; 2],
    strength: Option<Strength>,
}

impl<'a> Summary<'a> {
    /// Collects the figures of a standing of `schedule`.
    pub fn new(schedule: &'a Schedule, standing: &'a Standing) -> Self {
        let ratings = standing.ratings(schedule.config.players.len());
        let players = ratings.into_iter().enumerate().map(|(player, rating)| PlayerFigures {
            name: schedule.name(player),
            elo: known_elo(&rating),
            interval: known_elo(&rating).and(rating.interval),
            points: rating.points,
            games: rating.games,
        });
        let failures = standing.failures().map(|(player, reason, games, detail)| {
            let player = schedule.name(player);
            FailureFigures { player, reason: reason.name(), games, detail }
        });
        Self {
            event: &schedule.config.event,
            scheduled: schedule.fixtures.len(),
            counted: standing.counted(),
            standing,
            players: players.collect(),
            failures: failures.collect(),
        }
    }
}

/// The score of each pairing for programs.
pub fn pairing_figures<'a>(
    schedule: &'a Schedule,
    standing: &'a Standing,
) -> Vec<PairingFigures<'a>> {
    let figures = standing.scores.iter().map(|(&(first, second), score)| PairingFigures {
        players: [first, second].map(|player| schedule.name(player)),
        games: score.games(),
        points: score.points(),
        score,
        margin: score.mean_margin(),
        leaves_per_move: score.leaves_a_move(),
        strength: score.strength(),
    });
    figures.collect()
}
