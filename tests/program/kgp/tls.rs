//! `wss://`: certificates.

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::net::TcpListener;
use std::sync::Arc;
use tungstenite::WebSocket;

use super::process::{end, kalah};
use super::server::listen;

/// Accepts a WebSocket over TLS with the certificate of these tests, which no authority
/// has signed.
fn accept_tls(
    listener: &TcpListener,
) -> Option<WebSocket<StreamOwned<ServerConnection, std::net::TcpStream>>> {
    let pem = include_bytes!("localhost.pem");
    let certificate = CertificateDer::from_pem_slice(pem).unwrap();
    let key = PrivateKeyDer::from_pem_slice(pem).unwrap();
    let config = ServerConfig::builder().with_no_client_auth();
    let config = config.with_single_cert(vec![certificate], key).unwrap();
    let connection = ServerConnection::new(Arc::new(config)).unwrap();
    let stream = StreamOwned::new(connection, listener.accept().unwrap().0);
    tungstenite::accept(stream).ok()
}

#[test]
fn certificates_are_verified() {
    let (listener, port) = listen();
    let url = format!("wss://localhost:{port}/socket");
    let arguments = ["--url", &url, "--retries", "0", "--games", "1", "--time", "1"];
    let child = kalah(&arguments).spawn().unwrap();
    assert!(accept_tls(&listener).is_none(), "the client does not trust the server");
    let (_, stderr, code) = end(child);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("certificate"), "{stderr}");

    let trusted = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/kgp/localhost.pem");
    let child = kalah(&arguments).env("SSL_CERT_FILE", trusted).spawn().unwrap();
    let mut socket = accept_tls(&listener).expect("the client trusts the server");
    let mut lines = Vec::new();
    // Two commands in one message, and one without a line end.
    for text in ["2 kgp 1 0 1\r\n4 ping\r\n", "6 state <2,1,0,0,1,0,1>"] {
        socket.send(tungstenite::Message::text(text)).unwrap();
    }
    while let Ok(message) = socket.read() {
        let line = message.into_text().unwrap().to_string();
        if line.contains("yield") {
            socket.send(tungstenite::Message::text("8@6 stop")).unwrap();
        }
        lines.extend(line.strip_suffix("\r\n").map(str::to_owned));
    }
    lines.retain(|line| !line.contains("info:comment"));
    let said: Vec<&str> =
        lines.iter().filter_map(|line| line.split_once(' ')).map(|(_, rest)| rest).collect();
    assert_eq!(said[3..5], ["mode freeplay", "pong"]);
    assert!(said.contains(&"move 2"), "{said:?}");
    assert_eq!(said[said.len() - 2..], ["yield", "goodbye"]);
    assert_eq!(end(child).2, Some(0));
}
