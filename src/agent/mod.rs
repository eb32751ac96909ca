//! Who acts: a model, a script of tool calls, the person at the workbench, clients of the MCP server, programs of somebody else,
//! and nobody.
//!
//! Not here: tools, limits, records (`harness`). An actor never sees a vault; the oracle is a script that `scoring` makes.

pub mod command;
mod human;
pub mod mcp;
mod model;
mod noop;
mod script;

pub use human::Human;
pub use model::{AgentFile, AgentFileError, ContextChoice, ContextText, DatedPrice, Model, ModelParts};
pub use noop::Noop;
pub use script::{Script, ScriptError, ScriptLine, ScriptPart, ScriptTarget};
