//! The engine as its users drive it: prepared or not, in the background, with a solver
//! alongside, or with an algorithm of the lab.

use std::sync::{Arc, mpsc};
use std::time::Duration;

use kalah_engine::endgame::Tables;
use kalah_engine::search::{Info, Limits, SearchResult, Skill, Stopper};
use kalah_engine::{Depth, Engine, EngineOption, SearchEvent, SearchQuery, Searcher, guess_margin};
use kalah_game::{Capture, Gain, Pit, PitSet, Position, Rules, Variant};
use kalah_sys::machine::processors;

fn info(engine: &mut Engine, limits: Limits) -> Info {
    engine.search(limits, &Stopper::new(), &mut |_| ()).info.unwrap()
}

#[test]
fn a_finished_game_has_no_move() {
    let mut engine = Engine::with_hash(1).unwrap();
    engine.set_position(Position::parse("<1,4,4,0,0> S", Capture::Standard).unwrap());
    let result = engine.search(Limits::default(), &Stopper::new(), &mut |_| ());
    assert_eq!(result, SearchResult::default());
}

#[test]
fn no_threads_and_no_lines_count_as_one() {
    let mut engine = Engine::with_hash(1).unwrap();
    let one = engine.search(Limits::nodes(500), &Stopper::new(), &mut |_| ());
    engine.new_game();
    engine.settings_mut().multipv = 0;
    engine.settings_mut().threads = 0;
    let none = engine.search(Limits::nodes(500), &Stopper::new(), &mut |_| ());
    assert_eq!(none.best, one.best);
    assert!(none.best.is_some());
}

#[test]
fn tables_of_another_variant_are_refused_and_those_in_use_kept() {
    let mut engine = Engine::with_hash(1).unwrap();
    engine.prepare();
    let expected = Variant::new(6, Capture::Standard).unwrap();
    let got = Variant::new(6, Capture::EmptyCapture).unwrap();
    let tables = Arc::new(Tables::build(got, 4, 1).unwrap());
    let refused = engine.resources_mut().set_tables(tables).unwrap_err();
    assert_eq!((refused.expected, refused.got), (expected, got));
    assert!(engine.is_prepared());
}

#[test]
fn a_search_stopped_before_its_table_is_written_has_a_move_and_writes_no_more() {
    let (mut engine, stopper) = (Engine::without_tables(64).unwrap(), Stopper::new());
    stopper.stop();
    let result = engine.search(Limits::default(), &stopper, &mut |_| ());
    assert!(result.best.is_some() && result.info.is_some());
    assert!(!engine.is_prepared());
    engine.prepare();
    assert!(engine.is_prepared());
    engine.new_game();
    assert!(!engine.is_prepared(), "the table is cleared when it is next needed");
}

#[test]
fn a_timed_search_has_the_tables_built_for_the_next_one() {
    // Sixteen seeds in play: too many for the tables of a new engine, and few enough for tables
    // that would be built while this thread sleeps.
    let position = Position::parse("<6,10,20,3,1,1,0,2,1,1,2,2,0,2,1> S", Capture::Standard);
    let mut engine = Engine::with_hash(1).unwrap();
    engine.set_option("TableSeeds", "16").unwrap();
    engine.set_position(position.unwrap());
    let limits = Limits::nodes(1);
    assert!(!info(&mut engine, limits).proved);
    std::thread::sleep(Duration::from_millis(200));
    assert!(!engine.is_prepared(), "a reproducible search builds nothing");
    engine.search(Limits::time(Duration::from_millis(1)), &Stopper::new(), &mut |_| ());
    let is_built = |_| {
        std::thread::sleep(Duration::from_millis(5));
        engine.is_prepared()
    };
    assert!((0..60_000).any(is_built), "not built in five minutes");
    assert!(info(&mut engine, limits).proved);
}

#[test]
fn timed_searches_use_tables_that_grow_and_reproducible_ones_do_not() {
    // Eighteen seeds in play.
    let position = Position::parse("<6,10,20,3,1,2,0,2,1,1,2,3,0,2,1> S", Capture::Standard);
    let mut engine = Engine::with_hash(1).unwrap();
    engine.settings_mut().own_book = false;
    engine.set_option("TableSeeds", "8").unwrap();
    engine.prepare();
    engine.set_position(position.unwrap());
    // Few nodes suffice to look all values up, while a search by time may prove them by itself on a
    // busy machine.
    let is_proved = |engine: &mut Engine| {
        let stopper = Stopper::new();
        let stop = |info: &Info| {
            if info.depth == Depth(9) {
                stopper.stop();
            }
        };
        let result = engine.search(Limits::time(Duration::MAX), &stopper, &mut |info| stop(info));
        result.info.expect("a report").proved
    };
    assert!(!is_proved(&mut engine));
    engine.grow_tables(80 << 20);
    let has_grown = |_| {
        std::thread::sleep(Duration::from_millis(5));
        is_proved(&mut engine)
    };
    assert!((0..60_000).any(has_grown), "not grown in five minutes");
    assert!(!info(&mut engine, Limits::nodes(1)).proved);
}

#[test]
fn a_background_search_ends_when_stopped_and_reports_its_end_once() {
    let mut engine = Engine::with_hash(1).unwrap();
    let (sender, receiver) = mpsc::channel();
    let limits = Limits { infinite: true, ..Limits::default() };
    let report = move |event| {
        if matches!(event, SearchEvent::Finished(_)) {
            // A caller that did not wait would see no end.
            std::thread::sleep(Duration::from_millis(50));
        }
        sender.send(event).unwrap();
    };
    let running = engine.go(limits, report).unwrap();
    assert!(matches!(receiver.recv(), Ok(SearchEvent::Info(_))));
    running.stopper().stop();
    running.wait();
    let events: Vec<SearchEvent> = receiver.try_iter().collect();
    let ends = events.iter().filter(|event| matches!(event, SearchEvent::Finished(_)));
    assert_eq!(ends.count(), 1);
    let last = events.last();
    assert!(matches!(last, Some(SearchEvent::Finished(SearchResult { best: Some(_), .. }))));
}

#[test]
fn a_pending_search_that_is_stopped_before_it_runs_still_plays_a_move() {
    let mut engine = Engine::with_hash(1).unwrap();
    let pending = engine.pending(Limits { infinite: true, ..Limits::default() });
    pending.stopper().stop();
    let mut ends = Vec::new();
    pending.run(&mut |event| {
        if let SearchEvent::Finished(result) = event {
            ends.push(result.best);
        }
    });
    assert!(matches!(ends[..], [Some(_)]), "{ends:?}");
}

#[test]
fn a_solver_alongside_a_search_proves_the_margin_and_best_play() {
    let start = Position::start(Rules::new(6, 3, Capture::Standard).unwrap());
    let mut engine = Engine::with_hash(16).unwrap();
    engine.settings_mut().own_book = false;
    engine.settings_mut().solver_threads = 1;
    engine.set_position(start);
    let info = info(&mut engine, Limits::time(Duration::from_secs(100)));
    // tests/data/solved.tsv
    assert!(info.proved && info.margin == Gain(2).into(), "{info:?}");
    let mut end = start;
    assert_eq!(info.pv.iter().try_for_each(|&pit| end.play(pit).map(drop)), Ok(()));
    assert_eq!(end.margin(start.side()), Gain(2));
}

#[test]
fn the_memory_of_a_search_is_its_stacks_and_those_and_the_table_of_a_solver() {
    const MIB: u64 = 1 << 20;
    let bytes = |threads, solver_threads, hash| {
        let mut engine = Engine::without_tables(hash).unwrap();
        engine.settings_mut().threads = threads;
        engine.settings_mut().solver_threads = solver_threads;
        engine.search_bytes()
    };
    let own = bytes(1, 0, 1);
    // Deep lines need deep stacks.
    assert!(own > 64 * MIB && bytes(1, 0, 3) == own, "{own}");
    let solver = bytes(1, 1, 1) - own - MIB;
    assert!(solver > 512 * MIB, "{solver}");
    assert_eq!(bytes(1, 1, 3), own + solver + 3 * MIB);
    if processors() > 1 {
        assert_eq!(bytes(2, 2, 3), 2 * (own + solver) + 3 * MIB);
    }
}

#[test]
fn each_level_may_visit_four_times_as_many_nodes_as_the_one_below() {
    let mut engine = Engine::without_tables(1).unwrap();
    for level in 2..=5 {
        engine.settings_mut().skill = Skill::new(level).unwrap();
        engine.new_game();
        let nodes = info(&mut engine, Limits::default()).nodes;
        let limit = 30 << (2 * level);
        // These are the nodes up to the end of the last finished iteration, so they may fall
        // short of the limit.
        assert!((limit / 2..=limit).contains(&nodes), "level {level}: {nodes}");
    }
}

#[test]
fn a_random_move_is_one_of_those_that_may_be_played() {
    let mut engine = Engine::without_tables(1).unwrap();
    engine.set_option("UCI_LimitStrength", "true").unwrap();
    engine.set_option("UCI_Elo", "0").unwrap();
    let only = PitSet::default().with(Pit::new(1));
    for seed in 0..20 {
        engine.set_seed(seed);
        let limits = Limits { moves: Some(only), ..Limits::nodes(100) };
        let result = engine.search(limits, &Stopper::new(), &mut |_| ());
        assert_eq!(result.best, Some(Pit::new(1)));
        assert_eq!(result.info.unwrap().pv[0], Pit::new(1));
    }
    // The same seed chooses the same move, and some seeds different ones.
    let mut chosen = || -> Vec<Option<Pit>> {
        let choose = |seed| {
            engine.set_seed(seed);
            engine.new_game();
            engine.best_move(Limits::nodes(100))
        };
        (0..20).map(choose).collect()
    };
    let first = chosen();
    assert_eq!(chosen(), first);
    assert!(first.iter().any(|best| *best != first[0]), "{first:?}");
}

#[test]
fn large_starts_are_guessed_within_a_few_seeds() {
    let guess =
        |seeds| guess_margin(&Position::start(Rules::new(6, seeds, Capture::Standard).unwrap()));
    assert_eq!(guess(4), None);
    let guess = guess(5).unwrap();
    assert!((6..=14).contains(&guess.0), "{guess} for a margin of 10");
}

#[test]
fn an_analysis_begins_with_the_move_that_would_be_played_and_never_repeats_one() {
    for (multipv, expected) in [(1, 1), (3, 3), (16, 6)] {
        for nodes in [30, 300, 3000, 30_000] {
            let mut engine = Engine::without_tables(1).unwrap();
            engine.settings_mut().multipv = multipv;
            let best = engine.best_move(Limits::nodes(nodes));
            // The same search again, from an empty table.
            engine.new_game();
            let lines = engine.analyse(Limits::nodes(nodes));
            let moves: Vec<_> = lines.iter().map(|line| line.pv[0]).collect();
            assert_eq!(moves.first().copied(), best, "{multipv} {nodes}");
            assert_eq!(moves.len(), expected, "{multipv} {nodes}");
            assert!((1..moves.len()).all(|at| !moves[..at].contains(&moves[at])), "{moves:?}");
        }
    }
}

/// An algorithm that is never selected and remembers the position it was prepared for.
#[derive(Clone, Debug, Default)]
struct Prepared(Option<Position>);

impl Searcher for Prepared {
    fn options(&self) -> &'static [EngineOption] {
        &[]
    }

    fn prepare(&mut self, position: &Position) {
        self.0 = Some(*position);
    }

    fn is_selected(&self) -> bool {
        false
    }

    fn search(
        &self,
        _: SearchQuery<'_>,
        _: &Stopper,
        _: &mut (dyn FnMut(SearchEvent) + Send),
    ) -> SearchResult {
        panic!("not selected");
    }

    fn boxed_clone(&self) -> Box<dyn Searcher> {
        Box::new(self.clone())
    }
}

#[test]
fn a_searcher_is_found_by_its_type_and_prepared_for_each_position() {
    let mut engine = Engine::without_tables(1).unwrap();
    assert!(engine.searcher_mut::<Prepared>().is_none(), "it has none");
    let mut engine = engine.with_searcher(Prepared::default());
    for rules in [Rules::default(), Rules::new(4, 3, Capture::EmptyCapture).unwrap()] {
        let start = Position::start(rules);
        engine.set_position(start);
        let (searcher, position) = engine.searcher_mut::<Prepared>().unwrap();
        assert_eq!((searcher.0, *position), (Some(start), start));
    }
    assert!(info(&mut engine, Limits::nodes(100)).nodes > 0, "the engine's own search runs");
}
