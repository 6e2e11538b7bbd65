//! A very small engine that can misbehave in all the ways in which engines do.
//!
//! It speaks UCI and UGI and plays the pit nearest the store. Its first argument selects how
//! it fails; with `good` or without an argument, it does not fail. The tests of `kalah match` play against it:
//!
//! ```text
//! kalah match -o x.jsonl -e 'cmd=target/debug/examples/scripted_engine arg=hang' -e random
//! ```

use std::fs::File;
use std::io::{self, BufRead, Write};
use std::process::{Child, Command, Stdio, exit};
use std::thread::sleep;
use std::time::{Duration, Instant};

use kalah_game::{Capture, Position, Side};

/// Number of moves that are answered correctly before a failure in the middle of a game.
const GOOD_MOVES: u32 = 3;

fn main() {
    let behaviour = std::env::args().nth(1).unwrap_or_default();
    if behaviour == "crash-at-start" {
        eprintln!("no good will come of this");
        exit(3);
    }
    if behaviour == "deaf" {
        eprintln!("{}", std::process::id());
    }
    if behaviour == "lock" {
        hold_lock();
    }
    let _child = if behaviour.starts_with("parent") { Some(start_child()) } else { None };
    let mut engine = Engine { behaviour, position: None, answered: 0, ready: None };
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        if engine.serve(&line).is_err() {
            break;
        }
    }
    if engine.does("deaf") {
        for_ever();
    }
}

struct Engine {
    behaviour: String,
    position: Option<Position>,
    answered: u32,
    /// When `readyok` was last sent.
    ready: Option<Instant>,
}

fn say(line: impl AsRef<str>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", line.as_ref())?;
    out.flush()
}

fn for_ever() -> ! {
    loop {
        sleep(Duration::from_secs(1));
    }
}

impl Engine {
    fn does(&self, behaviour: &str) -> bool {
        self.behaviour == behaviour
    }

    fn serve(&mut self, line: &str) -> io::Result<()> {
        let words: Vec<_> = line.split_whitespace().collect();
        match words.as_slice() {
            ["uci"] if self.does("flood-at-start") => loop {
                say("option name ".to_owned() + &"x".repeat(60_000))?;
            },
            ["uci"] if self.does("blank-lines-at-start") => loop {
                io::stdout().lock().write_all(&[b'\n'; 4096])?;
            },
            ["uci"] => say("id name Scripted 1.0\noption name Hash type spin\nuciok"),
            ["ugi"] => say("id name Scripted 1.0\nugiok"),
            ["isready"] if self.does("hang-at-isready") => for_ever(),
            ["isready"] => {
                self.ready = Some(Instant::now());
                say("readyok")
            }
            ["position", "fen", rest @ ..] => {
                self.position = position(rest);
                Ok(())
            }
            ["go", ..] => self.go(),
            ["query", what] => self.query(what),
            ["quit"] => exit(0),
            _ => Ok(()),
        }
    }

    /// Answers a `go`, or fails as its behaviour demands.
    fn go(&mut self) -> io::Result<()> {
        self.answered += 1;
        let Some(position) = self.position else { return say("bestmove 0000") };
        if self.answered > GOOD_MOVES {
            match self.behaviour.as_str() {
                "crash" | "parent-crash" => std::process::abort(),
                "hang" => for_ever(),
                "illegal" => return say(format!("bestmove {}", empty_pit(&position))),
                "garbage" => return say("bestmove \u{1F914}?!"),
                "close" => close_stdout(),
                "slow" => sleep(Duration::from_millis(400)),
                "flood" => loop {
                    say("info string ".to_owned() + &"x".repeat(1000))?;
                },
                "endless-line" => loop {
                    io::stdout().lock().write_all(&[b'x'; 4096])?;
                },
                _ => {}
            }
        }
        let best = match position.moves().nearest() {
            Some(pit) => pit.letter(position.side()),
            None => '-',
        };
        match self.behaviour.as_str() {
            // It answers twice. After its first answer, it aborts unless there are 20 ms
            // between its `readyok` and the next `go`.
            "late-and-hurried" => {
                let pause = self.ready.map(|ready| ready.elapsed());
                if self.answered > 1 && pause.is_none_or(|pause| pause < Duration::from_millis(20))
                {
                    std::process::abort();
                }
                say(format!("bestmove {best}"))?;
            }
            _ => say(format!("info depth 1 score cp 100 nodes 1 pv {best}"))?,
        }
        say(format!("bestmove {best}"))
    }

    /// Answers the three UGI queries.
    fn query(&self, what: &str) -> io::Result<()> {
        let Some(position) = &self.position else { return say("response none") };
        let margin = position.margin(Side::South).0;
        say(match what {
            "p1turn" => format!("response {}", position.side() == Side::South),
            "gameover" => format!("response {}", position.is_over()),
            _ if !position.is_over() => "response none".to_owned(),
            _ if margin > 0 => "response p1win".to_owned(),
            _ if margin < 0 => "response p2win".to_owned(),
            _ => "response draw".to_owned(),
        })
    }
}

/// Starts a process that never ends, and waits until it holds the lock that shows a test that it is
/// running.
fn start_child() -> Child {
    let program = std::env::current_exe().expect("this program");
    let mut command = Command::new(program);
    command.arg("lock").stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("a child");
    let output = child.stdout.take().expect("a pipe");
    io::BufReader::new(output).read_line(&mut String::new()).expect("a locked file");
    child
}

fn hold_lock() -> ! {
    let file = File::create("alive").expect("a file");
    file.lock().expect("a lock");
    say("locked").expect("a parent");
    for_ever()
}

/// Parses `<…> S moves A b …`.
fn position(words: &[&str]) -> Option<Position> {
    let end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let mut position = Position::parse(&words[..end].join(" "), Capture::Standard).ok()?;
    position.play_moves(words.iter().skip(end + 1).copied()).ok()?;
    Some(position)
}

/// The letter of a pit that cannot be played.
fn empty_pit(position: &Position) -> char {
    let letters = ('a'..='p').take(position.pits());
    let mut illegal = letters.filter(|letter| position.parse_move(&letter.to_string()).is_err());
    illegal.next().unwrap_or('p')
}

/// Closes stdout and keeps running.
fn close_stdout() -> ! {
    #[cfg(unix)]
    use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
    #[cfg(windows)]
    use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
    // SAFETY: nothing else uses stdout after this, because the process only sleeps.
    #[expect(unsafe_code)]
    unsafe {
        #[cfg(unix)]
        drop(OwnedFd::from_raw_fd(io::stdout().as_raw_fd()));
        #[cfg(windows)]
        drop(OwnedHandle::from_raw_handle(io::stdout().as_raw_handle()));
    }
    for_ever()
}
