//! The guard before all routes: requests that other pages cause and requests of strangers
//! are refused, bodies are bounded in size and time, and every answer forbids what the page
//! does not need.
//!
//! Any page that a browser shows can send requests to this machine. Three checks keep them
//! out: the `Host` must be a name of this server, so that no foreign name that is pointed
//! here works (DNS rebinding); the `Origin`, which browsers add to what other pages send
//! and to WebSockets, must be this server, and so must `Sec-Fetch-Site`. Clients that are
//! not browsers need not send the last two.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use tokio::time::timeout;

use super::error::ApiError;

/// Bytes of a request's body.
const MAX_BODY: usize = 1 << 20;

/// How long a body may take to arrive.
const MAX_BODY_TIME: Duration = Duration::from_secs(10);

/// The headers of every answer.
static HEADERS: [(HeaderName, HeaderValue); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
             connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
    ),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// What the guard compares requests with.
#[derive(Debug)]
pub(super) struct Guard {
    address: SocketAddr,
    /// 128 random bits in hexadecimal digits, if requests need them.
    secret: Option<String>,
}

/// What becomes of a request that is not refused.
#[derive(Debug, PartialEq, Eq)]
enum Admission {
    Serve,
    /// It has the secret of the link, which is kept in a cookie from now on.
    Exchange,
}

/// Refuses a request or passes it on.
pub(super) async fn check(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match guard.admit(request.method(), request.uri(), request.headers()) {
        Err(error) => error.into_response(),
        Ok(Admission::Exchange) => guard.exchange(),
        Ok(Admission::Serve) => match with_whole_body(request).await {
            Ok(request) => next.run(request).await,
            Err(error) => error.into_response(),
        },
    };
    response.headers_mut().extend(HEADERS.iter().cloned());
    response
}

fn too_large() -> ApiError {
    let message = format!("expected a body of at most {MAX_BODY} bytes, got more");
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}

/// The request once its body has arrived.
async fn with_whole_body(request: Request) -> Result<Request, ApiError> {
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if length.is_some_and(|length| length > MAX_BODY) {
        return Err(too_large());
    }
    let (head, body) = request.into_parts();
    match timeout(MAX_BODY_TIME, to_bytes(body, MAX_BODY)).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(head, Body::from(bytes))),
        // Also if the connection was lost, but then nobody reads the answer.
        Ok(Err(_)) => Err(too_large()),
        Err(_) => {
            let message = format!("expected the body within {} s", MAX_BODY_TIME.as_secs());
            Err(ApiError::new(StatusCode::REQUEST_TIMEOUT, message))
        }
    }
}

impl Guard {
    pub(super) fn new(address: SocketAddr, needs_secret: bool) -> Self {
        let secret = needs_secret.then(|| format!("{:032x}", rand::random::<u128>()));
        Self { address, secret }
    }

    /// The address of the page for people.
    pub(super) fn link(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(outward_address().unwrap_or(Ipv4Addr::LOCALHOST.into()));
        }
        match &self.secret {
            Some(secret) => format!("http://{address}/?secret={secret}"),
            None => format!("http://{address}/"),
        }
    }

    fn admit(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<Admission, ApiError> {
        let host = single(headers, &header::HOST).unwrap_or_default();
        let is_named = uri.authority().is_none_or(|authority| self.is_own(authority.as_str()));
        if !is_named || !self.is_own(host) {
            let message = "expected the address of this server as Host, got another";
            return Err(ApiError::new(StatusCode::MISDIRECTED_REQUEST, message));
        }
        let path = uri.path();
        let is_page = !["/api", "/engine"].iter().any(|start| path.starts_with(start));
        let is_visit = *method == Method::GET && is_page;
        if is_from_elsewhere(host, headers) && !(is_visit && is_navigation(headers)) {
            let message = "expected a request of this server's own page, got one of another";
            return Err(ApiError::new(StatusCode::FORBIDDEN, message));
        }
        let Some(secret) = &self.secret else { return Ok(Admission::Serve) };
        let given = uri.query().and_then(|query| query.strip_prefix("secret="));
        if path == "/" && given.is_some_and(|given| is_same(given, secret)) {
            return Ok(Admission::Exchange);
        }
        let name = self.cookie_name();
        let mut cookies = headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|cookies| cookies.to_str().ok())
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().strip_prefix(&name)?.strip_prefix('='));
        if cookies.any(|cookie| is_same(cookie, secret)) {
            Ok(Admission::Serve)
        } else {
            let message = "expected the secret of the link that 'kalah serve' has printed";
            Err(ApiError::new(StatusCode::FORBIDDEN, message))
        }
    }

    /// Whether a `Host` names this server. The port does not matter, so that a forwarded one
    /// can be used: foreign pages have foreign names, and `Origin` has the port.
    fn is_own(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else { return false };
        if host.contains('@') {
            return false;
        }
        let own = self.address.ip();
        let name = authority.host();
        match name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
            // A number cannot be pointed elsewhere.
            Ok(ip) => ip == own || own.is_unspecified(),
            Err(_) => {
                let is_local = own.is_loopback() || own.is_unspecified();
                is_local && name.eq_ignore_ascii_case("localhost")
            }
        }
    }

    /// Cookies of one machine are the same for all ports.
    fn cookie_name(&self) -> String {
        format!("kalah-{}", self.address.port())
    }

    /// Exchanges the secret of the link for a cookie. The page is then opened from here and
    /// not by a redirection, because browsers count that as a request of the page with the
    /// link and leave the cookie out.
    fn exchange(&self) -> Response {
        let secret = self.secret.as_deref().unwrap_or_default();
        let cookie = format!("{}={secret}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name());
        let headers = [(header::SET_COOKIE, cookie), (header::CACHE_CONTROL, "no-store".into())];
        let page = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Kalah</title>\
                    <meta http-equiv=\"refresh\" content=\"0;url=/\">\
                    <p><a href=\"/\">To the board</a></p></html>\n";
        (headers, Html(page)).into_response()
    }
}

/// The value of a header that occurs once.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok();
    value.filter(|_| values.next().is_none())
}

/// Whether a browser says that the request comes from another page than ours at `host`.
fn is_from_elsewhere(host: &str, headers: &HeaderMap) -> bool {
    let own = format!("http://{host}");
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let mut sites = headers.get_all("sec-fetch-site").iter();
    !origins.all(|origin| origin.as_bytes().eq_ignore_ascii_case(own.as_bytes()))
        || !sites.all(|site| site == "same-origin" || site == "none")
}

/// Whether the request opens a page in a window of its own, as a link does.
fn is_navigation(headers: &HeaderMap) -> bool {
    single(headers, &HeaderName::from_static("sec-fetch-mode")) == Some("navigate")
        && single(headers, &HeaderName::from_static("sec-fetch-dest")) == Some("document")
}

/// Compares in a time that does not tell how much is the same.
fn is_same(given: &str, secret: &str) -> bool {
    let pairs = given.bytes().zip(secret.bytes());
    given.len() == secret.len() && pairs.fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

/// The address of this machine in its network. Connecting such a socket sends nothing.
fn outward_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address of the documentation, RFC 5737: only its route matters.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    Some(socket.local_addr().ok()?.ip())
}
