//! The protocol over two streams: a message a line.

use super::MAX_MESSAGE;
use super::endpoint::Endpoint;
use super::handler::Handler;
use super::pumps::{ROOM, carry_in, carry_out};
use rmcp::RoleServer;
use rmcp::service::{
    QuitReason, RxJsonRpcMessage, ServerInitializeError, TxJsonRpcMessage, serve_server_with_ct,
};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use std::io::{Read, Write};
use tokio::io::duplex;
use tokio_util::sync::CancellationToken;

/// Characters of a message that was none, where it is quoted.
const QUOTED: usize = 300;

/// Serves an endpoint over two streams until the client is gone or `stop` is told; blocks. Says why the client is gone before it
/// waits for what is still to be written.
pub fn serve_streams(
    endpoint: &Endpoint,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    stop: &CancellationToken,
    gone: impl FnOnce(String),
) {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_time().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            gone(format!("the server can't run: {error}"));
            return;
        }
    };
    let (in_near, in_far) = duplex(ROOM);
    let (out_near, out_far) = duplex(ROOM);
    let (stopped, broken) = (stop.child_token(), CancellationToken::new());
    let handle = runtime.handle().clone();
    std::thread::spawn(move || carry_in(input, in_near, &handle));
    let (handle, told, ended) = (runtime.handle().clone(), broken.clone(), stopped.clone());
    let writing = std::thread::spawn(move || {
        carry_out(out_near, output, &handle, &told);
        if told.is_cancelled() {
            ended.cancel();
        }
    });
    let transport = AsyncRwTransport::new_server(in_far, out_far).with_max_line_length(MAX_MESSAGE);
    let transport = Opening { inner: transport, is_open: false };
    let handler = Handler(endpoint.clone());
    let why = runtime.block_on(async move {
        match serve_server_with_ct(handler, transport, stopped).await {
            Ok(service) => match service.waiting().await {
                Ok(QuitReason::Closed) => "it closed the connection".to_owned(),
                Ok(_) => "the connection was ended".to_owned(),
                Err(error) => format!("the server failed: {error}"),
            },
            Err(ServerInitializeError::ConnectionClosed(_)) => {
                "it closed the connection before it began".to_owned()
            }
            Err(ServerInitializeError::Cancelled) => "the connection was ended before it began".to_owned(),
            Err(error) => {
                let error: String = error.to_string().chars().take(QUOTED).collect();
                format!("it did not speak the protocol: {error}")
            }
        }
    });
    let why = if broken.is_cancelled() { "it reads no answers any more".to_owned() } else { why };
    gone(why);
    drop(runtime);
    let _ = writing.join();
}

/// A transport that leaves out what comes before the first request: the library takes a connection that begins with anything
/// else for broken.
struct Opening<T> {
    inner: T,
    is_open: bool,
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Opening<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = self.inner.receive().await?;
            self.is_open |= matches!(message, RxJsonRpcMessage::<RoleServer>::Request(_));
            if self.is_open {
                return Some(message);
            }
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}
