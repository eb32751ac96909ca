//! A server that plays scripts: what it answers, how fast, and how it breaks, is up to the test.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// A request that came.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: serde_json::Value,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
    }
}

/// How the body goes out.
#[derive(Debug, Clone)]
pub(crate) enum Manner {
    /// With its length.
    Whole,
    /// In chunks that end at these bytes.
    Chunks(Vec<usize>),
    /// With its length, and so many bytes of it; then the connection is closed.
    CutAt(usize),
    /// So many bytes of it; then nothing, until the other side goes away.
    HangAt(usize),
}

/// What is answered.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) manner: Manner,
}

impl Reply {
    pub(crate) fn new(status: u16, kind: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("content-type".to_owned(), kind.to_owned())];
        Self { status, headers, body: body.into(), manner: Manner::Whole }
    }

    pub(crate) fn json(status: u16, body: &serde_json::Value) -> Self {
        Self::new(status, "application/json", body.to_string())
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn manner(mut self, manner: Manner) -> Self {
        self.manner = manner;
        self
    }
}

type Play = dyn Fn(usize, &Request) -> Reply + Send + Sync;

struct Shared {
    play: Box<Play>,
    requests: Mutex<Vec<Request>>,
    came: Condvar,
    count: AtomicUsize,
    over: AtomicBool,
}

/// The server. It ends when it is dropped.
pub(crate) struct Server {
    pub(crate) url: String,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Answers the requests one after another, numbered from 0.
    pub(crate) fn playing(play: impl Fn(usize, &Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::new(Shared {
            play: Box::new(play),
            requests: Mutex::default(),
            came: Condvar::new(),
            count: AtomicUsize::new(0),
            over: AtomicBool::new(false),
        });
        let for_thread = Arc::clone(&shared);
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if for_thread.over.load(Ordering::SeqCst) {
                    break;
                }
                let shared = Arc::clone(&for_thread);
                // Ends with its connection, which ends with the client.
                std::thread::spawn(move || serve(&shared, &stream.unwrap()));
            }
        });
        Self { url, shared, thread: Some(thread) }
    }

    /// Answers these, in order; a request too many gets a 418.
    pub(crate) fn of(replies: Vec<Reply>) -> Self {
        Self::playing(move |nth, _| {
            replies.get(nth).cloned().unwrap_or_else(|| Reply::new(418, "text/plain", "the script is over"))
        })
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.shared.requests.lock().unwrap().clone()
    }

    /// Waits until so many requests have come.
    pub(crate) fn wait_for(&self, count: usize) {
        let requests = self.shared.requests.lock().unwrap();
        let enough = |requests: &mut Vec<Request>| requests.len() < count;
        let (_requests, waited) =
            self.shared.came.wait_timeout_while(requests, Duration::from_mins(1), enough).unwrap();
        assert!(!waited.timed_out(), "{count} requests did not come");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::SeqCst);
        // Wakes it from its wait for the next connection.
        drop(TcpStream::connect(self.url.trim_start_matches("http://")));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn serve(shared: &Shared, stream: &TcpStream) {
    stream.set_nodelay(true).unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    while let Some(request) = read(&mut reader) {
        let nth = shared.count.fetch_add(1, Ordering::SeqCst);
        shared.requests.lock().unwrap().push(request.clone());
        shared.came.notify_all();
        let reply = (shared.play)(nth, &request);
        // A client that went away has what it wanted.
        match answer(stream, &reply) {
            Ok(true) => {}
            _ => break,
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Request> {
    let line = |reader: &mut BufReader<TcpStream>| {
        let mut line = String::new();
        (reader.read_line(&mut line).ok()? > 0).then(|| line.trim_end().to_owned())
    };
    let first = line(reader)?;
    let path = first.split(' ').nth(1)?.to_owned();
    let mut headers = Vec::new();
    loop {
        let line = line(reader)?;
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':')?;
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length")?.1.parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Request { path, headers, body: serde_json::from_slice(&body).ok()? })
}

/// Sends a reply. Gives whether the connection may go on.
fn answer(mut stream: &TcpStream, reply: &Reply) -> std::io::Result<bool> {
    let mut head = format!("HTTP/1.1 {} Whatever\r\n", reply.status);
    for (name, value) in &reply.headers {
        write!(head, "{name}: {value}\r\n").unwrap();
    }
    let body = &reply.body;
    if let Manner::Chunks(ends) = &reply.manner {
        stream.write_all(format!("{head}transfer-encoding: chunked\r\n\r\n").as_bytes())?;
        let mut from = 0;
        for &end in ends.iter().chain([&body.len()]) {
            let piece = &body[from..end];
            if !piece.is_empty() {
                stream.write_all(format!("{:x}\r\n", piece.len()).as_bytes())?;
                stream.write_all(piece)?;
                stream.write_all(b"\r\n")?;
            }
            from = end;
        }
        stream.write_all(b"0\r\n\r\n")?;
        return Ok(true);
    }
    stream.write_all(format!("{head}content-length: {}\r\n\r\n", body.len()).as_bytes())?;
    match reply.manner {
        Manner::Whole | Manner::Chunks(_) => {
            stream.write_all(body)?;
            Ok(true)
        }
        Manner::CutAt(at) => {
            stream.write_all(&body[..at])?;
            stream.shutdown(std::net::Shutdown::Both)?;
            Ok(false)
        }
        Manner::HangAt(at) => {
            stream.write_all(&body[..at])?;
            stream.flush()?;
            // Until the other side is gone.
            let _ = stream.read(&mut [0]);
            Ok(false)
        }
    }
}
