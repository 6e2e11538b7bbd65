//! The guard in front of all routes. It refuses requests from other pages and from unknown clients,
//! bounds the size and the time of bodies, and forbids in every response what the page does not
//! need.
//!
//! Any page that is open in a browser can send requests to this machine. Three checks keep them
//! out. `Host` must be a name of this server, so that a foreign name that resolves to this
//! machine is refused (DNS rebinding). `Origin`, which browsers add to requests from other pages
//! and to WebSockets, must be this server. `Sec-Fetch-Site` must be `same-origin` or `none`.
//! Clients that are not browsers need not send the last two. A body must also be declared as JSON:
//! for that, browsers too old for these headers first ask for permission, which is never given.

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

use crate::refusal::Refusal;
use crate::unverified::ConnectionStatus;

/// The maximum size of a request's body in bytes.
pub(crate) const MAX_BODY: usize = 1 << 20;

/// How long a body may take to arrive.
const MAX_BODY_TIME: Duration = Duration::from_secs(10);

/// What a page may load and do.
static PAGE_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

/// The policy of all other responses, which are never opened as pages. It is short because the
/// views take nearly a hundred of them.
static DATA_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

/// The headers added to every response besides its policy.
static HEADERS: [(HeaderName, HeaderValue); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// Isolates a page from windows of other origins. Browsers ignore it on anything but documents.
static PAGE_HEADER: (HeaderName, HeaderValue) = (
    HeaderName::from_static("cross-origin-opener-policy"),
    HeaderValue::from_static("same-origin"),
);

/// What the guard compares requests with.
#[derive(Debug)]
pub(crate) struct RequestGuard {
    address: SocketAddr,
    /// 128 random bits in hexadecimal digits; none if requests need no secret.
    secret: Option<String>,
}

/// How a request that is not refused is handled.
#[derive(Debug, PartialEq, Eq)]
enum Admission {
    Serve,
    /// The request has the secret of the link; the response stores it in a cookie.
    Exchange,
}

/// Refuses a request or passes it on.
pub(crate) async fn check(
    State(guard): State<Arc<RequestGuard>>,
    request: Request,
    next: Next,
) -> Response {
    let admission = guard.admit(request.method(), request.uri(), request.headers());
    if admission.is_ok()
        && let Some(connection) = request.extensions().get::<Arc<ConnectionStatus>>()
    {
        connection.verify();
    }
    let mut response = match admission {
        Err(error) => error.into_response(),
        Ok(Admission::Exchange) => guard.exchange(),
        Ok(Admission::Serve) => match with_whole_body(request).await {
            Ok(request) => next.run(request).await,
            Err(error) => error.into_response(),
        },
    };
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_page = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    // After a 304, the browser applies the policy that it stored with the file.
    if response.status() != StatusCode::NOT_MODIFIED {
        let policy = if is_page { &PAGE_POLICY } else { &DATA_POLICY };
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy.clone());
    }
    response.headers_mut().extend(HEADERS.iter().cloned());
    if is_page {
        response.headers_mut().extend([PAGE_HEADER.clone()]);
    }
    response
}

fn too_large() -> Refusal {
    let message = format!("request body too large (limit {MAX_BODY} bytes)");
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}

/// The request once its body has arrived.
async fn with_whole_body(request: Request) -> Result<Request, Refusal> {
    let declared = request.headers().get(header::CONTENT_LENGTH);
    let length = declared.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if length.is_some_and(|length| length > MAX_BODY) {
        return Err(too_large());
    }
    let (head, body) = request.into_parts();
    let is_declared = ![Method::POST, Method::PUT].contains(&head.method) || is_json(&head.headers);
    match timeout(MAX_BODY_TIME, to_bytes(body, MAX_BODY)).await {
        Ok(Ok(bytes)) if is_declared => Ok(Request::from_parts(head, Body::from(bytes))),
        Ok(Ok(_)) => {
            let message = "the Content-Type of a body must be application/json";
            Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message))
        }
        // The connection may also have been lost, but then the answer does not matter.
        Ok(Err(_)) => Err(too_large()),
        Err(_) => {
            let seconds = MAX_BODY_TIME.as_secs();
            let message = format!("the request body did not arrive within {seconds} s");
            Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, message))
        }
    }
}

impl RequestGuard {
    pub(crate) fn new(address: SocketAddr, needs_secret: bool) -> Self {
        let secret =
            if needs_secret { Some(format!("{:032x}", rand::random::<u128>())) } else { None };
        Self { address, secret }
    }

    /// The port of the address.
    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// The link that people open.
    pub(crate) fn link(&self) -> String {
        let mut address = self.address;
        // A server can listen on 0.0.0.0, but a link to it would not work from other machines.
        if address.ip().is_unspecified() {
            address.set_ip(outward_address().unwrap_or(Ipv4Addr::LOCALHOST.into()));
        }
        match &self.secret {
            Some(secret) => format!("http://{address}/?secret={secret}"),
            None => format!("http://{address}/"),
        }
    }

    fn admit(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<Admission, Refusal> {
        let host = single(headers, &header::HOST).unwrap_or_default();
        // The request line may name a host, too, as in requests to a proxy.
        let is_named = uri.authority().is_none_or(|authority| self.is_own(authority.as_str()));
        if !is_named || !self.is_own(host) {
            let message = "unexpected Host header: it must name this server";
            return Err(Refusal::new(StatusCode::MISDIRECTED_REQUEST, message));
        }
        let path = uri.path();
        let is_page = !["/api", "/engine"].iter().any(|start| path.starts_with(start));
        let is_visit = *method == Method::GET && is_page;
        // A link on another page may open the board in a tab, but not in a frame, and may not reach
        // the API.
        if is_from_elsewhere(host, headers) && !(is_visit && is_navigation(headers)) {
            let message = "cross-origin request refused";
            return Err(Refusal::new(StatusCode::FORBIDDEN, message));
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
            let message = "no secret: open the link that 'kalah serve' printed";
            Err(Refusal::new(StatusCode::FORBIDDEN, message))
        }
    }

    /// Whether a `Host` names this server. The port is ignored, so that a forwarded port works.
    /// That is safe: foreign pages have foreign names, and the check of `Origin` includes the
    /// port.
    fn is_own(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else { return false };
        // `Authority` accepts a user name before the host, which a `Host` never has.
        if host.contains('@') {
            return false;
        }
        let own = self.address.ip();
        let name = authority.host();
        match name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
            // Unlike a name, an IP address cannot be made to resolve to this machine.
            Ok(ip) => ip == own || own.is_unspecified(),
            Err(_) => {
                let is_local = own.is_loopback() || own.is_unspecified();
                is_local && name.eq_ignore_ascii_case("localhost")
            }
        }
    }

    /// Browsers share the cookies of a host between all of its ports.
    fn cookie_name(&self) -> String {
        format!("kalah-{}", self.address.port())
    }

    /// Exchanges the secret of the link for a cookie. The response is a page that opens the
    /// board, not a redirect: browsers attribute a redirected request to the page that had the
    /// link, and leave out the `SameSite=Strict` cookie.
    fn exchange(&self) -> Response {
        let secret = self.secret.as_deref().unwrap_or_default();
        let cookie = format!("{}={secret}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name());
        let headers = [(header::SET_COOKIE, cookie), (header::CACHE_CONTROL, "no-store".into())];
        let page = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Kalah</title>\
                    <meta http-equiv=\"refresh\" content=\"0;url=/\">\
                    <p><a href=\"/\">Open the board</a></p></html>\n";
        (headers, Html(page)).into_response()
    }
}

/// The value of a header; none unless it occurs exactly once.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok();
    value.filter(|_| values.next().is_none())
}

/// Whether the body is declared as JSON, with or without parameters such as a charset.
fn is_json(headers: &HeaderMap) -> bool {
    let declared = single(headers, &header::CONTENT_TYPE).unwrap_or_default();
    let essence = declared.split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("application/json")
}

/// Whether a browser reports that the request comes from a page other than ours at `host`.
fn is_from_elsewhere(host: &str, headers: &HeaderMap) -> bool {
    let own = format!("http://{host}");
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let mut sites = headers.get_all("sec-fetch-site").iter();
    // `all` holds without these headers, which only browsers have to send.
    !origins.all(|origin| origin.as_bytes().eq_ignore_ascii_case(own.as_bytes()))
        || !sites.all(|site| site == "same-origin" || site == "none")
}

/// Whether the request opens a page in a window or tab, as following a link does.
fn is_navigation(headers: &HeaderMap) -> bool {
    single(headers, &HeaderName::from_static("sec-fetch-mode")) == Some("navigate")
        && single(headers, &HeaderName::from_static("sec-fetch-dest")) == Some("document")
}

/// Compares in constant time, so that timing does not reveal how much of a guess is right.
fn is_same(given: &str, secret: &str) -> bool {
    let pairs = given.bytes().zip(secret.bytes());
    given.len() == secret.len() && pairs.fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

/// The address of this machine on its network, if it is in one. Connecting a UDP socket sends no packet.
pub fn outward_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address reserved for documentation (RFC 5737): only the route to it matters.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    Some(socket.local_addr().ok()?.ip())
}
