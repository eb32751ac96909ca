//! A client over HTTP, by hand.

use crate::support::{PATIENCE, Run, ended};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ExitStatus};
use std::sync::mpsc::channel;

/// A server, and the trials that it told of.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) trials: Vec<Door>,
}

/// A trial over HTTP.
#[derive(Debug, Clone)]
pub(crate) struct Door {
    pub(crate) port: u16,
    pub(crate) token: String,
    pub(crate) task: String,
    pub(crate) sent: u64,
}

/// What a server answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: String,
}

impl Server {
    /// Starts a server and waits until so many trials can be reached.
    pub(crate) fn start(run: &Run, arguments: &[&str], trials: usize) -> Self {
        let mut child = run.casebook(arguments).spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let mut server = Self { child, trials: Vec::new() };
        for _ in 0..trials {
            let line = lines.recv_timeout(PATIENCE).expect("a trial");
            let told: Value = serde_json::from_str(&line).unwrap();
            let url = told["url"].as_str().unwrap();
            let token = told["token"].as_str().unwrap().to_owned();
            let rest = url.strip_prefix("http://127.0.0.1:").unwrap();
            let port = rest.split('/').next().unwrap().parse().unwrap();
            assert_eq!(rest, format!("{port}/mcp/{token}"));
            let task = told["task"].as_str().unwrap().to_owned();
            server.trials.push(Door { port, token, task, sent: 0 });
        }
        server.trials.sort_by(|one, other| one.task.cmp(&other.task));
        server
    }

    /// Waits until it has ended; what it wrote to stderr.
    pub(crate) fn wait(mut self) -> (ExitStatus, String) {
        let status = ended(&mut self.child);
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (status, said)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Door {
    pub(crate) fn path(&self) -> String {
        format!("/mcp/{}", self.token)
    }

    /// A message as the next request of its kind.
    pub(crate) fn message(&mut self, method: &str, params: &Value) -> String {
        self.sent += 1;
        json!({"jsonrpc": "2.0", "id": self.sent, "method": method, "params": params}).to_string()
    }

    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        let message = self.message(method, params);
        let answer = post(self.port, &self.path(), &[], &message);
        assert_eq!(answer.status, 200, "{answer:?}");
        let value: Value = serde_json::from_str(&answer.body).unwrap();
        assert_eq!(value["id"], self.sent, "{value}");
        value
    }

    pub(crate) fn greet(&mut self, name: &str) {
        let client = json!({"name": name, "version": "7"});
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        let answer = self.request("initialize", &params);
        assert_eq!(answer["result"]["protocolVersion"], "2025-06-18", "{answer}");
    }

    pub(crate) fn query(&mut self, sql: &str) -> Value {
        self.request("tools/call", &json!({"name": "run_query", "arguments": {"sql": sql}}))["result"].clone()
    }

    pub(crate) fn submit(&mut self) -> Value {
        let arguments = json!({"answer": "None."});
        self.request("tools/call", &json!({"name": "submit_answer", "arguments": arguments}))["result"]
            .clone()
    }
}

/// Sends a request; the connection that gives its answer.
pub(crate) fn send(port: u16, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
    let mut connection = TcpStream::connect(("127.0.0.1", port)).unwrap();
    connection.set_read_timeout(Some(PATIENCE)).unwrap();
    let line = |name: &str, value: &str| format!("{name}: {value}\r\n");
    let mut head =
        format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    let usual = [
        ("Host", format!("127.0.0.1:{port}")),
        ("Content-Type", "application/json".to_owned()),
        ("Accept", "application/json, text/event-stream".to_owned()),
    ];
    for (name, value) in &usual {
        if headers.iter().all(|(other, _)| !other.eq_ignore_ascii_case(name)) {
            head += &line(name, value);
        }
    }
    for (name, value) in headers {
        head += &line(name, value);
    }
    connection.write_all((head + "\r\n").as_bytes()).unwrap();
    // It may be refused before it is read.
    let _ = connection.write_all(body.as_bytes());
    connection
}

/// Posts a message and reads the answer to its end.
pub(crate) fn post(port: u16, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    answer(send(port, "POST", path, headers, body))
}

/// Reads an answer.
pub(crate) fn answer(mut connection: TcpStream) -> Answer {
    let mut bytes = Vec::new();
    // A server that refuses a long body may reset the connection behind its answer.
    let _ = connection.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text}"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let body = if head.to_lowercase().contains("transfer-encoding: chunked") {
        joined(body)
    } else {
        body.to_owned()
    };
    Answer { status, body }
}

/// A body without the lengths of its chunks.
fn joined(mut chunks: &str) -> String {
    let mut body = String::new();
    while let Some((length, rest)) = chunks.split_once("\r\n") {
        let length = usize::from_str_radix(length.trim(), 16).unwrap();
        if length == 0 {
            break;
        }
        body += &rest[..length];
        chunks = &rest[length + 2..];
    }
    body
}
