//! `kalah play`: playing in a terminal.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use clap::{Args as ClapArgs, ValueEnum};
use rand::seq::IndexedRandom;

use super::{Failure, board::BoardArgs};
use crate::arena::opening;
use crate::engine::Engine;
use crate::game::Position;
use crate::play::keep::{self, Keeper};
use crate::play::levels::{LEVELS, Level};
use crate::play::line::{self, Event};
use crate::play::seat::{Seat, Strength};
use crate::play::session::{Note, Session, Setup};
use crate::play::thinker::Thinker;
#[cfg(feature = "tui")]
use crate::play::tui;
use crate::view::terminal::{Terminal, TerminalOptions};

/// Play in the terminal: against the engine, against each other, or watch
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  kalah play                               you are South, the engine plays 'casual'
  kalah play --level expert --side random  sides by lot
  kalah play --south human --north human   two people
  kalah play --south expert --north 2s     the engine against itself
  kalah play --pits 8 --seeds 8 --pie      another board, with the pie rule
  kalah play --opening openings.txt#3      a position from a file
  kalah play --resume                      go on with the last game
  kalah play --load game.kgn               step through a game
  kalah play --tui                         full screen, keys and mouse

While playing, a pit's letter sows it, 'help' lists the commands.")]
pub struct Args {
    #[command(flatten)]
    board: BoardArgs,
    /// The side you play against the engine
    #[arg(long, value_enum, default_value_t = YourSide::South)]
    side: YourSide,
    /// The engine's level, one of those that --levels explains
    #[arg(long, value_name = "LEVEL", conflicts_with_all = ["time", "depth", "nodes"])]
    level: Option<Level>,
    /// The full engine, this long a sowing: 2s, 500ms
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    /// The full engine, to this depth
    #[arg(long, value_name = "N", conflicts_with = "time")]
    depth: Option<String>,
    /// The full engine, this many boards a sowing
    #[arg(long, value_name = "N", conflicts_with_all = ["time", "depth"])]
    nodes: Option<String>,
    /// Who plays South: human, a level, a time, depth=N or nodes=N
    #[arg(long, value_name = "WHO", conflicts_with = "side")]
    south: Option<Seat>,
    /// Who plays North
    #[arg(long, value_name = "WHO", conflicts_with = "side")]
    north: Option<Seat>,
    /// Start from an opening of this file, drawn by lot; FILE#2 is its second
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    opening: Option<String>,
    /// After the first player's first turn the second may swap the sides
    #[arg(long)]
    pie: bool,
    /// Go on with the last unfinished game
    #[arg(long, conflicts_with = "load")]
    resume: bool,
    /// Load a game; FILE#2 is the second game of a file
    #[arg(long, value_name = "FILE")]
    load: Option<String>,
    /// Where games are kept while they are played
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// Do not keep games in files
    #[arg(long, conflicts_with_all = ["games", "resume"])]
    no_keep: bool,
    /// Sentences only: for screen readers; without a terminal it is so anyway
    #[arg(long)]
    plain: bool,
    /// No characters beyond ASCII
    #[arg(long)]
    ascii: bool,
    /// Play on the full screen, with keys and mouse
    #[cfg(feature = "tui")]
    #[arg(long, conflicts_with = "plain")]
    tui: bool,
    /// How sowing is shown on the full screen
    #[cfg(feature = "tui")]
    #[arg(long, value_enum, default_value_t)]
    sowing: tui::Pace,
    /// Explain the levels and leave
    #[arg(long)]
    levels: bool,
}

/// The side of the person who plays the engine.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum YourSide {
    South,
    North,
    Random,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        if self.levels {
            for level in LEVELS {
                writeln!(out, "{:<9} {}", level.name, level.about)?;
            }
            return Ok(());
        }
        let terminal =
            Terminal::of_process(TerminalOptions { plain: self.plain, ascii: self.ascii });
        let setup = self.setup()?;
        let (keeper, loaded) = self.game_files()?;
        let engine = Engine::new()?;
        #[cfg(feature = "tui")]
        if self.tui {
            return self.on_full_screen(engine, (setup, keeper, loaded), terminal, out);
        }
        let (sender, events) = mpsc::channel();
        let (thoughts, signals) = (sender.clone(), sender.clone());
        // A session that has ended hears no more.
        let hear = move |thought| drop(thoughts.send(Event::Thought(thought)));
        on_signal(move || drop(signals.send(Event::Interrupt)))?;
        let thinker = Thinker::new(engine, hear);
        let mut session = Session::new(setup, thinker, keeper, terminal.glyphs);
        session.set_width(terminal.width());
        let first = begin(&mut session, loaded);
        let played = line::play(&mut session, first, terminal, (sender, events), out);
        played.or_else(closed_is_fine).map_err(Failure::from)
    }

    #[cfg(feature = "tui")]
    fn on_full_screen(
        &self,
        engine: Engine,
        (setup, keeper, loaded): (Setup, Option<Keeper>, Option<keep::Loaded>),
        terminal: Terminal,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        if !terminal.typed || !terminal.drawn {
            return Err(Failure::Usage(
                "--tui needs a terminal to read from and draw on".to_owned(),
            ));
        }
        let (sender, events) = mpsc::channel();
        let (thoughts, signals) = (sender.clone(), sender.clone());
        let hear = move |thought| drop(thoughts.send(tui::Event::Thought(thought)));
        on_signal(move || drop(signals.send(tui::Event::End)))?;
        let thinker = Thinker::new(engine, hear);
        let mut session = Session::new(setup, thinker, keeper, terminal.glyphs);
        session.set_width(terminal.width().saturating_sub(4));
        let first = begin(&mut session, loaded);
        let style =
            tui::Style { palette: terminal.palette, glyphs: terminal.glyphs, pace: self.sowing };
        let played = tui::play(&mut session, first, style, (sender, events));
        let told = played.and_then(|last_words| {
            last_words.iter().try_for_each(|note| match note {
                Note::Said(text) => writeln!(out, "{text}"),
                _ => Ok(()),
            })
        });
        told.or_else(closed_is_fine).map_err(Failure::from)
    }

    /// The game that a new one is like.
    fn setup(&self) -> Result<Setup, Failure> {
        let start = match &self.opening {
            Some(name) => opening_of(name, self.board.position()?)?,
            None => self.board.position()?,
        };
        let engine = Seat::Engine(self.strength()?);
        let (seats, random_sides) = match (self.south, self.north, self.side) {
            (None, None, YourSide::South) => ([Seat::Person, engine], false),
            (None, None, YourSide::North) => ([engine, Seat::Person], false),
            (None, None, YourSide::Random) => ([Seat::Person, engine], true),
            (Some(Seat::Person), None, _) => ([Seat::Person, engine], false),
            (None, Some(Seat::Person), _) => ([engine, Seat::Person], false),
            (south, north, _) => {
                ([south.unwrap_or(Seat::Person), north.unwrap_or(Seat::Person)], false)
            }
        };
        Ok(Setup { start, seats, random_sides, pie: self.pie })
    }

    fn strength(&self) -> Result<Strength, Failure> {
        let text = match (&self.time, &self.depth, &self.nodes) {
            (Some(time), ..) => time.clone(),
            (_, Some(depth), _) => format!("depth={depth}"),
            (.., Some(nodes)) => format!("nodes={nodes}"),
            _ => return Ok(Strength::Level(self.level.unwrap_or_default())),
        };
        text.parse().map_err(Failure::usage)
    }

    /// Where the game is kept, and the game to begin with.
    fn game_files(&self) -> Result<(Option<Keeper>, Option<keep::Loaded>), Failure> {
        let folder = match &self.games {
            _ if self.no_keep => None,
            Some(folder) => Some(folder.clone()),
            None => match keep::folder() {
                Ok(folder) => Some(folder),
                Err(error) if self.resume => return Err(Failure::work(error)),
                Err(error) => {
                    log::warn!("games are not kept: {error}");
                    None
                }
            },
        };
        if let (true, Some(folder)) = (self.resume, &folder) {
            let (file, loaded) = keep::last_unfinished(folder)?;
            return Ok((Some(Keeper::resumed(folder.clone(), file)), Some(loaded)));
        }
        let loaded = self.load.as_deref().map(keep::load).transpose()?;
        Ok((folder.map(Keeper::new), loaded))
    }
}

/// The position that an opening of a file leads to: the numbered one, or any.
fn opening_of(name: &str, start: Position) -> Result<Position, Failure> {
    let failed =
        |error: &dyn std::fmt::Display| Failure::Usage(format!("--opening {name}: {error}"));
    let numbered = name.rsplit_once('#').filter(|_| !Path::new(name).exists());
    let (path, number) = match numbered {
        Some((path, number)) => {
            let number: usize = number.parse().map_err(|error| failed(&error))?;
            (path, Some(number))
        }
        None => (name, None),
    };
    let text = fs::read_to_string(path).map_err(|error| failed(&error))?;
    let openings = match path.ends_with(".kgn") {
        true => opening::read_kgn(&text),
        false => opening::read(&text, start),
    };
    let openings = openings.map_err(|error| failed(&error))?;
    let chosen = match number {
        Some(number) => number.checked_sub(1).and_then(|index| openings.get(index)),
        None => openings.choose(&mut rand::rng()),
    };
    let count = openings.len();
    let missing = || failed(&format!("expected a number from 1 to {count}"));
    Ok(chosen.ok_or_else(missing)?.position())
}

/// Calls `end` when the process is asked to end: by Ctrl-C, a closed terminal
/// or a signal to terminate.
fn on_signal(end: impl FnMut() + Send + 'static) -> Result<(), Failure> {
    ctrlc::set_handler(end).map_err(Failure::work)
}

fn begin(session: &mut Session, loaded: Option<keep::Loaded>) -> Vec<Note> {
    match loaded {
        Some(loaded) => session.take_up(loaded),
        None => session.begin(),
    }
}

/// A terminal that is gone is a way to leave: the game is in its file.
fn closed_is_fine(error: io::Error) -> io::Result<()> {
    // A terminal that hung up answers EIO.
    const EIO: i32 = 5;
    match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(()),
        _ if cfg!(unix) && error.raw_os_error() == Some(EIO) => Ok(()),
        _ => Err(error),
    }
}
