//! `kalah serve`: the board in a browser.

use std::io::Write;
use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;

use super::engines::growing_engine;
use super::failure::Failure;
use super::play::games_folder;
use kalah_serve::{
    Collection, DEFAULT_PORT, ServedContent, Server, ServerOptions, outward_address,
};
use kalah_terminal::signals::on_signal;
use kalah_text::names::shortened;
use kalah_text::typed::number;

/// Play, analyse, learn and watch matches on a page in your browser
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalah serve --open                       open the board in your browser
  kalah serve match.jsonl                  also watch a match, even while it is being played
  kalah serve --port 0                     on any free port
  kalah serve --phone                      play on a phone in the same network
  kalah serve --listen 192.168.1.5         let other machines connect with the printed link

The page stays at the printed address until you press Ctrl-C. Your settings and your progress are
kept, like your games, in the folder of 'kalah play', so that they do not depend on the address.
Only this machine can open the page, unless --phone or --listen is given; other machines then need
the secret in the link. protocol.md describes how other programs can use the server.")]
pub(super) struct ServeArgs {
    /// Match files to watch, even while they are being played, and game files (JSON lines or .kgn)
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Listen on port N; 0 for any free one [default: 8464, or the next free one]
    #[arg(long, value_name = "N", value_parser = number::<u16>(0..=65_535))]
    port: Option<u16>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Listen on this IP address instead of 127.0.0.1; the page then needs the secret in the
    /// printed link
    #[arg(long, value_name = "ADDRESS", value_parser = ip_address)]
    listen: Option<IpAddr>,
    /// Listen on this machine's address in its network, and also print the link as a QR code
    #[arg(long, conflicts_with = "listen")]
    phone: bool,
    /// Save games, settings and progress in DIR instead of the default folder
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// Do not save games, settings and progress
    #[arg(long, conflicts_with = "games")]
    no_save: bool,
}

fn ip_address(text: &str) -> Result<IpAddr, String> {
    let expected = "expected an IP address such as 192.168.1.5";
    text.parse().map_err(|_| format!("{expected}, got '{}'", shortened(text)))
}

impl ServeArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let content = ServedContent {
            collection: Collection::open(&self.files)?.into(),
            games: games_folder(self.games.as_deref(), self.no_save),
        };
        let engine = growing_engine()?;
        engine.require_address_space()?;
        let listen = if self.phone {
            let message =
                "this machine has no network address: connect it to a network, or use --listen";
            Some(outward_address().ok_or_else(|| Failure::work(message))?)
        } else {
            self.listen
        };
        let options = ServerOptions { content, engine, listen, port: self.port };
        let server = Server::bind(options).map_err(|error| {
            let port = self.port.map_or(String::new(), |port| format!(", port {port}"));
            let address = listen.map_or("127.0.0.1".to_owned(), |address| address.to_string());
            Failure::work(format!("cannot listen on {address}{port}: {error}"))
        })?;
        let port = server.port();
        if self.port.is_none() && port != DEFAULT_PORT {
            log::warn!("port {DEFAULT_PORT} is in use; the page is on port {port} this time");
        }
        let ending = server.ending();
        // The first signal begins shutdown; a second one ends the process at once.
        on_signal(move || !ending.begin());
        let link = server.link();
        // Printed first, because starting a browser may fail.
        writeln!(out, "The board is at {link}")?;
        if self.phone {
            write_code(&link, out)?;
        }
        writeln!(out, "Press Ctrl-C to stop.")?;
        out.flush()?;
        if self.open
            && let Err(error) = open::that_detached(&link)
        {
            log::warn!("no browser could be started: {error}");
        }
        server.run().map_err(|error| Failure::work(format!("cannot serve: {error}")))
    }
}

/// Writes the link as a QR code, with what it opens.
fn write_code(link: &str, out: &mut dyn Write) -> Result<(), Failure> {
    let code = QrCode::new(link).map_err(Failure::work)?;
    // Its light squares are drawn, so it is not inverted on a dark terminal. Phones read both.
    let drawn =
        code.render::<Dense1x2>().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build();
    writeln!(out, "{drawn}")?;
    writeln!(
        out,
        "Whoever has this link and is in the same network can play here, and can read and change\n\
         your saved games. The connection is not encrypted."
    )?;
    Ok(())
}
