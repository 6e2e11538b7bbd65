//! The laws that a client must obey, one by one, tested on the session alone.

use std::time::Duration;

use kalah_engine::search::transposition::Bound;
use kalah_engine::search::{Info, Limits, SearchEvent, SearchResult};
use kalah_game::depth::Depth;
use kalah_game::score::Value;
use kalah_game::{Capture, Pit, Position};
use kalah_kgp::action::{KgpAction, KgpEnd};
use kalah_kgp::games::{GameResult, PlayedGame};
use kalah_kgp::session::{KgpInput, KgpSession};
use kalah_kgp::setup::{ClientProgress, ClientSetup, Token};
use kalah_text::foreign::Foreign;

const MS: Duration = Duration::from_millis(1);
const STATE: &str = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>";

/// A session with a clock controlled by the test, in milliseconds.
pub(crate) struct Desk {
    session: KgpSession,
    pub(crate) now: u32,
    /// Searches that were started, and the number that were stopped.
    pub(crate) searches: Vec<(u64, Position, Limits)>,
    pub(crate) stopped: usize,
    /// The games that have ended.
    pub(crate) games: Vec<PlayedGame>,
    pub(crate) end: Option<KgpEnd>,
}

impl Desk {
    pub(crate) fn new(setup: ClientSetup) -> Self {
        let session = KgpSession::new(setup, ClientProgress::default());
        Self { session, now: 0, searches: Vec::new(), stopped: 0, games: Vec::new(), end: None }
    }

    /// A session after the greeting, with 100 ms for a move.
    pub(crate) fn greeted() -> Self {
        let time = Some(100 * MS);
        let setup = ClientSetup { time, overhead: Duration::ZERO, ..ClientSetup::default() };
        let mut desk = Self::new(setup);
        let greeting = desk.line("2 kgp 1 0 1");
        assert_eq!(greeting.last(), Some(&"7 mode freeplay".to_owned()));
        desk
    }

    pub(crate) fn take(&mut self, input: KgpInput) -> Vec<String> {
        let mut lines = Vec::new();
        for action in self.session.take(self.now * MS, input) {
            match action {
                KgpAction::Send(line) => lines.push(line),
                KgpAction::Search { number, position, limits } => {
                    self.searches.push((number, position, limits));
                }
                KgpAction::StopSearch => self.stopped += 1,
                KgpAction::GameOver(game) => self.games.push(game),
                KgpAction::Close(end) => self.end = Some(end),
            }
        }
        lines
    }

    pub(crate) fn line(&mut self, line: &str) -> Vec<String> {
        self.take(KgpInput::Line(Ok(line.to_owned())))
    }

    /// Advances the clock to `now`, ticking only when the session asks for it.
    pub(crate) fn wait_until(&mut self, now: u32) -> Vec<String> {
        let mut lines = Vec::new();
        for _ in 0..1000 {
            let due = self.session.wakes_at();
            if due > now * MS {
                self.now = now;
                return lines;
            }
            self.now = self.now.max(u32::try_from(due.as_micros().div_ceil(1000)).unwrap());
            lines.extend(self.take(KgpInput::Tick));
            if self.end.is_some() {
                return lines;
            }
        }
        panic!("the session wakes without an end at {}", self.now);
    }

    /// The last search finds a move.
    fn finds(&mut self, pit: usize) -> Vec<String> {
        let number = self.searches.last().unwrap().0;
        self.take(KgpInput::Search(number, SearchEvent::Info(info(pit, 0))))
    }

    /// The last search ends.
    fn ends(&mut self, pit: usize) -> Vec<String> {
        let number = self.searches.last().unwrap().0;
        let info = Some(info(pit, 0));
        let result = SearchResult { best: Some(Pit::new(pit)), ponder: None, info };
        self.take(KgpInput::Search(number, SearchEvent::Finished(result)))
    }
}

fn info(pit: usize, margin: i32) -> Info {
    Info {
        depth: Depth(9),
        seldepth: 9,
        time: MS,
        nodes: 1,
        leaves: None,
        hashfull: 0,
        tbhits: 0,
        multipv: 1,
        margin: Value(margin),
        bound: Bound::Exact,
        proved: false,
        pv: vec![Pit::new(pit)],
    }
}

/// The lines without their own numbers and without comments on moves.
pub(crate) fn commands(lines: &[String]) -> Vec<&str> {
    let said = lines.iter().filter(|line| !line.contains("info:comment"));
    said.map(|line| line.trim_start_matches(|c: char| c.is_ascii_digit())).collect()
}

#[test]
fn no_move_is_sent_before_5_ms_and_the_best_so_far_is_sent_then() {
    for (has_ended, sent) in [(false, &["@8 move 2"][..]), (true, &["@8 move 2", "@8 yield"])] {
        let mut desk = Desk::greeted();
        assert!(desk.line(&format!("8 state {STATE}")).is_empty());
        desk.now = 1;
        let lines = if has_ended { desk.ends(1) } else { desk.finds(1) };
        assert!(lines.is_empty() && desk.wait_until(4).is_empty());
        assert_eq!(commands(&desk.wait_until(5)), sent);
    }
}

#[test]
fn the_move_is_improved_in_moderation_and_repeated_right_before_yield() {
    let mut desk = Desk::greeted();
    desk.line(&format!("8 state {STATE}"));
    desk.finds(1);
    assert_eq!(commands(&desk.wait_until(6)), ["@8 move 2"]);
    let improved: Vec<String> = (7..40)
        .flat_map(|now| {
            desk.now = now;
            desk.finds(now as usize % 6)
        })
        .collect();
    assert!(improved.is_empty(), "a server drops more than eight");
    let lines = desk.wait_until(60);
    assert_eq!(commands(&lines), ["@8 move 4"]);
    assert_eq!(commands(&desk.finds(3)), [] as [&str; 0], "nothing new");
    assert_eq!(commands(&desk.ends(3)), ["@8 move 4", "@8 yield"]);
}

#[test]
fn a_search_is_stopped_in_time_and_answered_even_if_it_does_not_end() {
    let mut desk = Desk::greeted();
    desk.line(&format!("8 state {STATE}"));
    let (_, _, limits) = desk.searches[0];
    assert_eq!(limits.movetime, Some(100 * MS));
    assert!(desk.wait_until(99).is_empty());
    assert_eq!(desk.stopped, 0);
    let lines = desk.wait_until(150);
    assert_eq!((commands(&lines), desk.stopped), (vec!["@8 move 6", "@8 yield"], 1));
    // The next state waits for the end of that search, but only until its own deadline.
    desk.line(&format!("10 state {STATE}"));
    assert_eq!(desk.searches.len(), 1);
    assert_eq!(commands(&desk.wait_until(350)).first(), Some(&"@10 move 6"));
}

#[test]
fn a_refused_answer_is_repeated_a_few_times() {
    let error = "14 error \"No state associated with id\"";
    let mut desk = Desk::greeted();
    desk.line(&format!("8 state {STATE}"));
    desk.finds(1);
    desk.wait_until(6);
    assert!(desk.line(error).is_empty());
    assert_eq!(commands(&desk.wait_until(12)), ["@8 move 2"], "before yield");
    desk.ends(1);
    let mut repeated = 0;
    for _ in 0..100 {
        assert!(desk.line(error).is_empty(), "not at once: it would be too early again");
        repeated += desk.wait_until(desk.now + 6).len() / 2;
    }
    assert!((3..20).contains(&repeated), "{repeated}");
}

#[test]
fn an_answer_is_repeated_until_the_server_stops_the_state() {
    let mut desk = Desk::greeted();
    desk.line(&format!("8 state {STATE}"));
    desk.ends(1);
    desk.wait_until(6);
    assert_eq!(commands(&desk.wait_until(400)), ["@8 move 2", "@8 yield"]);
    desk.line("20@8 stop");
    assert!(desk.wait_until(60_000).is_empty());
}

#[test]
fn pings_are_answered_while_searching_and_no_pong_is_sent_unasked() {
    let mut desk = Desk::greeted();
    desk.line(&format!("8 state {STATE}"));
    assert_eq!(commands(&desk.line("10 ping")), ["@10 pong"]);
    assert_eq!(commands(&desk.line("ping")), [" pong"]);
    desk.ends(0);
    let lines = desk.wait_until(30_000);
    assert!(!lines.iter().any(|line| line.contains("pong")), "{lines:?}");
}

#[test]
fn commands_are_read_with_and_without_numbers() {
    let mut desk = Desk::greeted();
    for (line, pong) in [
        ("10 ping", "@10 pong"),
        ("10@8 ping", "@10 pong"),
        ("@8  ping \r", " pong"),
        (" 12\tping\ta ", "@12 pong a"),
    ] {
        assert_eq!(commands(&desk.line(line)), [pong], "{line}");
    }
}

#[test]
fn a_line_that_the_grammar_does_not_allow_is_not_a_command() {
    let mut desk = Desk::greeted();
    let long = "9".repeat(40) + " ping";
    for line in [
        "",
        "  ",
        "7",
        "7@",
        "@",
        "@ ping",
        "@+3 ping",
        "7@x ping",
        "7ping 8",
        "-1 ping",
        "<6>",
        "pi:ng",
        "2 ping a\rb",
        "2 ping \0",
        &long,
    ] {
        assert!(desk.line(line).is_empty() && desk.end.is_none(), "{line}");
    }
}

/// The client quotes its name, and the server's messages reach the user unquoted.
#[test]
fn strings_are_read_as_they_were_quoted() {
    for (text, read) in
        [("Kalah", "Kalah"), ("a \"b\" \\ c\nd", "a \"b\" \\ c\nd"), ("ä", "ä"), ("a\0b\r", "a b ")]
    {
        let mut desk = Desk::new(ClientSetup { name: text.to_owned(), ..ClientSetup::default() });
        let greeting = desk.line("2 kgp 1 0 1");
        let name = greeting.iter().find_map(|line| line.split_once("set info:name ")).unwrap().1;
        assert_eq!(refusal(name), Foreign(read).to_string());
    }
    assert_eq!(refusal("word"), "word");
    assert_eq!(refusal("\"open"), "open");
}

/// The reason for which a server refuses the mode with `argument`.
fn refusal(argument: &str) -> String {
    let mut desk = Desk::greeted();
    desk.line(&format!("4@7 error {argument}"));
    let Some(KgpEnd::Refused(reason)) = desk.end else { panic!("{:?}", desk.end) };
    reason.strip_prefix("the server refuses the mode: ").expect("the reason").to_owned()
}

#[test]
fn a_stopped_state_gets_no_answer_and_a_late_stop_changes_nothing() {
    let mut desk = Desk::greeted();
    desk.line(&format!("8 state {STATE}"));
    desk.finds(1);
    desk.now = 3;
    assert!(desk.line("10@8 stop").is_empty());
    assert_eq!(desk.stopped, 1);
    assert!(desk.ends(1).is_empty() && desk.wait_until(300).is_empty());
    desk.line(&format!("12 state {STATE}"));
    desk.line("14@8 stop");
    desk.line("16@99 stop");
    assert_eq!(desk.stopped, 1);
    desk.ends(1);
    assert_eq!(commands(&desk.wait_until(310)), ["@12 move 2", "@12 yield"]);
}

#[test]
fn overlapping_states_are_all_answered_in_their_time() {
    let mut desk = Desk::greeted();
    for id in [8, 10, 12, 14] {
        desk.line(&format!("{id} state <6,0,{id},4,4,4,4,4,4,4,4,4,4,4,4>"));
    }
    for (number, id) in (1..).zip([8, 10, 12, 14]) {
        assert_eq!(desk.searches.len(), number, "one search at a time");
        let before = desk.stopped;
        while desk.stopped == before {
            assert!(desk.wait_until(desk.now + 1).is_empty());
        }
        let lines = desk.ends(2);
        assert_eq!(commands(&lines), [format!("@{id} move 3"), format!("@{id} yield")]);
    }
    assert!(desk.now <= 100, "{} ms", desk.now);
}

#[test]
fn a_resent_state_is_searched_once_and_a_different_board_replaces_it() {
    let mut desk = Desk::greeted();
    for _ in 0..3 {
        desk.line(&format!("8 state {STATE}"));
    }
    assert_eq!(desk.searches.len(), 1);
    desk.line("8 state <6,0,0,0,0,0,4,4,4,4,4,4,4,4,4>");
    desk.ends(0);
    assert_eq!(desk.searches.len(), 2);
    desk.ends(5);
    assert_eq!(commands(&desk.wait_until(20)), ["@8 move 6", "@8 yield"]);
    // A state resent after its answer gets the same answer; after a stop, a new search.
    desk.line("8 state <6,0,0,0,0,0,4,4,4,4,4,4,4,4,4>");
    assert_eq!(commands(&desk.wait_until(40)), ["@8 move 6", "@8 yield"]);
    desk.line("10@8 stop");
    desk.line("8 state <6,0,0,0,0,0,4,4,4,4,4,4,4,4,4>");
    assert_eq!(desk.searches.len(), 3);
}

#[test]
fn boards_of_any_size_are_searched_or_answered_by_a_legal_move() {
    let board =
        |pits: usize, seeds: u32| format!("<{pits},0,0{}>", format!(",{seeds}").repeat(2 * pits));
    for (pits, seeds) in [(1, 1), (6, 6), (12, 12), (12, 22), (16, 1000)] {
        let mut desk = Desk::greeted();
        desk.line(&format!("8 state {}", board(pits, seeds)));
        assert_eq!(desk.searches[0].1.row(kalah_game::Side::South), vec![seeds as u16; pits]);
    }
    let mut desk = Desk::greeted();
    let large = format!("<20,0,0,0,7,{}>", ["0"; 38].join(","));
    for board in [large.as_str(), "<2,0,0,0,99999,1,1>", "<2,0,0,0,3,0,0>"] {
        let now = desk.now;
        assert!(desk.line(&format!("8 state {board}")).is_empty());
        assert!(desk.wait_until(now + 4).is_empty());
        assert_eq!(commands(&desk.wait_until(now + 5)), ["@8 move 2", "@8 yield"], "{board}");
        desk.line("10@8 stop");
    }
    let error = desk.line("12 state <2,0,0,0,0,1,1>");
    assert_eq!(commands(&error), ["@12 error \"expected a state with a legal move\""]);
    for board in ["<>", "<18446744073709551615,0,0>", "<1,0,0,-4,4>", "1,0,0,4,4", "<2,0,0,1,1,1>"]
    {
        let error = desk.line(&format!("14 state {board}"));
        assert!(commands(&error)[0].starts_with("@14 error "), "{board}");
    }
    let error = desk.line("14 state <2,0,0,0,0>");
    assert_eq!(commands(&error), ["@14 error \"expected 7 numbers for 2 pits per row, got 5\""]);
}

#[test]
fn the_servers_clock_is_used_and_never_exceeded() {
    let setup = ClientSetup { time: None, overhead: 50 * MS, ..ClientSetup::default() };
    let mut desk = Desk::new(setup);
    desk.line("2 kgp 1 0 1");
    desk.line(&format!("8 state {STATE}"));
    assert_eq!(desk.searches[0].2.movetime, Some(4950 * MS), "5 s if the server says nothing");
    desk.ends(0);
    desk.wait_until(6);
    for (line, movetime, clock) in [
        ("set time:mode relative", 4950, None),
        ("set time:clock 2", 1950, None),
        ("set time:mode absolute", 1950, Some(1950)),
        ("set time:clock 600", 599_950, Some(599_950)),
        ("set time:mode none", 4950, None),
        ("set time:mode relative", 599_950 - 5, None),
        ("set time:clock -3", 5, None),
        ("set time:clock 1e300", 86_399_950, None),
        ("set time:clock nan", 4950, None),
        ("set time:whatever 3", 4950, None),
    ] {
        desk.line(line);
        desk.line(&format!("{} state {STATE}", desk.now));
        let limits = desk.searches.last().unwrap().2;
        assert_eq!(limits.movetime, Some(movetime * MS), "{line}");
        assert_eq!(
            limits.clock.map(|clock| clock.remaining),
            clock.map(|ms: u32| ms * MS),
            "{line}"
        );
        desk.ends(0);
        desk.wait_until(desk.now + 6);
    }
}

#[test]
fn the_end_of_a_game_is_inferred() {
    let setup = ClientSetup { games: Some(3), ..ClientSetup::default() };
    let mut desk = Desk::new(setup);
    desk.line("2 kgp 1 0 1");
    // The client's own move ends the game by a majority.
    desk.line("8 state <2,4,0,1,1,0,1>");
    desk.ends(1);
    assert_eq!(desk.wait_until(6).len(), 3);
    assert_eq!(desk.games.len(), 1);
    // The smaller stores of the next game end it.
    desk.line("10 state <2,3,0,1,1,2,2>");
    desk.ends(0);
    desk.wait_until(20);
    desk.line("12 state <2,0,0,2,2,2,2>");
    assert_eq!(desk.games.len(), 2);
    desk.ends(0);
    desk.wait_until(40);
    // A ping without a following state ends it.
    desk.line("14 ping");
    assert!(desk.wait_until(15_000).iter().all(|line| !line.contains("goodbye")));
    let lines = desk.wait_until(15_100);
    assert_eq!((commands(&lines), desk.games.len()), (vec![" goodbye"], 3));
    assert_eq!(desk.end, Some(KgpEnd::Done));
    let results: Vec<GameResult> = desk.games.iter().map(|game| game.result).collect();
    assert_eq!(results, [GameResult::Won, GameResult::Unknown, GameResult::Unknown]);
}

#[test]
fn the_result_is_that_of_the_position_after_the_last_move() {
    for (board, pit, result) in [
        // The last seed falls into the store: 5 of 7 seeds.
        ("<2,4,0,1,1,0,1>", 1, GameResult::Won),
        // South's row is empty, and North keeps the seeds in its own: 4 to 4, and 4 to 5.
        ("<2,3,1,0,1,1,2>", 1, GameResult::Drawn),
        ("<2,3,2,0,1,1,2>", 1, GameResult::Lost),
        // Half of the seeds, rounded down, is no majority; North still has one to sow.
        ("<2,3,3,1,1,0,1>", 0, GameResult::Unknown),
    ] {
        let mut desk = Desk::greeted();
        desk.line(&format!("8 state {board}"));
        desk.ends(pit);
        desk.wait_until(6);
        desk.line("goodbye");
        let results: Vec<GameResult> = desk.games.iter().map(|game| game.result).collect();
        assert_eq!(results, [result], "{board}");
    }
}

#[test]
fn a_state_that_cannot_follow_starts_a_new_game() {
    let mut desk = Desk::greeted();
    desk.line("8 state <3,1,0,3,3,2,3,3,3>");
    desk.line("10 state <3,9,2,1,1,1,1,1,2>");
    assert_eq!(desk.games.len(), 0, "larger stores");
    desk.line("12 state <3,9,1,1,1,1,2,1,2>");
    assert_eq!(desk.games.len(), 1, "a smaller store");
    desk.line("14 state <3,9,1,1,1,1,2,1,3>");
    assert_eq!(desk.games.len(), 2, "one seed more");
    desk.line("16 state <2,9,1,3,2,2,2>");
    assert_eq!(desk.games.len(), 3, "another board");
    desk.line("set game:id another");
    desk.line("18 state <2,9,1,2,3,2,2>");
    assert_eq!(desk.games.len(), 4, "another id");
}

#[test]
fn a_resent_state_takes_its_move_back() {
    let mut desk = Desk::greeted();
    for (id, pit) in [(8, 2), (10, 3)] {
        desk.line(&format!("{id} state {STATE}"));
        desk.ends(pit);
        desk.wait_until(desk.now + 6);
    }
    desk.line(&format!("12 state {STATE}"));
    desk.line("goodbye");
    assert_eq!((desk.games.len(), desk.games[0].moves), (1, 0));
}

#[test]
fn the_last_answer_is_confirmed_or_repeated_before_the_client_leaves() {
    for is_stopped in [true, false] {
        let mut desk = Desk::new(ClientSetup { games: Some(1), ..ClientSetup::default() });
        desk.line("2 kgp 1 0 1");
        desk.line("8 state <2,4,0,1,1,0,1>");
        desk.ends(1);
        assert_eq!(desk.wait_until(6).len(), 3);
        assert_eq!((desk.games.len(), &desk.end), (1, &None));
        let error = desk.line("10 error \"No state associated with id\"");
        assert!(error.is_empty() && desk.line("12 state <2,0,0,2,2,2,2>").is_empty());
        assert_eq!(commands(&desk.wait_until(12)), ["@8 move 2", "@8 yield"]);
        let lines = if is_stopped { desk.line("14@8 stop") } else { desk.wait_until(1500) };
        assert_eq!(commands(&lines).last(), Some(&" goodbye"));
        assert_eq!(desk.end, Some(KgpEnd::Done));
    }
}

#[test]
fn a_goodbye_in_mid_search_ends_the_game_and_the_session() {
    let mut desk = Desk::greeted();
    desk.line(&format!("8 state {STATE}"));
    desk.line("goodbye");
    assert_eq!(
        (desk.games.len(), &desk.end),
        (1, &Some(KgpEnd::Lost("the server said goodbye".to_owned())))
    );
    assert!(desk.finds(1).is_empty() && desk.line("ping").is_empty(), "nothing follows");
}

#[test]
fn the_client_gives_up_on_a_silent_server() {
    let mut desk = Desk::new(ClientSetup::default());
    desk.wait_until(20_000);
    assert!(matches!(desk.end, Some(KgpEnd::Lost(_))));
    let mut desk = Desk::greeted();
    for minute in 1..30 {
        desk.wait_until(minute * 60_000);
        desk.line("2 ping");
    }
    assert_eq!(desk.end, None);
    desk.wait_until(60 * 60_000);
    assert!(matches!(desk.end, Some(KgpEnd::Lost(_))));
}

#[test]
fn the_time_for_the_greeting_is_not_extended_by_other_lines() {
    let mut desk = Desk::new(ClientSetup::default());
    for second in 1..20 {
        desk.wait_until(second * 1000);
        desk.line("2 hello");
    }
    assert_eq!(desk.end, None);
    desk.wait_until(20_000);
    assert!(matches!(desk.end, Some(KgpEnd::Lost(_))));
}

#[test]
fn an_illegal_move_of_a_search_is_not_sent() {
    let mut desk = Desk::greeted();
    desk.line("8 state <2,0,0,0,1,1,1>");
    desk.finds(0);
    assert!(desk.wait_until(10).is_empty());
    assert_eq!(commands(&desk.ends(0)), ["@8 move 2", "@8 yield"]);
}

#[test]
fn other_versions_of_the_protocol_are_refused() {
    for version in ["0 9 9", "2 0 0", "", "x"] {
        let mut desk = Desk::new(ClientSetup::default());
        let lines = desk.line(&format!("2 kgp {version}"));
        assert_eq!(commands(&lines).last(), Some(&" goodbye"));
        assert!(matches!(desk.end, Some(KgpEnd::Refused(_))), "{version}");
    }
}

#[test]
fn a_proof_ends_the_search_of_a_state_early() {
    let position = Position::parse(STATE, Capture::Standard).unwrap();
    let mut desk = Desk::greeted();
    desk.line(&format!("8 state {STATE}"));
    assert_eq!(desk.searches[0].1, position);
    let proved = Info { proved: true, ..info(2, 1000) };
    let result = SearchResult { best: Some(Pit::new(2)), ponder: None, info: Some(proved) };
    desk.now = 9;
    let lines = desk.take(KgpInput::Search(desk.searches[0].0, SearchEvent::Finished(result)));
    assert_eq!(commands(&lines), ["@8 move 3", "@8 yield"]);
    assert!(lines[0].ends_with("set info:comment \"margin +10.00, depth 9\""), "{}", lines[0]);
}

#[test]
fn the_session_in_the_documentation_is_accurate() {
    let text = include_str!("../../../../doc/kgp.md");
    let (_, session) = text.split_once("```kgp\n").expect("a session");
    let (session, _) = session.split_once("```").unwrap();
    let setup =
        ClientSetup { time: Some(100 * MS), overhead: Duration::ZERO, ..ClientSetup::default() };
    let mut desk = Desk::new(setup);
    let mut said = std::collections::VecDeque::new();
    for line in session.lines() {
        let (kind, rest) = line.split_once(' ').unwrap();
        let rest = rest.trim_end_matches(" )");
        match (kind, rest.split_once(' ')) {
            ("<", _) => said.extend(desk.line(rest)),
            (">", _) => {
                let line: String = said.pop_front().expect(rest);
                let (start, end) = rest.split_once('…').unwrap_or((rest, ""));
                assert!(line.starts_with(start) && line.ends_with(end), "{line}, not {rest}");
            }
            ("(", Some(("finds", pit))) => {
                said.extend(desk.finds(pit.parse::<usize>().unwrap() - 1))
            }
            ("(", Some(("ends", pit))) => said.extend(desk.ends(pit.parse::<usize>().unwrap() - 1)),
            ("(", Some((time, "ms"))) => {
                said.extend(desk.wait_until(desk.now + time.parse::<u32>().unwrap()));
            }
            _ => panic!("{line}"),
        }
    }
    assert!(said.is_empty() && desk.end.is_some(), "{said:?}");
}

#[test]
fn a_token_is_the_trimmed_text_of_its_file_and_has_at_most_1000_characters() {
    let folder = kalah_testing::folder();
    let read = |text: &str| {
        std::fs::write(folder.path().join("token"), text).unwrap();
        Token::read(&folder.path().join("token"))
    };
    assert_eq!(read(" secret \r\n").unwrap(), Token("secret".to_owned()));
    assert_eq!(read(&"é".repeat(1000)).unwrap(), Token("é".repeat(1000)));
    for (text, length) in [(" \n".to_owned(), 0), ("x".repeat(1001), 1001)] {
        let refused = read(&text).unwrap_err().to_string();
        let expected = format!("token: expected 1 to 1000 characters, got {length}");
        assert!(refused.ends_with(&expected), "{refused}");
    }
}
