//! The page of a match or of any record of games: tables, charts, the conditions,
//! and every game to step through.
//!
//! The games go into the page as JSON, with the position after each move, and a
//! script, `games.js`, shows them: the rules are played here, not there. A game of
//! 40 moves takes about a kilobyte.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::config::{Adjudication, Format, MatchConfig};
use super::ledger::{Games, Run};
use super::report::{ONE_PAIR, crosstable, pairings, sentences, versus};
use super::schedule::{Fixture, Schedule};
use super::standing::{PairingScore, Standing, side_of_first};
use super::stats::{Pentanomial, Sprt, Strength};
use crate::game::{Capture, Position, Side};
use crate::record::{Game, Outcome, Step, Variation};
use crate::report::format::{counted, fixed, signed};
use crate::report::{Axis, Bars, Cell, Chart, Findings, Marks, Picture, Section, Series, Table};
use crate::sys::statistics::Estimate;

/// The most points of a line in a chart.
const POINTS: usize = 60;

/// The page of the games of a schedule. `runs` are what its file says of a match;
/// none if the schedule was made from games.
pub(crate) fn page(
    schedule: &Schedule,
    standing: &Standing,
    games: &Games,
    runs: Option<&[Run]>,
) -> Findings {
    let mut crosstables = Section::of("Crosstable", crosstable(schedule, standing));
    crosstables.tables.push(pairings(schedule, standing));
    let is_one_game = schedule.fixtures.len() == 1;
    let games_played = Section {
        heading: if is_one_game { "Game" } else { "Games" }.to_owned(),
        html: viewer(schedule, games),
        ..Section::default()
    };
    let openings = |(&pairing, score)| openings(schedule, pairing, score, games);
    let openings = Section {
        heading: "Openings".to_owned(),
        text: "Each margin leads to its game.".to_owned(),
        tables: standing.scores.iter().map(openings).collect(),
        folded: true,
        ..Section::default()
    };
    let mut conditions = Section::of("Conditions", players(schedule, games));
    conditions.tables.push(conditions_of(schedule, games, runs));
    let endings = Section::of("How games ended", endings(schedule, games));
    let charts = charts(schedule, standing, games);
    let mut sections = match standing.finished {
        // One result is no statistic.
        0 | 1 => vec![games_played, conditions],
        _ => vec![crosstables, games_played, openings, charts, endings, conditions],
    };
    sections.retain(|section| section.heading != "Charts" || !section.pictures.is_empty());
    let summary = if is_one_game { Vec::new() } else { sentences(schedule, standing) };
    Findings {
        title: title(schedule),
        summary: summary.join("\n"),
        sections,
        ..Findings::default()
    }
}

/// The games that have been played, in the order of the schedule.
fn played<'a>(
    schedule: &'a Schedule,
    games: &'a Games,
) -> impl Iterator<Item = (&'a Fixture, &'a Game)> {
    schedule.fixtures.iter().filter_map(|fixture| Some((fixture, games.get(&fixture.index)?)))
}

fn title(schedule: &Schedule) -> String {
    let players = &schedule.config.players;
    match (schedule.config.event.as_str(), players.as_slice()) {
        ("", [one, other]) => format!("{} against {}", one.name, other.name),
        ("", _) => format!("Games of {}", counted(players.len() as u64, "player")),
        (event, _) => event.to_owned(),
    }
}

/// The players as their games have them.
fn players(schedule: &Schedule, games: &Games) -> Table {
    let mut table = Table::new("", &["player", "version", "limit", "options"]);
    for (index, config) in schedule.config.players.iter().enumerate() {
        let player = played(schedule, games).find_map(|(fixture, game)| {
            let side = fixture.players.iter().position(|&player| player == index)?;
            Some(game.players[side].clone())
        });
        let player = player.unwrap_or_default();
        let option = |(name, value): (&String, &String)| format!("{name}={value}");
        let options: Vec<_> = player.options.iter().map(option).collect();
        table.push(vec![
            config.name.as_str().into(),
            player.version.into(),
            player.limit.into(),
            options.join(", ").into(),
        ]);
    }
    table.without_empty_columns()
}

/// When, by what and by which rules the games were played.
fn conditions_of(schedule: &Schedule, games: &Games, runs: Option<&[Run]>) -> Table {
    let mut table = Table::new("", &["condition", "value"]);
    let mut say = |condition: &str, value: String| {
        if !value.is_empty() {
            table.push(vec![condition.into(), value.into()]);
        }
    };
    let config = &schedule.config;
    let dates: BTreeSet<&str> = games.values().filter_map(|game| game.date.as_deref()).collect();
    say(
        "date",
        match (dates.first(), dates.last()) {
            (Some(first), Some(last)) if first != last => format!("{first} to {last}"),
            (first, _) => first.copied().unwrap_or_default().to_owned(),
        },
    );
    let each = |value: fn(&Run) -> &String| {
        let values: BTreeSet<_> = runs.unwrap_or_default().iter().map(value).cloned().collect();
        values.into_iter().collect::<Vec<_>>().join("; ")
    };
    say("version", each(|run| &run.version));
    say("command", each(|run| &run.command));
    say("machine", each(|run| &run.machine));
    let starts = config.openings.iter().map(|opening| board(&opening.start));
    say("board", starts.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join("; "));
    if schedule.fixtures.len() > 1 {
        say("openings", config.openings.len().to_string());
    }
    if runs.is_some() {
        say_of_match(config, say);
    }
    table
}

/// The conditions that only the configuration of a match has.
fn say_of_match(config: &MatchConfig, mut say: impl FnMut(&str, String)) {
    let pairs = counted(config.rounds.into(), "pair");
    say(
        "pairings",
        match config.format {
            Format::RoundRobin => format!("each against each, {pairs} a pairing"),
            Format::Gauntlet => format!("the first against each of the others, {pairs} a pairing"),
        },
    );
    say("seed", config.seed.to_string());
    say("adjudication", adjudication(&config.adjudication));
    let [margin, patience, start] =
        [config.timing.margin, config.timing.patience, config.timing.start]
            .map(|time| time.as_secs_f64());
    say(
        "time limits",
        format!(
            "exceeded by {:.0} ms at most; {patience} s for a move without one, {start} s to get \
             ready",
            margin * 1000.0
        ),
    );
    if let Some(sprt) = config.sprt {
        let Sprt { elo0, elo1, alpha, beta, model } = sprt;
        let unit = model.unit();
        say("SPRT", format!("{elo0} against {elo1} {unit}, alpha {alpha}, beta {beta}"));
    }
}

/// The size and the rules of a board.
fn board(start: &Position) -> String {
    let captures = match start.capture() {
        Capture::Standard => "standard captures",
        Capture::EmptyCapture => "empty captures",
    };
    let (pits, seeds) =
        (counted(start.pits() as u64, "pit"), counted(start.total().into(), "seed"));
    format!("{pits} a row, {seeds}, {captures}")
}

fn adjudication(adjudication: &Adjudication) -> String {
    let Adjudication { majority, table_seeds, move_limit } = adjudication;
    let majority = majority.then(|| "a store with more than half of the seeds".to_owned());
    let table = table_seeds.map(|seeds| format!("a table of {seeds} seeds"));
    let limit = move_limit.map(|moves| format!("a draw after {moves} moves"));
    [majority, table, limit].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The openings of a pairing, and what the first player made of them.
fn openings(
    schedule: &Schedule,
    (first, second): (usize, usize),
    score: &PairingScore,
    games: &Games,
) -> Table {
    let names = [first, second].map(|player| schedule.name(player));
    let caption = format!(
        "{}: {} of {} points; margins as {} sees them",
        versus(schedule, (first, second)),
        fixed(score.points(), 1),
        score.games(),
        names[0]
    );
    let sides = names.map(|name| format!("{name} as South"));
    let mut table = Table::new(&caption, &["opening", "moves", "points", &sides[0], &sides[1]]);
    let ours = played(schedule, games)
        .filter(|(fixture, _)| (fixture.first(), fixture.second()) == (first, second));
    let ours: Vec<_> = ours.collect();
    for pair in ours.chunk_by(|one, other| one.0.pair() == other.0.pair()) {
        let mut links = [Cell::Empty, Cell::Empty];
        let mut half_points = None;
        for &(fixture, game) in pair {
            let side = side_of_first(fixture);
            links[fixture.index % 2] = link(fixture, game, side);
            if let Some(ending) = game.ending() {
                *half_points.get_or_insert(0) += ending.outcome.half_points(side);
            }
        }
        let opening = schedule.opening(pair[0].0);
        let mut row = vec![opening.name.as_str().into(), opening.letters().into()];
        row.push(half_points.map_or(Cell::Empty, |half| Cell::Number(f64::from(half) / 2.0, 1)));
        row.extend(links);
        table.push(row);
    }
    table
}

/// A game's margin or result, as `side` sees it; it leads to the game.
fn link(fixture: &Fixture, game: &Game, side: Side) -> Cell {
    let shown = match game.ending() {
        None => "unfinished".to_owned(),
        Some(ending) => match (ending.margin, ending.outcome) {
            (Some(margin), _) => signed(side.sees(f64::from(margin.0)), 0),
            (None, Outcome::Draw) => format!("drawn ({})", ending.reason),
            (None, Outcome::Won(winner)) if winner == side => format!("won ({})", ending.reason),
            (None, Outcome::Won(_)) => format!("lost ({})", ending.reason),
        },
    };
    Cell::Link(shown, format!("#game-{}", number(fixture, game)))
}

/// What the page calls a game: its round, which is its place in the schedule or file.
fn number(fixture: &Fixture, game: &Game) -> u32 {
    game.round.unwrap_or(fixture.index as u32 + 1)
}

/// The games of a page, as its script reads them.
#[derive(Serialize)]
struct GamesData<'a> {
    players: Vec<&'a str>,
    games: Vec<GameData<'a>>,
}

/// One line of moves of a game.
#[derive(Serialize)]
struct GameData<'a> {
    /// The number of the game, and of the variation: `3`, `3v1`.
    number: String,
    /// South and North at the end, as indices of players.
    players: [usize; 2],
    /// After so many moves the players swapped sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    swapped: Option<usize>,
    #[serde(skip_serializing_if = "str::is_empty")]
    opening: &'a str,
    rules: String,
    result: String,
    /// The letters of the moves, in the case of their sides.
    moves: String,
    /// Moves at the start that no player has chosen.
    book: usize,
    /// Before and after each move: the letter of the side to move, and the seeds in
    /// the stores and pits in the order of a position's text, each as a character.
    positions: String,
    /// The margin that the mover of each move expected, in hundredths of a seed as
    /// South sees them.
    values: Vec<Option<i32>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    comments: BTreeMap<usize, String>,
}

impl<'a> GameData<'a> {
    fn of(game: &'a Game, players: [usize; 2], number: String, line: &Variation) -> Self {
        let steps = line.steps();
        let value = |step: &Step| {
            let evaluation = step.r#move.evaluation?;
            Some(step.played.side.sees(evaluation.margin.0))
        };
        let positions = std::iter::once(game.start()).chain(steps.iter().map(|step| &step.after));
        let comments = (1..).zip(steps);
        let comments =
            comments.filter_map(|(number, step)| Some((number, step.r#move.comment.clone()?)));
        Self {
            number,
            players,
            swapped: line.swapped_after(),
            opening: game.opening.as_deref().unwrap_or_default(),
            rules: board(game.start()),
            result: game.ending().map_or("unfinished".to_owned(), ToString::to_string),
            moves: steps.iter().map(|step| step.played.letter()).collect(),
            book: steps.iter().take_while(|step| step.r#move.book).count(),
            positions: positions.map(characters).collect(),
            values: steps.iter().map(value).collect(),
            comments: comments.collect(),
        }
    }
}

/// A position in characters: the side to move, and a character for each count of
/// seeds, `0` for none. No board has so many seeds that these would be surrogates.
fn characters(position: &Position) -> String {
    let side = if position.side() == Side::South { 'S' } else { 'N' };
    let stores = Side::BOTH.map(|side| position.store(side));
    let rows = Side::BOTH.map(|side| position.row(side));
    let rows = rows.into_iter().flatten().map(|&seeds| u32::from(seeds));
    let counts = stores.into_iter().chain(rows);
    let counts = counts.filter_map(|seeds| char::from_u32(u32::from('0') + seeds));
    std::iter::once(side).chain(counts).collect()
}

/// The part of the page that shows the games, one at a time.
fn viewer(schedule: &Schedule, games: &Games) -> String {
    let lines = played(schedule, games).flat_map(|(fixture, game)| {
        let number = number(fixture, game);
        let main = (number.to_string(), game.main_line());
        let variations = (1..).zip(game.variations());
        let variations = variations.map(move |(nth, line)| (format!("{number}v{nth}"), line));
        let lines = std::iter::once(main).chain(variations);
        lines.map(|(number, line)| GameData::of(game, fixture.players, number, &line))
    });
    let data = GamesData {
        players: (0..schedule.config.players.len()).map(|player| schedule.name(player)).collect(),
        games: lines.collect(),
    };
    let json = serde_json::to_string(&data);
    let json = json.unwrap_or_else(|error| unreachable!("strings and numbers: {error}"));
    // What begins with this sign would end the element.
    let json = json.replace('<', "\\u003c");
    format!(
        "<style>\n{}</style>\n{}<script type=\"application/json\" id=\"games-data\">{json}</script>\n\
         <script>\n{}</script>\n",
        include_str!("games.css"),
        include_str!("games.html"),
        include_str!("games.js"),
    )
}

fn charts(schedule: &Schedule, standing: &Standing, games: &Games) -> Section {
    const ERRORS: &str = "Each bar is one standard error to either side.";
    const MARGIN: &str = "Final store minus the opponent's, of games played to the end.";
    const TIME: &str = "By the number of the move in the game, opening moves left out.";
    let charts = [
        (pairings_chart(schedule, standing), ERRORS),
        (score_chart(schedule, standing), ERRORS),
        (margins(schedule, standing), MARGIN),
        (time_use(schedule, games), TIME),
    ];
    let pictures = charts.into_iter().filter_map(|(chart, caption)| {
        Some(Picture { name: String::new(), chart: chart?, caption: caption.to_owned() })
    });
    let pictures = pictures.collect();
    Section { heading: "Charts".to_owned(), pictures, ..Section::default() }
}

/// The margins of the pairings of more than two players.
fn pairings_chart(schedule: &Schedule, standing: &Standing) -> Option<Chart> {
    let known = standing.scores.iter().filter_map(|(&pairing, score)| {
        let Estimate { value, error } = score.mean_margin()?;
        Some((versus(schedule, pairing), (value, error)))
    });
    let (names, estimates): (Vec<_>, Vec<_>) = known.unzip();
    let (lengths, errors) = estimates.into_iter().unzip();
    let bars = Bars { name: "mean margin of the pairs".to_owned(), lengths, errors };
    (names.len() > 1).then(|| Chart {
        title: "Margins of the pairings".to_owned(),
        subtitle: "seen from the first player".to_owned(),
        x: Axis::linear("seeds"),
        marks: Marks::Bars(names, vec![bars]),
        ..Chart::default()
    })
}

/// The score of the first pairing after each of its pairs.
fn score_chart(schedule: &Schedule, standing: &Standing) -> Option<Chart> {
    let &pairing = standing.scores.keys().next()?;
    let step = standing.history.len().div_ceil(POINTS).max(1);
    let shown = standing.history.iter().skip(step - 1).step_by(step);
    let (points, errors): (Vec<_>, _) = shown.filter_map(score_and_error).unzip();
    let name = schedule.name(pairing.0).to_owned();
    (points.len() > 1).then(|| Chart {
        title: format!("Score of {}", versus(schedule, pairing)),
        subtitle: "mean of all pairs so far".to_owned(),
        x: Axis::whole("pairs of games"),
        y: Axis::share("score a game"),
        marks: Marks::Lines(vec![Series { name, points, errors }]),
        levels: vec![(0.5, "equal".to_owned())],
    })
}

fn score_and_error(pairs: &Pentanomial) -> Option<((f64, f64), f64)> {
    let strength = Strength::of(pairs)?;
    Some(((pairs.pairs() as f64, strength.score), strength.score_error))
}

/// The margins of the first pairing.
fn margins(schedule: &Schedule, standing: &Standing) -> Option<Chart> {
    let (&pairing, score) = standing.scores.iter().next()?;
    let sample: Vec<_> = score.margins.iter().map(|&margin| f64::from(margin)).collect();
    (sample.len() > ONE_PAIR).then(|| Chart {
        title: format!("Margins of {}", versus(schedule, pairing)),
        subtitle: counted(sample.len() as u64, "game"),
        x: Axis::whole("margin in seeds"),
        y: Axis::whole("games"),
        marks: Marks::Histogram(sample, 33),
        ..Chart::default()
    })
}

/// The mean time of each player by the number of the move.
fn time_use(schedule: &Schedule, games: &Games) -> Option<Chart> {
    let mut times: BTreeMap<(usize, usize), (f64, u32)> = BTreeMap::new();
    for (Fixture { players, .. }, game) in played(schedule, games) {
        let mut numbers = [0; 2];
        for step in game.steps() {
            let side: Side = step.played.side;
            let number = &mut numbers[side.index()];
            *number += 1;
            if let (false, Some(time)) = (step.r#move.book, step.r#move.time) {
                let sum = times.entry((players[side.index()], *number)).or_default();
                *sum = (sum.0 + time.as_secs_f64(), sum.1 + 1);
            }
        }
    }
    let mean = |&(sum, count): &(f64, u32)| sum / f64::from(count);
    let longest = times.values().map(mean).fold(0.0, f64::max);
    let (unit, in_unit) = if longest < 1.0 { ("milliseconds", 1000.0) } else { ("seconds", 1.0) };
    let series: Vec<_> = (0..schedule.config.players.len())
        .map(|player| Series {
            name: schedule.name(player).to_owned(),
            points: times
                .range((player, 0)..=(player, usize::MAX))
                .map(|(&(_, number), sum)| (number as f64, in_unit * mean(sum)))
                .collect(),
            errors: Vec::new(),
        })
        .filter(|series| !series.points.is_empty())
        .collect();
    (!series.is_empty()).then(|| Chart {
        title: "Mean time for a move".to_owned(),
        subtitle: counted(games.len() as u64, "game"),
        x: Axis::whole("move of the player"),
        y: Axis::linear(unit),
        marks: Marks::Lines(series),
        ..Chart::default()
    })
}

fn endings(schedule: &Schedule, games: &Games) -> Table {
    let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
    for (fixture, game) in played(schedule, games) {
        let Some(ending) = game.ending() else { continue };
        let loser = Side::BOTH
            .into_iter()
            .find(|side| ending.reason.is_failure() && ending.outcome.half_points(*side) == 0)
            .map(|side| schedule.name(fixture.players[side.index()]).to_owned());
        *counts.entry((ending.reason.to_string(), loser.unwrap_or_default())).or_default() += 1;
    }
    let mut table = Table::new("", &["reason", "failed", "games"]);
    for ((reason, failed), count) in counts {
        table.push(vec![reason.into(), failed.into(), count.into()]);
    }
    table.without_empty_columns()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::standing::GameResult;
    use super::*;
    use crate::record::{Ending, Move, Player, Reason};

    #[test]
    fn positions_are_a_character_a_count_and_names_end_no_element() {
        let text = "<3,5,300,0,1,9,12,0,63> N";
        let start = Position::parse(text, Capture::Standard).unwrap();
        assert_eq!(characters(&start), "N5\u{15c}019<0o");
        let game = Game::new(start, ["</script>", "b"].map(Player::named));
        let (schedule, games) = Schedule::of_games(vec![game]);
        let html = viewer(&schedule, &games);
        assert_eq!(html.matches("</script>").count(), 2, "{html}");
        assert!(html.contains(r#""positions":"N5Ŝ019\u003c0o""#), "{html}");
    }

    #[test]
    fn one_game_gets_no_statistics() {
        let mut game =
            Game::new(Position::start(Default::default()), ["a", "b"].map(Player::named));
        for is_finished in [false, true] {
            if is_finished {
                game.finish(Ending::lost_by(Side::South, Reason::Time, None)).unwrap();
            }
            let (schedule, games) = Schedule::of_games(vec![game.clone()]);
            let standing = Standing::of(&schedule, &GameResult::of_all(&games));
            let page = page(&schedule, &standing, &games, None);
            let headings: Vec<_> = page.sections.iter().map(|section| &section.heading).collect();
            assert_eq!(headings, ["Game", "Conditions"]);
            assert!(page.summary.is_empty(), "{}", page.summary);
        }
    }

    #[test]
    fn times_are_in_seconds_from_one_second_on() {
        for (milliseconds, unit, shown) in
            [(999, "milliseconds", 999.0), (1000, "seconds", 1.0), (20_000, "seconds", 20.0)]
        {
            let mut game = Game::new(Position::start(Default::default()), Default::default());
            let pit = game.start().moves().next().unwrap();
            let time = Some(Duration::from_millis(milliseconds));
            game.play(Move { time, ..Move::new(pit) }).unwrap();
            let (schedule, games) = Schedule::of_games(vec![game]);
            let chart = time_use(&schedule, &games).unwrap();
            assert_eq!(chart.y, Axis::linear(unit));
            let Marks::Lines(series) = chart.marks else { unreachable!() };
            assert_eq!(series[0].points, [(1.0, shown)]);
        }
    }

    #[test]
    fn games_without_their_pair_are_on_the_page() {
        let game = |names: [&str; 2], opening: &str| {
            let start = Position::start(Default::default());
            let mut game = Game::new(start, names.map(Player::named));
            game.opening = Some(opening.to_owned());
            game.finish(Ending::lost_by(Side::South, Reason::Time, None)).unwrap();
            game
        };
        let games = vec![game(["a", "b"], "one"), game(["b", "a"], "two")];
        let (schedule, games) = Schedule::of_games(games);
        let standing = Standing::of(&schedule, &GameResult::of_all(&games));
        let html = page(&schedule, &standing, &games, None).to_html();
        for shown in [
            "href=\"#game-1\">lost (time)",
            "href=\"#game-2\">won (time)",
            "<td class=\"short\">b</td>",
            ">a against b: 1 win, 0 draws, 1 loss (",
        ] {
            assert!(html.contains(shown), "{shown}: {html}");
        }
    }
}
