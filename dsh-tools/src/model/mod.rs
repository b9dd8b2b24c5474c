//! Plain data: a call, its result, and what both are made of. No I/O, no behaviour.

mod annotations;
mod call;
mod content;
mod error;
mod hash;
mod name;
mod result;

pub use self::annotations::Annotations;
pub use self::call::{Arguments, ToolCall};
pub use self::content::{Content, ContentBlock};
pub use self::error::{CodedError, ErrorCode, ErrorInfo, ToolError, ToolResult};
pub use self::hash::ArgumentsHash;
pub use self::name::NameRule;
pub use self::result::{CallResult, Context};

pub(crate) use self::content::default_render;
