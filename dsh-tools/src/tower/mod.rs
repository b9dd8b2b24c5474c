//! [`tower`](https://docs.rs/tower) layers as wrappers, and a registry as a `tower` service.
//!
//! [`layered`] makes an [`Around`](crate::hooks::Around) hook of any layer, so limits, retries and
//! timeouts written for `tower` hold for tool calls. The other way round a
//! [`ToolRegistry`](crate::ToolRegistry) is a `Service<(ToolCall, CallOptions)>`, so it stands behind
//! whatever a `tower` stack does with requests. Both go through the same pipeline as every other call.

mod layer;
mod service;

pub use self::layer::{Inner, InnerError, Layered, Request, layered};
pub use self::service::Executing;
