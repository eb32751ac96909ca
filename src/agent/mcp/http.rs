//! The protocol over HTTP on this machine: many trials behind one port, each with a token of its own.
//!
//! A request says which trial it means by the token, in its path or as its bearer token; without one it is refused, and so are
//! requests whose `Host` or `Origin` is another (a page in a browser could send them). Nothing is kept between requests.

use super::MAX_MESSAGE;
use super::endpoint::Endpoint;
use super::handler::Handler;
use super::token::{Fingerprint, Token};
use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::Value;
use std::collections::HashMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// Where trials are, before their tokens.
const PATH: &str = "/mcp";
/// A longer message is no cancellation.
const MAX_CANCELLATION: usize = 64 << 10;
/// How long open answers may take once the server is to stop.
const GRACE: Duration = Duration::from_millis(500);

type Service = StreamableHttpService<Handler, NeverSessionManager>;

/// The server. It stops when this is dropped.
#[derive(Debug)]
pub struct HttpServer {
    address: SocketAddr,
    doors: Arc<Doors>,
    stop: CancellationToken,
    thread: Option<JoinHandle<()>>,
}

/// Where a trial can be reached.
#[derive(Debug)]
pub struct HttpDoor {
    /// The URL, with the token in it.
    pub url: String,
    token: Token,
}

struct Doors {
    config: StreamableHttpServerConfig,
    open: Mutex<HashMap<Fingerprint, (Service, Endpoint)>>,
    last: Mutex<Instant>,
}

impl HttpDoor {
    /// The token. It is a secret: it opens the trial.
    pub fn token(&self) -> &str {
        self.token.as_str()
    }
}

impl HttpServer {
    /// Listens on a port of this machine; 0 takes a free one.
    ///
    /// # Errors
    /// The port is taken, or the system refuses.
    pub fn start(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let stop = CancellationToken::new();
        let own = |host: &str| format!("http://{host}:{}", address.port());
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_sse_retry(None)
            .with_max_request_body_bytes(MAX_MESSAGE)
            .with_allowed_origins([own("127.0.0.1"), own("localhost")])
            .with_cancellation_token(stop.clone());
        let doors = Arc::new(Doors { config, open: Mutex::default(), last: Mutex::new(Instant::now()) });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (served, stopped) = (Arc::clone(&doors), stop.clone());
        let thread = std::thread::Builder::new().name("mcp".to_owned()).spawn(move || {
            // It fails only where the listener does, and then there is nobody to tell but the clients, who notice.
            let _ = runtime.block_on(listen(listener, served, stopped));
            runtime.shutdown_background();
        })?;
        Ok(Self { address, doors, stop, thread: Some(thread) })
    }

    /// Opens a door to a trial.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub fn open(&self, endpoint: Endpoint) -> io::Result<HttpDoor> {
        let token = Token::random()?;
        let handler = Handler(endpoint.clone());
        let service = StreamableHttpService::new(
            move || Ok(handler.clone()),
            Arc::new(NeverSessionManager::default()),
            self.doors.config.clone(),
        );
        let mut open = self.doors.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.insert(token.fingerprint(), (service, endpoint));
        let url = format!("http://{}{PATH}/{}", self.address, token.as_str());
        Ok(HttpDoor { url, token })
    }

    /// How long ago the last request came.
    pub fn quiet(&self) -> Duration {
        self.doors.last.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl std::fmt::Debug for Doors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Doors")
    }
}

async fn listen(listener: TcpListener, doors: Arc<Doors>, stop: CancellationToken) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let router = Router::new().fallback(answer).with_state(doors);
    let stopping = stop.clone();
    let served = axum::serve(listener, router).with_graceful_shutdown(stopping.cancelled_owned());
    tokio::select! {
        ended = async { served.await } => ended,
        () = async { stop.cancelled().await; tokio::time::sleep(GRACE).await } => Ok(()),
    }
}

/// One request: to the trial whose token it has, else refused.
async fn answer(State(doors): State<Arc<Doors>>, request: Request) -> Response {
    let Some(token) = token(request.uri().path(), request.headers()) else {
        let why = "this is a trial's door: the URL must end in its token, or the token be sent as `Authorization: Bearer`";
        return refused(StatusCode::UNAUTHORIZED, why);
    };
    let found = {
        let open = doors.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.get(&token).cloned()
    };
    let Some((service, endpoint)) = found else {
        return refused(StatusCode::UNAUTHORIZED, "there is no trial with this token");
    };
    *doors.last.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, MAX_MESSAGE).await else {
        let why = format!("a message is no longer than {} MiB", MAX_MESSAGE >> 20);
        return refused(StatusCode::PAYLOAD_TOO_LARGE, &why);
    };
    let cancelled = cancelled_request(&body);
    let response = service.handle(Request::from_parts(parts, Body::from(body))).await;
    // Only what was let in may cancel anything: the library looks at `Host` and `Origin`.
    if response.status() == StatusCode::ACCEPTED
        && let Some(id) = cancelled
    {
        endpoint.cancel_request(&id);
    }
    response.map(Body::new).into_response()
}

fn refused(status: StatusCode, why: &str) -> Response {
    (status, [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], format!("{why}\n")).into_response()
}

/// The token of a request. One in the path and another one as bearer are none.
fn token(path: &str, headers: &HeaderMap) -> Option<Fingerprint> {
    let below = path.strip_prefix(PATH)?;
    let in_path = below.trim_matches('/');
    if !below.is_empty() && !below.starts_with('/') {
        return None;
    }
    let header = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bearer = header.and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    match (in_path, bearer) {
        ("", bearer) => bearer.map(Fingerprint::of),
        (in_path, None) => Some(Fingerprint::of(in_path)),
        (in_path, Some(bearer)) => {
            let in_path = Fingerprint::of(in_path);
            (in_path == Fingerprint::of(bearer)).then_some(in_path)
        }
    }
}

/// The request that a message cancels, by its id as JSON. Clients of the protocols before 2026-07-28 cancel by a message of its
/// own, which the library lets pass unheard where there are no sessions.
fn cancelled_request(body: &Bytes) -> Option<String> {
    const METHOD: &str = "notifications/cancelled";
    if body.len() > MAX_CANCELLATION || memchr::memmem::find(body, METHOD.as_bytes()).is_none() {
        return None;
    }
    let message: Value = serde_json::from_slice(body).ok()?;
    let id = message.get("params")?.get("requestId")?;
    (message.get("method")? == METHOD).then(|| id.to_string())
}

#[cfg(test)]
mod tests {
    use super::{Fingerprint, cancelled_request, token};
    use axum::http::{HeaderMap, header};

    #[test]
    fn a_token_is_in_the_path_or_the_bearer_and_never_two_different_ones() {
        let bearer = |value: &str| HeaderMap::from_iter([(header::AUTHORIZATION, value.parse().unwrap())]);
        let none = HeaderMap::new();
        let abc = Some(Fingerprint::of("abc"));
        assert_eq!(token("/mcp/abc", &none), abc);
        assert_eq!(token("/mcp/abc/", &none), abc);
        assert_eq!(token("/mcp", &bearer("Bearer abc")), abc);
        assert_eq!(token("/mcp/", &bearer("bearer abc")), abc);
        assert_eq!(token("/mcp/abc", &bearer("Bearer abc")), abc);
        assert_eq!(token("/mcp/abc", &bearer("Bearer xyz")), None);
        assert_eq!(token("/mcp", &bearer("Basic abc")), None);
        for path in ["/", "/mcp", "/mcpabc", "/abc"] {
            assert_eq!(token(path, &none), None, "{path}");
        }
    }

    #[test]
    fn a_cancellation_is_told_from_a_text_that_names_it() {
        let id = |text: &str| cancelled_request(&text.to_owned().into());
        assert_eq!(id(r#"{"method":"notifications/cancelled","params":{"requestId":7}}"#).unwrap(), "7");
        assert_eq!(
            id(r#"{"method":"notifications/cancelled","params":{"requestId":"a"}}"#).unwrap(),
            "\"a\""
        );
        assert_eq!(
            id(r#"{"method":"tools/call","params":{"requestId":7,"x":"notifications/cancelled"}}"#),
            None
        );
    }
}
