//! The board in a browser, over HTTP and WebSocket: hosts `kalah-page`, which answers most
//! requests, and sessions of the protocol. `protocol.md` describes both for other clients.
//!
//! This crate judges no moves and knows no rules. Besides hosting the page, it answers only
//! requests about what a browser without a server lacks: saved games, and the matches and files of
//! games named on its command line.
//!
//! One thread serves all connections, so nothing that it runs may block: work on games and files
//! runs on other threads. The entry point is [`Server`]:
//!
//! ```no_run
//! use kalah_engine::Engine;
//! use kalah_serve::{Collection, ServedContent, Server, ServerOptions};
//!
//! let content = ServedContent { collection: Collection::open(&[])?.into(), games: None };
//! let engine = Engine::with_cached_tables(Engine::DEFAULT_HASH)?;
//! let server = Server::bind(ServerOptions { content, engine, listen: None, port: None })?;
//! println!("{}", server.link());
//! server.run()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! In reading order:
//!
//! ```text
//! connection  accepts connections; bounds their number, their sizes and their time
//! unverified  keeps room for connections that have made an acceptable request
//! guard       refuses foreign requests: Host, Origin, the secret, the size of bodies
//! state       what requests share: files, folders, bounded work, shutdown
//! job         work on a separate thread
//! compression compresses responses
//! refusal     the error of a request as a response
//! assets      the files of the page as responses
//! host        hosts the page: its requests, one at a time where necessary
//! served      the requests that only a server answers
//! saved       saved games
//! collection  the files named on the command line: matches and games
//! files       requests about files of games
//! matches     requests about matches
//! session     sessions of the protocol over WebSockets
//! socket      one WebSocket: its lines, its pings and its end
//! ```

mod assets;
mod collection;
mod compression;
mod connection;
mod files;
mod guard;
mod host;
mod job;
mod matches;
mod refusal;
mod saved;
mod served;
mod session;
mod socket;
mod state;
mod unverified;

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::routing::{any, get};
use axum::{Router, middleware};
use tokio::runtime;

use kalah_engine::Engine;

pub use self::collection::{Collection, CollectionError};
use self::guard::RequestGuard;
pub use self::guard::outward_address;
use self::state::ServerState;
pub use self::state::{Ending, ServedContent};

/// The default port, so that a bookmark of the page works whenever the server runs. It is below
/// the range from which systems choose the ports of outgoing connections, so it is rarely in use.
pub const DEFAULT_PORT: u16 = 8464;

/// Where a server listens, and what it serves.
#[derive(Debug)]
pub struct ServerOptions {
    /// The files and folders.
    pub content: ServedContent,
    /// The prototype of the engines of sessions and judgements: they share its endgame tables,
    /// and each has a transposition table of the same size.
    pub engine: Engine,
    /// The address to listen on; every request then needs the secret of the link. The default,
    /// 127.0.0.1, needs none, because only this machine can connect to it.
    pub listen: Option<IpAddr>,
    /// By default, the first free port from [`DEFAULT_PORT`] upwards; 0 lets the system choose
    /// one.
    pub port: Option<u16>,
}

/// A server that is listening, and serves once it is run.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    guard: Arc<RequestGuard>,
    state: Arc<ServerState>,
}

impl Server {
    /// Begins to listen.
    ///
    /// # Errors
    /// If the address or the port cannot be used.
    pub fn bind(options: ServerOptions) -> io::Result<Self> {
        let ServerOptions { content, engine, listen, port } = options;
        let address = listen.unwrap_or(Ipv4Addr::LOCALHOST.into());
        let listener = match port {
            Some(port) => TcpListener::bind((address, port))?,
            None => bind_free(address, DEFAULT_PORT)?,
        };
        listener.set_nonblocking(true)?;
        let guard = RequestGuard::new(listener.local_addr()?, listen.is_some());
        let state = ServerState::new(content, engine);
        Ok(Self { listener, guard: Arc::new(guard), state: Arc::new(state) })
    }

    /// The port on which the server listens.
    pub fn port(&self) -> u16 {
        self.guard.port()
    }

    /// The address of the page, with the secret if there is one.
    pub fn link(&self) -> String {
        self.guard.link()
    }

    /// Shuts the server down from another thread.
    pub fn ending(&self) -> Ending {
        self.state.ending.clone()
    }

    /// Serves until the [`Ending`] begins.
    ///
    /// # Errors
    /// If the system refuses the runtime or the listener.
    pub fn run(self) -> io::Result<()> {
        /// How long shutdown waits for work that cannot be stopped.
        const GRACE: Duration = Duration::from_secs(2);
        let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        let state = self.state;
        let routes = routes(Arc::clone(&state), self.guard);
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            state.content.collection.follow();
            connection::accept(listener, routes, &state.ending).await;
            state.sessions_end().await;
            Ok(())
        });
        runtime.shutdown_timeout(GRACE);
        served
    }
}

/// Listens on the first port from `first` upwards that is not in use.
fn bind_free(address: IpAddr, first: u16) -> io::Result<TcpListener> {
    /// The maximum number of ports to try before the system chooses one.
    const PORTS: u16 = 100;
    for port in first..first.saturating_add(PORTS) {
        match TcpListener::bind((address, port)) {
            // Windows refuses ports that are reserved.
            Err(error)
                if [ErrorKind::AddrInUse, ErrorKind::PermissionDenied].contains(&error.kind()) => {}
            bound => return bound,
        }
    }
    TcpListener::bind((address, 0))
}

fn routes(state: Arc<ServerState>, guard: Arc<RequestGuard>) -> Router {
    Router::new()
        .route("/api/{*rest}", any(host::answer))
        .route("/engine", get(session::open))
        .fallback(assets::serve)
        // The last layer is the outermost: the guard comes before all other work on a request.
        .layer(middleware::from_fn(compression::compress))
        .layer(middleware::from_fn_with_state(guard, guard::check))
        .with_state(state)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_in_use_is_followed_by_the_next_free_one() {
        let address = IpAddr::from(Ipv4Addr::LOCALHOST);
        let taken = TcpListener::bind((address, 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        let next = bind_free(address, port).unwrap().local_addr().unwrap().port();
        assert_ne!(next, port);
        drop(taken);
        assert_eq!(bind_free(address, port).unwrap().local_addr().unwrap().port(), port);
    }
}
