//! `kalah match`: matches between engines, and `kalah match merge`.

mod merge;
mod setup;
mod show;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, Subcommand};

use self::show::Watch;
use super::{Failure, arguments::BoardArgs, on_interrupt};
use crate::arena::MatchError;
use crate::arena::config::Format;
use crate::arena::ledger::{self, Games, Ledger};
use crate::arena::report;
use crate::arena::runner::{self, Ended, MatchOptions};
use crate::arena::schedule::{Schedule, Shard};
use crate::arena::standing::{GameResult, Standing};
use crate::endgame::Tables;
use crate::record::Game;
use crate::sys::clock::now;
use crate::sys::stop::Flag;

/// Play engines against each other and compute Elo, SPRT and ratings
#[derive(Debug, ClapArgs)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "A player is words: 'kalah' (this engine), 'random', 'greedy' or cmd=PATH (a program), then
  name=N nodes=N depth=N movetime=MS tc=[MOVES/]SECONDS[+SECONDS] option.NAME=VALUE
  and for programs arg=A (repeated) dir=D proto=uci|ugi

Examples:
  kalah match -o a.jsonl -e 'kalah name=new nodes=2000' -e 'kalah name=old nodes=1000'
  kalah match -o b.jsonl -e kalah -e random -e greedy --each nodes=1000 --pairs 20
  kalah match -o c.jsonl -e kalah -e 'cmd=./other proto=ugi' --each tc=0.1+0.01 -c 2
  kalah match -o d.jsonl -e 'kalah name=a' -e 'kalah name=b option.Skill=9' --each nodes=500 \\
      --sprt 'elo0=0 elo1=10' --pairs 5000
  kalah match -o a.jsonl --resume            continue an interrupted match
  kalah match merge part-*.jsonl             the results of all parts

The file has one JSON line a game (doc/records.md); Ctrl-C ends the match with the
results so far. Exit codes: 0 done, 1 failed, 2 wrong arguments, 130 interrupted."
)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    Merge(merge::Args),
}

#[derive(Debug, ClapArgs)]
struct RunArgs {
    /// A player, in words; repeat for each
    #[arg(short, long = "engine", value_name = "WORDS")]
    engines: Vec<String>,
    /// Words for every player; its own words override them
    #[arg(long, value_name = "WORDS", default_value = "")]
    each: String,
    /// The file of games; required
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Continue the match of the file; without --engine, with the file's configuration
    #[arg(long)]
    resume: bool,
    /// How players are paired
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Pairs of games of each pairing; each pair is one opening with the sides swapped
    #[arg(short, long, value_name = "N", default_value_t = 50,
          value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pairs: u32,
    /// Games played at a time
    #[arg(short, long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    #[command(flatten)]
    board: BoardArgs,
    /// Openings: one a line, a position text, moves (CFd), or both; or a .kgn file
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Take the openings of the file in the seed's order instead of the file's
    #[arg(long, requires = "openings")]
    shuffle: bool,
    /// Random moves at the start of each round, without --openings
    #[arg(long, value_name = "N", default_value_t = 6, conflicts_with = "openings")]
    random_plies: u16,
    /// Seed of random openings, their order, and random players
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Stop as soon as a sequential probability ratio test has decided: 'elo0=0 elo1=5 [alpha=0.05] [beta=0.05]
    /// [model=normalized|logistic]'
    #[arg(long, value_name = "WORDS")]
    sprt: Option<String>,
    /// Adjudicate games when a store holds more than half of all seeds
    #[arg(long)]
    adjudicate_majority: bool,
    /// Adjudicate games with at most N seeds in play by an endgame table, built at the start
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=24))]
    adjudicate_table: Option<u32>,
    /// Adjudicate games as drawn after N moves of both sides
    #[arg(long, value_name = "N")]
    move_limit: Option<u32>,
    /// Milliseconds by which a time limit may be exceeded
    #[arg(long, value_name = "MS", default_value_t = 10)]
    margin: u64,
    /// Seconds for a move without a limit of time
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    patience: u64,
    /// Seconds for a program to get ready
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    start_timeout: u64,
    /// Play the i-th of n parts of the schedule
    #[arg(long, value_name = "i/n", default_value = "1/1")]
    shard: Shard,
    /// The match's name in records
    #[arg(long, value_name = "TEXT", default_value = "")]
    event: String,
    /// Directory for the programs' stderr [default: FILE.logs]
    #[arg(long, value_name = "DIR")]
    logs: Option<PathBuf>,
    /// Directory for an HTML page with tables and charts, written at the end
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// Print only the results
    #[arg(short, long)]
    quiet: bool,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self.command {
            Some(Command::Merge(args)) => args.run(out),
            None => self.run.run(out),
        }
    }
}

impl RunArgs {
    fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let path = self.out.clone().ok_or_else(|| {
            Failure::Usage("expected a file for the games: --out FILE".to_owned())
        })?;
        let (schedule, begun) = self.plan(&path)?;
        let tables = self.tables(&schedule)?;
        let interrupt = Flag::default();
        let options = MatchOptions {
            concurrency: self.concurrency.into(),
            shard: self.shard,
            logs: self.logs.clone().unwrap_or_else(|| with_suffix(&path, ".logs")),
            interrupt: interrupt.clone(),
            table: &|position| Some(position.side().sees(tables.as_ref()?.margin(position)?)),
            date: &now,
        };
        // Before the file is created, so that a mistyped player leaves none.
        let teams = runner::teams(&schedule, &options).map_err(failure)?;
        let (mut ledger, mut games) = match begun {
            Some(begun) => begun,
            None => (Ledger::create(&path, &schedule.config)?, Games::new()),
        };
        on_interrupt(interrupt, || false)?;
        let mut results = GameResult::of_all(&games);
        // A page needs the games, not only their results.
        let mut on_game = |index, game: &Game| {
            if self.report.is_some() {
                games.insert(index, game.clone());
            }
        };
        let mut watch = Watch::new(&schedule, self.shard, &results, self.quiet, &mut on_game);
        watch.warn_about_openings();
        let ended = runner::run(&schedule, &options, teams, &mut ledger, &mut results, &mut watch);
        drop(watch);
        let standing = Standing::of(&schedule, &results);
        print(&schedule, &standing, out)?;
        if let Some(directory) = &self.report {
            write_report(directory, &schedule, &standing, &games)?;
        }
        match ended.map_err(failure)? {
            Ended::Finished | Ended::Decided => Ok(()),
            Ended::Interrupted => {
                out.flush()?;
                Err(Failure::Interrupted("interrupted; --resume goes on".to_owned()))
            }
        }
    }

    /// The schedule and, if the match goes on, its file and the games in it.
    fn plan(&self, path: &Path) -> Result<(Schedule, Option<(Ledger, Games)>), Failure> {
        if !(self.resume && ledger::has_begun(path)) {
            return Ok((Schedule::new(self.config()?).map_err(failure)?, None));
        }
        let (mut ledger, contents) = Ledger::resume(path)?;
        let config = if self.engines.is_empty() { contents.config.clone() } else { self.config()? };
        let schedule = Schedule::new(config).map_err(failure)?;
        let mut games = Games::new();
        ledger::place(contents.games, &schedule, path, &mut games).map_err(failure)?;
        if schedule.config != contents.config {
            ledger.append_config(&schedule.config)?;
        }
        Ok((schedule, Some((ledger, games))))
    }

    fn tables(&self, schedule: &Schedule) -> Result<Option<Tables>, Failure> {
        let Some(seeds) = schedule.config.adjudication.table_seeds else { return Ok(None) };
        let variant = schedule.config.openings[0].start.variant();
        if schedule.config.openings.iter().any(|opening| opening.start.variant() != variant) {
            let message = "expected openings of one board to adjudicate by a table, got several";
            return Err(Failure::Usage(message.to_owned()));
        }
        let tables = Tables::build(variant, seeds, 1);
        tables.map(Some).map_err(Failure::usage)
    }
}

fn failure(error: MatchError) -> Failure {
    match error {
        MatchError::Config(message) => Failure::Usage(message),
        MatchError::Foreign(message) => {
            Failure::Usage(format!("{message}: the arguments differ from those it was begun with"))
        }
        error => error.into(),
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Prints the standing to `out`.
fn print(schedule: &Schedule, standing: &Standing, out: &mut dyn Write) -> Result<(), Failure> {
    if schedule.config.players.len() > 2 {
        let table = report::crosstable(schedule, standing);
        writeln!(out, "{}", table.to_text(Default::default()))?;
    }
    for sentence in report::sentences(schedule, standing) {
        writeln!(out, "{sentence}")?;
    }
    Ok(())
}

fn write_report(
    directory: &Path,
    schedule: &Schedule,
    standing: &Standing,
    games: &Games,
) -> Result<(), Failure> {
    let page = report::page(schedule, standing, games);
    let file = directory.join("index.html");
    let written = fs::create_dir_all(directory).and_then(|()| fs::write(&file, page.to_html()));
    written.map_err(Failure::writing(&file))
}
