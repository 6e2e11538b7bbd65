//! `kalah match`: matches between engines, and `kalah match merge`.

pub(super) mod merge;
pub(super) mod show;

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand};

use self::show::{Watch, print_standing, write_html};
use super::arguments::{
    ANY_TIME, BoardArgs, Choice, GivenOptions, PlainNumber, duration, number, one_of,
};
use super::engines::engine;
use super::failure::Failure;
use super::output::on_interrupt;
use kalah_arena::MatchError;
use kalah_arena::config::{
    Adjudication, MatchConfig, PlayerConfig, ScoreRule, Timing, TournamentFormat,
};
use kalah_arena::file::{self, Contents, MatchFile, MatchRun, PlacedGames};
use kalah_arena::runner::{Ended, MatchOptions, RunningMatch};
use kalah_arena::schedule::{Schedule, Shard};
use kalah_arena::standing::{GameResults, Standing, results};
use kalah_arena::stats::Sprt;
use kalah_arena::team::teams;
use kalah_engine::endgame::Tables;
use kalah_game::Position;
use kalah_play::seat::Seat;
use kalah_record::opening::{self, Opening};
use kalah_sys::random::SplitMix64;
use kalah_sys::stop::Flag;
use kalah_sys::{clock, machine};
use kalah_text::format::counted;

/// Play engines against each other and compute Elo, SPRT and ratings
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "WORDS describe a player: 'kalah' (this engine), 'random', 'greedy' or cmd=PATH (a program),
  level=NAME or elo=N (this engine, weaker; see 'kalah play --levels'),
  name=N nodes=N depth=N movetime=TIME tc=[MOVES/]TIME[+TIME] option.NAME=VALUE,
  and for programs arg=A (repeatable) dir=D proto=uci|ugi

Examples:
  kalah match -o a.jsonl -e 'kalah name=new nodes=2000' -e 'kalah name=old nodes=1000'
  kalah match -e level=club -e level=expert --pairs 20
  kalah match -o b.jsonl -e kalah -e random -e greedy --each nodes=1000 --pairs 20
  kalah match -o c.jsonl -e kalah -e 'cmd=./other proto=ugi' --each tc=0.1+0.01 -c 2
  kalah match -o d.jsonl -e 'kalah name=a' -e 'kalah name=b option.Skill=9' --each nodes=500 \\
      --sprt 'elo0=0 elo1=10' --pairs 5000
  kalah match -o a.jsonl --resume            continue an interrupted match
  kalah match -o a.jsonl --resume -p 200     continue it up to 200 pairs
  kalah match merge part-*.jsonl             compute the results of all parts

The file has one line of JSON per game (doc/records.md). Ctrl-C ends the match and
prints the results so far."
)]
pub(super) struct MatchArgs {
    #[command(subcommand)]
    command: Option<MatchCommand>,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Debug, Subcommand)]
enum MatchCommand {
    Merge(merge::MergeArgs),
}

const FORMATS: &[Choice<TournamentFormat>] = &[
    ("round-robin", TournamentFormat::RoundRobin, "Every player against every other"),
    ("gauntlet", TournamentFormat::Gauntlet, "The first against each of the others"),
];

#[derive(Debug, Args)]
struct RunArgs {
    #[command(flatten)]
    given: GivenOptions,
    /// Add a player, described by WORDS; repeat for each player
    #[arg(short, long = "engine", value_name = "WORDS")]
    engines: Vec<String>,
    /// Default WORDS for all players; a player's own WORDS override them
    #[arg(long, value_name = "WORDS", default_value = "")]
    each: String,
    /// Output file for the games [default: match-TIME.jsonl in the current folder]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Continue the match in the output file; without --engine, use the configuration in it. Only
    /// --pairs and --sprt can change; they keep their values if not given
    #[arg(long)]
    resume: bool,
    /// Pairing of the players
    #[arg(long, value_parser = one_of(FORMATS), default_value = "round-robin")]
    format: TournamentFormat,
    /// Pairs of games per pairing; a pair is two games from one opening, with the sides swapped
    #[arg(short, long, value_name = "N", default_value_t = 50,
          value_parser = number::<u32>(1..=10_000_000))]
    pairs: u32,
    /// Number of games to play at the same time
    #[arg(short, long, value_name = "N", default_value_t = 1,
          value_parser = number::<u16>(1..=1024))]
    concurrency: u16,
    #[command(flatten)]
    board: BoardArgs,
    /// File of openings: games in either format, or lines with a position, moves (CFd) or both
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Shuffle the openings of the file, using --seed
    #[arg(long, requires = "openings")]
    shuffle: bool,
    /// Number of random moves at the start of each pair, without --openings
    #[arg(long, value_name = "N", default_value_t = 6, conflicts_with = "openings", value_parser = number::<u16>(0..=u16::MAX.into()))]
    random_plies: u16,
    /// Seed for random openings, the order of openings and random players
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(0..))]
    seed: u64,
    /// Stop as soon as a sequential probability ratio test has decided: 'elo0=0 elo1=5 [alpha=0.05]
    /// [beta=0.05]
    /// [model=normalized|logistic]'
    #[arg(long, value_name = "WORDS")]
    sprt: Option<Sprt>,
    /// Adjudicate a game when a store holds more than half of all seeds
    #[arg(long)]
    adjudicate_majority: bool,
    /// Adjudicate games with at most N seeds in play by an endgame table built at the start
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..=24))]
    adjudicate_table: Option<u32>,
    /// Adjudicate a game as drawn after N moves of both sides
    #[arg(long, value_name = "N", value_parser = number::<u32>(0..=1_000_000))]
    move_limit: Option<u32>,
    /// Adjudicate a game as lost by a player whose own values are -SEEDS or less in each of its
    /// last N moves: 'moves=N score=SEEDS [twosided] [after=N]'. With 'twosided', the opponent's
    /// values must be SEEDS or more
    #[arg(long, value_name = "WORDS")]
    adjudicate_resign: Option<ScoreRule>,
    /// Adjudicate a game as drawn if the values of both players are between -SEEDS and SEEDS in
    /// each of their last N moves: 'moves=N score=SEEDS [after=N]', where 'after' counts all moves
    #[arg(long, value_name = "WORDS")]
    adjudicate_draw: Option<ScoreRule>,
    /// Tolerance for exceeding a time limit (1s, 20ms, or a number of milliseconds)
    #[arg(long, value_name = "TIME", default_value = "10ms",
          value_parser = duration(PlainNumber::Milliseconds, ANY_TIME))]
    margin: Duration,
    /// Time after which a player without a time limit is considered hung (60s, 500ms, or a number
    /// of seconds)
    #[arg(long, value_name = "TIME", default_value = "60s",
          value_parser = duration(PlainNumber::Seconds, ANY_TIME))]
    patience: Duration,
    /// Time allowed for a program to get ready (60s, 500ms, or a number of seconds)
    #[arg(long, value_name = "TIME", default_value = "60s",
          value_parser = duration(PlainNumber::Seconds, ANY_TIME))]
    start_timeout: Duration,
    /// Play only part i of the n parts of the schedule
    #[arg(long, value_name = "i/n", default_value = "1/1")]
    shard: Shard,
    /// Name of the match in records
    #[arg(long, value_name = "TEXT", default_value = "")]
    event: String,
    /// Directory for the programs' stderr [default: FILE.logs]
    #[arg(long, value_name = "DIR")]
    logs: Option<PathBuf>,
    /// Write an HTML page with tables, charts and the games into DIR
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// Print only the results
    #[arg(short, long)]
    quiet: bool,
    /// Print the results as one JSON document (doc/records.md)
    #[arg(long)]
    json: bool,
}

impl MatchArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self.command {
            Some(MatchCommand::Merge(args)) => args.run(out),
            None => self.run.run(out),
        }
    }
}

/// A match to resume.
struct BegunMatch {
    file: MatchFile,
    /// The results in the file.
    results: GameResults,
    /// This run, if it must be recorded: it has other conditions than those in the file.
    new_run: Option<MatchRun>,
}

/// The file of a match, with the results of the games in it; a new file if it has not begun.
fn opened(
    begun: Option<BegunMatch>,
    path: &Path,
    schedule: &Schedule,
) -> Result<(MatchFile, GameResults), Failure> {
    let Some(BegunMatch { mut file, results, new_run }) = begun else {
        let file = MatchFile::create(path, &schedule.config, Some(&this_run()))?;
        return Ok((file, GameResults::new()));
    };
    if let Some(run) = new_run {
        file.append_config(&schedule.config, Some(&run))?;
    }
    Ok((file, results))
}

impl RunArgs {
    fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let path = match &self.out {
            Some(path) => path.clone(),
            None if self.resume => {
                let message = "expected --out FILE, the file of the match to resume";
                return Err(Failure::Usage(message.to_owned()));
            }
            None => unused_name(),
        };
        let (schedule, begun) = self.plan(&path)?;
        let tables = self.tables(&schedule)?;
        let interrupt = Flag::default();
        let logs = self.logs.clone().unwrap_or_else(|| with_suffix(&path, ".logs"));
        let options = MatchOptions {
            shard: self.shard,
            logs: &logs,
            interrupt: &interrupt,
            table: &|position| Some(position.side().view_of(tables.as_ref()?.margin(position)?)),
        };
        // The teams are built first, so that a mistyped player leaves no file behind. If no game is
        // left, none is needed.
        let results = begun.as_ref().map(|begun| &begun.results);
        let own = schedule.fixtures.iter().filter(|game| self.shard.has(game));
        let left = own.filter(|game| results.is_none_or(|all| !all.contains_key(&game.index)));
        let workers = usize::from(self.concurrency).min(left.count());
        // 1 MiB is enough for the engine: players are its clones, with their own table sizes.
        let teams =
            teams(&schedule.config, workers, &logs, &interrupt, || engine(1)).map_err(failure)?;
        let (file, results) = opened(begun, &path, &schedule)?;
        on_interrupt(interrupt.clone(), || false);
        let mut watch = Watch::new(&schedule, self.shard, &results, self.quiet);
        watch.warn_about_openings();
        watch.warn_about_equal_players();
        if self.out.is_none() {
            // Printed even with --quiet: otherwise nobody would know where the games are. A closed
            // stderr must not end a match.
            let _ = writeln!(io::stderr(), "The games are written to {}.", path.display());
        }
        let mut running = RunningMatch::new(&schedule, &options, file, results);
        let ended = running.play(teams, &mut |results, failure| watch.update(results, failure));
        // Removes the live line. The results so far are printed even after an error.
        drop(watch);
        let standing = Standing::new(&schedule, running.results());
        print_standing("match", &schedule, &standing, self.json, out)?;
        let ended = ended.map_err(failure)?;
        if let Some(directory) = &self.report {
            // The page needs the games, but the runner keeps only their results.
            let (schedule, runs, games) = merge::read(&[path])?;
            // With --json, stdout holds a single document.
            let out: &mut dyn Write = if self.json { &mut io::sink() } else { out };
            write_html(directory, &schedule, &games, Some(&runs), out)?;
        }
        match ended {
            // The standing above is that of this part, whose own test is open.
            Ended::Decided if running.is_part() => {
                let out: &mut dyn Write = if self.json { &mut io::sink() } else { out };
                let message = "The parts in this folder have decided the test.";
                Ok(writeln!(out, "{message} 'kalah match merge FILES' shows it.")?)
            }
            Ended::Finished | Ended::Decided => Ok(()),
            Ended::Interrupted => {
                Err(Failure::Interrupted("interrupted; --resume continues the match".to_owned()))
            }
        }
    }

    /// The schedule of a configuration. Refuses options that would have no effect on it.
    fn schedule(&self, config: MatchConfig) -> Result<Schedule, Failure> {
        let schedule = Schedule::new(config).map_err(Failure::usage)?;
        let unused = ["logs", "start_timeout"].into_iter().find(|id| self.given.has(id));
        if let Some(id) = unused.filter(|_| !schedule.config.has_programs()) {
            let option = id.replace('_', "-");
            let message = format!("--{option}: expected a player with cmd=, got none");
            return Err(Failure::Usage(message));
        }
        if !schedule.fixtures.iter().any(|fixture| self.shard.has(fixture)) {
            let parts = counted(schedule.fixtures.len() as u64 / 2, "part");
            return Err(Failure::Usage(format!("--shard: expected at most {parts}, one per pair")));
        }
        Ok(schedule)
    }

    /// The schedule and, if a match is resumed, what was played of it.
    fn plan(&self, path: &Path) -> Result<(Schedule, Option<BegunMatch>), Failure> {
        let begun = if self.resume { MatchFile::resume(path)? } else { None };
        let Some((file, Contents { config: old, runs, games: played })) = begun else {
            if self.resume && self.engines.is_empty() {
                let path = path.display();
                let message = format!("--resume: no match in {path}");
                return Err(Failure::Usage(message));
            }
            return Ok((self.schedule(self.config(self.pairs)?)?, None));
        };
        let config = if self.engines.is_empty() {
            self.continued(old.clone(), path)?
        } else {
            self.repeated(&old)?
        };
        let schedule = self.schedule(config)?;
        let mut games = PlacedGames::new();
        file::place(played, &schedule, path, &mut games).map_err(|error| match failure(error) {
            Failure::Usage(_) if self.given.has("pairs") && self.engines.is_empty() => {
                let path = path.display();
                let pairs = counted(self.pairs.into(), "pair");
                Failure::Usage(format!("--pairs: {path} has games from more than {pairs}"))
            }
            failure => failure,
        })?;
        let run = this_run();
        // The page lists every version and machine, because either may affect timed games.
        let is_new = schedule.config != old || !runs.iter().any(|known| known.is_alike(&run));
        let results = results(&games);
        let new_run = if is_new { Some(run) } else { None };
        Ok((schedule, Some(BegunMatch { file, results, new_run })))
    }

    /// The configuration in the file at `path` with the options that may change it. A different
    /// value of any other option would belong to a different match.
    fn continued(&self, mut config: MatchConfig, path: &Path) -> Result<MatchConfig, Failure> {
        const ALLOWED: [&str; 10] = [
            "out",
            "resume",
            "pairs",
            "sprt",
            "concurrency",
            "shard",
            "logs",
            "report",
            "quiet",
            "json",
        ];
        if let Some(option) = self.given.iter().find(|option| !ALLOWED.contains(option)) {
            let option = option.replace('_', "-");
            let path = path.display();
            return Err(Failure::Usage(format!(
                "--{option}: expected --engine as in the first run, got --resume alone, which uses \
                 the configuration in {path}"
            )));
        }
        config.sprt = self.sprt.or(config.sprt);
        if self.given.has("pairs") && !config.set_rounds(self.pairs) {
            return Err(Failure::Usage(format!(
                "--pairs: {} holds only the openings of its {}; repeat --engine, --openings \
                 and the other options of the first run",
                path.display(),
                counted(config.rounds.into(), "pair")
            )));
        }
        Ok(config)
    }

    /// The configuration in the arguments, with the settings that they leave open taken from
    /// the file: those that game ids do not depend on, whereas ids reveal a difference in any
    /// other, and the time to start.
    fn repeated(&self, old: &MatchConfig) -> Result<MatchConfig, Failure> {
        let pairs = if self.given.has("pairs") { self.pairs } else { old.rounds };
        let mut config = self.config(pairs)?;
        config.sprt = self.sprt.or(old.sprt);
        // Its default was different in earlier versions.
        if !self.given.has("start_timeout") {
            config.timing.start = old.timing.start;
        }
        if !self.given.has("format") {
            config.format = old.format;
        }
        if !self.given.has("event") {
            config.event.clone_from(&old.event);
        }
        Ok(config)
    }

    fn config(&self, pairs: u32) -> Result<MatchConfig, Failure> {
        let mut players = Vec::new();
        for words in &self.engines {
            let wrong =
                |error: &dyn Display| Failure::Usage(format!("--engine '{words}': {error}"));
            let described = with_level(words, &self.each).map_err(|error| wrong(&error))?;
            let player =
                PlayerConfig::parse(&described, &self.each).map_err(|error| wrong(&error))?;
            players.push(player);
        }
        Ok(MatchConfig {
            event: self.event.clone(),
            players,
            format: self.format,
            rounds: pairs,
            seed: self.seed,
            adjudication: Adjudication {
                majority: self.adjudicate_majority,
                table_seeds: self.adjudicate_table,
                move_limit: self.move_limit,
                resign: self.adjudicate_resign,
                draw: self.adjudicate_draw,
            },
            timing: Timing {
                margin: self.margin,
                patience: self.patience,
                start: self.start_timeout,
            },
            sprt: self.sprt,
            openings: self.openings(pairs)?,
        })
    }

    /// One opening per pair, or all openings of the file if there are fewer.
    fn openings(&self, pairs: u32) -> Result<Vec<Opening>, Failure> {
        let start = self.board.position()?;
        if start.is_over() {
            return Err(Failure::Usage(
                "--position: expected a position with moves left to play, got a finished game"
                    .to_owned(),
            ));
        }
        let rounds = pairs as usize;
        let mut openings = match &self.openings {
            None => self.random_openings(start, rounds),
            Some(path) => self.board.openings("--openings", path)?,
        };
        if self.shuffle {
            SplitMix64::new(self.seed).shuffle(&mut openings);
        }
        // Openings beyond the last pair are never played, so the match file need not hold them.
        openings.truncate(rounds);
        Ok(openings)
    }

    /// Random openings, with a warning if games would be over before the last of their moves.
    fn random_openings(&self, start: Position, count: usize) -> Vec<Opening> {
        let plies = usize::from(self.random_plies);
        let openings = opening::random(start, plies, count, self.seed);
        let short = openings.iter().filter(|opening| opening.moves.len() < plies).count();
        if short > 0 {
            let all = openings.len();
            let moves = counted(plies as u64, "move");
            log::warn!(
                "--random-plies: {short} of {all} openings have fewer than {moves}, because games \
                 would be over"
            );
        }
        openings
    }

    fn tables(&self, schedule: &Schedule) -> Result<Option<Tables>, Failure> {
        let Some(seeds) = schedule.config.adjudication.table_seeds else { return Ok(None) };
        let variant = schedule.config.openings[0].start.variant();
        if schedule.config.openings.iter().any(|opening| opening.start.variant() != variant) {
            let message = "--adjudicate-table: expected one board and capture rule, got several";
            return Err(Failure::Usage(message.to_owned()));
        }
        let tables = Tables::build(variant, seeds, 1);
        tables.map(Some).map_err(Failure::usage)
    }
}

/// The words of a player in which a strength, `level=club` or `elo=1200`, is replaced by the options
/// of this engine. A level keeps its time per move, unless a limit is given.
fn with_level(words: &str, each: &str) -> Result<String, String> {
    // What cannot be split is refused by the parser of players.
    let Some(mut others) = shlex::split(words) else { return Ok(words.to_owned()) };
    let is_strength = |word: &String| word.starts_with("level=") || word.starts_with("elo=");
    let Some(at) = others.iter().position(is_strength) else { return Ok(words.to_owned()) };
    let strength = others.remove(at);
    let seat = match strength.strip_prefix("level=") {
        Some(level) => Seat::Level(level.parse().map_err(|error| format!("{error}"))?),
        None => Seat::parse_opponent(&strength).map_err(|error| error.to_string())?,
    };
    let is_other =
        |word: &&String| matches!(word.as_str(), "random" | "greedy") || word.starts_with("cmd=");
    if let Some(other) = others.iter().find(is_other) {
        return Err(format!(
            "expected 'kalah', which has levels, with '{strength}', got '{other}'"
        ));
    }
    let each = shlex::split(each).unwrap_or_default();
    let is_set = |key: &str| {
        let mut given = others.iter().chain(&each);
        given.any(|word| word.strip_prefix(key).is_some_and(|rest| rest.starts_with('=')))
    };
    let mut described = Vec::new();
    if !others.iter().any(|word| word == "kalah") {
        described.push("kalah".to_owned());
    }
    if !others.iter().any(|word| word.starts_with("name=")) {
        described.push(format!("name={seat}"));
    }
    let elo = match seat {
        Seat::Elo(elo) => Some(elo),
        seat if seat.skill().is_full() => None,
        seat => Some(seat.skill().elo()),
    };
    if let Some(elo) = elo {
        described.push("option.UCI_LimitStrength=true".to_owned());
        described.push(format!("option.UCI_Elo={elo}"));
    }
    let movetime = seat.limits(None).movetime;
    if let Some(time) = movetime
        && !["nodes", "depth", "movetime", "tc"].into_iter().any(is_set)
    {
        described.push(format!("movetime={}ms", time.as_millis()));
    }
    described.extend(others);
    let words = shlex::try_join(described.iter().map(String::as_str));
    words.map_err(|error| error.to_string())
}

/// A name for the file of a match that has none, which no file has yet.
fn unused_name() -> PathBuf {
    // Colons are not allowed in file names on Windows.
    let time = clock::now().replace([':', '-'], "");
    let names = (1..).map(|number| match number {
        1 => format!("match-{time}.jsonl"),
        _ => format!("match-{time}-{number}.jsonl"),
    });
    let mut paths = names.map(PathBuf::from);
    paths.find(|path| !path.exists()).expect("endless names")
}

/// The version, command line and machine of this process.
fn this_run() -> MatchRun {
    let mut words = vec!["kalah".to_owned()];
    words.extend(std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()));
    MatchRun {
        version: concat!("kalah ", env!("CARGO_PKG_VERSION")).to_owned(),
        // Only zero bytes cannot be quoted, and process arguments cannot contain any.
        command: shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default(),
        machine: machine::description(),
    }
}

fn failure(error: MatchError) -> Failure {
    match error {
        MatchError::Config(error) => Failure::usage(error),
        MatchError::Foreign { .. } => {
            Failure::Usage(format!("{error}: the arguments differ from those of its first run"))
        }
        error => error.into(),
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
