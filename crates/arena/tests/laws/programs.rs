//! Programs as players: shell scripts that behave well, fail in each way, or are merely odd.

use std::sync::{Mutex, PoisonError};

use kalah_arena::MatchError;
use kalah_arena::config::{MatchConfig, PlayerConfig};
use kalah_arena::schedule::Schedule;
use kalah_game::{Capture, Depth, Position, Rules, Value};
use kalah_record::opening::Opening;
use kalah_record::{Game, Reason};

use super::Folder;

/// A program that answers these commands with these scripts. Whatever is not replaced is sound: it
/// plays its first pit.
#[derive(Clone, Copy)]
struct Script {
    hello: &'static str,
    ready: &'static str,
    go: &'static str,
    /// The answer to every `query result`.
    result: &'static str,
    /// More words of the player.
    words: &'static str,
}

const SOUND: Script =
    Script { hello: "", ready: "", go: "echo bestmove A", result: "p1win", words: "nodes=1" };

impl Script {
    fn player(&self, name: &str) -> PlayerConfig {
        let Self { hello, ready, go, result, words } = self;
        let script = format!(
            "while read word rest; do case $word in \
             uci|ugi) echo id name Shell; echo option name Known; {hello} echo ${{word}}ok;; \
             isready) {ready} echo readyok;; \
             go) {go};; \
             query) case $rest in gameover) echo response true;; *) echo response {result};; esac;; \
             quit) exit;; esac; done"
        );
        let words = format!("cmd=sh arg=-c 'arg={script}' name={name} {words}");
        PlayerConfig::parse(&words, "").expect("a player")
    }
}

/// The games of a script, with either side, against a sound program: a move of each.
fn games_of(script: Script, change: impl FnOnce(&mut MatchConfig)) -> Vec<Game> {
    // A match ends the orphans of its process, among which are the programs of all others.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _only = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let start = Position::start(Rules::default());
    let mut config = MatchConfig {
        players: vec![script.player("odd"), SOUND.player("sound")],
        openings: vec![Opening::new(String::new(), start, "").expect("no moves")],
        rounds: 1,
        ..MatchConfig::default()
    };
    // A busy machine may be late.
    config.timing.margin *= 20;
    config.timing.start *= 3;
    config.adjudication.move_limit = Some(2);
    change(&mut config);
    let folder = Folder::new();
    let schedule = Schedule::new(config).expect("a match");
    let ended = folder.try_play("x.jsonl", &schedule, "1/1", 2);
    let games: Vec<Game> = folder.games("x.jsonl", &schedule).into_values().collect();
    assert_eq!(games.len(), 2);
    // Each player that fails is named once, and no other.
    let failed = games.iter().any(|game| game.ending().expect("an ending").reason.is_failure());
    assert_eq!(folder.failures.borrow().len(), usize::from(failed), "{:?}", folder.failures);
    let is_ready = |game: &Game| game.ending().expect("an ending").reason != Reason::NoStart;
    match ended {
        Err(MatchError::Failed(why)) => {
            assert!(why.starts_with("odd was never ready: ") && !games.iter().any(is_ready));
        }
        ended => assert!(ended.is_ok() && games.iter().all(is_ready)),
    }
    games
}

/// Plays the games of a script, which must lose each of them for this reason, with these words.
fn loses(script: Script, reason: Reason, words: &str) {
    for game in games_of(script, |_| ()) {
        let ending = game.ending().expect("an ending");
        let detail = ending.detail.clone().unwrap_or_default();
        assert_eq!(ending.reason, reason, "{}{}: {detail}", script.hello, script.go);
        assert!(detail.contains(words), "{detail}");
        let odd = game.players.iter().position(|player| player.name == "odd");
        assert_eq!(Some(usize::from(ending.outcome.half_points(kalah_game::Side::South) > 0)), odd);
    }
}

#[test]
fn a_program_that_fails_loses_for_the_reason() {
    for (script, reason, words) in [
        (Script { hello: "exit 3;", ..SOUND }, Reason::NoStart, "crash: "),
        (Script { ready: "exec >&-; read x;", ..SOUND }, Reason::NoStart, "disconnect: "),
        (
            Script { ready: "exec <&-; echo readyok; sleep 5;", ..SOUND },
            Reason::NoStart,
            "disconnect: ",
        ),
        (Script { go: "exit 3", ..SOUND }, Reason::Crash, "3"),
        (Script { go: "exec >&-; read x", ..SOUND }, Reason::Disconnect, ""),
        // A letter may be a pit of a larger board; a digit is none of any.
        (Script { go: "echo bestmove Z", ..SOUND }, Reason::IllegalMove, "Z"),
        (Script { go: "echo bestmove 1", ..SOUND }, Reason::Garbage, "1"),
        (Script { go: "echo bestmove", ..SOUND }, Reason::Garbage, ""),
        // Too many lines, or too long ones.
        (
            Script { go: "yes | head -n 200001; echo bestmove A", ..SOUND },
            Reason::Garbage,
            "flood: 200001 lines",
        ),
        (
            Script { go: "yes $(printf %01000d 1) | head -n 17000; echo bestmove A", ..SOUND },
            Reason::Garbage,
            "flood: 16761 lines",
        ),
    ] {
        loses(script, reason, words);
    }
}

#[test]
fn a_program_that_is_silent_or_late_loses_for_the_reason() {
    for (script, reason, words) in [
        (Script { go: ":", words: "movetime=50", ..SOUND }, Reason::Hang, ""),
        (Script { go: "echo", words: "movetime=50", ..SOUND }, Reason::Hang, ""),
        (Script { go: "echo x y", words: "movetime=50", ..SOUND }, Reason::Garbage, "wrote 'x y'"),
        (
            Script { go: "sleep 0.4; echo bestmove A", words: "movetime=50", ..SOUND },
            Reason::Time,
            " of 50.0 ms",
        ),
    ] {
        loses(script, reason, words);
    }
}

#[test]
fn a_program_without_the_capture_rule_of_a_match_loses_only_if_it_needs_it() {
    let rules = Rules::new(6, 4, Capture::EmptyCapture).expect("a board");
    let with_capture = |script: Script| {
        let games = games_of(script, |config| {
            config.players[1] =
                Script { hello: "echo option name Capture;", ..SOUND }.player("sound");
            config.openings[0].start = Position::start(rules);
        });
        games.iter().map(|game| game.ending().expect("an ending").reason).collect::<Vec<_>>()
    };
    assert_eq!(with_capture(SOUND), [Reason::NoStart; 2]);
    let knows = Script { hello: "echo option name capture;", ..SOUND };
    assert_eq!(with_capture(knows), [Reason::MoveLimit; 2]);
}

#[test]
fn a_program_that_is_only_odd_plays_on_with_a_warning() {
    for (script, warning) in [
        (SOUND, None),
        (Script { words: "nodes=1 proto=ugi", ..SOUND }, None),
        (Script { words: "nodes=1 option.known=1", ..SOUND }, None),
        (Script { go: "seq -f \"info depth %g\" 50; echo bestmove A", ..SOUND }, None),
        (Script { go: "sleep 0.1; echo bestmove A", words: "movetime=50", ..SOUND }, None),
        (
            Script { words: "nodes=1 option.Other=1", ..SOUND },
            Some("does not declare option Other"),
        ),
        // One answer to each of the three `isready` before the only move.
        (Script { ready: "echo bestmove A;", ..SOUND }, Some("3 late bestmoves drained")),
        (
            Script { go: "echo info depth 3 pv A A A; echo bestmove A", ..SOUND },
            Some("1 illegal pv, the first: "),
        ),
    ] {
        let mut games = games_of(script, |_| ());
        let reasons = games.iter().map(|game| game.ending().expect("an ending").reason);
        assert_eq!(reasons.collect::<Vec<_>>(), [Reason::MoveLimit; 2], "{}", script.go);
        // Only the first game begins with the introduction.
        let game = games.remove(0);
        let warned = game.warnings.iter().any(|text| {
            warning
                .is_some_and(|warning| text.strip_prefix("South: ").unwrap().starts_with(warning))
        });
        assert_eq!(
            (warned, game.warnings.len()),
            (warning.is_some(), usize::from(warned)),
            "{:?}",
            game.warnings
        );
        assert_eq!(game.players[0].version.as_deref(), Some("Shell"));
    }
    let long = Script { hello: "echo id name $(printf %0200d 1);", ..SOUND };
    let version = games_of(long, |_| ())[0].players[0].version.clone();
    assert_eq!(version.map(|version| version.len()), Some(100));
}

#[test]
fn a_move_has_the_last_numbers_of_the_best_line() {
    let go = "echo info depth 5 multipv 1 score cp 50 nodes 9; \
        echo info depth 6 multipv 2 score cp 99 nodes 10; \
        echo info depth 7 score cp 70 lowerbound; echo info depth 8 currmove A currmovenumber 1; \
        echo info string leaves 4; \
        echo info string proved +1; \
        echo bestmove A";
    let game = games_of(Script { go, ..SOUND }, |_| ()).remove(0);
    let first = game.moves().next().expect("a move");
    let evaluation = first.evaluation.expect("a value");
    assert_eq!((evaluation.margin, evaluation.proved), (Value(50), true));
    assert_eq!((first.depth, first.nodes, first.leaves), (Some(Depth(7)), Some(9), Some(4)));
}

#[test]
fn a_program_that_claims_a_wrong_result_gets_a_warning() {
    let warnings = |words, result, position: &str| {
        let script = Script { go: "echo bestmove B", result, words, ..SOUND };
        let start = Position::parse(position, Capture::Standard).expect("a position");
        let games = games_of(script, |config| {
            config.openings[0].start = start;
            config.players[1] = PlayerConfig::parse("random", "").expect("a player");
            config.adjudication.move_limit = None;
        });
        assert!(games.iter().all(|game| game.ending().unwrap().reason == Reason::Normal));
        games[0].warnings.clone()
    };
    // South sows its last seed, and North keeps one.
    let results = [("p1win", "1-0", 1, 0), ("draw", "1/2-1/2", 0, 0), ("p2win", "0-1", 0, 1)];
    for (result, score, south, north) in results {
        let position = format!("<2,{south},{north},0,1,0,1> S");
        for (claimed, claimed_score, ..) in results {
            let warnings = warnings("nodes=1 proto=ugi", claimed, &position);
            let words = format!("claims the result {claimed_score}, expected {score}");
            assert_eq!(warnings.len(), usize::from(claimed != result), "{position}: {warnings:?}");
            assert!(warnings.iter().all(|warning| warning.contains(&words)), "{warnings:?}");
        }
        assert!(warnings("nodes=1 proto=uci", "x", &position).is_empty(), "it has no query for it");
    }
    let unfinished = warnings("nodes=1 proto=ugi", "none", "<2,0,0,0,1,0,1> S").concat();
    assert!(unfinished.contains("expected a finished game, got gameover true, result none"));
    let crashed = warnings("nodes=1 proto=ugi", ">&2; exit 3", "<2,0,0,0,1,0,1> S").concat();
    assert!(crashed.contains("reports no result: crash, "), "{crashed}");
}

/// A child and an orphan in sessions of their own, and a child of a program that crashes.
#[test]
#[cfg(target_os = "linux")]
fn no_process_that_a_program_has_started_survives_it() {
    for (begin, end, go) in [("", "", SOUND.go), ("(", ")", SOUND.go), ("", "", "exit 1")] {
        let folder = Folder::new();
        let file = folder.path("id");
        let hello = format!("{begin}setsid sleep 1000 & echo $! >{}{end};", file.display());
        games_of(Script { hello: hello.leak(), go, ..SOUND }, |_| ());
        let id = std::fs::read_to_string(file).expect("a file");
        // A killed process ends asynchronously, and stays a zombie if its parent died first and no
        // other process reaps it.
        let state = format!("/proc/{}/stat", id.trim());
        let is_gone = |_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            std::fs::read_to_string(&state).map_or(true, |state| state.contains(") Z "))
        };
        assert!((0..6000).any(is_gone), "{begin}{end} {go}");
    }
}

#[test]
fn a_match_whose_programs_need_more_files_than_there_are_is_refused() {
    let mut config = super::short(1);
    let refused = |config: &MatchConfig, workers| {
        let logs = std::env::temp_dir();
        let interrupt = Default::default();
        let engine = || unreachable!("files are counted first, and no player searches");
        let made = kalah_arena::team::teams(config, workers, &logs, &interrupt, engine);
        made.err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(refused(&config, 1), "");
    config.players[1] = SOUND.player("b");
    let needed = |config: &MatchConfig, games| {
        let words = refused(config, games);
        assert!(words.contains("files"), "{words}");
        let numbers = words.split(' ').filter_map(|word| word.parse::<u64>().ok());
        numbers.max().expect("a number")
    };
    // Three pipes and a log for each program of each game.
    assert_eq!(needed(&config, (1 << 40) + 1), needed(&config, 1 << 40) + 4);
    config.players[0] = SOUND.player("a");
    assert_eq!(needed(&config, (1 << 40) + 1), needed(&config, 1 << 40) + 8);
}
