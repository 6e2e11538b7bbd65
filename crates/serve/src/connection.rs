//! Accepts connections. Their number is bounded, and so are the size of a request's head and
//! the time it may take to arrive.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutWriter;

use crate::state::Ending;
use crate::unverified::{ConnectionStatus, UnverifiedConnections};

/// The maximum number of open connections. Further ones wait in the system's queue.
const MAX_CONNECTIONS: usize = 256;

/// How long a connection may wait for the head of its next request.
const MAX_HEAD_TIME: Duration = Duration::from_secs(10);

/// The maximum size of a request's head in bytes.
const MAX_HEAD: usize = 32 << 10;

/// How long a write may wait for the client to read: one that does not read must not hold its
/// connection forever.
const MAX_STALL: Duration = Duration::from_secs(10);

/// How long shutdown waits for responses that have begun.
const GRACE: Duration = Duration::from_secs(1);

/// Serves connections until shutdown begins; those that are open then get a moment to finish.
pub(crate) async fn accept(listener: TcpListener, routes: Router, ending: &Ending) {
    let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let unverified = Arc::new(UnverifiedConnections::default());
    loop {
        let next = async {
            // The permit comes first, so that connections beyond the maximum stay in the system's
            // queue.
            let permit = Arc::clone(&connections).acquire_owned().await.ok();
            (listener.accept().await, permit)
        };
        tokio::select! {
            () = ending.wait() => break,
            (accepted, permit) = next => match accepted {
                Ok((stream, _)) => {
                    let routes = routes.clone();
                    let unverified = Arc::clone(&unverified);
                    let ending = ending.clone();
                    let status = unverified.add();
                    tokio::spawn(async move {
                        tokio::select! {
                            () = serve(stream, routes, Arc::clone(&status), &ending) => (),
                            () = status.evicted() => (),
                        }
                        unverified.remove(&status);
                        drop(permit);
                    });
                }
                Err(error) => {
                    log::warn!("cannot accept a connection: {error}");
                    // File descriptors may have run out, for example: an immediate retry would
                    // fail again, and the loop would use a whole processor.
                    sleep(Duration::from_millis(100)).await;
                }
            },
        }
    }
    let closed = connections.acquire_many(MAX_CONNECTIONS as u32);
    // Connections that are still open are closed when the runtime ends.
    let _ = timeout(GRACE, closed).await;
}

async fn serve(stream: TcpStream, routes: Router, status: Arc<ConnectionStatus>, ending: &Ending) {
    // Messages are small and must arrive immediately. A failure costs only time.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutWriter::new(stream);
    stream.set_timeout(Some(MAX_STALL));
    let routes = TowerToHyperService::new(routes);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        // The guard marks the connection as verified once it accepts a request.
        request.extensions_mut().insert(Arc::clone(&status));
        let answered = routes.call(request);
        async move { Ok::<Response, Infallible>(answered.await.unwrap_or_else(|never| match never {})) }
    });
    let mut connection = pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(MAX_HEAD_TIME)
            .max_buf_size(MAX_HEAD)
            .serve_connection(TokioIo::new(Box::pin(stream)), service)
            .with_upgrades()
    );
    let served = tokio::select! {
        served = connection.as_mut() => served,
        () = ending.wait() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = served {
        log::debug!("a connection failed: {error}");
    }
}
