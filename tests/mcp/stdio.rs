//! A client on standard input and output, by hand.

use crate::support::{PATIENCE, Run, TASK, ended};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};

/// A client and its server.
pub(crate) struct Client {
    pub(crate) child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Value>,
    sent: u64,
}

impl Client {
    /// Starts a server for one trial; nothing is said yet.
    pub(crate) fn start(run: &Run, more: &[&str]) -> Self {
        let path = run.path();
        let mut arguments = vec!["mcp", "--task", TASK, "--out", path.to_str().unwrap()];
        arguments.extend(more);
        Self::of(run, &arguments)
    }

    pub(crate) fn of(run: &Run, arguments: &[&str]) -> Self {
        let mut child = run.casebook(arguments).stdin(Stdio::piped()).spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                // Whatever is not the protocol fails the test that waits for an answer.
                let value = serde_json::from_str(&line).unwrap_or(Value::String(line));
                if sender.send(value).is_err() {
                    break;
                }
            }
        });
        let stdin = child.stdin.take();
        Self { child, stdin, lines, sent: 0 }
    }

    /// Starts a server, and greets it.
    pub(crate) fn greeted(run: &Run, more: &[&str]) -> Self {
        let mut client = Self::start(run, more);
        client.greet();
        client
    }

    pub(crate) fn greet(&mut self) {
        let client = json!({"name": "by hand", "version": "7"});
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        let answer = self.request("initialize", &params);
        assert_eq!(answer["result"]["protocolVersion"], "2025-06-18", "{answer}");
        self.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    }

    pub(crate) fn send(&mut self, line: &str) {
        // The server may be gone, which is then what the test is about.
        let _ = writeln!(self.stdin.as_mut().unwrap(), "{line}");
    }

    /// The next message.
    pub(crate) fn receive(&self) -> Value {
        let message = self.lines.recv_timeout(PATIENCE).expect("a message");
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        message
    }

    /// Sends a request without waiting; its id.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> u64 {
        self.sent += 1;
        self.send(
            &json!({"jsonrpc": "2.0", "id": self.sent, "method": method, "params": params}).to_string(),
        );
        self.sent
    }

    /// The answer to a request.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.ask(method, params);
        let answer = self.receive();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// The result of a tool.
    pub(crate) fn tool(&mut self, name: &str, arguments: &Value) -> Value {
        self.request("tools/call", &json!({"name": name, "arguments": arguments}))["result"].clone()
    }

    pub(crate) fn query(&mut self, sql: &str) -> Value {
        self.tool("run_query", &json!({"sql": sql}))
    }

    pub(crate) fn submit(&mut self) -> Value {
        self.tool("submit_answer", &json!({"answer": "None."}))
    }

    /// No more messages are read.
    pub(crate) fn stop_reading(&mut self) {
        // The reader ends with the message that it can't hand on.
        self.lines = channel().1;
    }

    /// Closes the connection and waits until the server has ended; what it wrote to stderr.
    pub(crate) fn close(mut self) -> (ExitStatus, String) {
        drop(self.stdin.take());
        self.wait()
    }

    /// Waits until the server has ended.
    pub(crate) fn wait(mut self) -> (ExitStatus, String) {
        let status = ended(&mut self.child);
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (status, said)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A test that failed must not leave its server behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The text of a tool's result.
pub(crate) fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_default()
}
