//! The document of a match shows what its games hold.

use std::collections::HashSet;

use kalah_arena::config::Adjudication;
use kalah_arena::html::findings;
use kalah_arena::schedule::{PlacedGames, Schedule};
use kalah_arena::standing::Standing;
use kalah_game::{Side, Value as Margin};
use kalah_record::{Ending, Game, Move, MoveEvaluation, Player, Reason};
use kalah_tables::{Findings, Marks, Section, Style};
use serde_json::{Value, json};

use super::{close, config, play, short};

/// The margin of each game for `a`, which is South in the games with even indices. The last game
/// is lost by `b`, on time.
const MARGINS: [i32; 6] = [4, -2, 0, 6, -10, 0];
const DATES: [&str; 6] =
    ["2026-11-03", "2026-11-02", "2026-11-05", "2026-11-04", "2026-11-02", "2026-11-05"];

fn document() -> (Schedule, PlacedGames, Findings) {
    let schedule = Schedule::new(short(3)).expect("a match");
    let mut games = PlacedGames::new();
    for (index, margin) in MARGINS.into_iter().enumerate() {
        let opening = &schedule.config.openings[index / 2];
        let names = if index % 2 == 0 { ["a", "b"] } else { ["b", "a"] };
        let players = names.map(|name| Player {
            version: Some(format!("{name} 1.{index}")),
            ..Player::named(name)
        });
        let mut game = Game::new(opening.start, players);
        game.date = Some(DATES[index].to_owned());
        for &pit in &opening.moves {
            game.play(Move::book(pit)).expect("a legal move");
        }
        for number in 0..3 {
            let pit = game.position().moves().iter().next().expect("a move");
            let margin = Margin(100 + number);
            let evaluation = Some(MoveEvaluation { margin, proved: false });
            let comment = Some("</script>".to_owned());
            let r#move = Move { evaluation, comment, ..Move::new(pit) };
            game.play(r#move).expect("a legal move");
        }
        let first = if index % 2 == 0 { Side::South } else { Side::North };
        game.finish(match index {
            5 => Ending::lost_by(Side::South, Reason::Time, None),
            _ => Ending::by_margin(kalah_game::Gain(first.view_of(margin)), Reason::Table),
        })
        .expect("an ending");
        games.insert(index, game);
    }
    let standing = Standing::from_games(&schedule, &games);
    let document = findings(&schedule, &standing, &games, Some(&[]));
    (schedule, games, document)
}

fn section<'a>(document: &'a Findings, heading: &str) -> &'a Section {
    let mut sections = document.sections.iter();
    sections.find(|section| section.heading == heading).expect("the section")
}

/// The rows of a table, without the headings, in CSV.
fn rows(document: &Findings, heading: &str, table: usize) -> Vec<String> {
    let text = section(document, heading).tables[table].to_text(Style::Csv);
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn its_tables_count_games_by_ending_and_points_by_opening() {
    let (schedule, _, document) = document();
    assert_eq!(rows(&document, "How games ended", 0), ["table,,5", "time,b,1"]);
    for (row, start, end) in [(0, "1,a,", ",3.5,6,,3.5/6"), (1, "2,b,", ",2.5,6,2.5/6,")] {
        let shown = &rows(&document, "Crosstable", 0)[row];
        assert!(shown.starts_with(start) && shown.ends_with(end), "{shown}");
    }
    let pairing = &rows(&document, "Crosstable", 1)[0];
    assert!(pairing.starts_with("a - b,3,1,2,3.5,"), "{pairing}");
    // The mean margin of the two pairs that have one, 1 and 3 seeds, whose error is 1 seed.
    let cells: Vec<&str> = pairing.split(',').collect();
    assert!(cells.contains(&"+2.00 ± 1.96"), "{pairing}");
    let lines: Vec<&str> = document.summary.lines().collect();
    assert!(lines.contains(&"b lost games by failure: 1 time."), "{lines:?}");
    assert!(document.style.contains("{") && document.script.contains("games-data"));
    assert_eq!(rows(&document, "Conditions", 0), ["a,a 1.0", "b,b 1.0"]);
    let conditions = rows(&document, "Conditions", 1);
    assert!(conditions.contains(&"date,2026-11-02 to 2026-11-05".to_owned()), "{conditions:?}");
    assert!(conditions.contains(&"openings,3".to_owned()), "{conditions:?}");
    let openings = rows(&document, "Openings", 0);
    for (index, (points, links)) in
        [("1", "+4,-2"), ("1.5", "0,+6"), ("1", "-10,won (time)")].into_iter().enumerate()
    {
        let letters = schedule.config.openings[index].letters();
        assert!(openings[index].ends_with(&format!(",{letters},{points},{links}")), "{openings:?}");
    }
}

#[test]
fn its_conditions_name_every_rule_of_the_match() {
    let mut config = short(3);
    config.seed = 7;
    config.sprt = Some("elo0=1 elo1=6".parse().expect("a test"));
    config.adjudication = Adjudication {
        majority: true,
        table_seeds: Some(12),
        move_limit: Some(99),
        resign: Some("moves=3 score=5".parse().expect("a rule")),
        draw: Some("moves=4 score=0.5".parse().expect("a rule")),
    };
    let schedule = Schedule::new(config).expect("a match");
    let none = PlacedGames::new();
    let standing = Standing::from_games(&schedule, &none);
    let document = findings(&schedule, &standing, &none, Some(&[]));
    let conditions = rows(&document, "Conditions", 1).join("\n");
    for words in [
        "every player against every other, 3 pairs per pairing",
        "seed,7",
        "a store with more than half of the seeds",
        "an endgame table with 12 seeds",
        "a loss by score (moves=3 score=5)",
        "a draw by score (moves=4 score=0.5)",
        "a draw after 99 moves",
        "1 against 6 normalised Elo, alpha 0.05, beta 0.05",
    ] {
        assert!(conditions.contains(words), "{words}: {conditions}");
    }
}

#[test]
fn its_chart_shows_the_score() {
    let (_, _, document) = document();
    let [score] = &section(&document, "Charts").pictures[..] else { panic!("one chart") };
    for (axis, label) in [(&score.x, "pairs of games"), (&score.y, "score per game")] {
        assert!(format!("{axis:?}").contains(label), "{axis:?}");
    }
    let Marks::Lines(score) = &score.marks else { panic!("a line") };
    let points = &score[0].points;
    assert_eq!(points.len(), 3);
    for (point, (pairs, share)) in points.iter().zip([(1.0, 0.5), (2.0, 0.625), (3.0, 3.5 / 6.0)]) {
        assert_eq!(point.0, pairs);
        close(point.1, share, 1e-9);
    }
}

#[test]
fn what_each_pairing_has_of_its_own_is_folded() {
    let config = config(&["random name=a", "greedy name=b", "random name=c"], 3);
    let schedule = Schedule::new(config.clone()).expect("a match");
    let mut games = play(config);
    games.values_mut().for_each(|game| game.date = Some("2026-11-02".to_owned()));
    let standing = Standing::from_games(&schedule, &games);
    let document = findings(&schedule, &standing, &games, None);
    let conditions = rows(&document, "Conditions", 1);
    assert!(conditions.contains(&"date,2026-11-02".to_owned()), "{conditions:?}");
    let folded = document.sections.iter().filter(|section| section.folded);
    let headings: Vec<_> = folded.map(|section| section.heading.as_str()).collect();
    assert_eq!(headings, ["Openings", "Charts of each pairing"]);
    let charts: Vec<_> = document.sections.iter().flat_map(|part| &part.pictures).collect();
    let titles: HashSet<&str> = charts.iter().map(|chart| chart.title.as_str()).collect();
    assert_eq!(titles.len(), charts.len(), "{titles:?}");
    for chart in charts {
        let labels = [&chart.title, &chart.subtitle, &chart.caption];
        assert!(labels.iter().all(|label| !label.is_empty()), "{labels:?}");
    }
    assert_eq!(section(&document, "Charts of each pairing").pictures.len(), 3);
}

/// A position as the script reads it: the side to move, then a character for the stores and pits.
fn characters(position: &kalah_game::Position) -> String {
    let text = position.to_string();
    let (numbers, side) = text.trim_start_matches('<').split_once("> ").expect("a position");
    let counts = numbers.split(',').skip(1).map(|count| count.parse::<u32>().expect("a number"));
    let counts = counts.map(|count| char::from_u32(u32::from('0') + count).expect("a character"));
    side.chars().chain(counts).collect()
}

#[test]
fn its_script_gets_every_move_of_every_game() {
    let (_, games, document) = document();
    let (_, data) =
        section(&document, "Games").html.split_once("id=\"games-data\">").expect("data");
    let data: Value =
        serde_json::from_str(data.split_once("</script>").expect("an end").0).unwrap();
    assert_eq!(data["players"], json!(["a", "b"]));
    let shown = data["games"].as_array().expect("games");
    assert_eq!(shown.len(), games.len());
    for (index, (shown, game)) in shown.iter().zip(games.values()).enumerate() {
        assert_eq!(shown["number"], json!((index + 1).to_string()));
        assert_eq!(shown["players"], json!(if index % 2 == 0 { [0, 1] } else { [1, 0] }));
        let steps = game.steps();
        let moves: String = steps.iter().map(|step| step.played.letter()).collect();
        assert_eq!(shown["moves"], json!(moves));
        let mut positions = characters(game.start());
        steps.iter().for_each(|step| positions.push_str(&characters(&step.after)));
        assert_eq!(shown["positions"], json!(positions));
        let book = steps.len() - 3;
        assert_eq!(shown["book"], json!(book));
        for (at, step) in steps.iter().enumerate() {
            let value = |number: usize| step.played.side.view_of(100 + number as i32);
            let expected = at.checked_sub(book).map(value);
            assert_eq!(shown["values"][at], json!(expected));
            if at >= book {
                // It does not end the element above.
                assert_eq!(shown["comments"][(at + 1).to_string()], "</script>");
            }
        }
    }
}
