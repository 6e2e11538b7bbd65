//! The lab's algorithms as searches of the engine, and the engine's own search, which is the
//! lab's NegaScout when every option is off.

use std::time::{Duration, Instant};

use kalah_engine::Engine;
use kalah_engine::evaluation::{Evaluation, FeatureWeights};
use kalah_engine::search::transposition::TranspositionTable;
use kalah_engine::search::{
    Info, Limits, SearchJob, SearchObserver, SearchOptions, Stopper, observe,
};
use kalah_game::{Board, Capture, Depth, Pit, PitSet, Position, Row, Rules, Value, Wide, Window};
use kalah_lab::{Algorithm, ChildOrder, ExtraTurns, KalahTree, LabSearcher, Method, SearchRun};
use kalah_sys::random::mix;

fn engine() -> Engine {
    Engine::without_tables(1).unwrap().with_searcher(LabSearcher::default())
}

fn selected(engine: &mut Engine) -> Option<Method> {
    engine.searcher_mut::<LabSearcher>().and_then(|(searcher, _)| searcher.selected())
}

fn info(engine: &mut Engine, limits: Limits) -> Info {
    engine.search(limits, &Stopper::new(), &mut |_| ()).info.unwrap()
}

/// An unfinished position after some moves that `seed` chooses.
fn random_position(rules: Rules, seed: u64) -> Position {
    let mut seed = mix(seed);
    loop {
        let mut position = Position::start(rules);
        for _ in 0..seed % 17 {
            seed = mix(seed);
            let moves = position.moves();
            let Some(pit) = moves.iter().nth(seed as usize % moves.len().max(1)) else { break };
            position.play(pit).unwrap();
        }
        if !position.is_over() {
            return position;
        }
        seed = mix(seed);
    }
}

fn job<'a>(
    position: &'a Position,
    table: &'a TranspositionTable,
    options: SearchOptions,
) -> SearchJob<'a> {
    SearchJob {
        evaluation: Evaluation::Linear(&FeatureWeights::STORES),
        options,
        ..SearchJob::new(position, table)
    }
}

struct Visited<'a, R>(&'a mut Vec<Board<R>>);

impl<R> SearchObserver<R> for Visited<'_, R> {
    fn leaf(&mut self, board: Board<R>) {
        self.0.push(board);
    }
}

/// Compares the leaves of the engine with those of the lab, in order and including repeats.
fn visits_the_lab_leaves<R: Row>(position: &Position, depth: u16, extra_turns: ExtraTurns) {
    let table = TranspositionTable::new(1).unwrap();
    let extra_turn_extensions = extra_turns == ExtraTurns::Free;
    let options = SearchOptions { extra_turn_extensions, ..SearchOptions::NONE };
    let mut visited = Vec::new();
    let gain =
        observe::<R, _>(&job(position, &table, options), Depth(depth), Visited(&mut visited));

    let tree = KalahTree::<R>::new(position, depth, extra_turns, ChildOrder::Far);
    let mut run = SearchRun::watched(&tree, Vec::new());
    let root = kalah_lab::Tree::root(&tree);
    let margin =
        kalah_lab::negascout(&mut run, root, Window::full(), kalah_lab::Research::default());
    let leaves: Vec<_> = run.observer.iter().map(|node| node.board).collect();
    assert_eq!(visited, leaves, "{position} depth {depth} {extra_turns:?}");
    let lead = position.lead(position.side());
    assert_eq!(gain, Value::from(margin - lead), "{position} depth {depth}");
}

#[test]
fn without_extras_the_search_visits_the_leaves_of_the_labs_negascout() {
    let rules = [
        Rules::default(),
        Rules::new(6, 6, Capture::Standard).unwrap(),
        Rules::new(6, 4, Capture::EmptyCapture).unwrap(),
        Rules::new(4, 3, Capture::Standard).unwrap(),
        Rules::new(9, 4, Capture::Standard).unwrap(),
    ];
    for seed in 0..1000u64 {
        let position = random_position(rules[seed as usize % rules.len()], seed);
        let depth = 1 + (seed / 5 % 5) as u16;
        let extra_turns = if seed % 2 == 0 { ExtraTurns::Ply } else { ExtraTurns::Free };
        let depth = if extra_turns == ExtraTurns::Free { depth.min(4) } else { depth };
        if position.fits::<u64>() {
            visits_the_lab_leaves::<u64>(&position, depth, extra_turns);
        } else {
            visits_the_lab_leaves::<Wide>(&position, depth, extra_turns);
        }
    }
}

#[test]
fn an_algorithm_of_the_lab_visits_its_leaves_and_obeys_every_limit() {
    let mut engine = engine();
    // tests/data/lab_counts.tsv
    for (name, leaves) in [("minimax", 125_843), ("f1", 7_557), ("f3", 5_213), ("scout", 7_554)] {
        engine.set_option("Algorithm", name).unwrap();
        let info = info(&mut engine, Limits::depth(Depth(5)));
        assert_eq!((info.margin.0, info.leaves), (600, Some(leaves)), "{name}");
    }
    let plain = Algorithm::NAMED.map(|(name, ..)| name);
    for name in plain.into_iter().chain(["negascout-printed", "F3+TT", "mtd-f+id"]) {
        engine.set_option("Algorithm", name).unwrap();
        let info = info(&mut engine, Limits::nodes(500));
        assert!(engine.position().moves().contains(info.pv[0]), "{name}");
        // A node whose search is being stopped may still visit leaves.
        assert!(info.nodes < 1_000, "{name}: {} nodes", info.nodes);
        let moves = Some(PitSet::default().with(Pit::new(1)));
        let limits = Limits { moves, ..Limits::depth(Depth(2)) };
        assert_eq!(engine.best_move(limits), Some(Pit::new(1)), "{name}");
        let soon = Limits::time(Duration::from_millis(12));
        assert!(engine.best_move(soon).is_some(), "{name}");
    }
}

#[test]
fn an_algorithm_of_the_lab_stops_deepening_where_the_tree_ends() {
    let mut engine = engine();
    let ending = "<6,19,21,0,1,1,0,0,2,1,1,0,0,1,1> S";
    engine.set_position(Position::parse(ending, Capture::Standard).unwrap());
    for name in ["sss", "f3", "mtd-f"] {
        engine.set_option("Algorithm", name).unwrap();
        let depth = info(&mut engine, Limits::time(Duration::from_secs(100))).depth;
        assert!(depth < Depth(40), "{name}: {depth}");
    }
}

#[test]
fn suffixes_are_added_to_the_name_of_an_algorithm_that_has_them() {
    let mut engine = engine();
    engine.set_option("Algorithm Suffixes", "+TT").unwrap();
    engine.set_option("Algorithm", "scout").unwrap();
    let refused = engine.set_option("Algorithm", "sss").unwrap_err().to_string();
    assert_eq!(refused, "Algorithm: expected '+id' after sss, got '+tt'");
    assert_eq!(selected(&mut engine), Some("scout+tt".parse().unwrap()), "the one before");
    engine.set_option("Algorithm", "scout+id").unwrap();
    assert_eq!(selected(&mut engine), Some("scout+id+tt".parse().unwrap()));
}

#[test]
fn an_algorithm_with_suffixes_searches_as_its_full_name_does() {
    let searched = |suffixes: &str, name: &str| {
        let mut engine = engine();
        engine.set_option("Algorithm Suffixes", suffixes).unwrap();
        engine.set_option("Algorithm", name).unwrap();
        let limits = Limits::depth(Depth(6));
        let info = engine.search(limits, &Stopper::new(), &mut |_| ()).info.unwrap();
        (info.margin, info.nodes, info.leaves)
    };
    assert_eq!(searched("+tt", "scout"), searched("", "scout+tt"));
    assert_eq!(searched("+tt", "scout+id"), searched("", "scout+id+tt"));
    assert_ne!(searched("+tt", "scout").1, searched("", "scout").1);
}

#[test]
fn without_an_algorithm_the_engine_searches_by_itself_and_a_report_has_the_time_that_it_took() {
    let limits = Limits::depth(Depth(6));
    let mut own = Engine::without_tables(1).unwrap();
    let expected = info(&mut own, limits);
    let mut engine = engine();
    let found = info(&mut engine, limits);
    assert_eq!((found.margin, found.nodes), (expected.margin, expected.nodes));
    engine.set_option("Algorithm", "f3").unwrap();
    let begun = Instant::now();
    let info = info(&mut engine, limits);
    assert!(info.time > Duration::ZERO && info.time <= begun.elapsed(), "{:?}", info.time);
}
