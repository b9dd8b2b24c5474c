//! One binary, a module per feature.

#![expect(clippy::unwrap_used, reason = "every line of this crate is a test")]

mod approvals;
mod arguments;
mod around;
mod bridge;
mod changes;
mod concurrency;
mod definition;
mod derive;
mod executor;
mod field_cases;
mod foreign;
mod formats;
mod handles;
mod inventory;
mod lossless;
mod oracle;
mod order;
mod outside;
mod parity;
mod pipeline;
mod policy;
mod policy_rules;
mod registry;
mod results;
mod schema;
mod scopes;
mod stream;
mod telemetry;
mod timing;
mod tool;
mod tool_sets;
mod views;
mod vocabulary;
mod written;
