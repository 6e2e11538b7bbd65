//! The opening book: its lists are consistent, and it answers from them.

use std::collections::HashMap;
use std::time::Duration;

use kalah_engine::Engine;
use kalah_engine::book::{Book, OpeningList};
use kalah_engine::search::transposition::Bound;
use kalah_engine::search::{Limits, Stopper};
use kalah_game::{Capture, Depth, Gain, Pit, Position, Rules, Side, Value};
use kalah_sys::random::SplitMix64;
use xxhash_rust::xxh3::xxh3_64;

/// The built-in lists.
const LISTS: [&str; 4] = [
    include_str!("../../../../../openings/6x3-standard.tsv"),
    include_str!("../../../../../openings/6x4-standard.tsv"),
    include_str!("../../../../../openings/6x5-standard.tsv"),
    include_str!("../../../../../openings/6x6-standard.tsv"),
];

fn soon() -> Limits {
    Limits::time(Duration::from_millis(20))
}

fn at_once() -> Limits {
    Limits::time(Duration::from_millis(1))
}

fn parse(text: &str) -> Position {
    Position::parse(text, Capture::Standard).unwrap()
}

fn header(capture: Capture) -> String {
    format!("# position\tmoves\tmargin, {capture}\tproof")
}

/// The proved margins of the lists.
fn proved() -> HashMap<Position, Gain> {
    let lines = LISTS.iter().flat_map(|list| list.lines()).filter(|line| !line.starts_with('#'));
    let entry = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        columns[3]
            .starts_with("exact")
            .then(|| (parse(columns[0]), Gain(columns[2].parse().unwrap())))
    };
    lines.filter_map(entry).collect()
}

/// The best margin and the moves that reach it, if the lists have the positions after all moves.
fn best(position: &Position, proved: &HashMap<Position, Gain>) -> Option<(Gain, Vec<Pit>)> {
    let margins = position
        .children()
        .map(|(played, after)| Some((played.turn.from_child(*proved.get(&after)?), played.pit)));
    let margins: Vec<(Gain, Pit)> = margins.collect::<Option<_>>()?;
    let best = margins.iter().max()?.0;
    let equal = margins.iter().filter(|(margin, _)| *margin == best);
    Some((best, equal.map(|(_, pit)| *pit).collect()))
}

#[test]
fn a_margin_equals_that_of_the_best_move_where_both_are_known() {
    let (engine, proved) = (Engine::without_tables(1).unwrap(), proved());
    let mut inner = 0;
    for (position, &margin) in &proved {
        assert_eq!(engine.resources().book_margin(position), Some(margin));
        if let Some((best, _)) = best(position, &proved) {
            assert_eq!(best, margin, "{position}");
            inner += 1;
        }
    }
    assert!(inner > 10, "{inner}");
    let count =
        |pits, seeds| Book::built_in().count(Rules::new(pits, seeds, Capture::Standard).unwrap());
    for (seeds, list) in (3..).zip(LISTS) {
        assert_eq!(count(6, seeds), list.matches("\texact").count(), "{seeds}");
    }
    // As many seeds as (6,4).
    assert_eq!(count(4, 6), 0);
}

#[test]
fn the_seed_chooses_among_equal_moves_and_unknown_positions_are_searched() {
    let (mut engine, proved) = (Engine::without_tables(1).unwrap(), proved());
    let soon = soon();
    let result = engine.search(soon, &Stopper::new(), &mut |_| ()).info.unwrap();
    assert!(result.proved && result.margin == Gain(8).into() && result.pv[0] == Pit::new(2));
    assert!(result.pv.len() > 1);
    let mut position = *engine.position();
    assert_eq!(result.pv.iter().try_for_each(|&pit| position.play(pit).map(drop)), Ok(()));
    let choices = |position: &&Position| best(position, &proved).map_or(0, |(_, pits)| pits.len());
    let position = proved.keys().max_by_key(choices).unwrap();
    let (_, equal) = best(position, &proved).unwrap();
    engine.set_position(*position);
    let mut chosen = Vec::new();
    for seed in 0..40 {
        engine.set_seed(seed);
        chosen.push(engine.best_move(soon).unwrap());
    }
    assert!(chosen.iter().any(|&pit| pit != chosen[0]));
    assert!(chosen.iter().all(|pit| equal.contains(pit)));
    let last = parse("<6,24,20,1,0,0,0,0,0,0,0,3,0,0,0> N");
    assert_eq!(engine.resources().book_margin(&last), None);
    engine.set_position(parse("<6,1,0,4,4,4,4,4,3,4,4,4,4,4,4> N"));
    let searched = engine.search(soon, &Stopper::new(), &mut |_| ()).info.unwrap();
    assert!(!searched.proved && searched.nodes > 0);
}

/// The fair openings of (6,4) and the start of (6,6), with their movers' margins.
fn proved_openings() -> impl Iterator<Item = (Position, Gain)> {
    let even = include_str!("../../../../../openings/6x4-standard-fair.tsv");
    let even = even.lines().filter(|line| !line.starts_with('#'));
    let even = even.map(|line| (parse(line.split('\t').next().unwrap()), Gain::ZERO));
    let six_six = Position::start(Rules::new(6, 6, Capture::Standard).unwrap());
    even.chain([(six_six, Gain(4))])
}

/// Plays `side` from `position` without searches, against every move of the other side, to a
/// depth of `sowings`; asserts that `margin` is never lost, and counts the answers.
fn answers(
    engine: &mut Engine,
    position: &Position,
    (side, margin): (Side, Gain),
    sowings: usize,
) -> usize {
    if sowings == 0 {
        return 0;
    }
    if position.side() != side {
        let after = position.children().map(|(_, after)| after);
        return after.map(|after| answers(engine, &after, (side, margin), sowings - 1)).sum();
    }
    engine.set_position(*position);
    let result = engine.search(at_once(), &Stopper::new(), &mut |_| ());
    let Some(info) = result.info.filter(|info| info.nodes == 0) else { return 0 };
    assert!(info.margin >= margin.into(), "{position}: {}", info.margin);
    let mut after = *position;
    after.play(result.best.unwrap()).unwrap();
    1 + answers(engine, &after, (side, margin), sowings - 1)
}

#[test]
fn both_sides_of_six_six_and_of_the_even_openings_of_six_four_are_played_from_proofs() {
    let mut engine = Engine::without_tables(1).unwrap();
    for (opening, margin) in proved_openings() {
        let (mut position, side) = (opening, opening.side());
        let mut plies = 0;
        loop {
            engine.set_position(position);
            let result = engine.search(at_once(), &Stopper::new(), &mut |_| ());
            if result.info.is_none_or(|info| info.nodes > 0) {
                break;
            }
            position.play(result.best.unwrap()).unwrap();
            let known = engine.resources().book_margin(&position).unwrap();
            let known = if position.side() == side { known } else { -known };
            assert_eq!(known, margin, "{opening}: {position}");
            plies += 1;
        }
        assert!(plies >= 3, "{opening}: {plies}");
    }
}

#[test]
fn a_proved_margin_is_kept_after_every_move_of_the_other_side() {
    let mut engine = Engine::without_tables(1).unwrap();
    let mut total = 0;
    for (opening, margin) in proved_openings() {
        let side = opening.side();
        for kept in [(side, margin), (side.other(), -margin)] {
            total += answers(&mut engine, &opening, kept, 6);
        }
    }
    assert!(total > 80, "{total}");
}

#[test]
fn a_move_proved_to_reach_more_replaces_the_one_found() {
    let mut engine = Engine::without_tables(1).unwrap();
    engine.set_position(parse(SEARCHED));
    let (found, other) = found_and_other(&mut engine);
    for (margin, best) in [(40, other), (-40, found)] {
        set_margins(&mut engine, &[(other, margin)]);
        let result = engine.search(soon(), &Stopper::new(), &mut |_| ());
        assert_eq!(result.best, Some(best));
        let info = result.info.unwrap();
        assert_eq!((info.proved, info.pv[0]), (false, best));
        let is_replaced = info.bound == Bound::Lower && info.margin == Gain(margin).into();
        assert_eq!((is_replaced, info.nodes > 0), (best == other, true));
    }
}

#[test]
fn a_search_margin_counts_only_within_the_proved_bounds_of_its_move() {
    let mut engine = Engine::without_tables(1).unwrap();
    engine.set_position(parse(SEARCHED));
    let (found, other) = found_and_other(&mut engine);
    for (of_other, of_found) in [(-2, -4), (-10, -12)] {
        set_margins(&mut engine, &[(other, of_other)]);
        assert_ne!(engine.best_move(soon()), Some(other));
        set_margins(&mut engine, &[(other, of_other), (found, of_found)]);
        assert_eq!(engine.best_move(soon()), Some(other));
    }
}

#[test]
fn the_book_answers_only_timed_searches_for_a_single_best_move() {
    let mut engine = Engine::without_tables(1).unwrap();
    engine.set_position(parse(SEARCHED));
    let (_, other) = found_and_other(&mut engine);
    set_margins(&mut engine, &[(other, 40)]);
    let is_replaced = |limits: Limits, options: &[(&str, &str)]| {
        let mut engine = engine.clone();
        options.iter().for_each(|(name, value)| engine.set_option(name, value).unwrap());
        let info = engine.search(limits, &Stopper::new(), &mut |_| ()).info.unwrap();
        info.margin == Gain(40).into()
    };
    assert!(is_replaced(soon(), &[]));
    for options in [[("OwnBook", "false")], [("MultiPV", "2")], [("Skill", "6")]] {
        assert!(!is_replaced(soon(), &options), "{options:?}");
    }
    let every = engine.position().children().map(|(played, _)| played.pit).collect();
    for limits in [
        Limits { depth: Some(Depth(8)), ..soon() },
        Limits { nodes: Some(20_000), ..soon() },
        Limits { moves: Some(every), ..soon() },
    ] {
        assert!(!is_replaced(limits, &[]), "{limits:?}");
    }
}

#[test]
fn a_pondered_move_is_replaced_like_any_other() {
    let mut engine = Engine::without_tables(1).unwrap();
    engine.set_position(parse(SEARCHED));
    let (_, other) = found_and_other(&mut engine);
    set_margins(&mut engine, &[(other, 40)]);
    let stopper = Stopper::new();
    stopper.ponderhit();
    let result = engine.search(Limits { ponder: true, ..soon() }, &stopper, &mut |_| ());
    assert_eq!(result.best, Some(other));
}

/// A position that the built-in book does not contain. However short a search is, it finds C, which
/// captures 21 seeds.
const SEARCHED: &str = "<6,1,0,4,4,1,0,4,4,4,4,20,4,4,4> S";

/// The move that a short search without a book finds, and a different one.
fn found_and_other(engine: &mut Engine) -> (Pit, Pit) {
    set_margins(engine, &[]);
    let found = engine.best_move(soon()).unwrap();
    let mut moves = engine.position().children().map(|(played, _)| played.pit);
    (found, moves.find(|pit| *pit != found).unwrap())
}

/// Sets a book with the margins of these moves, from the point of view of the side that plays
/// them.
fn set_margins(engine: &mut Engine, margins: &[(Pit, i32)]) {
    let mut list = header(Capture::Standard);
    for (pit, margin) in margins {
        let mut after = *engine.position();
        let turn = after.play(*pit).unwrap().turn;
        let margin = turn.from_child(Gain(*margin));
        list += &format!("\n{after}\t#\t{margin}\texact");
    }
    engine.resources_mut().set_book(Some(&list)).unwrap();
}

#[test]
fn a_list_for_the_other_rule_or_with_a_wrong_line_is_refused() {
    let [standard, other] = Capture::ALL.map(header);
    let mut engine = Engine::without_tables(1).unwrap();
    let mut set = |text: &str| engine.resources_mut().set_book(Some(text));
    let fault = set(&other).unwrap_err().to_string();
    assert_eq!(fault, format!("expected a first line '{standard}'"));
    let fault = set(&(standard.clone() + "\nx")).unwrap_err().to_string();
    assert!(fault.starts_with("line 2: expected"), "{fault}");
    for margin in ["+1", "+4"] {
        let fault = set(&format!("{standard}\n<1,0,0,1,1> S\t#\t{margin}\texact"));
        let fault = fault.unwrap_err().to_string();
        assert!(fault.starts_with("line 2: expected a margin from"), "{fault}");
    }
    let list = standard + "\n<1,0,0,1,1> S\t# x\t+0\texact\n<1,0,0,2,2> N\t# \t+2\tsearched\n";
    let written = format!("{list}# checksum {:016x}\n", xxh3_64(list.as_bytes()));
    let lines = [("<1,0,0,1,1> S", "x", 0, "exact"), ("<1,0,0,2,2> N", "", 2, "searched")];
    let lines = lines.map(|(position, moves, margin, proof)| {
        OpeningList::line(&parse(position), moves, Gain(margin), proof)
    });
    assert_eq!(OpeningList::text(parse("<1,0,0,1,1> S").variant(), &lines), written);
    set(&written).unwrap();
    let margin = |text| engine.resources().book_margin(&parse(text));
    assert_eq!((margin("<1,0,0,1,1> S"), margin("<1,0,0,2,2> N")), (Some(Gain(0)), None));

    let [standard, other] = Capture::ALL.map(header);
    engine.set_option("Capture", "empty-capture").unwrap();
    let mut set = |text: &str| engine.resources_mut().set_book(Some(text));
    let fault = set(&standard).unwrap_err().to_string();
    assert_eq!(fault, format!("expected a first line '{other}'"));
    assert_eq!(set(&other), Ok(()));
}

/// A list without a checksum, like one made by hand.
fn by_hand(list: &str) -> &str {
    &list[..list.trim_end().rfind('\n').unwrap() + 1]
}

#[test]
fn a_handwritten_list_is_played_but_proves_nothing() {
    let mut engine = Engine::without_tables(1).unwrap();
    for (list, is_proved) in [(by_hand(LISTS[1]), false), (LISTS[1], true)] {
        engine.resources_mut().set_book(Some(list)).unwrap();
        let result = engine.search(soon(), &Stopper::new(), &mut |_| ()).info.unwrap();
        assert_eq!((result.margin, result.nodes), (Gain(8).into(), 0));
        assert_eq!((result.proved, result.pv[0]), (is_proved, Pit::new(2)));
        let margin = engine.resources().book_margin(engine.position());
        assert_eq!(margin, is_proved.then_some(Gain(8)));
    }
}

#[test]
fn a_changed_character_never_proves_a_different_margin() {
    let mut random = SplitMix64::new(32);
    let mut engine = Engine::without_tables(1).unwrap();
    let (mut refused, mut misled) = (0, 0);
    for number in 0..160 {
        let list = LISTS[number % LISTS.len()];
        let rules = Rules::new(6, 3 + (number % LISTS.len()) as u32, Capture::Standard).unwrap();
        engine.set_position(Position::start(rules));
        engine.resources_mut().set_book(Some(list)).unwrap();
        let (is_proved, margin, _) = found(&mut engine);
        assert!(is_proved);
        // A margin in the first lines, whose positions are one move from the start; any
        // character of the other lines; or a character of the last line, the checksum.
        let first: usize = list.split_inclusive('\n').take(7).map(str::len).sum();
        let places: Vec<usize> = match number / LISTS.len() % 3 {
            0 => list[..first].match_indices("	exact").map(|(at, _)| at - 1).collect(),
            1 => (first..list.len()).filter(|&at| list.as_bytes()[at] > b' ').collect(),
            _ => (list.len() - 28..list.len() - 1).collect(),
        };
        let at = places[random.below(places.len())];
        let mut changed = list.as_bytes().to_vec();
        // A digit is replaced by a different one.
        changed[at] = b'0' + ((usize::from(changed[at]) + 3 + random.below(9)) % 10) as u8;
        let changed = String::from_utf8(changed).unwrap();
        match engine.resources_mut().set_book(Some(&changed)) {
            Err(_) => refused += 1,
            Ok(()) => {
                let (is_proved, other, _) = found(&mut engine);
                assert!(!is_proved || other == margin, "{changed}");
            }
        }
        // Without a checksum the change goes unnoticed, but nothing is called proved.
        if engine.resources_mut().set_book(Some(by_hand(&changed))).is_ok() {
            let (is_proved, other, nodes) = found(&mut engine);
            misled += u32::from(nodes == 0 && other != margin);
            assert!(!is_proved, "{changed}");
        }
    }
    assert!(refused > 120 && misled > 3, "{refused} refused, {misled} misled");
}

/// Whether the result of a short search is proved, its margin and its nodes.
fn found(engine: &mut Engine) -> (bool, Value, u64) {
    let info = engine.search(soon(), &Stopper::new(), &mut |_| ()).info.unwrap();
    (info.proved, info.margin, info.nodes)
}
