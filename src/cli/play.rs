//! `kalah play`: playing in a terminal.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender};

use clap::{Args as ClapArgs, ValueEnum};
use rand::seq::IndexedRandom;

use super::arguments::{BoardArgs, number};
use super::failure::Failure;
use crate::arena::opening;
use crate::engine::Engine;
use crate::game::Position;
use crate::game::depth::Depth;
use crate::play::background::BackgroundEngine;
use crate::play::clock::ClockRules;
use crate::play::event::Event;
use crate::play::line_mode;
use crate::play::saved::{self, Loaded, SavedGames};
use crate::play::seat::{LEVELS, Level, Seat};
use crate::play::session::{Session, Setup};
use crate::play::typing::History;
#[cfg(feature = "tui")]
use crate::play::{session::Message, tui};
use crate::search::{Limits, Skill};
use crate::sys::files;
use crate::sys::names::choice;
use crate::view::palette::Theme;
use crate::view::terminal::{Terminal, TerminalOptions};

/// Play in the terminal: against the engine, against each other, or watch
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  kalah play                               you are South, the engine plays 'casual'
  kalah play --level expert --side random  sides at random
  kalah play --south human --north human   two people
  kalah play --south expert --north 2s     the engine against itself
  kalah play --pits 8 --seeds 8 --pie      another board, with the pie rule
  kalah play --clock 5+3 --flag            five minutes each, three seconds a move
  kalah play --coach                       learn of each mistake as you make it
  kalah play --opening openings.txt#3      a position from a file
  kalah play --resume                      go on with the last game
  kalah play --resume 3                    with the third one of 'kalah games'
  kalah play --load game.kgn               step through a game
  kalah play --tui                         full screen, keys and mouse

While playing, a pit's letter sows it, 'help' lists the commands.")]
pub(super) struct Args {
    #[command(flatten)]
    board: BoardArgs,
    /// The side you play against the engine
    #[arg(long, value_enum, default_value_t = YourSide::South)]
    side: YourSide,
    /// The engine's level, one of those that --levels explains; or an algorithm
    /// of 'kalah compare tree --help', one second a move: uct, scout@depth=5
    #[arg(long, value_name = "LEVEL", value_parser = Seat::opponent, conflicts_with_all = ["time", "depth", "nodes"])]
    level: Option<Seat>,
    #[arg(long, value_name = "N", help = format!("The engine at this Elo, {} to {}, where a \
          player of random moves has 0", Skill::ELO[0], Skill::ELO[1]), conflicts_with_all = ["level", "time", "depth", "nodes"],
          value_parser = number::<u32>(ELO))]
    elo: Option<u32>,
    /// The full engine, this long for each move: 2s, 500ms
    #[arg(long, value_name = "TIME", value_parser = movetime)]
    time: Option<Limits>,
    /// The full engine, to this depth
    #[arg(long, value_name = "N", conflicts_with = "time",
          value_parser = number::<u16>(1..=Depth::MAX.0.into()))]
    depth: Option<u16>,
    /// The full engine, this many nodes for each move
    #[arg(long, value_name = "N", conflicts_with_all = ["time", "depth"],
          value_parser = number::<u64>(1..))]
    nodes: Option<u64>,
    /// Who plays South: human, a level, an algorithm, a time, elo=N, depth=N or nodes=N
    #[arg(long, value_name = "WHO", conflicts_with = "side")]
    south: Option<Seat>,
    /// Who plays North
    #[arg(long, value_name = "WHO", conflicts_with = "side")]
    north: Option<Seat>,
    /// Start from an opening of this file, at random; FILE#2 is its second
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    opening: Option<String>,
    /// After the first player's first turn the second may swap the sides
    #[arg(long)]
    pie: bool,
    /// Give each player so many minutes, and seconds more for every move: 5+3
    #[arg(long, value_name = "MIN+SEC")]
    clock: Option<ClockRules>,
    /// Whose time is over loses; otherwise it is told and play goes on
    #[arg(long, requires = "clock")]
    flag: bool,
    /// Say at once when your move loses seeds, and what a known opening is worth
    #[arg(long)]
    coach: bool,
    /// Go on with the last unfinished game, or with that of this number in the list of
    /// 'kalah games'
    #[arg(long, value_name = "N", num_args = 0..=1, conflicts_with = "load",
          value_parser = number::<usize>(1..))]
    resume: Option<Option<usize>>,
    /// Load a game; FILE#2 is the second game of a file
    #[arg(long, value_name = "FILE")]
    load: Option<String>,
    /// Where games are saved while they are played
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// Do not save games
    #[arg(long, alias = "no-keep", conflicts_with_all = ["games", "resume"])]
    no_save: bool,
    /// Sentences only: for screen readers; without a terminal it is so anyway
    #[arg(long)]
    plain: bool,
    /// No characters beyond ASCII
    #[arg(long)]
    ascii: bool,
    /// The background that the colours are for
    #[arg(long, value_enum, default_value_t)]
    theme: Theme,
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

const ELO: RangeInclusive<i128> = Skill::ELO[0] as i128..=Skill::ELO[1] as i128;

fn movetime(text: &str) -> Result<Limits, &'static str> {
    let limits = text.parse().ok().filter(|limits: &Limits| limits.movetime.is_some());
    limits.ok_or("expected a time: '2s' or '500ms'")
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
        let options = TerminalOptions { plain: self.plain, ascii: self.ascii };
        let terminal = Terminal::of_process(options).with_theme(self.theme);
        #[cfg(feature = "tui")]
        if self.tui && !(terminal.typed && terminal.drawn) {
            let message = "--tui needs a terminal to read from and draw on";
            return Err(Failure::Usage(message.to_owned()));
        }
        let setup = self.setup()?;
        let (saved_games, loaded) = self.games()?;
        let (sender, events) = mpsc::channel();
        let signals = sender.clone();
        // Ctrl-C, a closed terminal, or a signal to terminate.
        ctrlc::set_handler(move || drop(signals.send(Event::Interrupt)))?;
        let engine = BackgroundEngine::new(Engine::new()?, sender.clone());
        let mut session = Session::new(setup, engine, saved_games, terminal.glyphs);
        self.play(&mut session, loaded, terminal, (sender, events), out)
            .or_else(closed_is_fine)
            .map_err(Failure::from)
    }

    /// The commands typed before, unless nothing is to be saved.
    fn history(&self) -> History {
        let file = saved::folder().map(|games| games.with_file_name("history"));
        file.ok().filter(|_| !self.no_save).map(History::of_file).unwrap_or_default()
    }

    /// Plays with the front end that was asked for.
    fn play(
        &self,
        session: &mut Session,
        loaded: Option<Loaded>,
        terminal: Terminal,
        channel: (Sender<Event>, Receiver<Event>),
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let history = self.history();
        #[cfg(feature = "tui")]
        if self.tui {
            session.set_width(terminal.width().saturating_sub(4));
            let Terminal { palette, glyphs, .. } = terminal;
            let style = tui::Style { palette, glyphs, pace: self.sowing };
            let first = session.begin(loaded);
            let last_messages = tui::play(session, first, style, history, channel)?;
            return last_messages.iter().try_for_each(|message| match message {
                Message::Text(text) => writeln!(out, "{text}"),
                _ => Ok(()),
            });
        }
        session.set_width(terminal.width());
        let first = session.begin(loaded);
        line_mode::play(session, &first, terminal, history, channel, out)
    }

    fn setup(&self) -> Result<Setup, Failure> {
        let start = match &self.opening {
            Some(name) => opening_of(name, self.board.position()?)?,
            None => self.board.position()?,
        };
        let engine = self.engine();
        let clock_rules = self.clock.map(|rules| rules.with_flag(self.flag));
        let (seats, random_sides) = match (self.south, self.north, self.side) {
            (None, None, YourSide::South) => ([Seat::Person, engine], false),
            (None, None, YourSide::North) => ([engine, Seat::Person], false),
            (None, None, YourSide::Random) => ([Seat::Person, engine], true),
            (Some(Seat::Person), None, _) => ([Seat::Person, engine], false),
            (None, Some(Seat::Person), _) => ([engine, Seat::Person], false),
            (south, north, _) => {
                if let Some(option) = self.strength_option() {
                    let message = format!(
                        "expected {option}, or --south and --north that say who plays, got both"
                    );
                    return Err(Failure::Usage(message));
                }
                ([south.unwrap_or(Seat::Person), north.unwrap_or(Seat::Person)], false)
            }
        };
        Ok(Setup { start, seats, random_sides, pie_rule: self.pie, clock_rules, coach: self.coach })
    }

    /// The option that says how strong the engine is, if there is one.
    fn strength_option(&self) -> Option<&'static str> {
        let options = [
            ("--level", self.level.is_some()),
            ("--elo", self.elo.is_some()),
            ("--time", self.time.is_some()),
            ("--depth", self.depth.is_some()),
            ("--nodes", self.nodes.is_some()),
        ];
        options.into_iter().find_map(|(name, is_given)| is_given.then_some(name))
    }

    fn engine(&self) -> Seat {
        let depth = self.depth.map(|depth| Limits::depth(Depth(depth)));
        let limits = self.time.or(depth).or(self.nodes.map(Limits::nodes));
        limits.map_or_else(
            || {
                self.level
                    .or(self.elo.map(Seat::Elo))
                    .unwrap_or_else(|| Seat::Level(Level::default()))
            },
            Seat::Limits,
        )
    }

    /// Where games are saved, and the game to begin with.
    fn games(&self) -> Result<(SavedGames, Option<Loaded>), Failure> {
        let folder = match &self.games {
            _ if self.no_save => None,
            Some(folder) => Some(folder.clone()),
            None => match saved::folder() {
                Ok(folder) => Some(folder),
                Err(error) => {
                    log::warn!("games are not saved: {error}");
                    None
                }
            },
        };
        let mut saved_games = SavedGames::new(folder);
        let loaded = match &self.load {
            Some(name) => Some(saved::load(name)?),
            None => self.resume.map(|number| saved_games.resume(number)).transpose()?,
        };
        Ok((saved_games, loaded))
    }
}

/// The position that an opening of a file leads to: the numbered one, or any.
fn opening_of(name: &str, start: Position) -> Result<Position, Failure> {
    let failed =
        |error: &dyn std::fmt::Display| Failure::Usage(format!("--opening: {name}: {error}"));
    let (path, number) = files::numbered(name);
    let openings = opening::load(path, start)
        .map_err(|error| Failure::Usage(format!("--opening: {error}")))?;
    let chosen = match number {
        Some(number) => number.checked_sub(1).and_then(|index| openings.get(index)),
        None => openings.choose(&mut rand::rng()),
    };
    let missing = || failed(&format!("expected {}", choice("opening", openings.len())));
    Ok(chosen.ok_or_else(missing)?.position())
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
