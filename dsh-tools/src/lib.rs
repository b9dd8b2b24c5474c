//! Author the tools that language models call.
//!
//! Write a function, put [`#[tool]`](tool) on it. Its schema is a constant in your binary and is
//! checked while your crate compiles; its arguments are validated; and every call, however it
//! arrives, goes through one pipeline of policy, body and result.
//!
//! ```standalone_crate
//! use dsh_tools::prelude::*;
//! use dsh_tools::{CallOptions, ToolCall};
//!
//! /// Add two numbers.
//! #[tool(parallel, annotations(read_only))]
//! fn add(
//!     /// The first.
//!     a: i64,
//!     /// The second.
//!     b: i64,
//! ) -> i64 {
//!     a + b
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), dsh_tools::BuildError> {
//! let registry = ToolRegistry::builder().discover().build()?;
//! let call = ToolCall::new("call_1", "add", r#"{"a": 1, "b": 2}"#);
//! let completed = registry.execute(call, CallOptions::new()).await;
//! assert_eq!(completed.result().content().to_string(), "3");
//! # Ok(())
//! # }
//! ```
//!
//! # Where things are
//!
//! | you want to | look at |
//! |---|---|
//! | write a tool | [`tool`], [`Schema`], [`ToolContext`], [`State`] |
//! | make tools of the methods of a value | [`tools`], [`Tools`], [`Toolset`] |
//! | make a tool at run time | [`ToolDefinition`], [`schema`](mod@schema) |
//! | mount tools in an agent | [`ToolRegistry`], [`NativeExecutor`] |
//! | give an agent tools and policy of its own | [`Scope`], [`ToolFilter`], [`ResolvedToolSet`] |
//! | add policy | [`hooks`], [`around`]; `policy`, behind the feature of that name |
//! | keep secrets and long outputs from a model | [`outbound`] |
//! | time, retry and limit calls, end loops | [`around`] |
//! | see and keep what happens | [`around::Trace`], [`log`](mod@log), [`audit`] |
//! | say how a call looks to people | [`view`] |
//! | try tools in a terminal | `cli`, behind the feature of that name |
//!
//! # Features
//!
//! | feature | gives | default |
//! |---|---|---|
//! | `macros` | [`#[tool]`](tool), [`#[tools]`](tools) and `#[derive(Schema)]` | yes |
//! | `cli` | a command line for any binary with tools | no |
//! | `otel` | metrics of calls with OpenTelemetry's names | no |
//! | `policy` | rules over calls as data, read from TOML and reloaded while calls run | no |
//! | `ptc` | `run_code`: programs that call tools | no |
//! | `quickjs` | an engine for them in the process of the host | no |
//! | `tower` | `tower`'s layers as wrappers, a registry as its service | no |
//! | `formats` | checks of `format` beyond `ipv4` and `ipv6` | no |
//! | `bytes`, `chrono`, `either`, `indexmap`, `time`, `url`, `uuid` | [`Schema`] for types of that crate | no |
//! | `schemars` | a schema for a type that only `schemars` knows | no |
//!
//! # Panics become results
//!
//! A panic in a body or a hook is caught and answered. This needs `panic = "unwind"`, Rust's
//! default; with `panic = "abort"` the process ends instead.

#[doc(hidden)]
pub mod __private;
mod approvals;
pub mod around;
pub mod audit;
mod body;
#[cfg(feature = "cli")]
pub mod cli;
mod context;
mod date;
mod definition;
mod execution;
mod executor;
pub mod hooks;
mod json;
pub mod log;
mod model;
pub mod outbound;
mod panic;
mod pipeline;
#[cfg(feature = "policy")]
pub mod policy;
pub mod prelude;
#[cfg(feature = "ptc")]
pub mod ptc;
mod record;
mod registry;
pub mod schema;
mod span;
mod stages;
mod state;
#[cfg(feature = "tower")]
pub mod tower;
pub mod view;

pub use self::approvals::{Answer, NotOpen, OpenApproval, OpenApprovals};
pub use self::context::{CallOptions, FromContext, Progress, ToolContext};
pub use self::definition::{Origin, Parameters, ToolDefinition};
pub use self::execution::{CallToken, Execution};
pub use self::executor::{Batch, BatchOutcome, ExecutorError, ExecutorTaken, NativeExecutor};
pub use self::model::{
    Annotations, Arguments, ArgumentsHash, CallResult, CodedError, Content, ContentBlock, Context,
    ErrorCode, ErrorInfo, NameRule, ToolCall, ToolError, ToolResult,
};
pub use self::record::{DecisionRecord, DecisionStep, Stage};
pub use self::registry::{
    BuildError, ChangeListener, Place, Problem, Registration, RegistryBuilder, ResolveError,
    ResolvedToolSet, RestrictError, Scope, Step, ToolFilter, ToolOrder, ToolOrderError,
    ToolRegistry, Tools, Toolset,
};
pub use self::schema::Schema;
pub use self::stages::{Completed, Dispatched, Prepared};
pub use self::state::{State, StateType};

#[cfg(feature = "macros")]
#[doc = include_str!("docs/schema.md")]
pub use dsh_tools_macros::Schema;

#[cfg(feature = "macros")]
#[doc = include_str!("docs/tool.md")]
pub use dsh_tools_macros::tool;

#[cfg(feature = "macros")]
#[doc = include_str!("docs/tools.md")]
pub use dsh_tools_macros::tools;
