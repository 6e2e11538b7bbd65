//! `kalah kgp`: plays on a server of the Kalah Game Protocol.

use std::env::VarError;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::arguments::{ThreadArgs, output_file};
use super::failure::Failure;
use kalah_engine::Engine;
use kalah_kgp::client::{Address, Client, ClientPlan, PORTS};
use kalah_kgp::report::ClientReport;
use kalah_kgp::setup::{ClientSetup, Token, short_text};
use kalah_terminal::signals::on_interrupt;
use kalah_text::foreign::Escaping;
use kalah_text::typed::{PlainNumber, duration, number};

/// The longest time per move: a day.
const MAX_TIME: Duration = Duration::from_secs(86_400);

/// Play on a Kalah Game Protocol server
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalah kgp                                        play on a server on this machine
  kalah kgp --url wss://kalah.example/socket --token-file token --games 10
  kalah kgp --host kalah.example --time 2s --transcript lines.txt

Without --host, --port and --url, the server is read from the environment variables
KGP_HOST (HOST, HOST:PORT, or a ws:// or wss:// address) and KGP_PORT; the default is
localhost:2671. The client always plays South.")]
pub(super) struct KgpArgs {
    /// Host name of a TCP server, or the address of a WebSocket server
    #[arg(long)]
    host: Option<String>,
    /// Port of a TCP server
    #[arg(long, value_parser = number::<u16>(PORTS))]
    port: Option<u16>,
    /// Address of a WebSocket server, ws://… or, in programs built with the feature 'tls', wss://…
    #[arg(long, conflicts_with_all = ["host", "port"], value_parser = Address::web_socket)]
    url: Option<Address>,
    /// Name shown in the server's tables [default: kalah and its version]
    #[arg(long, value_parser = short_text)]
    name: Option<String>,
    /// Authors shown in the server's tables
    #[arg(long, value_parser = short_text)]
    authors: Option<String>,
    /// File with the secret token by which the server recognises the client
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Time limit per move (2s, 500ms, or a number of seconds), including the overhead
    /// [default: the server's, or 5s]
    #[arg(long, value_name = "TIME",
          value_parser = duration(PlainNumber::Seconds, Duration::ZERO..=MAX_TIME))]
    time: Option<Duration>,
    /// Time lost between client and server for each move
    #[arg(long, value_name = "TIME", default_value = "200ms",
          value_parser = duration(PlainNumber::Seconds, Duration::ZERO..=MAX_TIME))]
    overhead: Duration,
    /// Exit after N games [default: never]
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..))]
    games: Option<u64>,
    /// Give up after more than N consecutive failed connections
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number::<u32>(0..=1_000_000))]
    retries: u32,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = Engine::DEFAULT_HASH as u32,
          value_parser = number::<u32>(1..=1 << 20))]
    hash: u32,
    /// Append all lines of the session to FILE, without the token
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    transcript: Option<PathBuf>,
}

impl KgpArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let address = self.address()?;
        let setup = self.setup()?;
        let plan = ClientPlan { address, setup, retries: self.retries };
        let address = plan.address.to_string();
        let mut report = ClientReport::new(address, self.transcript.as_deref())?;
        let mut engine = Engine::with_cached_tables(Engine::DEFAULT_HASH)?;
        engine.set_option("Hash", &self.hash.to_string()).map_err(Failure::usage)?;
        engine.settings_mut().threads = self.threads.count();
        // The session has already subtracted the overhead from the limits of a search.
        engine.settings_mut().overhead = Duration::ZERO;
        let mut client = Client::new(plan, engine)?;
        let leave = client.leave();
        let flag = leave.flag.clone();
        on_interrupt(flag.clone(), move || {
            // The client says goodbye and ends; a second signal ends the process at once.
            leave.wake();
            false
        });
        let errors = &mut Escaping(io::stderr());
        let done = client.run(&mut |event| report.show(event, out, errors));
        if let Some(summary) = report.summary(client.progress().answers) {
            // Printed before the error, if there is one: the games played until then count.
            writeln!(out, "{summary}")?;
        }
        done?;
        if flag.is_raised() {
            return Err(Failure::Interrupted("interrupted".to_owned()));
        }
        Ok(())
    }

    fn address(&self) -> Result<Address, Failure> {
        if let Some(address) = &self.url {
            return Ok(address.clone());
        }
        // Host and port of one server: a host from the environment, which tournaments set, must not
        // be combined with a port from the arguments.
        let is_given = self.host.is_some() || self.port.is_some();
        let name = if is_given { "--host" } else { "KGP_HOST" };
        let host = if is_given { self.host.clone() } else { variable(name)? };
        let port = if is_given { self.port } else { port_from_environment()? };
        Address::new(host.as_deref(), port).map_err(|error| Failure::wrong(name, error))
    }

    fn setup(&self) -> Result<ClientSetup, Failure> {
        let default = ClientSetup::default();
        if let Some(time) = self.time.filter(|&time| time <= self.overhead) {
            let time = time.as_secs_f64();
            let overhead = self.overhead.as_secs_f64();
            let fault = format!("expected more than the overhead of {overhead} s, got {time} s");
            return Err(Failure::wrong("--time", fault));
        }
        let token = match &self.token_file {
            Some(file) => Some(Token::read(file).map_err(Failure::work)?),
            None => None,
        };
        Ok(ClientSetup {
            name: self.name.clone().unwrap_or(default.name),
            authors: self.authors.clone().unwrap_or(default.authors),
            token,
            time: self.time,
            overhead: self.overhead,
            games: self.games,
        })
    }
}

fn port_from_environment() -> Result<Option<u16>, Failure> {
    let Some(port) = variable("KGP_PORT")? else { return Ok(None) };
    number(PORTS)(&port).map(Some).map_err(|error| Failure::wrong("KGP_PORT", error))
}

/// The value of an environment variable, unless it is empty.
fn variable(name: &str) -> Result<Option<String>, Failure> {
    match std::env::var(name) {
        Ok(value) => Ok(Some(value).filter(|value| !value.is_empty())),
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(_)) => Err(Failure::wrong(name, "expected UTF-8 text")),
    }
}
