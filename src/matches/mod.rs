//! `kalah match`: matches between engines, and `kalah match merge`.

pub(super) mod merge;
pub(super) mod show;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand};

use self::show::{Watch, print_standing, write_html};
use super::arguments::{BoardArgs, GivenOptions, output_file};
use super::engines::engine;
use super::failure::Failure;
use kalah_arena::MatchError;
use kalah_arena::config::{
    Adjudication, MatchConfig, PlayerConfig, ScoreRule, Timing, TournamentFormat,
};
use kalah_arena::file::{self, MatchFile};
use kalah_arena::played::PlayedMatch;
use kalah_arena::runner::{Ended, MatchOptions, RunningMatch};
use kalah_arena::schedule::{Schedule, Shard};
use kalah_arena::standing::Standing;
use kalah_arena::stats::Sprt;
use kalah_record::opening::{self, Opening};
use kalah_sys::random::SplitMix64;
use kalah_sys::stop::Flag;
use kalah_terminal::signals::on_interrupt;
use kalah_text::format::counted;
use kalah_text::typed::{ANY_TIME, PlainNumber, duration, number};

#[derive(Debug, Subcommand)]
enum MatchCommand {
    Merge(merge::MergeArgs),
}

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
    given: GivenOptions,
    /// Add a player, described by WORDS; repeat for each player
    #[arg(short, long = "engine", value_name = "WORDS")]
    engines: Vec<String>,
    /// Default WORDS for all players; a player's own WORDS override them
    #[arg(long, value_name = "WORDS", default_value = "")]
    each: String,
    /// Output file for the games [default: match-TIME.jsonl in the current folder]
    #[arg(short, long, value_name = "FILE", value_parser = output_file())]
    out: Option<PathBuf>,
    /// Continue the match in the output file; without --engine, use the configuration in it. Only
    /// --pairs and --sprt can change; they keep their values if not given
    #[arg(long, requires = "out")]
    resume: bool,
    /// Pairing of the players: round-robin (every player against every other) or gauntlet (the
    /// first against each of the others)
    #[arg(long, value_name = "PAIRING", default_value_t)]
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
        if let Some(MatchCommand::Merge(args)) = &self.command {
            return args.run(out);
        }
        let path = self.out.clone().unwrap_or_else(file::unused_name);
        let resumed = if self.resume { MatchFile::resume(&path)? } else { None };
        let old = resumed.as_ref().map(|(_, contents)| &contents.config);
        let schedule = self.schedule(self.chosen_config(old, &path)?)?;
        let interrupt = Flag::default();
        let usual_logs = OsString::from_iter([path.as_os_str(), ".logs".as_ref()]);
        let options = MatchOptions {
            file: &path,
            shard: self.shard,
            concurrency: self.concurrency.into(),
            logs: self.logs.as_deref().unwrap_or(Path::new(&usual_logs)),
            interrupt: &interrupt,
        };
        // 1 MiB is enough for the engine: players are its clones, with their own table sizes.
        let mut running = RunningMatch::new(&schedule, &options, resumed, || engine(1))
            .map_err(|error| self.failure(error))?;
        on_interrupt(interrupt.clone(), || false);
        let mut watch = Watch::new(&schedule, self.shard, running.left().len(), self.quiet);
        schedule.config.warnings().iter().for_each(|warning| watch.print(warning));
        if self.out.is_none() {
            // Printed even with --quiet: otherwise nobody would know where the games are. A closed
            // stderr must not end a match.
            let _ = writeln!(io::stderr(), "The games are written to {}.", path.display());
        }
        let ended = running.play(&mut |results, failure| watch.update(results, failure));
        // Removes the live line. The results so far are printed even after an error.
        drop(watch);
        let standing = Standing::new(&schedule, running.results());
        print_standing("match", &schedule, &standing, self.json, out)?;
        // With --json, stdout holds a single document.
        let out: &mut dyn Write = if self.json { &mut io::sink() } else { out };
        let ended = ended?;
        if let Some(directory) = &self.report {
            // The page needs the games, but the runner keeps only their results.
            write_html(directory, &PlayedMatch::read(&path)?, out)?;
        }
        match ended {
            // The standing above is that of this part, whose own test is open.
            Ended::Decided if running.is_part() => {
                let message = "The parts in this folder have decided the test.";
                Ok(writeln!(out, "{message} 'kalah match merge FILES' shows it.")?)
            }
            Ended::Finished | Ended::Decided => Ok(()),
            Ended::Interrupted => {
                Err(Failure::Interrupted("interrupted; --resume continues the match".to_owned()))
            }
        }
    }

    /// The configuration of the match, whose file at `path` has the configuration `old`, if any.
    fn chosen_config(
        &self,
        old: Option<&MatchConfig>,
        path: &Path,
    ) -> Result<MatchConfig, Failure> {
        let Some(old) = old else {
            if self.resume && self.engines.is_empty() {
                return Err(Failure::wrong("--resume", format!("no match in {}", path.display())));
            }
            return self.config(self.pairs);
        };
        let pairs = if self.given.has("pairs") { self.pairs } else { old.rounds };
        if self.engines.is_empty() {
            self.check_changes(path)?;
            let mut config = MatchConfig { sprt: self.sprt.or(old.sprt), ..old.clone() };
            config.set_rounds(pairs).map_err(|error| Failure::wrong("--pairs", error))?;
            return Ok(config);
        }
        // Settings that the arguments leave open are taken from the file: those that game ids do not
        // depend on, whereas ids reveal a difference in any other, and the time to start.
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

    /// Refuses options that cannot change the match in the file at `path`: a different value would
    /// belong to a different match.
    fn check_changes(&self, path: &Path) -> Result<(), Failure> {
        const ALLOWED: &str = "out resume pairs sprt concurrency shard logs report quiet json";
        let is_allowed = |option: &str| ALLOWED.split(' ').any(|allowed| allowed == option);
        let Some(option) = self.given.iter().find(|option| !is_allowed(option)) else {
            return Ok(());
        };
        let option = option.replace('_', "-");
        let path = path.display();
        Err(Failure::Usage(format!(
            "--{option}: expected --engine as in the first run, got --resume alone, which uses the \
             configuration in {path}"
        )))
    }

    /// The schedule of a configuration. Refuses options that would have no effect on it.
    fn schedule(&self, config: MatchConfig) -> Result<Schedule, Failure> {
        let schedule = Schedule::new(config).map_err(Failure::usage)?;
        let unused = ["logs", "start_timeout"].into_iter().find(|id| self.given.has(id));
        if let Some(id) = unused.filter(|_| !schedule.config.has_programs()) {
            let option = format!("--{}", id.replace('_', "-"));
            return Err(Failure::wrong(&option, "expected a player with cmd=, got none"));
        }
        if !schedule.fixtures.iter().any(|fixture| self.shard.has(fixture)) {
            let parts = counted(schedule.fixtures.len() as u64 / 2, "part");
            return Err(Failure::Usage(format!("--shard: expected at most {parts}, one per pair")));
        }
        Ok(schedule)
    }

    fn config(&self, pairs: u32) -> Result<MatchConfig, Failure> {
        let mut players = Vec::new();
        for words in &self.engines {
            let wrong = |error| Failure::Usage(format!("--engine '{words}': {error}"));
            players.push(PlayerConfig::parse(words, &self.each).map_err(wrong)?);
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
            let expected = "expected a position with moves left to play, got a finished game";
            return Err(Failure::wrong("--position", expected));
        }
        let rounds = pairs as usize;
        let mut openings = match &self.openings {
            None => opening::random(start, self.random_plies.into(), rounds, self.seed),
            Some(path) => self.board.openings("--openings", path)?,
        };
        if self.shuffle {
            SplitMix64::new(self.seed).shuffle(&mut openings);
        }
        // Openings beyond the last pair are never played, so the match file need not hold them.
        openings.truncate(rounds);
        Ok(openings)
    }

    /// The failure of a match that cannot begin or continue.
    fn failure(&self, error: MatchError) -> Failure {
        match error {
            MatchError::Config(error) => Failure::usage(error),
            MatchError::Foreign { path, .. }
                if self.given.has("pairs") && self.engines.is_empty() =>
            {
                let path = path.display();
                let pairs = counted(self.pairs.into(), "pair");
                Failure::Usage(format!("--pairs: {path} has games from more than {pairs}"))
            }
            MatchError::Foreign { .. } => {
                Failure::Usage(format!("{error}: the arguments differ from those of its first run"))
            }
            error => error.into(),
        }
    }
}
