//! The model of a recorded game, and its two formats: games are read back as they were written.

use std::time::Duration;

use kalah_engine::search::{Info, SearchResult};
use kalah_game::{Capture, Depth, Gain, MoveError, Pit, Position, Rules, Side, Value};
use kalah_record::{
    Ending, Game, Move, MoveEvaluation, Outcome, Player, Reason, TimeControl, Variation, format,
    json, kgn,
};
use proptest::prelude::*;

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{0,12}",
        "\\PC{0,6}",
        Just("a\\b\"c\nd\re".to_owned()),
        Just("=+2".to_owned())
    ]
}

/// A comment that `.kgn` preserves: words separated by single spaces, without braces.
fn comment() -> impl Strategy<Value = Option<String>> {
    let plain = word().prop_map(|text| {
        let text = text.replace(['{', '}'], "");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    proptest::option::of(plain).prop_map(|text| text.filter(|text| !text.is_empty()))
}

fn player() -> impl Strategy<Value = Player> {
    let options = proptest::collection::btree_map("[A-Za-z ]{1,8}", word(), 0..3);
    (word(), proptest::option::of(word()), proptest::option::of(word()), options)
        .prop_map(|(name, version, limit, options)| Player { name, version, limit, options })
}

type Annotations = (Option<(i32, bool)>, Option<u16>, Option<u64>, Option<u64>, Option<u64>);

fn annotations() -> impl Strategy<Value = Annotations> {
    use proptest::option::of;
    (
        of((-10_000i32..10_000, any::<bool>())),
        of(any::<u16>()),
        of(any::<u64>()),
        of(any::<u64>()),
        of(0u64..10_000_000_000),
    )
}

fn recorded(pit: Pit, book: bool, annotations: Annotations, comment: Option<String>) -> Move {
    let (value, depth, nodes, leaves, micros) = annotations;
    Move {
        book,
        evaluation: value.map(|(value, proved)| MoveEvaluation { margin: Value(value), proved }),
        depth: depth.map(Depth),
        nodes,
        leaves,
        time: micros.map(Duration::from_micros),
        comment,
        ..Move::new(pit)
    }
}

fn endings() -> impl Strategy<Value = Option<Ending>> {
    let outcome = prop_oneof![
        Just(Outcome::Draw),
        Just(Outcome::Won(Side::South)),
        Just(Outcome::Won(Side::North))
    ];
    let reasons: Vec<_> =
        Reason::ALL.iter().copied().filter(|reason| !reason.is_decided_by_seeds()).collect();
    let broken_off = (outcome, proptest::sample::select(reasons), proptest::option::of(word()))
        .prop_map(|(outcome, reason, detail)| Ending { outcome, reason, margin: None, detail });
    let table = (-48i32..=48).prop_map(|margin| Ending::by_margin(Gain(margin), Reason::Table));
    proptest::option::of(prop_oneof![broken_off, table])
}

/// A generated game, which a failed law shows as text instead of as a structure of 5,000 lines.
struct Generated(Game);

impl std::fmt::Debug for Generated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\n{}{}", kgn::write(&self.0), json::to_line(&self.0))
    }
}

prop_compose! {
    fn games()(
        size in (1u32..=12, 1u32..=8),
        capture in proptest::sample::select(&Capture::ALL[..]),
        mirrored: bool,
        pie_rule: bool,
        players in [player(), player()],
        choices in proptest::collection::vec((any::<u32>(), any::<bool>(), annotations(), comment()), 0..80),
        texts in [proptest::option::of(word()), proptest::option::of(word()), proptest::option::of(word()), proptest::option::of(word())],
        number in proptest::option::of(1u32..),
        before in comment(),
        warnings in proptest::collection::vec(word(), 0..3),
        tags in proptest::collection::btree_map("x[A-Za-z]{0,6}", word(), 0..3),
        ending in endings(),
        branches in proptest::collection::vec(
            (any::<[usize; 2]>(), proptest::collection::vec((any::<u32>(), annotations(), comment()), 0..6)), 0..4),
    ) -> Generated {
        let start = Position::start(Rules::new(size.0, size.1, capture).unwrap());
        let start = if mirrored { start.mirrored() } else { start };
        let mut game = Game::new(start, players);
        game.pie_rule = pie_rule;
        for (choice, book, annotations, comment) in choices {
            let moves = game.position().moves();
            if moves.is_empty() {
                break;
            }
            let pit = moves.iter().nth(choice as usize % moves.len()).unwrap();
            game.play(recorded(pit, book, annotations, comment)).unwrap();
            if choice % 2 == 0 && game.may_swap() {
                assert!(game.swap());
            }
        }
        let ending = Ending::played_out(game.position()).or(ending);
        [game.id, game.event, game.date, game.opening] = texts;
        (game.number, game.warnings, game.tags) = (number, warnings, tags);
        game.comment = before;
        if let Some(ending) = ending {
            game.finish(ending).unwrap();
        }
        // Variations that leave this line, or an earlier variation, at any point.
        let mut lines = vec![game.clone()];
        for ([line, after], choices) in branches {
            let mut line = lines[line % lines.len()].clone();
            line.truncate(after % (line.steps().len() + 1));
            for (choice, annotations, comment) in choices {
                let moves = line.position().moves();
                let Some(pit) = moves.iter().nth(choice as usize % moves.len().max(1)) else { break };
                line.play(recorded(pit, false, annotations, comment)).unwrap();
                if choice % 2 == 0 && line.may_swap() {
                    assert!(line.swap());
                }
            }
            game.add_variation(line.main_line());
            lines.push(line);
        }
        Generated(game)
    }
}

/// Where each variation leaves the game, its moves after that and its swap, sorted, because
/// `.kgn` text orders variations by the moves that they replace.
fn lines(game: &Game) -> Vec<(usize, Vec<Move>, Option<usize>)> {
    let line = |line: &Variation| {
        let after = game.shared_moves(line);
        let moves = line.steps()[after..].iter().map(|step| step.r#move.clone());
        (after, moves.collect(), line.swapped_after())
    };
    let mut lines: Vec<_> = game.variations().iter().map(line).collect();
    lines.sort_by_key(|line| format!("{line:?}"));
    lines
}

proptest! {
    #[test]
    fn a_game_is_read_back_from_both_formats(Generated(game) in games()) {
        let line = json::to_line(&game);
        let text = kgn::write(&game);
        let of_line = json::from_line(&line, 1).unwrap();
        let of_text = kgn::read(&text).unwrap().remove(0);
        prop_assert!(!line.contains('\n'));
        prop_assert_eq!(json::to_line(&of_line), line);
        prop_assert_eq!(kgn::write(&of_text), text);
        prop_assert!(lines(&of_line) == lines(&game), "the variations of the line differ");
        prop_assert!(lines(&of_text) == lines(&game), "the variations of the text differ");
        if game.variations().is_empty() {
            prop_assert!(of_line == game, "the game of the line differs");
            prop_assert!(of_text == game, "the game of the text differs");
        }
    }

    #[test]
    fn any_text_is_read_or_refused_with_its_place(text in "[\\[\\]{}()\"\\\\ \\nA-Fa-f0-9.*;+=/n!?$,…½–é-]{0,60}") {
        match kgn::read(&text) {
            Ok(games) => {
                for game in games {
                    prop_assert!(kgn::read(&kgn::write(&game)) == Ok(vec![game]));
                }
            }
            Err(error) => {
                let lines: Vec<_> = text.split('\n').collect();
                let line = lines.get(error.line - 1);
                prop_assert!(line.is_some_and(|line| error.column <= line.chars().count() + 1), "{error}");
            }
        }
    }

    #[test]
    fn a_corrupted_line_is_refused_or_is_a_game_that_is_read_back(
        Generated(game) in games(), at: usize, byte in 32u8..127,
    ) {
        let mut line = json::to_line(&game).into_bytes();
        let at = at % line.len();
        line[at] = byte;
        if let Ok(game) = json::from_line(&String::from_utf8_lossy(&line), 3) {
            let written = json::to_line(&game);
            prop_assert_eq!(json::to_line(&json::from_line(&written, 3).unwrap()), written);
        }
    }
}

fn new_game() -> Game {
    Game::new(Position::start(Rules::default()), ["a", "b"].map(Player::named))
}

/// Plays pits of the side to move, by index.
fn played(pits: &[usize]) -> Game {
    let mut game = new_game();
    game.pie_rule = true;
    for &pit in pits {
        game.play(Move::new(Pit::new(pit))).unwrap();
    }
    game
}

#[test]
fn a_player_is_displayed_with_its_limit_and_without_control_characters() {
    let unlimited = Player::named("kalah");
    assert_eq!(unlimited.in_full(), "kalah");

    let casual = Player { limit: Some("casual".to_owned()), ..unlimited };
    assert_eq!(casual.in_full(), "kalah, casual");

    let hostile = Player { name: "\u{1b}[2J".to_owned(), ..casual };
    assert!(!hostile.in_full().contains('\u{1b}'));
}

#[test]
fn truncating_restores_the_position() {
    let mut game = played(&[2, 5, 0]);
    assert_eq!(game.steps()[0].after, *game.position_after(1));
    game.truncate(1);
    assert_eq!(game.position().to_string(), "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S");
    game.truncate(0);
    assert_eq!(game.position(), game.start());
    // An ending is removed alone, and can be replaced.
    let drawn = Ending::by_margin(Gain(0), Reason::Table);
    game.finish(drawn.clone()).unwrap();
    assert_eq!(game.take_ending(), Some(drawn));
    assert_eq!(game.ending(), None);
    game.play(Move::book(Pit::new(2))).unwrap();
    let first = game.moves().next().unwrap();
    assert_eq!((first.pit, first.book, first.time), (Pit::new(2), true, None));
}

#[test]
fn an_ending_must_fit_the_seeds() {
    let mut game = new_game();
    let draw =
        Ending { outcome: Outcome::Draw, reason: Reason::Normal, margin: None, detail: None };
    let error = game.finish(draw.clone()).unwrap_err().to_string();
    assert!(error.starts_with("expected a finished game"), "{error}");

    let start = Position::parse("<2,5,2,0,1,1,1> S", Default::default()).unwrap();
    game = Game::new(start, Default::default());
    game.play(Move::new(Pit::new(1))).unwrap();
    let error = game.finish(draw.clone()).unwrap_err().to_string();
    assert_eq!(error, "expected result 1-0 for South's margin +2, got 1/2-1/2");
    game.finish(Ending { outcome: Outcome::Won(Side::South), ..draw }).unwrap();
    assert_eq!(game.ending().unwrap().margin, Some(Gain(2)));
}

#[test]
fn a_side_can_lose_on_time_regardless_of_the_seeds() {
    let mut game = new_game();
    game.finish(Ending::lost_by(Side::South, Reason::Time, None)).unwrap();
    assert_eq!(game.ending().unwrap().outcome, Outcome::Won(Side::North));
    assert_eq!(game.play(Move::new(Pit::new(0))), Err(MoveError::Over));
}

#[test]
fn the_second_player_may_swap_once_when_first_to_move() {
    // C (2) earns an extra turn.
    assert!(![&[][..], &[2], &[0, 0]].iter().any(|pits| played(pits).may_swap()));
    let mut game = played(&[2, 0]);
    let before = *game.position();
    assert!(game.swap());
    assert_eq!((game.position(), game.swapped_after()), (&before, Some(2)));
    assert_eq!((game.players[0].name.as_str(), game.player_at(Side::South)), ("b", Side::North));
    assert!(!game.swap());
    game.truncate(2);
    assert_eq!((game.players[0].name.as_str(), game.player_at(Side::South)), ("a", Side::South));
    game.pie_rule = false;
    assert!(!game.may_swap());
}

fn json_error(text: &str) -> String {
    json::from_line(text, 7).unwrap_err().to_string()
}

#[test]
fn json_errors_name_the_line_and_the_column() {
    assert_eq!(json_error("{"), "line 7, column 1: EOF while parsing an object");
    let line = r#"{"south":{"name":"a"},"north":{"name":"b"},"position":"<1,0,0,2,2> S","capture":"standard","moves":[{"pit":"b"}]}"#;
    assert_eq!(json_error(line), "line 7, column 1: move 1: expected a pit's letter, A, got 'b'");
    let unknown = json_error(&line.replace("standard", "kalah"));
    assert_eq!(
        unknown,
        "line 7, column 87: unknown variant `kalah`, expected `standard` or `empty-capture`"
    );
}

#[test]
fn a_game_in_small_letters_alone_is_read() {
    let letters =
        |game: &Game| -> String { game.steps().iter().map(|step| step.played.letter()).collect() };
    // After C, South moves again.
    let games = kgn::read("1. c a b (1. d) f *").unwrap();
    assert_eq!(letters(&games[0]), "CAbF");
    assert_eq!(games[0].variations()[0].steps().len(), 3);
    // Each game has its own notation.
    let games = kgn::read("1. c a b *\n1. C A b *").unwrap();
    assert_eq!(games.iter().map(letters).collect::<Vec<_>>(), ["CAb", "CAb"]);
    // Both cases contradict each other; the place is that of the usual notation.
    let error = kgn::read("1. c A b *").unwrap_err().to_string();
    assert!(error.starts_with("line 1, column 4: move 1: it is South's turn"), "{error}");
}

#[test]
fn a_torn_last_line_is_skipped_and_any_other_is_an_error() {
    let line = r#"{"south":{"name":"a"},"north":{"name":"b"},"position":"<1,0,0,2,2> S","capture":"standard","moves":[]}"#;
    for end in 0..line.len() {
        assert_eq!(format::read(&format!("{line}\n{}", &line[..end])).unwrap().1.len(), 1, "{end}");
    }
    assert_eq!(format::read(&format!("{line}\n{line}")).unwrap().1.len(), 2);
    assert!(format::read(&format!("{line}\n{{\n")).is_err());
    assert!(format::read(&format!("{{\n{line}")).is_err());
}

#[test]
fn a_written_game_that_is_cut_off_after_its_tags_is_an_error() {
    let game =
        kgn::read("[South \"é\"]\nA e B (B a {tried}) {+1.50/9; good} b *").unwrap().remove(0);
    let text = kgn::write(&game);
    let text = text.trim_end();
    let tags = text.find("\n\n").unwrap();
    for end in tags..text.len() {
        assert!(kgn::read(&text[..end]).is_err(), "{}", &text[..end]);
    }
    assert_eq!(kgn::read(text), Ok(vec![game]));
}

/// A line with a checksum, in which `check` replaces the checksum with its quotation marks.
fn with_check(checked: &str, digits: &str, check: &str) -> String {
    checked.replace(&format!("\"{digits}\""), check)
}

#[test]
fn a_malformed_checksum_is_an_error() {
    let line = r#"{"south":{"name":"a"},"north":{"name":"b"},"position":"<1,0,0,2,2> S","capture":"standard","moves":[],"tags":{"check":"a tag"}}"#;
    let checked = json::with_checksum(line);
    assert!(
        json::from_line(line, 7).is_ok() && json::from_line(&(checked.clone() + " "), 7).is_ok()
    );
    let digits = &checked[checked.len() - 18..checked.len() - 2];
    for check in ["\"\"", "\"x\"", &format!("\"{}\"", &digits[1..]), &format!("\"{digits}0\"")] {
        let error = json_error(&with_check(&checked, digits, check));
        assert!(error.starts_with("line 7, column 1: expected checksum "), "{check}: {error}");
    }
    let last = format!("\"{digits}\",\"id\":\"x\"");
    for check in ["null", "17", "[\"x\"]", &last] {
        let text = with_check(&checked, digits, check);
        let error = json_error(&text);
        assert!(error.contains("expected a checksum of 16 hexadecimal digits"), "{text}: {error}");
    }
}

#[test]
fn a_damaged_field_name_is_detected_without_a_checksum() {
    let line = r#"{"south":{"name":"a"},"north":{"name":"b"},"position":"<1,0,0,2,2> S","capture":"standard","moves":[{"pit":"A","value":3}],"result":"1/2-1/2","reason":"time"}"#;
    assert!(json::from_line(line, 1).is_ok());
    for (name, damaged) in
        [("name", "nome"), ("value", "valuf"), ("result", "rusult"), ("reason", "reasom")]
    {
        let error = json_error(&line.replacen(name, damaged, 1));
        assert!(error.contains(&format!("unknown field `{damaged}`")), "{error}");
    }
}

const GAME: &str = "[South \"Ann\"]\n[North \"kalah\"]\n\n1. CF d {+0.50/12 0.012s} 2. A *\n";

fn kgn_error(text: &str) -> String {
    kgn::read(text).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn a_handwritten_record_is_read_and_completed() {
    let games = kgn::read(GAME).unwrap();
    assert_eq!(games.len(), 1);
    assert_eq!(
        kgn::write(&games[0]),
        "[South \"Ann\"]\n[North \"kalah\"]\n\
         [Position \"<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S\"]\n[Capture \"standard\"]\n\
         [Result \"*\"]\n\n1. CF 2. d {+0.50/12 0.012s} 3. A *\n\n"
    );
}

#[test]
fn games_follow_each_other() {
    assert_eq!(kgn::read(&GAME.repeat(3)).unwrap().len(), 3);
    assert_eq!(kgn::read(" \r\n; nothing here\n").unwrap().len(), 0);
    assert_eq!(kgn::read("1. C 1... \n[Event \"x\"]\n1. A *").map(|games| games.len()), Ok(2));
}

#[test]
fn variations_share_the_comments_of_the_main_line() {
    let game = &kgn::read("A e B (B a) {good} b").unwrap()[0];
    let shared = |line: &Variation| line.steps()[2].r#move.comment.clone();
    assert_eq!(game.variations().iter().map(shared).collect::<Vec<_>>(), [Some("good".into())]);

    // A move that is played after the variation was added counts, too.
    let mut later = kgn::read("A e").unwrap().remove(0);
    later.add_variation(game.variations()[0].clone());
    assert_eq!(later.variations()[0].steps()[2].r#move.comment, Some("good".into()));
    let again = Move { comment: Some("better".into()), ..Move::new(game.steps()[2].played.pit) };
    later.play(again).unwrap();
    assert_eq!(later.variations()[0].steps()[2].r#move.comment, Some("better".into()));
}

#[test]
fn variations_are_at_most_2000_share_at_most_100_000_moves_and_are_100_levels_deep() {
    let with = |moves: &str, count: usize| kgn::read(&format!("{moves}{}", " ()".repeat(count)));
    // A long game from a position in which nothing is near its end.
    let mut long = Game::new(
        Position::start(Rules::new(12, 12, Capture::Standard).unwrap()),
        Default::default(),
    );
    for _ in 0..100 {
        let mut moves = long.position().moves().iter();
        let pit = moves.next().unwrap();
        long.play(Move::new(pit)).unwrap();
    }
    let long = kgn::write(&long);
    let long = long.trim_end().trim_end_matches('*').replace("[Result \"*\"]\n", "");
    for (moves, most) in [("A", 2000), (&long, 1000)] {
        assert!(with(moves, most).is_ok(), "{:?}", with(moves, most));
        let error = with(moves, most + 1).unwrap_err().to_string();
        assert!(error.contains("too many variations (limit 2000"), "{error}");
    }
    let nested = |depth: usize| kgn::read(&format!("A{}{}", "(".repeat(depth), ")".repeat(depth)));
    assert!(nested(100).is_ok());
    let error = nested(101).unwrap_err().to_string();
    assert!(error.contains("too many nested variations (limit 100)"), "{error}");
}

#[test]
fn a_move_has_every_number_of_the_search_that_chose_it() {
    let info = Info {
        margin: Value(250),
        proved: true,
        depth: Depth(7),
        nodes: 81,
        leaves: Some(9),
        ..Info::default()
    };
    let best = Some(Pit::new(3));
    let searched = SearchResult { best, info: Some(info), ..SearchResult::default() };
    let chosen = Move::from_search(&searched, MS).unwrap();
    let expected = "1. D {=+2.50/7 0.001s 81n 9l} *\n\n";
    let mut game = new_game();
    game.play(chosen).unwrap();
    assert!(kgn::write(&game).ends_with(expected), "{}", kgn::write(&game));
    // A forced move needs no search, and a game that is over has no move.
    let forced = SearchResult { best, ..SearchResult::default() };
    let expected = Move { time: Some(MS), ..Move::new(Pit::new(3)) };
    assert_eq!(Move::from_search(&forced, MS), Some(expected));
    assert_eq!(Move::from_search(&SearchResult::default(), MS), None);
}

#[test]
fn variations_take_the_place_of_the_move_before_them() {
    let text = "1. CF d (1... a 2. A (2. B b) (2. D)) 2. A *\n";
    let game = kgn::read(text).unwrap().remove(0);
    let lines = |game: &Game| {
        let letters = |line: &Variation| -> String {
            line.steps().iter().map(|step| step.played.letter()).collect()
        };
        game.variations().iter().map(letters).collect::<Vec<_>>()
    };
    assert_eq!(lines(&game), ["CFaBb", "CFaD", "CFaA"]);
    let text = kgn::write(&game);
    let movetext = "\n1. CF 2. d (2. a 3. B 4. b) (2. a 3. D) (2. a 3. A) 3. A *\n";
    assert!(text.contains(movetext), "{text}");
}

#[test]
fn a_comment_before_the_first_move_is_kept() {
    let read = |text: &str| kalah_record::format::read(text).unwrap().1;
    for text in
        ["{before} 1. A", "{before}\n[South \"x\"]\n1. A", "[South \"x\"]\n{be} {fore} 1. A"]
    {
        let games = read(text);
        assert_eq!(games.len(), 1, "{text}");
        let before = games[0].comment.as_deref().unwrap();
        assert_eq!(before.replace(' ', ""), "before", "{text}");
        assert_eq!(games[0].moves().next().unwrap().comment, None, "{text}");
        assert_eq!(read(&kgn::write(&games[0])), games, "{text}");
    }
    // In a variation, such a comment belongs to the first move or, if there is none, to whatever
    // the variation follows.
    for (text, expected) in [
        ("1. A a ({instead} 1... b {well})", "1. A 2. a (2. b {instead well}) *\n"),
        ("1. A {x} ({one} (1. B) {two})", "1. A {x one two} (1. B) *\n"),
        ("1. A ({instead} 1. B)", "1. A (1. B {instead}) *\n"),
    ] {
        let [game] = &read(text)[..] else { panic!("{text}") };
        let written = kgn::write(game);
        assert!(written.ends_with(&format!("\n{expected}\n")), "{text}: {written}");
    }
}

#[test]
fn a_brace_begins_either_format() {
    let of_name = |name: &str| format::RecordFormat::from_path(name.as_ref());
    for name in ["a.json", "b/a.JSONL"] {
        assert_eq!(of_name(name), of_name("a.kgn").map(format::RecordFormat::other), "{name}");
    }
    assert_eq!([of_name("kgn"), of_name("a.txt")], [None; 2]);
    let error = |text: &str| kalah_record::format::read(text).unwrap_err().to_string();
    // The error is that of the format that the text seems to have.
    for (text, expected) in [
        ("{before} 1. ?", "line 1, column 13: expected a move, a comment or a result, got '?'"),
        (
            "{before}",
            "line 1, column 9: expected a tag, a move or a result, got the end of the line",
        ),
        ("{\"id\" 1}", "line 1, column 7: expected `:`"),
    ] {
        assert_eq!(error(text), expected);
    }
    assert_eq!(error("{}"), "line 1, column 2: missing field `south`");
    assert_eq!(kalah_record::format::read("{\"quoted\" comment} 1. A").unwrap().1.len(), 1);
}

#[test]
fn a_game_that_is_played_out_has_the_result_on_the_board() {
    // South's last seed goes to the store, and North's row is swept.
    let tags = "[Position \"<2,0,0,0,1,0,2> S\"]\n[Capture \"standard\"]\n";
    let line = r#"{"south":{"name":""},"north":{"name":""},"position":"<2,0,0,0,1,0,2> S","capture":"standard","moves":[{"pit":"B"}]}"#;
    for game in [
        kgn::read(&format!("{tags}1. B")).unwrap().remove(0),
        kgn::read(&format!("{tags}1. B *")).unwrap().remove(0),
        json::from_line(line, 1).unwrap(),
    ] {
        let ending = game.ending().expect("a result");
        assert_eq!((ending.reason, ending.margin), (Reason::Normal, Some(Gain(-1))));
        assert!(kgn::write(&game).ends_with("0-1\n\n"));
    }
}

#[test]
fn games_are_read_as_people_and_other_programs_write_them() {
    let written = |text: &str| {
        let games = kgn::read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let [game] = &games[..] else { panic!("{text}: {} games", games.len()) };
        assert_eq!(kgn::read(&kgn::write(game)).as_ref(), Ok(&games), "{text}");
        kgn::write(game).split("\n\n").nth(1).unwrap().to_owned()
    };
    for text in [
        "1.C F 1...a",
        "1. C F 1. ... a *",
        "1 . C F 1… a",
        "1C F 1.. .a*",
        "C,F, a",
        "1.CF;South\r\n2.a",
        "\u{feff}1. C\u{a0}F a",
    ] {
        assert_eq!(written(text), "1. CF 2. a *", "{text}");
    }
    for (text, expected) in [
        ("1. C! F?? $1 a", "1. C {!} F {?? !} 2. a *"),
        ("1. C!F (1. D?!) a $6 $140", "1. C {!} F (1. D {?!}) 2. a {?! $140} *"),
        ("1. C! {+0.50; quick} *", "1. C {+0.50; ! quick} *"),
    ] {
        assert_eq!(written(text), expected, "{text}");
    }
    for text in ["1. C 1-0", "1. C 1–0", "1. C 1 − 0", "[Result \"1—0\"] 1. C 1-0"] {
        assert_eq!(written(text), "1. C 1-0", "{text}");
        assert_eq!(kgn::read(text).unwrap()[0].ending().unwrap().reason, Reason::Resignation);
    }
    let draw = "[Termination \"move-limit\"]\n";
    for text in ["1. A ½-½", "1. A 1/2", "1. A 1/2–1/2", "1. A ½"] {
        assert_eq!(written(&format!("{draw}{text}")), "1. A 1/2-1/2", "{text}");
    }
    // The reason is said to be the usual one, so the end of the game is missing.
    let cut = kgn_error("[Termination \"normal\"] 1. C 1-0");
    assert!(cut.contains("expected a finished game"), "{cut}");
}

#[test]
fn a_game_has_a_tag_a_move_or_a_result() {
    for empty in ["42 43", "1.", "()", "(1. ())", "swap", "1. A *\n\n17", "{17} 17"] {
        let error = kgn::read(empty).unwrap_err().to_string();
        assert!(error.contains(": expected a tag, a move or a result, got '"), "{empty}: {error}");
    }
    for game in ["*", "1. *", "[South \"a\"]", "1. A", "(1. A)"] {
        assert_eq!(kgn::read(game).map(|games| games.len()), Ok(1), "{game}");
    }
}

#[test]
fn position_commands_can_be_pasted() {
    let read = format::read;
    for (text, moves) in [
        ("position startpos", 0),
        ("position startpos moves A b", 2),
        ("position fen <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S moves A b", 2),
        ("\u{feff}<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S Ab", 2),
    ] {
        let (format, games) = read(text).unwrap();
        let [game] = &games[..] else { panic!("{text}") };
        assert_eq!((game.steps().len(), format), (moves, format::RecordFormat::Kgn), "{text}");
    }
    let lists = "# a comment\n\n<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S CF # one\nposition startpos\n";
    assert_eq!(read(lists).unwrap().1.len(), 2);
    for text in ["", " \n", "# a comment"] {
        assert!(read(text).is_err(), "{text}");
    }
    let error = read("position startpos moves A z").unwrap_err().to_string();
    assert!(error.starts_with("line 1, column 27: "), "{error}");
    assert!(read("A B z").unwrap_err().to_string().starts_with("column 5: "));
}

#[test]
fn kgn_errors_name_the_line_and_the_column() {
    for (wrong, message) in [
        (
            "1. CFF",
            "line 4, column 6: move 3: it is North's turn, expected a letter, a to f, got 'F'",
        ),
        (
            "1. Cc",
            "line 4, column 5: move 2: it is South's turn, expected a letter, A to F, got 'c'",
        ),
        ("1. CC", "line 4, column 5: move 2: pit C is empty"),
        ("1. G", "line 4, column 4: move 1: expected a pit's letter, A to F, got 'G'"),
        ("1. C {x", "line 4, column 6: expected '}' after this '{', got the end of the text"),
        ("1. C 1/2", "line 4, column 6: expected a finished game, or a Termination tag"),
        ("1. C 2-0", "line 4, column 6: expected result '1-0', '0-1', '1/2-1/2' or '*', got '2-0'"),
        ("1. C 1-05", "line 4, column 6: expected result '1-0',"),
        ("1. C 1/3", "line 4, column 6: expected result '1-0',"),
        ("1. C *x", "line 4, column 6: expected result '1-0',"),
        ("1. C 1x", "line 4, column 7: move 2: it is South's turn, expected a letter, A to F"),
        ("1. C (1. D", "line 4, column 6: expected ')' after this '(', got the end of the line"),
        ("1. C (1. d)", "line 4, column 10: move 1: it is South's turn"),
        ("1. C)", "line 4, column 5: expected a move, a comment or a result, got ')'"),
        ("1. C ?", "line 4, column 6: expected a move, a comment or a result, got '?'"),
        ("$1 1. C", "line 4, column 1: expected a move, a comment or a result, got '$1'"),
        ("1. C $x", "line 4, column 6: expected a move, a comment or a result, got '$x'"),
    ] {
        let tags = GAME.split_once("1. ").unwrap().0;
        let got = kgn_error(&format!("{tags}{wrong}"));
        assert!(got.starts_with(message), "{wrong}: {got}");
    }
}

#[test]
fn the_number_of_a_game_may_have_its_earlier_name() {
    let kgn = |name: &str| format!("[{name} \"7\"]\n1. C *\n");
    let json = |name: &str| {
        let position = "<2,0,0,1,1,1,1> S";
        let fields = r#""south":{"name":""},"north":{"name":""},"capture":"standard","moves":[]"#;
        format!(r#"{{"{name}":7,"position":"{position}",{fields}}}"#)
    };
    for text in [kgn("Number"), kgn("Round"), json("number"), json("round")] {
        let (_, games) = format::read(&text).unwrap();
        assert_eq!(games[0].number, Some(7), "{text}");
        assert_eq!(kgn::read(&kgn::write(&games[0])).unwrap()[0].number, Some(7), "{text}");
    }
}

#[test]
fn errors_in_tags_give_the_place_of_the_tag() {
    for (text, message) in [
        ("[", "line 1, column 2: expected a tag name, got ''"),
        ("[A", "line 1, column 3: expected '\"', got the end of the line"),
        ("[A \"", "line 1, column 5: expected '\"', got the end of the line"),
        (
            "[A \"\\x\"]",
            "line 1, column 5: expected '\\\\', '\\\"', '\\n', '\\r' or '\\u001b', got '\\'",
        ),
        ("[A \"\\u+01b\"]", "line 1, column 5: expected '\\\\'"),
        ("[A \"x\"", "line 1, column 7: expected ']', got the end of the line"),
        ("[A \"x\"]\n[A \"y\"]", "line 2, column 1: expected one A tag, got a second"),
        ("[Number \"x\"]", "line 1, column 1: expected a game number, got 'x'"),
        ("[Round \"x\"]", "line 1, column 1: expected a game number, got 'x'"),
        ("[Capture \"x\"]", "line 1, column 1: expected capture rule"),
        ("[Position \"x\"]", "line 1, column 1: start position: expected '<' at column 1, got 'x'"),
        ("[SouthOption \"x\"]", "line 1, column 1: expected name=value, got 'x'"),
        (
            "[Result \"1-0\"]\n0-1",
            "line 2, column 1: expected the result of the Result tag, 1-0, got 0-1",
        ),
        (
            "[Result \"*\"]\n1. C\n",
            "line 3, column 1: expected the result of the Result tag, *, got the end of the game",
        ),
        (
            "[Result \"1-0\"]\n[Termination \"x\"] 1-0",
            "line 2, column 1: expected reason 'normal',",
        ),
    ] {
        let got = kgn_error(text);
        assert!(got.starts_with(message), "{text}: {got}");
    }
}

#[test]
fn annotations_by_other_writers_are_read() {
    for (text, written) in [
        ("  ", ""),
        ("+1.5  0.010s", " {+1.50 0.01s}"),
        ("1s +", " {1s +}"),
        // Only whole seeds that are proved have no decimals.
        ("=+4.00/3", " {=+4/3}"),
        ("=-0.5", " {=-0.50}"),
        ("+4/3", " {+4.00/3}"),
    ] {
        let game = kgn::read(&format!("1. D {{{text}}} *")).unwrap().remove(0);
        let kgn = kgn::write(&game);
        assert!(kgn.ends_with(&format!("\n1. D{written} *\n\n")), "{kgn}");
    }
}

const MS: Duration = Duration::from_millis(1);

#[test]
fn a_time_control_is_read_and_written() {
    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Field(#[serde(with = "kalah_record::time_control::milliseconds")] Duration);
    for (micros, text, read) in [(0, "0", 0), (1_999, "1", 1), (61_000_000, "61000", 61_000)] {
        assert_eq!(serde_json::to_string(&Field(Duration::from_micros(micros))).unwrap(), text);
        assert_eq!(serde_json::from_str::<Field>(text).unwrap(), Field(MS * read));
    }
    let control: TimeControl = "40/10+0.1".parse().unwrap();
    assert_eq!(control.to_string(), "40/10s+0.1s");
    for text in ["", "-1", "0", "0/1", "x/1", "1+", "1+-1", "1e7", "10+0.0004"] {
        text.parse::<TimeControl>().unwrap_err();
    }
}

#[test]
fn clocks_are_charged_and_receive_increments_and_more_time() {
    let control = TimeControl { base: MS * 100, increment: MS * 10, moves: Some(2) };
    let mut clock = control.clock();
    assert!(control.charge(&mut clock, MS * 50, MS));
    assert_eq!((clock.remaining, clock.moves_to_go), (MS * 60, Some(1)));
    assert!(control.charge(&mut clock, MS * 61, MS), "within the margin");
    assert_eq!((clock.remaining, clock.moves_to_go), (MS * 110, Some(2)));
    assert!(!control.charge(&mut clock, MS * 112, MS));
}
