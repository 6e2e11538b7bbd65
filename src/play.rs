//! `kalah play`: playing in a terminal.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use clap::{Arg, Args, ValueEnum};
use rand::seq::IndexedRandom;

use super::arguments::{BoardArgs, GivenOptions, ScreenArgs};
use super::engines::growing_engine;
use super::failure::Failure;
#[cfg(feature = "tui")]
use super::full_screen::FullScreenArgs;
use kalah_engine::search::{Limits, Skill};
use kalah_game::{Position, depth::Depth};
use kalah_play::clock::ClockRules;
use kalah_play::game::NewGame;
use kalah_play::players;
use kalah_play::saved::{self, Loaded, Resume, SavedGames};
use kalah_play::seat::{LEVELS, Level, Seat};
use kalah_sys::files;
use kalah_terminal::background::BackgroundEngine;
use kalah_terminal::event::{self, TerminalEvent};
use kalah_terminal::game::{GameSetup, TerminalGame};
use kalah_terminal::line_mode;
use kalah_terminal::terminal::Terminal;
use kalah_text::names::missing;
use kalah_text::typed::{PlainNumber, duration, number};

/// Play in the terminal against the engine or another person, or watch the engine play
#[derive(Debug, Args)]
#[command(mut_args(not_with_levels))]
#[command(after_help = "Examples:
  kalah play                               you are South, the engine plays 'starter'
  kalah play --level expert --side random  play South or North at random
  kalah play --south human --north human   two people
  kalah play --south expert --north 2s     the engine against itself
  kalah play --pits 8 --seeds 8 --pie      a different board, with the pie rule
  kalah play --clock 5+3 --flag            five minutes each, plus three seconds per move
  kalah play --coach --pause 2             explain your mistakes, pause before each reply
  kalah play --opening openings.txt#3      start from the third opening of a file
  kalah play --resume                      continue the last game
  kalah play --resume 3                    continue game 3 of 'kalah games'
  kalah play --load game.kgn               step through a game
  kalah play --tui                         full screen, with keys and mouse

While playing, type a pit's letter to sow it, or 'help' for the commands.")]
pub(super) struct PlayArgs {
    #[command(flatten)]
    given: GivenOptions,
    #[command(flatten)]
    board: BoardArgs,
    /// Your side against the engine
    #[arg(long, value_enum, default_value_t = YourSide::South)]
    side: YourSide,
    /// Play against LEVEL (see --levels), or against an algorithm listed by 'kalah compare
    /// tree --help', with one second per move unless limits follow: uct, scout@depth=5
    #[arg(long, value_name = "LEVEL", value_parser = Seat::parse_opponent, group = "strength")]
    level: Option<Seat>,
    #[arg(long, value_name = "N", help = format!("Play against the engine at this Elo, {} to {}; \
          random play has 0", Skill::ELO[0], Skill::ELO[1]),
          value_parser = number::<u32>(ELO), group = "strength")]
    elo: Option<u32>,
    /// Play against the full engine with TIME per move (2s, 500ms, or a number of seconds)
    #[arg(long, value_name = "TIME", group = "strength",
          value_parser = duration(PlainNumber::Seconds, Duration::from_millis(1)..=MAX_MOVETIME))]
    time: Option<Duration>,
    /// Play against the full engine, searching N plies deep
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=Depth::MAX.0.into()),
          group = "strength")]
    depth: Option<u16>,
    /// Play against the full engine with N nodes per move
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..), group = "strength")]
    nodes: Option<u64>,
    /// Who plays South: human, a level, an algorithm, a time, elo=N, depth=N or nodes=N
    #[arg(long, value_name = "WHO", conflicts_with = "side")]
    south: Option<Seat>,
    /// Who plays North
    #[arg(long, value_name = "WHO", conflicts_with = "side")]
    north: Option<Seat>,
    /// Start from a random opening in FILE, or from its second one with FILE#2
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    opening: Option<String>,
    /// Let the second player swap sides after the first player's first turn
    #[arg(long)]
    pie: bool,
    /// Give each player MIN minutes, plus SEC seconds per move: 5+3
    #[arg(long, value_name = "MIN+SEC")]
    clock: Option<ClockRules>,
    /// A player who runs out of time loses; without this option, that is only reported
    #[arg(long, requires = "clock", conflicts_with = "pause")]
    flag: bool,
    /// Explain your mistakes immediately, and show the margins of known openings
    #[arg(long)]
    coach: bool,
    /// Wait at least TIME (2s, 500ms, or a number of seconds) before each move of the engine
    #[arg(long, value_name = "TIME", default_value = "0s", hide_default_value = true,
          conflicts_with = "clock",
          value_parser = duration(PlainNumber::Seconds, Duration::ZERO..=MAX_PAUSE))]
    pause: Duration,
    /// Continue the last unfinished game, or game N in the list of 'kalah games'
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = LAST,
          conflicts_with = "load", value_parser = resume)]
    resume: Option<Resume>,
    /// Load the game in FILE, or its second game with FILE#2
    #[arg(long, value_name = "FILE")]
    load: Option<String>,
    /// Save games in DIR instead of the default folder
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// Do not save games
    #[arg(long, alias = "no-keep", conflicts_with_all = ["games", "resume"])]
    no_save: bool,
    #[command(flatten)]
    screen: ScreenArgs,
    #[cfg(feature = "tui")]
    #[command(flatten)]
    full_screen: FullScreenArgs,
    /// List the levels and exit
    #[arg(long)]
    levels: bool,
}

/// Listing levels needs no other option, but terminal options may come from an alias.
fn not_with_levels(option: Arg) -> Arg {
    match option.get_id().as_str() {
        "levels" | "plain" | "ascii" | "theme" => option,
        _ => option.conflicts_with("levels"),
    }
}

/// The longest time per move: a day.
const MAX_MOVETIME: Duration = Duration::from_secs(24 * 60 * 60);

const MAX_PAUSE: Duration = Duration::from_secs(60);

const ELO: RangeInclusive<i128> = Skill::ELO[0] as i128..=Skill::ELO[1] as i128;

/// The value of `--resume` without a number.
const LAST: &str = "last";

fn resume(text: &str) -> Result<Resume, String> {
    if text == LAST { Ok(Resume::Last) } else { number(1..)(text).map(Resume::Numbered) }
}

/// The side of the person who plays the engine.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum YourSide {
    South,
    North,
    Random,
}

impl PlayArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        if self.levels {
            for level in LEVELS {
                writeln!(out, "{:<9} {}", level.name, level.about)?;
            }
            return Ok(());
        }
        let terminal = self.screen.terminal();
        #[cfg(feature = "tui")]
        // Refused before anything is loaded or saved, because a script cannot press keys.
        if self.full_screen.tui && !terminal.edited {
            let message = "--tui needs a terminal to read from and draw on, and not TERM=dumb";
            return Err(Failure::Usage(message.to_owned()));
        }
        let setup = self.setup()?;
        let (saved_games, loaded) = self.games()?;
        let (sender, events) = event::channel();
        let engine = BackgroundEngine::new(growing_engine()?, sender.clone());
        let mut game = TerminalGame::new(setup, engine, saved_games, terminal.glyphs);
        Ok(self.play(&mut game, loaded, terminal, (sender, events), out)?)
    }

    /// Plays with the chosen front end.
    fn play(
        &self,
        game: &mut TerminalGame,
        loaded: Option<Loaded>,
        terminal: Terminal,
        channel: (Sender<TerminalEvent>, Receiver<TerminalEvent>),
        out: &mut dyn Write,
    ) -> io::Result<()> {
        #[cfg(feature = "tui")]
        if self.full_screen.tui {
            return self.full_screen.play(game, loaded, terminal, channel, out);
        }
        game.set_width(terminal.width());
        let first = game.begin(loaded);
        if terminal.edited && cfg!(feature = "tui") {
            writeln!(out, "For full-screen mode, with keys and mouse, add --tui.")?;
        }
        line_mode::play(game, &first, terminal, channel, out)
    }

    fn setup(&self) -> Result<GameSetup, Failure> {
        let start = match &self.opening {
            Some(name) => opening_of(name, &self.board)?,
            None => self.board.position()?,
        };
        let strength = self.strength();
        let engine = strength.map_or(Seat::Level(Level::default()), |(_, seat)| seat);
        let clock_rules = self.clock.map(|rules| ClockRules { flag: self.flag, ..rules });
        let seats = match (self.south, self.north) {
            (None, None) if matches!(self.side, YourSide::North) => [engine, Seat::Person],
            (None | Some(Seat::Person), None) => [Seat::Person, engine],
            (None, Some(Seat::Person)) => [engine, Seat::Person],
            (south, north) => {
                if let Some((option, _)) = strength {
                    let message =
                        format!("expected either {option} or --south and --north, not both");
                    return Err(Failure::Usage(message));
                }
                [south.unwrap_or(Seat::Person), north.unwrap_or(Seat::Person)]
            }
        };
        let random_sides = matches!(self.side, YourSide::Random);
        let game = NewGame {
            seats,
            pie_rule: self.pie,
            clock_rules,
            has_coach: self.coach,
            ..NewGame::for_people(start)
        };
        Ok(GameSetup { game, random_sides, pause: self.pause })
    }

    /// The option for the strength of the engine, if one was given, and the player it selects.
    fn strength(&self) -> Option<(&'static str, Seat)> {
        let depth = self.depth.map(|depth| Limits::depth(Depth(depth)));
        [
            ("--level", self.level),
            ("--elo", self.elo.map(Seat::Elo)),
            ("--time", self.time.map(|time| Seat::Limits(Limits::time(time)))),
            ("--depth", depth.map(Seat::Limits)),
            ("--nodes", self.nodes.map(Limits::nodes).map(Seat::Limits)),
        ]
        .into_iter()
        .find_map(|(option, seat)| Some((option, seat?)))
    }

    /// The given options that a loaded game overrides. A game saved by this program has players and
    /// a clock.
    fn options_of_new_games(&self, is_own: bool) -> Vec<String> {
        const BOARD: &str = "pits seeds capture position opening pie";
        const PLAYERS: &str = "level elo time depth nodes south north side clock";
        let is_in = |list: &str, id| list.split(' ').any(|one| one == id);
        let given = self.given.iter();
        let unused = given.filter(|&id| is_in(BOARD, id) || is_own && is_in(PLAYERS, id));
        unused.map(|id| format!("--{id}")).collect()
    }

    /// The folder for saved games, and the game to start with.
    fn games(&self) -> Result<(SavedGames, Option<Loaded>), Failure> {
        let mut saved_games = SavedGames::new(games_folder(self.games.as_deref(), self.no_save));
        let loaded = match &self.load {
            Some(name) => Some(saved::load(name)?),
            None => self.resume.map(|game| saved_games.resume(game)).transpose()?,
        };
        if let Some(game) = &loaded {
            let is_own = players::seats(&game.record).is_some();
            let unused = self.options_of_new_games(is_own);
            let kept = if is_own { "board, players and clock" } else { "board" };
            if !unused.is_empty() {
                let unused = unused.join(" and ");
                log::warn!("the saved game keeps its {kept}; only new games use {unused}");
            }
        }
        Ok((saved_games, loaded))
    }
}

/// The folder in which to save games: the given or the default one, if any.
pub(super) fn games_folder(given: Option<&Path>, no_save: bool) -> Option<PathBuf> {
    if no_save {
        return None;
    }
    // A game that cannot be saved can still be played.
    saved::folder_or(given).inspect_err(|error| log::warn!("games are not saved: {error}")).ok()
}

/// The position of an opening in a file: the numbered one, or a random one.
fn opening_of(name: &str, board: &BoardArgs) -> Result<Position, Failure> {
    let (path, number) = files::numbered(name);
    let openings = board.openings("--opening", path)?;
    let chosen = match number {
        Some(number) => number.checked_sub(1).and_then(|index| openings.get(index)),
        None => openings.choose(&mut rand::rng()),
    };
    match chosen {
        Some(opening) => Ok(opening.position()),
        None => {
            let path = path.display();
            let missing = missing("opening", number.unwrap_or(1), openings.len());
            Err(Failure::Usage(format!("--opening: {path}: {missing}")))
        }
    }
}
