//! Levels are in order: each beats the one below it. Their scores are in
//! `doc/play.md` and `doc/lab/levels.md`.

use std::time::Duration;

use kalah_engine::Engine;
use kalah_engine::search::{Limits, Stopper};
use kalah_game::score::Turn;
use kalah_game::{Pit, Position, Rules, Side};
use kalah_play::seat::{LEVELS, Level};
use kalah_sys::random::SplitMix64;

const GAMES: u32 = 100;

/// A player who does not look ahead.
type Simple = fn(&Position, &mut SplitMix64) -> Pit;

/// Every legal move is as likely as any other.
fn random(position: &Position, random: &mut SplitMix64) -> Pit {
    let mut moves = position.moves().iter();
    moves.nth(random.below(moves.len())).expect("a move")
}

/// Takes every extra turn, the pit nearest the store first; otherwise moves at random.
fn extra_turns(position: &Position, source: &mut SplitMix64) -> Pit {
    let extra_turns = position.children().rev().find(|(played, _)| played.turn == Turn::Keeps);
    extra_turns.map_or_else(|| random(position, source), |(played, _)| played.pit)
}

/// Sows the pit nearest the store.
fn nearest(position: &Position, _: &mut SplitMix64) -> Pit {
    position.moves().nearest().expect("a move")
}

/// By their names in `doc/lab/levels.md`.
const SIMPLE: [(&str, Simple); 3] = [
    ("random moves", random),
    ("the pit nearest the store", nearest),
    ("an extra turn whenever possible, otherwise a random move", extra_turns),
];

/// The percentage of points of a simple player in games against a level.
fn percentage(simple: Simple, level: Level, games: u64) -> f64 {
    let mut engine = Engine::with_hash(1).unwrap();
    engine.settings_mut().skill = level.skill();
    engine.set_seed(1);
    let mut source = SplitMix64::new(1);
    let mut half_points = 0;
    for game in 0..games {
        let side = if game % 2 == 0 { Side::South } else { Side::North };
        let mut position = Position::start(Rules::default());
        while !position.is_over() {
            let pit = if position.side() == side {
                simple(&position, &mut source)
            } else {
                engine.set_position(position);
                engine.best_move(without_time(level)).expect("a move")
            };
            position.play(pit).unwrap();
        }
        half_points += 1 + position.margin(side).0.signum();
    }
    50.0 * f64::from(half_points) / games as f64
}

#[test]
fn simple_players_score_what_the_documentation_says() {
    let documented = include_str!("../../../doc/lab/levels.md");
    let rows = SIMPLE.map(|(name, simple)| {
        let starter = percentage(simple, LEVELS[0], 400);
        let beginner = percentage(simple, LEVELS[1], 400);
        format!("| {name} | {starter:.1} % | {beginner:.1} % |\n")
    });
    let table = rows.concat();
    assert!(documented.contains(&table), "{table}");
}

/// Half points of `strong` in games against `weak`; they take turns to begin.
fn half_points(strong: Level, weak: Level, limits: impl Fn(Level) -> Limits) -> u32 {
    let mut engines = [strong, weak].map(|level| {
        let mut engine = Engine::with_hash(16).unwrap();
        engine.settings_mut().skill = level.skill();
        (level, engine)
    });
    let mut points = 0;
    for game in 0..GAMES {
        let strong_side = if game % 2 == 0 { Side::South } else { Side::North };
        for (seat, (_, engine)) in engines.iter_mut().enumerate() {
            engine.new_game();
            engine.set_seed(u64::from(2 * game) * 1000 + 1000 * seat as u64);
        }
        let mut position = Position::start(Rules::default());
        while !position.is_over() {
            let (level, engine) = &mut engines[usize::from(position.side() != strong_side)];
            engine.set_position(position);
            let report = engine.search(limits(*level), &Stopper::new(), &mut |_| ());
            position.play(report.best.expect("a move")).unwrap();
        }
        points += 1 + position.margin(strong_side).0.signum();
    }
    points as u32
}

/// A level's limits without its time, so that the speed of the machine does not matter. The
/// full engine, which is limited only by time, gets fewer nodes than it would otherwise search.
fn without_time(level: Level) -> Limits {
    let limits = level.limits();
    let nodes = if level.skill().is_full() { Some(300_000) } else { limits.nodes };
    Limits { nodes, movetime: None, ..limits }
}

#[test]
#[ignore = "long: .ci/long"]
fn each_level_beats_the_one_below_it() {
    for pair in LEVELS.windows(2) {
        let [weak, strong] = [pair[0], pair[1]];
        let points = half_points(strong, weak, without_time);
        let percent = f64::from(points) / f64::from(2 * GAMES) * 100.0;
        assert!(percent >= 65.0, "{strong} against {weak}: {percent} %");
    }
}

#[test]
fn the_levels_for_beginners_answer_within_their_time() {
    let beginner = LEVELS[0];
    let time = beginner.limits().movetime.expect("a limit");
    assert!(time <= Duration::from_millis(300), "{time:?}");
    // The time limit is never reached: these levels search few nodes.
    let mut engine = Engine::with_hash(1).unwrap();
    engine.settings_mut().skill = beginner.skill();
    let mut most = 0;
    engine.search(without_time(beginner), &Stopper::new(), &mut |info| most = most.max(info.nodes));
    assert!((1..=100).contains(&most), "{most} boards");
}
