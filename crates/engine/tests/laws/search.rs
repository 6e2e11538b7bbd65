//! The engine's search is correct: proved results are exact, its pvs are
//! legal, and with every option off it is the lab's NegaScout.

use std::collections::HashMap;
use std::thread;
use std::time::Duration;

use kalah_engine::Engine;
use kalah_engine::endgame::Tables;
use kalah_engine::evaluation::{Evaluation, FeatureWeights};
use kalah_engine::search::transposition::{Bound, TranspositionTable};
use kalah_engine::search::{
    Clock, ExternalProof, Info, Limits, RootMove, SearchEvent, SearchJob, SearchObserver,
    SearchOptions, Skill, Stopper, observe, search,
};
use kalah_game::{Board, Capture, Depth, Gain, Pit, PitSet, Position, Rules, Value};
use kalah_sys::random::mix;

use super::built;

/// An unfinished position after some moves that `seed` chooses.
pub(crate) fn random_position(rules: Rules, seed: u64) -> Position {
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

/// The gain of `position` by plain minimax with the plain rules.
fn exact(position: &Position, known: &mut HashMap<Position, Gain>) -> Gain {
    if position.is_over() {
        return position.margin(position.side());
    }
    if let Some(&gain) = known.get(position) {
        return gain;
    }
    let value = |pit: Pit| {
        let mut after = *position;
        after.play(pit).unwrap();
        let margin = exact(&after, known);
        if after.is_over() || after.side() == position.side() {
            let side = position.side();
            if after.is_over() { after.margin(side) } else { margin }
        } else {
            -margin
        }
    };
    let best = position.moves().iter().map(value).max().unwrap();
    known.insert(*position, best);
    best
}

fn assert_line_is_legal(position: &Position, info: &Info) {
    let mut after = *position;
    for &pit in &info.pv {
        after.play(pit).unwrap_or_else(|error| panic!("{position} {:?}: {error}", info.pv));
    }
    assert!(!info.pv.is_empty());
}

#[test]
fn a_stopped_search_plays_the_better_move_that_it_has_found() {
    let mut replaced = 0;
    for seed in 0..1200 {
        let rules = Rules::new(4 + seed as u32 % 3, 4, Capture::Standard).unwrap();
        let position = random_position(rules, seed);
        let table = TranspositionTable::new(1).unwrap();
        let job = SearchJob { limits: Limits::nodes(2000), ..SearchJob::new(&position, &table) };
        let mut infos = Vec::new();
        let result = search(&job, &Stopper::new(), &mut |event| {
            if let SearchEvent::Info(info) = event {
                infos.push(info);
            }
        });
        let found = result.info.unwrap();
        assert_eq!(result.best, Some(found.pv[0]), "{position}");
        if found.bound == Bound::Lower {
            assert_eq!(infos.last(), Some(&found), "{position}");
            assert_eq!(found.nodes, 2000, "{position}: as many nodes as the limit allows");
            let before = infos.iter().rfind(|info| info.bound == Bound::Exact).unwrap();
            assert!(found.depth > before.depth && found.pv[0] != before.pv[0], "{position}");
            replaced += 1;
        }
    }
    assert!(replaced > 10, "{replaced}");
}

#[test]
fn a_lower_bound_from_a_stopped_search_is_not_reported_as_proved() {
    let text = "<6,10,8,3,2,9,0,0,0,0,0,0,8,8,0> S";
    let position = Position::parse(text, Capture::Standard).unwrap();
    let stopped_after = |nodes| {
        let table = TranspositionTable::new(1).unwrap();
        let job = SearchJob { limits: Limits::nodes(nodes), ..SearchJob::new(&position, &table) };
        search(&job, &Stopper::new(), &mut |_| ()).info.unwrap()
    };
    // The lower bound of the better move that is found is itself proved.
    let infos: Vec<Info> = (500..3000).step_by(10).map(stopped_after).collect();
    assert!(infos.iter().any(|info| info.bound == Bound::Lower));
    assert!(infos.iter().all(|info| info.bound == Bound::Exact || !info.proved));
}

#[test]
fn proved_values_are_those_of_plain_minimax() {
    let mut proved = 0;
    for (pits, seeds) in [(1, 5), (2, 3), (3, 2), (3, 3), (4, 2)] {
        for capture in Capture::ALL {
            let rules = Rules::new(pits, seeds, capture).unwrap();
            let mut known = HashMap::new();
            let mut engine = Engine::with_hash(1).unwrap();
            for seed in 0..40 {
                let position = random_position(rules, seed);
                let threads = 1 + seed as usize % 2;
                engine.settings_mut().threads = threads;
                engine.settings_mut().multipv = 1 + seed as usize % 3;
                engine.set_position(position);
                let expected = exact(&position, &mut known);
                let mut check = |info: &Info| {
                    assert_line_is_legal(&position, info);
                    if info.proved && info.multipv == 1 {
                        proved += 1;
                        let exact = Value::from(expected);
                        match info.bound {
                            Bound::Exact => assert_eq!(info.margin, exact, "{position}"),
                            Bound::Lower => assert!(info.margin <= exact, "{position}"),
                            Bound::Upper => assert!(info.margin >= exact, "{position}"),
                        }
                    }
                };
                let limits = Limits::depth(Depth(80));
                let result = engine.search(limits, &Stopper::new(), &mut check);
                assert!(result.info.unwrap().proved, "{position} is small enough to be proved");
            }
        }
    }
    assert!(proved >= 400, "{proved}");
}

#[test]
fn searches_without_tables_prove_the_same_values() {
    let table = TranspositionTable::new(1).unwrap();
    for capture in Capture::ALL {
        let rules = Rules::new(4, 3, capture).unwrap();
        let tables = Tables::build(rules.variant(), 18, 1).unwrap();
        for seed in 0..60 {
            let position = random_position(rules, seed);
            let Some(gain) = tables.gain(position.board::<u64>()) else { continue };
            let job = SearchJob::new(&position, &table);
            let result = search(&job, &Stopper::new(), &mut |_| ());
            let info = result.info.unwrap();
            let margin = Value::from(position.lead(position.side()) + gain);
            assert_eq!((info.margin, info.proved), (margin, true), "{position}");
        }
    }
}

#[test]
fn only_the_wanted_moves_are_searched() {
    let mut engine = Engine::with_hash(1).unwrap();
    for pit in (0..6).map(Pit::new) {
        let moves = Some(PitSet::default().with(pit));
        let limits = Limits { moves, ..Limits::nodes(3000) };
        let result = engine.search(limits, &Stopper::new(), &mut |_| ());
        assert_eq!(result.best, Some(pit));
    }
}

#[test]
fn a_search_of_some_moves_leaves_no_value_of_the_whole_board_behind() {
    let rules = Rules::new(3, 2, Capture::Standard).unwrap();
    let mut known = HashMap::new();
    for seed in 0..40 {
        let position = random_position(rules, seed);
        let table = TranspositionTable::new(1).unwrap();
        for (_, after) in position.children().filter(|(_, after)| !after.is_over()) {
            for pit in after.moves() {
                let moves = Some(PitSet::default().with(pit));
                let limits = Limits { moves, ..Limits::depth(Depth(60)) };
                let job = SearchJob { limits, ..SearchJob::new(&after, &table) };
                search(&job, &Stopper::new(), &mut |_| ());
            }
        }
        let job = SearchJob::new(&position, &table);
        let info = search(&job, &Stopper::new(), &mut |_| ()).info.unwrap();
        let expected = Value::from(exact(&position, &mut known));
        assert_eq!((info.margin, info.proved), (expected, true), "{position}");
    }
}

#[test]
fn several_lines_start_with_different_moves_best_first() {
    let mut engine = Engine::with_hash(1).unwrap();
    engine.settings_mut().multipv = 4;
    let mut lines: HashMap<Depth, Vec<Info>> = HashMap::new();
    engine.search(Limits::depth(Depth(7)), &Stopper::new(), &mut |info| {
        lines.entry(info.depth).or_default().push(info.clone());
    });
    assert_eq!(lines.len(), 7);
    for lines in lines.values() {
        let moves: PitSet = lines.iter().map(|info| info.pv[0]).collect();
        assert_eq!((lines.len(), moves.len()), (4, 4));
        assert!(lines.is_sorted_by_key(|info| std::cmp::Reverse(info.margin)));
        assert!(lines.iter().map(|info| info.multipv).eq(1..=4));
    }
}

#[test]
fn a_line_leads_to_the_position_that_has_its_value() {
    let mut complete = 0;
    let mut incomplete = 0;
    for seed in 0..60 {
        let rules =
            Rules::new(4 + seed as u32 % 3, 3, Capture::ALL[seed as usize % Capture::ALL.len()])
                .unwrap();
        let position = random_position(rules, seed);
        let table = TranspositionTable::new(1).unwrap();
        // Without heuristics, and with the value of the stores alone.
        let job = SearchJob {
            limits: Limits::depth(Depth(1 + seed as u16 % 7)),
            options: SearchOptions::NONE,
            evaluation: Evaluation::Linear(&FeatureWeights::STORES),
            ..SearchJob::new(&position, &table)
        };
        search(&job, &Stopper::new(), &mut |event| {
            let SearchEvent::Info(info) = event else { return };
            let mut end = position;
            info.pv.iter().for_each(|&pit| _ = end.play(pit).unwrap());
            let side = position.side();
            let margin = if end.is_over() { end.margin(side) } else { end.lead(side) };
            // A second search whose value is that of the first, a bound, has no line of its own.
            if end.is_over() || info.pv.len() == usize::from(info.depth.0) {
                assert_eq!(info.margin, Value::from(margin), "{position} {:?}", info.pv);
                complete += 1;
            } else {
                incomplete += 1;
            }
        });
    }
    assert!(complete > incomplete / 2, "{complete} {incomplete}");
}

#[test]
fn a_line_that_ends_with_the_game_has_the_proved_margin() {
    let mut ended = 0;
    for seed in 0..300 {
        let rules =
            Rules::new(3 + seed as u32 % 3, 3, Capture::ALL[seed as usize % Capture::ALL.len()])
                .unwrap();
        let position = random_position(rules, seed);
        let table = TranspositionTable::new(1).unwrap();
        let job =
            SearchJob { limits: Limits::depth(Depth(16)), ..SearchJob::new(&position, &table) };
        search(&job, &Stopper::new(), &mut |event| {
            let SearchEvent::Info(info) = event else { return };
            let mut end = position;
            info.pv.iter().for_each(|&pit| _ = end.play(pit).unwrap());
            if end.is_over() && info.proved && info.bound == Bound::Exact {
                let margin = end.margin(position.side());
                assert_eq!(info.margin, Value::from(margin), "{position} {:?}", info.pv);
                ended += 1;
            }
        });
    }
    assert!(ended > 100, "{ended}");
}

#[test]
fn a_line_continues_with_the_moves_that_the_tables_hold() {
    let rules = Rules::new(6, 4, Capture::Standard).unwrap();
    let endgames = built(rules.variant(), 8);
    let mut continued = 0;
    for seed in 0..20 {
        let position = random_position(rules, seed);
        let table = TranspositionTable::new(1).unwrap();
        let job = SearchJob::new(&position, &table);
        let line = |depth, transposition_table, tables| {
            let options = SearchOptions { transposition_table, ..SearchOptions::ALL };
            let limits = Limits::depth(Depth(depth));
            let job = SearchJob { limits, options, tables, ..job };
            let info = search(&job, &Stopper::new(), &mut |_| ()).info.unwrap();
            assert_line_is_legal(&position, &info);
            info
        };
        line(8, true, None);
        continued += usize::from(line(1, true, None).pv.len() > 3);
        assert_eq!(line(1, false, None).pv.len(), 1, "{position}");
    }
    assert!(continued > 10, "{continued}");
    let endgame =
        Position::parse("<6,20,20,0,1,0,2,0,1,0,1,1,0,2,0> S", Capture::Standard).unwrap();
    let table = TranspositionTable::new(1).unwrap();
    let limits = Limits::depth(Depth(1));
    let job = SearchJob { limits, tables: Some(&endgames), ..SearchJob::new(&endgame, &table) };
    let info = search(&job, &Stopper::new(), &mut |_| ()).info.unwrap();
    let mut end = endgame;
    info.pv.iter().for_each(|&pit| _ = end.play(pit).unwrap());
    assert!(end.is_over(), "{:?}", info.pv);
    assert_eq!(Value::from(end.margin(endgame.side())), info.margin);
}

#[test]
fn boards_of_any_size_are_searched() {
    for (pits, seeds) in [(1, 2), (8, 15), (8, 16), (9, 9), (12, 12), (16, 1), (16, 1023)] {
        let mut engine = Engine::with_hash(1).unwrap();
        engine.set_rules(Rules::new(pits, seeds, Capture::Standard).unwrap());
        let position = *engine.position();
        let result = engine.search(Limits::nodes(20_000), &Stopper::new(), &mut |info| {
            assert_line_is_legal(&position, info);
        });
        assert!(position.moves().contains(result.best.unwrap()), "({pits},{seeds})");
    }
}

#[test]
fn node_limits_are_exact_and_one_thread_is_deterministic() {
    let mut engine = Engine::with_hash(1).unwrap();
    for nodes in [1, 10, 1000, 5000] {
        let mut search = || {
            engine.new_game();
            let mut reported = Vec::new();
            let result = engine.search(Limits::nodes(nodes), &Stopper::new(), &mut |info| {
                reported.push((info.depth, info.margin, info.nodes, info.pv.clone()));
            });
            (result.best, reported)
        };
        let first = search();
        assert_eq!(first, search());
        // The first iteration is finished regardless of the limit.
        let (_, _, visited, _) = *first.1.last().unwrap();
        assert!(visited <= nodes.max(20), "{visited} of {nodes}");
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

#[test]
fn every_move_of_the_root_is_reported_once_in_the_order_of_the_search() {
    struct Turns<'a>(&'a mut Vec<RootMove>);
    impl<R> SearchObserver<R> for Turns<'_> {
        fn root_move(&mut self, turned_to: RootMove) {
            self.0.push(turned_to);
        }
    }
    let table = TranspositionTable::new(1).unwrap();
    let position = Position::start(Rules::default());
    let mut turns = Vec::new();
    let job = job(&position, &table, SearchOptions::ALL);
    observe::<u64, _>(&job, Depth(5), Turns(&mut turns));
    assert!(turns.iter().map(|turn| turn.number).eq(1..=6), "{turns:?}");
    assert!(turns.iter().all(|turn| turn.depth == Depth(5)), "{turns:?}");
    assert_eq!(turns.iter().map(|turn| turn.pit).collect::<PitSet>(), position.moves());
}

#[test]
fn limits_are_parsed_back() {
    for text in ["2s", "500ms", "depth=8", "nodes=10000"] {
        assert_eq!(text.parse::<Limits>().unwrap().to_string(), text);
    }
    for text in ["", "depth=0", "depth=501", "nodes=0", "0s", "-1s", "1e99s", "NaNs", "7"] {
        text.parse::<Limits>().unwrap_err();
    }
    for (name, value, is_valid) in [
        ("time", "2s", true),
        ("time", "0s", false),
        ("time", "7", false),
        ("movetime", "7", true),
        ("movetime", "0", false),
        ("movetime", "0s", false),
        ("nodes", "1", true),
        ("depth", "500", true),
        ("depth", "501", false),
        ("moves", "1", false),
    ] {
        let set = Limits::default().set(name, value);
        assert_eq!(set.is_ok(), is_valid, "{name} {value}");
    }
    let limits = Limits { depth: Some(Depth(9)), .."250ms".parse().unwrap() };
    let json = r#"{"depth":9,"movetime":250}"#;
    assert_eq!(serde_json::to_string(&limits).unwrap(), json);
    assert_eq!(serde_json::from_str::<Limits>(json).unwrap(), limits);
}

#[test]
fn a_search_ends_by_itself_only_at_a_limit_that_nothing_suspends() {
    let clock = Clock { remaining: Duration::MAX, increment: Duration::ZERO, moves_to_go: None };
    let timed = Limits { clock: Some(clock), ..Limits::default() };
    for (limits, is_endless, ends_unattended) in [
        (Limits::default(), true, false),
        (Limits::depth(Depth(3)), false, true),
        (Limits::nodes(3), false, true),
        (Limits::time(Duration::from_secs(1)), false, true),
        (timed, false, false),
        (Limits { infinite: true, ..Limits::nodes(3) }, true, false),
        (Limits { ponder: true, ..Limits::nodes(3) }, true, false),
        (Limits { ponder: true, ..timed }, true, false),
    ] {
        assert_eq!(limits.are_endless(), is_endless, "{limits:?}");
        assert_eq!(limits.ends_unattended(), ends_unattended, "{limits:?}");
    }
}

#[test]
fn skill_never_falls_with_elo_and_each_rung_has_its_level() {
    let all: Vec<Skill> = (0..=1600).map(Skill::from_elo).collect();
    assert!(all.is_sorted());
    // The ladder of doc/lab/levels.md.
    for (level, elo) in (0..).zip([270, 310, 400, 560, 735, 1000, 1275, 1450]) {
        assert_eq!(Some(Skill::from_elo(elo)), Skill::new(level), "{elo}");
    }
    assert!(Skill::from_elo(570) > Skill::from_elo(560));
    assert_eq!(Skill::from_elo(135), Skill::HALF_RANDOM);
}

#[test]
fn an_external_proof_ends_a_search_and_is_its_result() {
    let start = Position::start(Rules::new(6, 6, Default::default()).unwrap());
    let table = TranspositionTable::new(1).unwrap();
    let (proof, worst) = (ExternalProof::default(), Pit::new(5));
    let job = SearchJob { proof: Some(&proof), threads: 2, ..SearchJob::new(&start, &table) };
    let mut reported = None;
    let result = search(&job, &Stopper::new(), &mut |event| {
        if let SearchEvent::Info(info) = event {
            if info.hashfull > 0 {
                proof.give(Gain(-72), vec![worst]);
                proof.give(Gain(72), vec![Pit::new(0)]);
            }
            reported = Some(info);
        }
    });
    assert_eq!(result.best, Some(worst));
    assert_eq!(result.info, reported);
    let last = reported.unwrap();
    assert!(last.proved && last.margin == Gain(-72).into());
    assert!(last.nodes > 0 && last.hashfull > 0, "{last:?}");
}

#[test]
fn an_infinite_search_ended_by_a_proof_waits_for_the_stop() {
    let start = Position::start(Rules::new(6, 6, Default::default()).unwrap());
    let table = TranspositionTable::new(1).unwrap();
    let (proof, stopper) = (ExternalProof::default(), Stopper::new());
    proof.give(Gain(72), vec![Pit::new(0)]);
    let limits = Limits { infinite: true, ..Limits::default() };
    let job = SearchJob { proof: Some(&proof), limits, ..SearchJob::new(&start, &table) };
    let (best, was_stopped) = thread::scope(|scope| {
        let search = scope.spawn(|| {
            let result = search(&job, &stopper, &mut |_| ());
            (result.best, stopper.is_stopped())
        });
        thread::sleep(Duration::from_millis(50));
        stopper.stop();
        search.join().unwrap()
    });
    assert_eq!((best, was_stopped), (Some(Pit::new(0)), true));
}

struct Leaves<'a>(&'a mut u64);

impl<R> SearchObserver<R> for Leaves<'_> {
    fn leaf(&mut self, _: Board<R>) {
        *self.0 += 1;
    }
}

#[test]
fn ordering_moves_saves_leaves_and_leaves_the_value() {
    let mut leaves = [0; 2];
    for seed in 0..300 {
        let capture = Capture::ALL[seed as usize % Capture::ALL.len()];
        let rules = Rules::new(4 + 2 * (seed as u32 % 3), 4, capture).unwrap();
        let position = random_position(rules, seed);
        let table = TranspositionTable::new(1).unwrap();
        let values = [false, true].map(|move_ordering| {
            let options = SearchOptions { move_ordering, ..SearchOptions::NONE };
            let job = SearchJob { options, ..SearchJob::new(&position, &table) };
            let visited = Leaves(&mut leaves[usize::from(move_ordering)]);
            observe::<u64, _>(&job, Depth(1 + seed as u16 % 6), visited)
        });
        assert_eq!(values[0], values[1], "{position}");
    }
    assert!(leaves[1] < leaves[0] / 2, "{leaves:?}");
}
