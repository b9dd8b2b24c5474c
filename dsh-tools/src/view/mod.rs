//! Views: how the card of a call looks, said without knowing any user interface.
//!
//! A tool may have two presenters. One makes the [`CallView`] of a call from its arguments, the
//! other the [`ResultView`] from its arguments and a [`ResultRecord`], which is all that a log keeps
//! of a result. They are pure, and so a replayed log looks as the session did. What a presenter does
//! not answer is shown as a generic card; drawing the cards is left to the host.
//!
//! ```
//! use dsh_tools::view::{CallView, GenericCall, Kind, Location, ResultRecord, ResultView};
//! use dsh_tools::{CallResult, Schema, ToolDefinition};
//! use serde::Deserialize;
//! use serde_json::json;
//!
//! #[derive(Deserialize, Schema)]
//! struct Show {
//!     /// Which file.
//!     path: String,
//! }
//!
//! let tool = ToolDefinition::typed("show", "Shows a file.", |show: Show, _cx| async { Ok(show.path) })
//!     .with_call_view(|show: &Show| {
//!         let call = GenericCall::new(format!("Show {}", show.path)).with_kind(Kind::Read);
//!         Some(call.with_location(Location::new(&show.path)))
//!     });
//!
//! let arguments = json!({"path": "a.txt"});
//! let view = tool.call_view(&arguments);
//! assert_eq!(serde_json::to_value(&view)?, json!({
//!     "card": "generic",
//!     "title": "Show a.txt",
//!     "kind": "read",
//!     "locations": [{"path": "a.txt"}],
//! }));
//!
//! let result = CallResult::success("a.txt");
//! let view = tool.result_view(&arguments, ResultRecord::from(&result));
//! assert!(matches!(view, ResultView::Generic(shown) if shown.content.is_some()));
//! # Ok::<(), serde_json::Error>(())
//! ```

mod call;
mod present;
mod read;
mod result;
mod search;
mod shared;
mod web;

pub use self::call::{CallView, DiffCall, GenericCall, TerminalCall};
pub use self::present::ResultRecord;
pub use self::read::{ReadLine, ReadResult};
pub use self::result::{DiffResult, Exit, GenericResult, ResultView, TerminalResult};
pub use self::search::{FileMatches, LineMatch, SearchMatches, SearchPaths, SearchResult};
pub use self::shared::{FileDiff, Kind, Location};
pub use self::web::{WebFetch, WebResult, WebSearch, WebSource};

pub(crate) use self::present::{PresentCall, PresentResult, present_call, present_result};
