//! How the games of a match are counted, using files whose endings the tests have edited.

use kalah_arena::schedule::Schedule;
use kalah_arena::standing::{GameResult, Standing};
use kalah_game::score::Gain;
use kalah_game::{Position, Rules, Side};
use kalah_record::{Ending, Game, Outcome, Player, Reason, json};

use super::games;
use crate::folder::Folder;

/// The header of an SPRT.
const TEST: &str =
    r#""sprt":{"elo0":0.0,"elo1":200.0,"alpha":0.05,"beta":0.05,"model":"logistic"},"#;

/// The results of a match of two random players, `a` and `b`, after `end` has rewritten or
/// removed the game at each index.
fn results_of_lines(pairs: u32, sprt: &str, end: impl Fn(usize, Game) -> Option<String>) -> String {
    let folder = Folder::new();
    let players = "-e 'random name=a' -e 'random name=b'";
    folder.shown(&format!("match -o x.jsonl {players} -q -p {pairs}"));
    let whole = folder.read("x.jsonl");
    let header = whole.lines().next().unwrap().rsplit_once(r#","check":"#).unwrap().0;
    let header = header.replacen(r#""openings":"#, &format!(r#"{sprt}"openings":"#), 1) + "}";
    let games = games(&folder, "x.jsonl").into_iter().enumerate();
    let lines = games.filter_map(|(index, game)| end(index, game));
    let changed: String = std::iter::once(header)
        .chain(lines)
        .map(|line| json::with_checksum(&line) + "\n")
        .collect();
    folder.write("x.jsonl", changed);
    folder.shown("match merge x.jsonl")
}

/// [`results_of_lines`] with the endings from `ending`; games without an ending are removed.
fn results(pairs: u32, sprt: &str, ending: impl Fn(usize, &Game) -> Option<Ending>) -> String {
    results_of_lines(pairs, sprt, |index, mut game| {
        game.finish(ending(index, &game)?).unwrap();
        Some(json::to_line(&game))
    })
}

fn side_of(name: &str, game: &Game) -> Side {
    if game.players[0].name == name { Side::South } else { Side::North }
}

/// A win by four seeds, whatever the final position of the game.
fn won_by(name: &str, game: &Game) -> Option<Ending> {
    Some(Ending::by_margin(Gain(side_of(name, game).view_of(4)), Reason::Table))
}

#[track_caller]
fn assert_holds(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn points_and_margins_are_the_first_players_on_either_side() {
    let won = results(3, "", |_, game| won_by("a", game));
    assert_holds(
        &won,
        &[
            "a against b: 6 wins, 0 draws, 0 losses (6.0 of 6 points, 100.0 %).\n",
            "Margin: +4.00 seeds in each of 3 pairs.\n",
            "Likelihood of superiority: ",
            "Pairs with 0, ½, 1, 1½, 2 points: 0, 0, 0, 0, 3.\n",
        ],
    );
    // In a pipe, each statement is one line, however long it is.
    assert!(won.lines().all(|line| line.ends_with('.')), "{won}");
}

/// The advantage of an opening cancels out within a pair and adds nothing to the error.
#[test]
fn the_error_of_a_margin_is_that_of_the_pairs() {
    let margins = results(4, "", |index, game| {
        // South wins by 10; the first player gets as many extra seeds as the index of the pair.
        let margin = 10 + side_of("a", game).view_of(index as i32 / 2);
        Some(Ending::by_margin(Gain(margin), Reason::Table))
    });
    // The mean of 0, 1, 2 and 3, whose variance is 5/3; the error is 1.96 × √(5/12).
    assert_holds(&margins, &["Margin: +1.50 ± 1.27 seeds in 4 pairs.\n"]);
}

#[test]
fn leaves_per_move_are_those_of_a_player_on_either_side() {
    let leaves = results_of_lines(1, "", |_, game| {
        let letters = if side_of("a", &game) == Side::South { 'A'..='F' } else { 'a'..='f' };
        Some(letters.fold(json::to_line(&game), |line, letter| {
            let r#move = format!("{{\"pit\":\"{letter}\"");
            line.replace(&r#move, &format!("{move},\"leaves\":10"))
        }))
    });
    assert_holds(&leaves, &["Leaves per move: a 10.\n"]);
}

#[test]
fn repeated_games_count_once_but_each_repeated_accident_counts() {
    let of = |reason| {
        results_of_lines(2, "", |_, mut game| {
            let winner = side_of("a", &game);
            game.truncate(0);
            game.finish(Ending::lost_by(winner.other(), reason, None)).unwrap();
            Some(json::to_line(&game))
        })
    };
    let repeated = of(Reason::Majority);
    assert_holds(&repeated, &["4 finished, 2 counted.", "repeat an earlier game: 2 games."]);
    let accidents = of(Reason::Time);
    assert_holds(&accidents, &["4 finished, 4 counted.", "b lost games by failure: 4 time."]);
    assert!(!accidents.contains("repeat an"), "{accidents}");
}

#[test]
fn losses_on_time_while_the_system_was_late_are_counted_separately() {
    let reasons = [Reason::Time, Reason::Hang, Reason::Time, Reason::Crash];
    let late = results_of_lines(3, "", |index, mut game| {
        // In the third game, the delay is below the margin of 10 ms.
        let delay = if index == 2 { "9.0" } else { "11.0" };
        game.tags.insert(kalah_record::DELAY.to_owned(), delay.to_owned());
        if let Some(&reason) = reasons.get(index) {
            game.finish(Ending::lost_by(Side::South, reason, None)).unwrap();
        }
        Some(json::to_line(&game))
    });
    assert_holds(&late, &["In 2 of these games, a thread had to wait for a processor for longer"]);
}

#[test]
fn a_test_takes_the_pairs_up_to_the_first_missing_game() {
    let decided = results(40, TEST, |_, game| won_by("a", game));
    let (_, pairs) = decided.split_once("accepts H1, a difference of 200 Elo after ").unwrap();
    let pairs: u32 = pairs.split(' ').next().unwrap().parse().unwrap();
    assert!(pairs > 1 && pairs < 40, "{decided}");
    let counted = format!("80 of 80 finished, {} counted.", 2 * pairs);
    let late = format!("after the test had decided: {} games.", 80 - 2 * pairs);
    assert_holds(&decided, &[&counted, &late]);
    let open = results(40, TEST, |index, game| won_by("a", game).filter(|_| index != 2));
    assert_holds(&open, &["Games: 79 of 80 finished, 79 counted.", "Elo is open after 1 pair: "]);
    assert!(!open.contains("had decided"), "{open}");
}

/// `a`'s half points in each pair, given the numbers of pairs with 0 to 4 half points.
fn half_points(counts: [u64; 5]) -> Vec<u32> {
    (0..).zip(counts).flat_map(|(points, count)| (0..count).map(move |_| points)).collect()
}

/// The ending of the game at `index` in a match whose pairs give these half points.
fn of_pairs(pairs: &[u32], index: usize, first: Side) -> Option<Ending> {
    let points = *pairs.get(index / 2)?;
    // The first game of a pair gets the larger half.
    let points = if index.is_multiple_of(2) { points.div_ceil(2) } else { points / 2 };
    Some(match points {
        1 => Ending { outcome: Outcome::Draw, reason: Reason::Time, margin: None, detail: None },
        0 => Ending::lost_by(first, Reason::Time, None),
        _ => Ending::lost_by(first.other(), Reason::Time, None),
    })
}

#[test]
fn nothing_is_infinite_or_certain() {
    for (counts, line) in [
        ([0, 0, 0, 0, 30], "Elo: +557.0 or more (95 %).\n"),
        ([30, 0, 0, 0, 0], "Elo: -557.0 or less (95 %).\n"),
        ([0, 0, 4, 4, 0], "Elo: +88.7 (95 %: +26.7 to +156.9).\n"),
        ([0, 0, 0, 0, 90], "Likelihood of superiority: above 99.9 %.\n"),
    ] {
        let pairs = half_points(counts);
        let ending = |index, game: &Game| of_pairs(&pairs, index, side_of("a", game));
        let shown = results(pairs.len() as u32, "", ending);
        assert_holds(&shown, &[line]);
    }
}

/// Elo, its error, its interval, normalised Elo, its error and the likelihood of superiority,
/// from the numbers of pairs by the first player's half points.
fn strength(counts: [u64; 5]) -> Option<[f64; 7]> {
    let pairs = half_points(counts);
    let rounds = pairs.len();
    let players = ["a", "b"]
        .map(|name| format!(r#"{{"name":"{name}","kind":"random","allowance":{{"nodes":1}}}}"#));
    let start = Position::start(Rules::default());
    let config = format!(
        r#"{{"event":"","players":[{}],"format":"round-robin","rounds":{rounds},"seed":1,
        "timing":{{"margin":10,"patience":1,"start":1}},
        "openings":[{{"name":"","position":"{start}","capture":"standard"}}]}}"#,
        players.join(",")
    );
    let schedule = Schedule::new(serde_json::from_str(&config).unwrap()).unwrap();
    let games = (0..2 * rounds).map(|index| {
        let first = if index.is_multiple_of(2) { Side::South } else { Side::North };
        let mut game = Game::new(start, ["a", "b"].map(Player::named));
        game.finish(of_pairs(&pairs, index, first).unwrap()).unwrap();
        (index, GameResult::from_game(&game).unwrap())
    });
    let standing = Standing::new(&schedule, &games.collect());
    let strength = standing.scores.get(&(0, 1))?.strength()?;
    let [low, high] = strength.elo_interval;
    Some([
        strength.elo,
        (high - low) / 2.0,
        low,
        high,
        strength.normalised,
        strength.normalised_error,
        strength.superiority,
    ])
}

#[track_caller]
fn close(got: f64, expected: f64, tolerance: f64) {
    assert!((got - expected).abs() <= tolerance, "got {got}, expected {expected}");
}

/// The figures are from fastchess's test suite (`elo_test.cpp`), with two decimal places.
#[test]
fn estimates_agree_with_those_that_fastchess_publishes() {
    for (pairs, elo, error, normalised, normalised_error) in [
        ([34, 54, 63, 64, 75], 55.58, 27.65, 57.94, 28.28),
        ([332, 433, 498, 333, 334], -8.64, 10.33, -9.17, 10.96),
        ([7895, 8757, 5685, 568, 9999], -21.04, 2.95, -19.01, 2.65),
    ] {
        let estimate = strength(pairs).unwrap();
        close(estimate[0], elo, 0.01);
        close(estimate[1], error, 0.01);
        close(estimate[4], normalised, 0.01);
        close(estimate[5], normalised_error, 0.01);
    }
}

/// Reference values computed with SciPy's normal distribution.
#[test]
fn estimates_agree_with_independently_computed_ones() {
    for (pairs, elo, low, high, superiority) in [
        (
            [223, 9863, 21279, 10037, 246],
            0.9176431827536934,
            -0.2887156269640222,
            2.1240241191863936,
            0.9320046373687363,
        ),
        (
            [10, 50, 200, 80, 20],
            24.166368988662185,
            9.384824605286797,
            39.03583016198762,
            0.9993296794413853,
        ),
        (
            [5, 20, 50, 40, 9],
            39.39456049720454,
            10.47371397030827,
            68.87075678177206,
            0.9962481107555426,
        ),
    ] {
        let estimate = strength(pairs).unwrap();
        close(estimate[0], elo, 1e-9);
        close(estimate[2], low, 1e-7);
        close(estimate[3], high, 1e-7);
        close(estimate[6], superiority, 1e-9);
    }
}

#[test]
fn few_pairs_or_extremes_prove_little() {
    assert_eq!([[0; 5], [0, 0, 0, 0, 1]].map(strength), [None; 2]);
    // With a virtual pair, spread evenly over the five scores, the variance of equal pairs is
    // 7/72.
    let two = strength([0, 0, 0, 0, 2]).unwrap();
    close(two[2], 47.452_783_831, 1e-6);
    close(two[4], 393.954_923_960, 1e-6);
    close(two[6], 0.988_328_899, 1e-6);
    let all = strength([0, 0, 0, 0, 9]).unwrap();
    assert!(all[0] == f64::INFINITY && all[6] > 0.99, "{all:?}");
    let even = strength([0, 0, 9, 0, 0]).unwrap();
    assert!(even[0] == 0.0 && even[1] > 0.0, "{even:?}");
    close(even[6], 0.5, 1e-12);
}
