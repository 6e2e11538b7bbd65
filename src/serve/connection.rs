//! Connections: accepted one by one, and bounded in their number, in the size of a
//! request's head and in the time that it takes to arrive.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use super::patient::Patient;
use super::shared::Ending;

/// Connections at the same time. Further ones wait in the system's queue.
const MAX_CONNECTIONS: usize = 256;

/// How long a connection may wait for the head of its next request.
const MAX_HEAD_TIME: Duration = Duration::from_secs(10);

/// Bytes of a request's head.
const MAX_HEAD: usize = 32 << 10;

/// How long the end of the server waits for responses that have begun.
const GRACE: Duration = Duration::from_secs(1);

/// Serves connections until the end of the server begins, and then those that are open for
/// a moment more.
pub(super) async fn accept(listener: TcpListener, routes: Router, ending: &Ending) {
    let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let next = async {
            let permit = Arc::clone(&connections).acquire_owned().await.ok();
            (listener.accept().await, permit)
        };
        tokio::select! {
            () = ending.wait() => break,
            (accepted, permit) = next => match accepted {
                Ok((stream, _)) => {
                    let served = serve(stream, routes.clone(), ending.clone());
                    tokio::spawn(async move {
                        served.await;
                        drop(permit);
                    });
                }
                Err(error) => {
                    log::warn!("cannot accept a connection: {error}");
                    // Files may have run out, for example: another attempt at once is vain.
                    sleep(Duration::from_millis(100)).await;
                }
            },
        }
    }
    let closed = connections.acquire_many(MAX_CONNECTIONS as u32);
    // What is still open is closed by the end of the runtime.
    let _ = timeout(GRACE, closed).await;
}

async fn serve(stream: TcpStream, routes: Router, ending: Ending) {
    // Messages are small and are to arrive at once. A failure costs only time.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(MAX_HEAD_TIME)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(Patient::new(stream)), TowerToHyperService::new(routes))
        .with_upgrades();
    let mut connection = pin!(connection);
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
