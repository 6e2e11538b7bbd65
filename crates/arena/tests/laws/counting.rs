//! How the games of a match are counted. The games end as the tests say, after their openings.

use kalah_arena::config::MatchConfig;
use kalah_arena::schedule::Schedule;
use kalah_arena::standing::{GameResult, Standing};
use kalah_arena::summary::{
    self, Summary, crosstable, pairing_figures, pairings, progress_line, sentences,
};
use kalah_game::{Gain, Side};
use kalah_record::{Ending, Game, Move, Outcome, Player, Reason};
use kalah_tables::Style;
use serde_json::{Value, json};

use super::{close, config, play, short};

/// The standing of a match of `a` and `b`. `finish` gets the index of each game, the side of `a` and
/// the game after its opening; games without an ending are missing.
fn standing_of(
    config: MatchConfig,
    finish: impl Fn(usize, Side, &mut Game),
) -> (Schedule, Standing) {
    let schedule = Schedule::new(config).expect("a match");
    let mut results = Vec::new();
    for fixture in &schedule.fixtures {
        let index = fixture.index;
        // A round is one pair of games, in the first of which `a` is South.
        let opening = &schedule.config.openings[index / 2 % schedule.config.openings.len()];
        let first = if index.is_multiple_of(2) { Side::South } else { Side::North };
        let names = if first == Side::South { ["a", "b"] } else { ["b", "a"] };
        let mut game = Game::new(opening.start, names.map(Player::named));
        for &pit in &opening.moves {
            game.play(Move::book(pit)).expect("a legal move");
        }
        finish(index, first, &mut game);
        results.extend(GameResult::from_game(&game).map(|result| (index, result)));
    }
    let standing = Standing::new(&schedule, &results.into_iter().collect());
    (schedule, standing)
}

/// The figures of such a match: those of its summary, and those of its only pairing.
fn figures_of(config: MatchConfig, finish: impl Fn(usize, Side, &mut Game)) -> (Value, Value) {
    let (schedule, standing) = standing_of(config, finish);
    let summary = serde_json::to_value(Summary::new(&schedule, &standing)).expect("numbers");
    let pairings = serde_json::to_value(pairing_figures(&schedule, &standing)).expect("numbers");
    // What is not counted is said, and nothing else.
    let text = sentences(&schedule, &standing).join("\n");
    for (words, figure) in
        [("repeat an earlier game: ", "duplicates"), ("had decided: ", "after_decision")]
    {
        let said = text.split_once(words).and_then(|(_, rest)| rest.split_once(" game"));
        let count = summary[figure].to_string();
        assert_eq!(said.map_or("0", |(number, _)| number), count, "{text}");
    }
    (summary, pairings[0].clone())
}

pub(super) fn figures(
    rounds: u32,
    sprt: Option<&str>,
    ending: impl Fn(usize, Side) -> Option<Ending>,
) -> (Value, Value) {
    let mut config = short(rounds);
    config.sprt = sprt.map(|words| words.parse().expect("a test"));
    figures_of(config, |index, first, game| {
        if let Some(ending) = ending(index, first) {
            game.finish(ending).expect("an ending");
        }
    })
}

/// A result by this many seeds for `a`.
fn by(margin: i32, first: Side) -> Option<Ending> {
    Some(Ending::by_margin(Gain(first.view_of(margin)), Reason::Table))
}

fn lost(loser: Side, reason: Reason, detail: &str) -> Ending {
    Ending::lost_by(loser, reason, Some(detail.to_owned()))
}

#[test]
fn points_and_margins_are_the_first_players_on_either_side() {
    let (summary, won) = figures(3, None, |_, first| by(4, first));
    assert_eq!((&won["wins"], &won["draws"], &won["losses"]), (&json!(6), &json!(0), &json!(0)));
    assert_eq!(won["margin"], json!({"value": 4.0, "standard_error": 0.0}));
    assert_eq!(won["pentanomial"], json!([0, 0, 0, 0, 3]));
    assert_eq!(
        (&summary["players"][0]["points"], &summary["players"][1]["points"]),
        (&json!(6.0), &json!(0.0))
    );
    // A draw with one side, a loss with the other.
    let (summary, mixed) = figures(3, None, |_, first| by(first.view_of(2) - 2, first));
    assert_eq!(
        (&mixed["wins"], &mixed["draws"], &mixed["losses"]),
        (&json!(0), &json!(3), &json!(3))
    );
    assert_eq!((&mixed["points"], &mixed["games"]), (&json!(1.5), &json!(6)));
    assert_eq!(mixed["pentanomial"], json!([0, 3, 0, 0, 0]));
    assert_eq!(mixed["margin"], json!({"value": -2.0, "standard_error": 0.0}));
    let elo = |player: usize| summary["players"][player]["elo"].as_f64().expect("a rating");
    assert!(elo(0) < 0.0);
    close(elo(0), -elo(1), 1e-9);
}

/// The number after these words.
fn number_after(text: &str, words: &str) -> f64 {
    let (_, rest) = text.split_once(words).unwrap_or_else(|| panic!("no '{words}' in {text}"));
    let number = rest.split([' ', ',', ';', ')']).next().expect("a word").trim_end_matches('.');
    number.parse().unwrap_or_else(|_| panic!("'{number}' in {text}"))
}

#[test]
fn the_sentences_of_a_match_state_the_numbers_of_its_summary() {
    let margins: [fn(usize) -> i32; 4] =
        [|_| 4, |_| -4, |index| index as i32 % 5 - 2, |index| if index % 3 == 0 { -1 } else { 2 }];
    for margin in margins {
        let mut config = short(20);
        // The test stays open, so that all 40 games count.
        config.sprt = Some("elo0=-10 elo1=10".parse().expect("a test"));
        let (schedule, standing) = standing_of(config, |index, first, game| {
            for _ in 0..4 {
                let position = *game.position();
                let leaves = if position.side() == first { 10 } else { 40 };
                let pit = position.moves().iter().next().expect("a move");
                game.play(Move { leaves: Some(leaves), ..Move::new(pit) }).expect("a legal move");
            }
            game.finish(by(margin(index), first).expect("an ending")).expect("an ending");
            game.warnings = vec!["odd".to_owned(); usize::from(index % 20 == 0) * 2];
        });
        let text = sentences(&schedule, &standing).join("\n");
        assert!(text.ends_with("4 warnings in the records."), "{text}");
        let summary = serde_json::to_value(Summary::new(&schedule, &standing)).expect("numbers");
        let pairing = serde_json::to_value(pairing_figures(&schedule, &standing)).expect("numbers");
        let figure = |name: &str| pairing[0].pointer(name).and_then(Value::as_f64);
        let count = |name: &str| figure(name).expect("a number");
        for (words, number) in [
            ("Games: 40 of 40 finished, ", summary["counted"].as_f64().expect("a number")),
            ("a against b: ", count("/wins")),
            (if count("/wins") == 1.0 { " win, " } else { " wins, " }, count("/draws")),
            (if count("/draws") == 1.0 { " draw, " } else { " draws, " }, count("/losses")),
            ("Pairs with 0, ½, 1, 1½, 2 points: ", count("/pentanomial/0")),
            ("Margin: ", count("/margin/value")),
            ("Leaves per move: a ", 10.0),
            (" b 40 (+", 75.0),
            ("LLR ", summary["sprt"]["llr"].as_f64().expect("a number")),
        ] {
            close(number_after(&text, words), number, 0.006);
        }
        assert!(text.contains("SPRT of -10 against 10 normalised Elo "), "{text}");
        let counts = [count("/wins"), count("/draws"), count("/losses")];
        let progress = format!("a - b +{} ={} -{},", counts[0], counts[1], counts[2]);
        assert!(progress_line(&schedule, &standing).starts_with(&progress), "{progress}");
        let superiority = 100.0 * count("/strength/superiority");
        match figure("/strength/elo") {
            Some(elo) => {
                close(number_after(&text, "\nElo: "), elo, 0.051);
                close(number_after(&text, "superiority: "), superiority, 0.051);
                let low = figure("/strength/elo_interval/0").expect("a number");
                close(number_after(&text, " (95 %: "), low, 0.051);
            }
            // No sample is certain, and an infinite number is `null`.
            None if superiority > 50.0 => {
                assert!(text.contains("or more (95 %)") && text.contains("above 99.9 %"), "{text}");
            }
            None => {
                assert!(text.contains("or less (95 %)") && text.contains("below 0.1 %"), "{text}");
            }
        }
    }
}

#[test]
fn players_without_a_rating_are_mentioned() {
    type Margin = fn(usize) -> Option<i32>;
    let cases: [(u32, Margin, Option<&str>); 4] = [
        (40, |_| None, None),
        (40, |index| Some(index as i32 / 6 % 3 - 1), None),
        // `c` has not played yet.
        (
            40,
            |index| if index % 6 < 2 { Some(0) } else { None },
            Some("Players without an Elo have played too few games for one."),
        ),
        // `a` has won every game.
        (2, |index| if index % 6 < 2 { Some(4) } else { None }, Some("Too few games for ratings.")),
    ];
    for (rounds, margin, expected) in cases {
        let config = config(&["random name=a", "random name=b", "random name=c"], rounds);
        let (schedule, standing) = standing_of(config, |index, first, game| {
            if let Some(margin) = margin(index) {
                game.finish(by(margin, first).expect("an ending")).expect("an ending");
            }
        });
        let lines = sentences(&schedule, &standing);
        let said = lines.iter().find(|line| line.to_lowercase().contains("too few"));
        assert_eq!(said.map(String::as_str), expected);
        if expected.is_some_and(|words| words.starts_with("Players without")) {
            let progress = progress_line(&schedule, &standing);
            assert_eq!(progress, "b leads with 40 of 80 points");
        }
    }
}

#[test]
fn a_small_match_that_one_player_won_throughout_has_no_rating() {
    for (pairs, words) in [(19, Some("\nToo few games for a rating.\n")), (20, None)] {
        let text = text_of(pairs, |_| 4);
        assert_eq!(text.contains("Elo: "), words.is_none(), "{text}");
        assert!(text.contains(words.unwrap_or("\nElo: ")), "{text}");
    }
}

/// The sentences and the table on a match whose games `a` wins by a number of seeds.
fn text_of(pairs: u32, margin: impl Fn(usize) -> i32) -> String {
    let (schedule, standing) = standing_of(short(pairs), |index, first, game| {
        game.finish(by(margin(index), first).expect("an ending")).expect("an ending");
    });
    let table = pairings(&schedule, &standing).to_text(Style::Csv);
    sentences(&schedule, &standing).join("\n") + "\n" + &table
}

#[test]
fn a_small_match_has_a_rating_if_it_bounds_the_difference_on_both_sides() {
    // `b` wins all of 12 games but one.
    let one_sided = text_of(6, |index| if index == 0 { 2 } else { -10 });
    let words = "\nToo few games for a rating.\n";
    assert!(one_sided.contains(words) && !one_sided.contains("Elo"), "{one_sided}");
    let even = text_of(6, |index| if index % 4 < 2 { 2 } else { -2 });
    assert!(even.contains("\nElo: ") && !even.contains(words), "{even}");
    let one_pair = text_of(1, |index| if index == 0 { 2 } else { 0 });
    assert!(one_pair.contains(words), "{one_pair}");
    let (schedule, standing) = standing_of(short(1), |index, first, game| {
        if index == 0 {
            game.finish(by(2, first).expect("an ending")).expect("an ending");
        }
    });
    let half_a_pair = sentences(&schedule, &standing);
    assert_eq!(half_a_pair.len(), 2, "the games and the result: {half_a_pair:?}");
}

#[test]
fn the_text_of_a_match_has_the_tables_of_several_players_before_its_sentences() {
    for (players, has_tables) in [(["a", "b", "c"].as_slice(), true), (&["a", "b"], false)] {
        let words: Vec<_> = players.iter().map(|name| format!("random name={name}")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut config = config(&words, 3);
        config.openings.truncate(1);
        let (schedule, standing) = standing_of(config, |index, first, game| {
            game.finish(lost(first, Reason::Crash, "died\u{1b}[2J")).expect("an ending");
            game.warnings = vec![index.to_string()];
        });
        let text = summary::text(&schedule, &standing, 1000);
        let mut expected = String::new();
        if has_tables {
            for table in [crosstable(&schedule, &standing), pairings(&schedule, &standing)] {
                expected += &(table.aligned(1000) + "\n");
            }
        }
        let lines = sentences(&schedule, &standing).join("\n") + "\n";
        assert!(lines.contains("died\u{1b}[2J"), "{lines}");
        expected += &lines.replace('\u{1b}', "\\u001b");
        assert_eq!(text, expected);
        // Narrower text has the same words.
        let narrow = summary::text(&schedule, &standing, 40);
        assert!(narrow.lines().all(|line| line.chars().count() <= 40), "{narrow}");
    }
}

#[test]
fn games_that_no_part_has_played_are_listed_as_ranges() {
    for (gaps, expected) in [
        (&[][..], None),
        (&[0], Some("Missing: 1 game, numbers 1.")),
        (&[1, 2, 3, 5], Some("Missing: 4 games, numbers 2-4, 6.")),
        (&[0, 1, 2, 3, 4, 5], Some("Missing: 6 games, numbers 1-6.")),
    ] {
        let (_, standing) = standing_of(short(3), |index, first, game| {
            if !gaps.contains(&index) {
                game.finish(by(2, first).expect("an ending")).expect("an ending");
            }
        });
        assert_eq!(summary::missing(&standing).as_deref(), expected);
    }
}

/// The advantage of an opening cancels out within a pair and adds nothing to the error.
#[test]
fn the_error_of_a_margin_is_that_of_the_pairs() {
    // South wins by 10; `a` gets as many extra seeds as the index of the pair.
    let (_, pairing) =
        figures(4, None, |index, first| by(first.view_of(10) + index as i32 / 2, first));
    // The mean of 0, 1, 2 and 3, whose variance is 5/3.
    close(pairing["margin"]["value"].as_f64().unwrap(), 1.5, 1e-12);
    close(pairing["margin"]["standard_error"].as_f64().unwrap(), (5.0_f64 / 12.0).sqrt(), 1e-12);
}

#[test]
fn leaves_per_move_are_those_of_a_player_on_either_side() {
    for (of_a, of_b, figures, words) in [
        (Some(10), Some(40), json!([10.0, 40.0]), Some("a 10, b 40 (+75.0 % saved by a).")),
        (Some(10), None, json!([10.0, null]), Some("a 10.")),
        (None, Some(40), json!([null, 40.0]), Some("b 40.")),
        (None, None, json!([null, null]), None),
    ] {
        let (schedule, standing) = standing_of(short(2), |index, first, game| {
            for _ in 0..6 {
                let position = *game.position();
                let pit = position.moves().iter().next().expect("a move");
                let leaves = if position.side() == first { of_a } else { of_b };
                game.play(Move { leaves, ..Move::new(pit) }).expect("a legal move");
            }
            game.finish(lost(first, Reason::Time, &index.to_string())).expect("an ending");
        });
        let pairings =
            serde_json::to_value(pairing_figures(&schedule, &standing)).expect("numbers");
        assert_eq!(pairings[0]["leaves_per_move"], figures);
        let lines = sentences(&schedule, &standing);
        let said = lines.iter().find_map(|line| line.strip_prefix("Leaves per move: "));
        assert_eq!(said, words);
    }
}

#[test]
fn repeated_games_count_once_but_each_repeated_accident_counts() {
    let of = |reason: Reason| {
        let mut config = short(2);
        config.openings.truncate(1);
        figures_of(config, |index, first, game| {
            let ending = lost(first.other(), reason, &format!("in game {index}"));
            game.finish(ending).expect("an ending");
        })
    };
    let (repeated, pairing) = of(Reason::Majority);
    assert_eq!((&repeated["finished"], &repeated["counted"]), (&json!(4), &json!(2)));
    assert_eq!(
        (&repeated["duplicates"], &pairing["pentanomial"]),
        (&json!(2), &json!([0, 0, 0, 0, 1]))
    );
    let (accidents, _) = of(Reason::Time);
    assert_eq!((&accidents["counted"], &accidents["duplicates"]), (&json!(4), &json!(0)));
    // The first detail stands for all of them.
    let failure = json!({"player": "b", "reason": "time", "games": 4, "detail": "in game 0"});
    assert_eq!(accidents["failures"], json!([failure]));
}

#[test]
fn a_game_that_is_part_of_another_counts_once() {
    let counted = |openings: Vec<_>| {
        let mut config = config(&["greedy name=a", "greedy name=b"], openings.len() as u32);
        config.openings = openings;
        let schedule = Schedule::new(config.clone()).expect("a match");
        let games = play(config);
        let standing = Standing::from_games(&schedule, &games);
        let summary = serde_json::to_value(Summary::new(&schedule, &standing)).expect("numbers");
        (summary["counted"].clone(), summary["duplicates"].clone(), games)
    };
    let first = config(&["greedy name=a", "greedy name=b"], 1).openings.remove(0);
    let (one, _, games) = counted(vec![first.clone()]);
    assert_eq!(one, 2);
    // Greedy players choose the same moves from the same position.
    let mut later = first.clone();
    later.moves = games[&0].moves().take(6).map(|r#move| r#move.pit).collect();
    for openings in [[first.clone(), later.clone()], [later, first]] {
        let (counted, duplicates, _) = counted(openings.to_vec());
        assert_eq!((counted, duplicates), (json!(2), json!(2)));
    }
}

const TEST: &str = "elo0=0 elo1=200 model=logistic";

#[test]
fn a_test_takes_the_pairs_up_to_the_first_missing_game() {
    let (decided, _) = figures(40, Some(TEST), |_, first| by(4, first));
    assert_eq!(decided["sprt"]["verdict"], "accept_h1");
    let pairs = decided["sprt"]["pairs"].as_u64().expect("a number");
    assert!(pairs > 2 && pairs < 40, "{pairs}");
    assert_eq!(
        (&decided["counted"], &decided["after_decision"]),
        (&json!(2 * pairs), &json!(80 - 2 * pairs))
    );
    // The decision is the first: with one pair less, the test is open.
    let (open, _) = figures(pairs as u32 - 1, Some(TEST), |_, first| by(4, first));
    assert_eq!(open["sprt"]["verdict"], "open");
    let (same, _) = figures(pairs as u32, Some(TEST), |_, first| by(4, first));
    assert_eq!(same["sprt"], decided["sprt"]);
    // Games after the decision are neither needed nor missing.
    let late = |index: usize| index as u64 >= 2 * pairs;
    let (early, _) = figures(40, Some(TEST), |index, first| by(4, first).filter(|_| !late(index)));
    assert_eq!((&early["sprt"], &early["missing"]), (&decided["sprt"], &json!([])));

    for gap in [2, 3] {
        let (open, _) =
            figures(40, Some(TEST), |index, first| by(4, first).filter(|_| index != gap));
        assert_eq!((&open["sprt"]["verdict"], &open["sprt"]["pairs"]), (&json!("open"), &json!(1)));
        assert_eq!((&open["counted"], &open["after_decision"]), (&json!(79), &json!(0)));
        assert_eq!(open["missing"], json!([[gap + 1, gap + 1]]));
    }
    let (gaps, pairing) =
        figures(4, None, |index, first| by(4, first).filter(|_| ![0, 1, 2, 6].contains(&index)));
    assert_eq!(gaps["missing"], json!([[1, 3], [7, 7]]));
    // A single game counts for points, not as a pair.
    assert_eq!((&pairing["wins"], &pairing["pentanomial"]), (&json!(4), &json!([0, 0, 0, 0, 1])));
    assert_eq!(gaps["sprt"], Value::Null);
}

#[test]
fn a_draw_gives_half_a_point_whatever_its_reason() {
    for reason in [Reason::MoveLimit, Reason::Score] {
        let draw = Ending { outcome: Outcome::Draw, reason, margin: None, detail: None };
        let (summary, pairing) = figures(2, None, |_, _| Some(draw.clone()));
        assert_eq!((&pairing["draws"], &pairing["points"]), (&json!(4), &json!(2.0)));
        assert_eq!((&pairing["margin"], &summary["failures"]), (&Value::Null, &json!([])));
    }
}
