//! What the protocol asks of a server, answered from a trial's endpoint.

use super::endpoint::{Endpoint, HandedIn, Outcome};
use super::{results, tools};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ContentBlock, ErrorData, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, Implementation, InitializeRequestParams, InitializeResult,
    ListPromptsResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, Prompt, PromptMessage, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, Resource, ResourceContents, Role, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;
use std::time::Duration;
use tokio::time::{Instant, sleep_until, timeout};

/// The prompt that holds the brief.
const PROMPT: &str = "brief";
/// Resources: the brief, what stands before it, and what `get_schema` shows.
const BRIEF: &str = "casebook://brief";
const INSTRUCTIONS: &str = "casebook://instructions";
const SCHEMA: &str = "casebook://schema";
/// Between two words on how far a call is.
const PROGRESS: Duration = Duration::from_secs(1);
/// Between two tries to stop a statement.
const AGAIN: Duration = Duration::from_millis(10);

/// The protocol's view of an endpoint; one for each connection or request.
#[derive(Debug, Clone)]
pub(super) struct Handler(pub(super) Endpoint);

impl Handler {
    /// Notes that there is a client, and which one if the request says so.
    fn meet(&self, context: &RequestContext<RoleServer>) {
        self.0.seen();
        // Clients of the current protocol say with each request who they are; others said it when they initialized.
        if let (Some(client), Some(protocol)) = (context.meta.client_info(), context.meta.protocol_version())
        {
            self.0.client(&client.name, &client.version, protocol.as_str());
        }
    }

    /// Waits for the answer to a call; tells the client how long it takes, if it wants to know; takes the call back if the
    /// client cancels it or goes away.
    async fn answer(&self, mut call: HandedIn, context: &RequestContext<RoleServer>) -> Outcome {
        let token = context.meta.get_progress_token();
        let began = Instant::now();
        let (mut next, mut is_cancelled) = (began + PROGRESS, false);
        loop {
            tokio::select! {
                biased;
                outcome = &mut call.answer => {
                    return outcome.unwrap_or_else(|_| Outcome::Over("the trial is over".to_owned()));
                }
                () = context.ct.cancelled(), if !is_cancelled => {
                    is_cancelled = true;
                    next = Instant::now();
                }
                () = sleep_until(next), if is_cancelled || token.is_some() => {
                    if is_cancelled {
                        self.0.take_back(call.number);
                        next += AGAIN;
                    } else if let Some(token) = &token {
                        let seconds = began.elapsed().as_secs_f64().floor();
                        let progress = ProgressNotificationParam::new(token.clone(), seconds)
                            .with_total(self.0.offer().statement_seconds)
                            .with_message(format!("running for {seconds} s"));
                        // A client that does not listen must not keep us from hearing that it cancels.
                        let _ = timeout(PROGRESS, context.peer.notify_progress(progress)).await;
                        next += PROGRESS;
                    }
                }
            }
        }
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities =
            ServerCapabilities::builder().enable_prompts().enable_resources().enable_tools().build();
        ServerConfig::new(capabilities)
            .with_server_info(
                Implementation::new("casebook", env!("CARGO_PKG_VERSION")).with_title("Casebook"),
            )
            .with_instructions(self.0.offer().instructions())
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        self.0.seen();
        let result = self.negotiate_initialize(&request)?;
        let client = &request.client_info;
        self.0.client(&client.name, &client.version, result.protocol_version.as_str());
        context.peer.set_peer_info(request);
        Ok(result)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.meet(&context);
        Ok(ListToolsResult::with_all_items(tools::tools(self.0.offer().tools)))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::tool_of_name(name, self.0.offer().tools)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.meet(&context);
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let call = match self.0.hand_in(&request.name, arguments) {
            Ok(call) => call,
            Err(why) => return Ok(results::error(why).into()),
        };
        let id = context.id.clone().into_json_value().to_string();
        self.0.request(id.clone(), context.ct.clone());
        let outcome = self.answer(call, &context).await;
        self.0.request_ended(&id);
        Ok(results::result(outcome, self.0.offer()).into())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.meet(&context);
        let about = "What to find out, and how: begins the work.";
        Ok(ListPromptsResult::with_all_items(vec![
            Prompt::new(PROMPT, Some(about), None).with_title(self.0.offer().name.task.clone()),
        ]))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.meet(&context);
        if request.name != PROMPT {
            return Err(ErrorData::invalid_params(format!("there is one prompt, '{PROMPT}'"), None));
        }
        self.0.reads("the prompt");
        let text = ContentBlock::text(self.0.offer().instructions());
        Ok(GetPromptResult::new(vec![PromptMessage::new(Role::User, text)]).into())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.meet(&context);
        let resource = |uri: &str, name: &str, about: &str| {
            Resource::new(uri, name).with_description(about).with_mime_type("text/plain")
        };
        Ok(ListResourcesResult::with_all_items(vec![
            resource(BRIEF, "brief", "The question"),
            resource(INSTRUCTIONS, "instructions", "How to work on it"),
            resource(SCHEMA, "schema", "The tables, as get_schema gives them"),
        ]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.meet(&context);
        let offer = self.0.offer();
        let text = match request.uri.as_str() {
            BRIEF => &offer.prompts.brief,
            INSTRUCTIONS => &offer.prompts.system,
            SCHEMA => &offer.schema_text,
            _ => {
                let why = format!("there is no such resource; there are {BRIEF}, {INSTRUCTIONS}, {SCHEMA}");
                return Err(ErrorData::resource_not_found(why, None));
            }
        };
        self.0.reads(&request.uri);
        Ok(ReadResourceResult::new(vec![ResourceContents::text(text, request.uri)]).into())
    }
}
