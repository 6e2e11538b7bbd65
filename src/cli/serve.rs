//! `kalah serve`: the board in a browser.

use std::io::Write;
use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::arguments::{PORTS, number};
use super::failure::Failure;
use super::output::on_signal;
use super::play::games_folder;
use crate::serve::{Collection, Content, Options, Server};

/// Play, analyse, learn and watch matches on a page in your browser
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  kalah serve --open                       open the board in your browser
  kalah serve match.jsonl                  also watch a match, even while it is played
  kalah serve --port 8000                  always at the same address
  kalah serve --listen 192.168.1.5         let other machines connect with the printed link

The page is at the printed address until Ctrl-C. Only this machine can open it unless --listen is
given, and other machines then need the secret in the link. Games are saved where 'kalah play' saves
them. protocol.md describes how other programs can use the server.")]
pub(super) struct Args {
    /// Files of matches to watch, even while they are played, and of games in JSON lines or .kgn
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Listen at port N instead of a free one
    #[arg(long, value_name = "N", value_parser = number::<u16>(PORTS))]
    port: Option<u16>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Listen at this IP address instead of 127.0.0.1; the page then needs the secret in the
    /// printed link
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<IpAddr>,
    /// Save games in DIR instead of the default folder
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// Do not save games
    #[arg(long, conflicts_with = "games")]
    no_save: bool,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let content = Content {
            collection: Collection::open(&self.files)?.into(),
            games: games_folder(self.games.as_deref(), self.no_save),
        };
        let options = Options { content, listen: self.listen, port: self.port };
        let server = Server::bind(options).map_err(|error| {
            let port = self.port.map_or(String::new(), |port| format!(", port {port}"));
            let address = self.listen.map_or("127.0.0.1".to_owned(), |address| address.to_string());
            Failure::work(format!("cannot listen at {address}{port}: {error}"))
        })?;
        let ending = server.ending();
        on_signal(move || !ending.begin());
        let link = server.link();
        writeln!(out, "The board is at {link}\nPress Ctrl-C to stop.")?;
        out.flush()?;
        if self.open
            && let Err(error) = open::that_detached(&link)
        {
            log::warn!("no browser could be started: {error}");
        }
        server.run().map_err(|error| Failure::work(format!("cannot serve: {error}")))
    }
}
