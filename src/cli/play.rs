//! `kalah play`: playing in a terminal.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::mpsc;

use clap::{Args as ClapArgs, ValueEnum};

use super::{Failure, board::BoardArgs};
use crate::engine::Engine;
use crate::kalah::Position;
use crate::play::keep::{self, Keeper};
use crate::play::levels::{LEVELS, Level};
use crate::play::line::{self, Event};
use crate::play::seat::{Seat, Strength};
use crate::play::session::{Note, Session, Setup};
use crate::play::terminal::{Terminal, Wishes};
use crate::play::thinker::Thinker;

/// Play in the terminal: against the engine, against each other, or watch
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  kalah play                               you are South, the engine plays 'casual'
  kalah play --level expert --side random  sides by lot
  kalah play --south human --north human   two people
  kalah play --south master --north 2s     the engine against itself
  kalah play --pits 8 --seeds 8 --pie      another board, with the pie rule
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
        let terminal = Terminal::of_process(Wishes { plain: self.plain, ascii: self.ascii });
        let setup = self.setup()?;
        let (keeper, loaded) = self.game_files()?;
        let engine = Engine::new().map_err(Failure::work)?;
        let (sender, events) = mpsc::channel();
        let (thoughts, signals) = (sender.clone(), sender.clone());
        // A session that has ended hears no more.
        let thinker =
            Thinker::new(engine, move |thought| drop(thoughts.send(Event::Thought(thought))));
        ctrlc::set_handler(move || drop(signals.send(Event::Interrupt))).map_err(Failure::work)?;
        let mut session = Session::new(setup, thinker, keeper, terminal.glyphs);
        session.set_width(terminal.width());
        let first: Vec<Note> = match loaded {
            Some(loaded) => session.take_up(loaded),
            None => session.begin(),
        };
        let played = line::play(&mut session, first, terminal, (sender, events), out);
        played.or_else(closed_is_fine).map_err(Failure::from)
    }

    /// The game that a new one is like.
    fn setup(&self) -> Result<Setup, Failure> {
        let start: Position = self.board.position()?;
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
            let (file, loaded) = keep::last_unfinished(folder).map_err(Failure::work)?;
            return Ok((Some(Keeper::resumed(folder.clone(), file)), Some(loaded)));
        }
        let loaded = self.load.as_deref().map(keep::load).transpose().map_err(Failure::work)?;
        Ok((folder.map(Keeper::new), loaded))
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
