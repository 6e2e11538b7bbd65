//! `kalah analyse`: judges every move of recorded games.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::arguments::chosen;
use super::engines::engine;
use super::failure::Failure;
use super::matches::show::write_html;
use super::output::write_document;
use kalah_arena::played::PlayedMatch;
use kalah_coach::judge::Judge;
use kalah_engine::{Engine, search::Stopper};
use kalah_record::{Game, file, format};
use kalah_terminal::progress::ProgressLine;
use kalah_terminal::terminal::Terminal;
use kalah_terminal::{analysis, listings};
use kalah_text::foreign::Escaping;
use kalah_text::names::quoted;
use kalah_text::typed::number;

/// Judge every move of recorded games, and find the mistakes
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalah analyse game.kgn                     the mistakes, and the move that decided the game
  kalah analyse 'CF d AE'                    the same for moves from the (6,4) start
  kalah analyse match.jsonl --game 3         the third game of a file
  kalah analyse games.kgn --report pages     write a page for stepping through the games
  kalah analyse game.kgn --json              the games with the values as one JSON document

The engine spends 8 to 16 seconds on most games. In a game in progress, type
'analyse' in 'kalah play'.")]
pub(super) struct AnalyseArgs {
    /// File of games in JSON lines or .kgn (- for standard input), or the moves of a game
    #[arg(value_name = "FILE|MOVES")]
    games: String,
    /// Analyse only game N of the file, counted from 1
    #[arg(short, long, value_name = "N", value_parser = number::<usize>(1..))]
    game: Option<usize>,
    /// Write an HTML page for stepping through the games into DIR
    #[arg(long, value_name = "DIR", conflicts_with = "json")]
    report: Option<PathBuf>,
    /// Print the games with the engine's values as one JSON document (doc/records.md)
    #[arg(long)]
    json: bool,
    /// Draw charts in ASCII
    #[arg(long)]
    ascii: bool,
}

impl AnalyseArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let mut games = chosen(self.read()?, self.game)?;
        let mut judge = Judge { engine: engine(Engine::DEFAULT_HASH)?, stopper: Stopper::new() };
        let moves = games.iter().map(|game| game.steps().len() as u64).sum();
        let progress = ProgressLine::with_length(moves, "moves");
        let mut judged_before = 0;
        let terminal = Terminal::from_environment(false, self.ascii);
        for (number, game) in (self.game.unwrap_or(1)..).zip(&mut games) {
            let judgements = judge.losses(game, &|judged, _| {
                progress.set_position(judged_before + judged as u64);
            });
            judged_before += judgements.len() as u64;
            if !self.json && self.report.is_none() {
                let lines = analysis::listing(game, &judgements, terminal.width(), terminal.glyphs);
                let shown = terminal.painted(&lines);
                progress.suspend(|| {
                    writeln!(Escaping(&mut *out), "{}", listings::headline(game, number))?;
                    writeln!(out, "{shown}")?;
                    out.flush()
                })?;
            }
            let values = judgements.into_iter().map(|judgement| judgement.best.into());
            game.annotate(concat!("kalah ", env!("CARGO_PKG_VERSION")), values);
        }
        drop(progress);
        if self.json {
            return write_document("analyse", json!({}), games, out);
        }
        match &self.report {
            Some(directory) => {
                write_html(directory, &PlayedMatch::from_games(games), &mut Escaping(out))
            }
            None => Ok(()),
        }
    }

    /// The games of the file or, unless there is such a file, the game with these moves.
    fn read(&self) -> Result<Vec<Game>, Failure> {
        let path = Path::new(&self.games);
        let is_word = !self.games.contains(char::is_whitespace);
        if self.games == "-" || path.exists() || (is_word && path.extension().is_some()) {
            return Ok(file::read_input(path)?.1);
        }
        let read = format::read(&self.games).map(|(_, games)| games);
        read.map_err(|error| {
            let got = quoted(&self.games);
            Failure::Usage(format!("expected a file or moves, got {got}: {error}"))
        })
    }
}
