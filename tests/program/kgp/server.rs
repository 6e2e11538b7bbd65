//! A small server, written from the grammar. It plays games against a client and misbehaves
//! on demand.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use crate::PATIENCE;
use kalah_game::{Capture, Pit, Position, Rules, Side};
use kalah_sys::random::SplitMix64;

/// The time between sending a state and registering it.
const REGISTRATION: Duration = Duration::from_millis(2);
const LATE_REGISTRATION: Duration = Duration::from_millis(7);

/// A listener on a free port of this machine.
pub(crate) fn listen() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

/// A command from the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Command {
    pub(crate) id: u64,
    pub(crate) reference: Option<u64>,
    pub(crate) name: String,
    pub(crate) arguments: String,
}

impl Command {
    /// Parses a line from the client, which must be valid.
    fn parse(line: &str) -> Self {
        let line = line.strip_suffix("\r\n").expect("CRLF");
        assert!(line.len() + 2 <= 16_384);
        let (head, rest) = line.split_once(' ').expect("a number and a name");
        let (id, reference) = match head.split_once('@') {
            Some((id, reference)) => (id, Some(reference.parse().expect("a reference"))),
            None => (head, None),
        };
        let (name, arguments) = rest.split_once(' ').unwrap_or((rest, ""));
        assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{line}");
        let id = id.parse().expect("a number");
        Self { id, reference, name: name.to_owned(), arguments: arguments.to_owned() }
    }
}

/// How a server deviates from the usual behaviour.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manners {
    /// Writes one byte at a time.
    pub(crate) splits: bool,
    /// Writes noise around each state: unknown commands, long lines, late stops.
    pub(crate) floods: bool,
    /// Registers each N-th state so late that the first answer is refused.
    pub(crate) refuses: u64,
    /// Pings while the client thinks.
    pub(crate) pings: bool,
    /// Sends every state twice.
    pub(crate) resends: bool,
    /// Sends `set game:…` and `set time:…` before each state.
    pub(crate) sets: bool,
    /// Sends no `stop` after an answer.
    pub(crate) never_stops: bool,
}

/// The results of some games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Played {
    pub(crate) states: u64,
    pub(crate) won: u64,
    pub(crate) drawn: u64,
    pub(crate) lost: u64,
}

/// The server's end of a connection.
pub(crate) struct Peer<S> {
    stream: BufReader<S>,
    /// The number of the client's last command.
    id: u64,
    last_id: u64,
    line: String,
    pub(crate) manners: Manners,
    random: SplitMix64,
    /// States for which the client has yielded without a move; a random move is played.
    pub(crate) lost_states: u64,
}

impl Peer<TcpStream> {
    /// Accepts a connection; returns it after the greeting, with the client's commands so far.
    pub(crate) fn accept(listener: &TcpListener, manners: Manners) -> (Self, Vec<Command>) {
        let stream = listener.accept().unwrap().0;
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut peer = Self::new(stream, manners);
        let said = peer.greet();
        (peer, said)
    }

    /// The same connection for a different thread.
    pub(crate) fn another(&self) -> TcpStream {
        self.stream.get_ref().try_clone().unwrap()
    }

    /// Whether the client sends nothing for a time.
    pub(crate) fn is_silent(&mut self, time: Duration) -> bool {
        self.stream.get_ref().set_read_timeout(Some(time)).unwrap();
        let read = self.stream.read_line(&mut self.line);
        self.stream.get_ref().set_read_timeout(Some(PATIENCE)).unwrap();
        read.is_err_and(|error| matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut))
    }
}

impl<S: Read + Write> Peer<S> {
    pub(crate) fn new(stream: S, manners: Manners) -> Self {
        let (stream, line) = (BufReader::new(stream), String::new());
        Self {
            stream,
            id: 0,
            last_id: 0,
            line,
            manners,
            random: SplitMix64::new(7),
            lost_states: 0,
        }
    }

    /// Sends the greeting; returns the client's commands up to its mode.
    pub(crate) fn greet(&mut self) -> Vec<Command> {
        self.send("kgp 1 0 1");
        let mut said = Vec::new();
        loop {
            said.push(self.hear().expect("a mode"));
            if let Some(mode) = said.last().filter(|command| command.name == "mode") {
                let id = mode.id;
                self.answer(id, "ok");
                return said;
            }
        }
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        // One byte at a time would take minutes for the longest lines.
        let pieces = if self.manners.splits && bytes.len() < 1000 { 1 } else { bytes.len().max(1) };
        for piece in bytes.chunks(pieces) {
            // A client that has left does not read to the end.
            let _ =
                self.stream.get_mut().write_all(piece).and_then(|()| self.stream.get_mut().flush());
        }
    }

    pub(crate) fn send(&mut self, command: &str) -> u64 {
        self.id += 2;
        self.write(format!("{} {command}\r\n", self.id).as_bytes());
        self.id
    }

    pub(crate) fn answer(&mut self, reference: u64, command: &str) {
        self.id += 2;
        self.write(format!("{}@{reference} {command}\r\n", self.id).as_bytes());
    }

    /// The next command; none if the client has left.
    pub(crate) fn hear(&mut self) -> Option<Command> {
        if !self.line.ends_with('\n') {
            match self.stream.read_line(&mut self.line) {
                Ok(0) => return None,
                Err(error) if error.kind() == ErrorKind::ConnectionReset => return None,
                read => drop(read.expect("the client answers")),
            }
        }
        let command = Command::parse(&std::mem::take(&mut self.line));
        assert!(command.id % 2 == 1 && command.id > self.last_id, "numbers are odd and grow");
        self.last_id = command.id;
        Some(command)
    }

    /// The next command with one of these names; comments and repeated answers are
    /// skipped.
    pub(crate) fn hear_of(&mut self, names: &[&str]) -> Option<Command> {
        loop {
            let command = self.hear()?;
            if names.contains(&command.name.as_str()) {
                return Some(command);
            }
            assert!(
                ["set", "pong", "move", "yield"].contains(&command.name.as_str()),
                "{command:?}"
            );
        }
    }

    /// Asks the client, who is South, for a move; none if it has left.
    pub(crate) fn ask(&mut self, position: &Position, number: u64) -> Option<Pit> {
        let text = position.to_string();
        let board = text.strip_suffix(" S").expect("South moves");
        let Manners { floods, refuses, pings, resends, sets, never_stops, .. } = self.manners;
        if sets {
            self.send("set game:id \"one\"");
            self.send("set game:opponent \"The \\\"Server\\\"\"");
            self.send("set time:mode relative");
            self.send("set time:clock 0.03");
        }
        if floods {
            self.flood();
        }
        let id = self.send(&format!("state {board}"));
        if resends {
            self.write(format!("{id} state {board}\r\n").as_bytes());
        }
        let ping = pings.then(|| self.send("ping"));
        let is_late = refuses > 0 && number.is_multiple_of(refuses);
        let registration = if is_late { LATE_REGISTRATION } else { REGISTRATION };
        let (mut best, mut has_ponged, mut has_yielded) = (None, ping.is_none(), false);
        let (mut refused, asked) = (None, Instant::now());
        while !(has_yielded && has_ponged) {
            assert!(asked.elapsed() < PATIENCE, "an answer to {board}");
            let command = self.hear()?;
            match command.name.as_str() {
                "pong" => has_ponged |= command.reference == ping,
                // What was written together is refused together.
                "move" | "yield"
                    if command.reference == Some(id)
                        && (asked.elapsed() < registration || refused == Some(command.id - 2)) =>
                {
                    refused = Some(command.id).filter(|_| command.name == "move");
                    self.send("error \"No state associated with id\"");
                }
                "move" if command.reference == Some(id) => best = command.arguments.parse().ok(),
                "yield" if command.reference == Some(id) => has_yielded = true,
                "goodbye" => return None,
                _ => (),
            }
        }
        if !never_stops {
            self.answer(id, "stop");
        }
        let Some(pit): Option<usize> = best else {
            self.lost_states += 1;
            return position.moves().nearest();
        };
        let pit = Pit::new(pit.checked_sub(1).expect("a number from 1"));
        assert!(position.moves().contains(pit), "{pit} of {position}");
        Some(pit)
    }

    fn flood(&mut self) {
        let long = format!("state <{}>", "9,".repeat(20_000));
        let lines = [
            "hello",
            "@ @ @",
            "<>",
            "set",
            "set a:b c",
            "stop",
            "0@1 stop",
            "state",
            "problem x 1",
        ];
        for line in lines.into_iter().chain([long.as_str(), "\"", ""]) {
            self.write(format!("{line}\r\n").as_bytes());
        }
        self.write(b"\xff\xfe\x00\r\n\n\n");
    }

    /// Plays a game against the client by random moves from a random opening; none
    /// if the client has left.
    pub(crate) fn play(&mut self, rules: Rules, number: u64, played: &mut Played) -> Option<()> {
        let mut position = Position::start(rules);
        let mut client = if number.is_multiple_of(2) { Side::South } else { Side::North };
        let opening = self.random.below(9);
        for ply in 0.. {
            if is_over(&position) {
                break;
            }
            let moves: Vec<Pit> = position.moves().iter().collect();
            let pit = if moves.len() == 1 || ply < opening || position.side() != client {
                moves[self.random.below(moves.len())]
            } else {
                // The client is always shown as South.
                if client == Side::North {
                    position = position.mirrored();
                    client = Side::South;
                }
                played.states += 1;
                self.ask(&position, played.states)?
            };
            position.play(pit).unwrap();
        }
        *match position.margin(client).0 {
            1.. => &mut played.won,
            0 => &mut played.drawn,
            _ => &mut played.lost,
        } += 1;
        Some(())
    }
}

/// Whether the server ends a game: a row is empty, or a store has the majority.
fn is_over(position: &Position) -> bool {
    let has_majority = |side| position.store(side) > position.total() / 2;
    position.is_over() || Side::BOTH.into_iter().any(has_majority)
}

/// The boards of tournament stages, and others.
pub(crate) fn boards() -> Vec<Rules> {
    let sizes = [(6, 6), (8, 8), (10, 10), (12, 12), (6, 4), (7, 5), (12, 22)];
    sizes.map(|(pits, seeds)| Rules::new(pits, seeds, Capture::Standard).unwrap()).to_vec()
}
