//! The board in a browser: a server of one page, of JSON about games and positions, and of
//! the protocol over WebSockets. `protocol.md` describes the last two for other clients.
//!
//! ```text
//! assets      the files of the page, embedded in the program
//! api         JSON over HTTP, one file a subject
//! error       the error of a request, answered as JSON
//! collection  the files of the command line: matches and games
//! shared      what requests share: files, folders, bounded work, the end of the server
//! text        games from texts of any kind
//! connection  accepts connections; bounds their number, their sizes and their time
//! patient     a stream whose writes do not wait for ever
//! guard       refuses requests of others: Host, Origin, the secret, the size of bodies
//! socket      sessions of the protocol over WebSockets
//! pace        the lines of a search, at most 20 a second
//! ```
//!
//! One thread serves all connections, so nothing that it runs may block: work on games and
//! files goes through [`shared::Shared::run`]. The entry point is [`Server`].

mod api;
mod assets;
mod collection;
mod connection;
mod error;
mod guard;
mod pace;
mod patient;
mod shared;
mod socket;
mod text;

use std::io;
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::routing::get;
use axum::{Router, middleware};
use tokio::runtime;

pub(crate) use self::collection::Collection;
use self::guard::Guard;
use self::shared::Shared;
pub(crate) use self::shared::{Content, Ending};

/// Where a server listens, and what it serves.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) content: Content,
    /// The address to listen at, where requests need a secret. Only this machine can connect
    /// to the default, loopback, without one.
    pub(crate) listen: Option<IpAddr>,
    /// The system chooses a free port by default.
    pub(crate) port: Option<u16>,
}

/// A server that listens, and serves once it runs.
#[derive(Debug)]
pub(crate) struct Server {
    listener: TcpListener,
    guard: Arc<Guard>,
    shared: Arc<Shared>,
}

impl Server {
    /// Begins to listen.
    ///
    /// # Errors
    /// If the address or the port cannot be used.
    pub(crate) fn bind(options: Options) -> io::Result<Self> {
        let address = options.listen.unwrap_or(Ipv4Addr::LOCALHOST.into());
        let listener = TcpListener::bind((address, options.port.unwrap_or(0)))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let guard = Arc::new(Guard::new(address, options.listen.is_some()));
        Ok(Self { listener, guard, shared: Arc::new(Shared::new(options.content)) })
    }

    /// The address of the page, with the secret if there is one.
    pub(crate) fn link(&self) -> String {
        self.guard.link()
    }

    /// Ends the server from another thread.
    pub(crate) fn ending(&self) -> Ending {
        self.shared.ending.clone()
    }

    /// Serves until the [`Ending`] begins.
    ///
    /// # Errors
    /// Those of the system when it starts.
    pub(crate) fn run(self) -> io::Result<()> {
        /// How long the end waits for work that cannot be stopped.
        const GRACE: Duration = Duration::from_secs(2);
        let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        let shared = self.shared;
        let routes = Router::new()
            .nest("/api", api::routes())
            .route("/engine", get(socket::open))
            .fallback(assets::serve)
            .layer(middleware::from_fn_with_state(self.guard, guard::check))
            .with_state(Arc::clone(&shared));
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            shared.content.collection.follow();
            connection::accept(listener, routes, &shared.ending).await;
            shared.sessions_end().await;
            Ok(())
        });
        runtime.shutdown_timeout(GRACE);
        served
    }
}
