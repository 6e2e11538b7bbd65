//! The events of a client as lines of text, and the transcript of its sessions in a file.

use std::fs::{File, OpenOptions};
use std::io::{self, LineWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::client::ClientEvent;
use super::games::{GameResult, PlayedGame};
use kalah_sys::files::AccessError;
use kalah_text::format::counted;

/// Writes the events of a client, and counts its games.
#[derive(Debug)]
pub struct ClientReport {
    address: String,
    transcript: Option<(PathBuf, LineWriter<File>)>,
    start: Instant,
    has_connected: bool,
    /// The number of games with each [`GameResult`], in its order.
    results: [u64; 4],
}

impl ClientReport {
    /// The report of a client of the server at `address`, with a transcript in a file, if given.
    ///
    /// # Errors
    /// If that file cannot be written.
    pub fn new(address: String, transcript: Option<&Path>) -> Result<Self, AccessError> {
        let transcript = match transcript {
            Some(path) => {
                let file = OpenOptions::new().create(true).append(true).open(path);
                let file = file.map_err(AccessError::writing(path))?;
                // Written line by line, so that the last lines of a killed client can explain its
                // end.
                Some((path.to_owned(), LineWriter::new(file)))
            }
            None => None,
        };
        let start = Instant::now();
        Ok(Self { address, transcript, start, has_connected: false, results: [0; 4] })
    }

    /// Writes an event to `out` or, if a connection is lost, to `errors`.
    ///
    /// # Errors
    /// If it cannot be written to `out` or to the transcript.
    pub fn show(
        &mut self,
        event: ClientEvent<'_>,
        out: &mut dyn Write,
        errors: &mut dyn Write,
    ) -> io::Result<()> {
        match event {
            ClientEvent::Connected => {
                self.has_connected = true;
                writeln!(out, "connected to {}", self.address)?;
            }
            ClientEvent::Lost(reason, pause) => {
                let address = &self.address;
                let pause = pause.as_secs();
                // A closed stderr must not end the game.
                let _ = writeln!(errors, "{address}: {reason}; reconnecting in {pause} s");
            }
            ClientEvent::Received(line) => return self.write_line('<', line),
            ClientEvent::Sent(line) => return self.write_line('>', line),
            ClientEvent::GameOver(game) => self.finish(game, out)?,
        }
        out.flush()
    }

    fn write_line(&mut self, direction: char, line: &str) -> io::Result<()> {
        let Some((path, file)) = &mut self.transcript else { return Ok(()) };
        let time = self.start.elapsed().as_secs_f64();
        // No part of a line from the server may look like another line of the transcript.
        let line = line.replace(char::is_control, " ");
        writeln!(file, "{time:10.3} {direction} {line}")
            .map_err(|error| io::Error::other(AccessError::writing(path)(error)))
    }

    fn finish(&mut self, game: PlayedGame, out: &mut dyn Write) -> io::Result<()> {
        let [won, drawn, lost, unknown] = &mut self.results;
        let (count, result) = match game.result {
            GameResult::Won => (won, "won"),
            GameResult::Drawn => (drawn, "drawn"),
            GameResult::Lost => (lost, "lost"),
            GameResult::Unknown => (unknown, "result unknown"),
        };
        *count = count.saturating_add(1);
        let number: u64 = self.results.iter().sum();
        write!(out, "game {number}: {result}, {}", counted(game.moves, "move"))?;
        if let Some(margin) = game.expected {
            write!(out, ", expected margin {margin}")?;
        }
        writeln!(out)
    }

    /// A line that sums up the sessions, in which `moves` states were answered; none if the client
    /// has never been connected.
    pub fn summary(&self, moves: u64) -> Option<String> {
        if !self.has_connected {
            return None;
        }
        let [won, drawn, lost, unknown] = self.results;
        let games = counted(self.results.iter().sum(), "game");
        let moves = counted(moves, "move");
        Some(format!(
            "{games}, {moves}: {won} won, {drawn} drawn, {lost} lost, {unknown} with unknown result"
        ))
    }
}
