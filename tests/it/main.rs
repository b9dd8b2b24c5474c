//! One binary, a module per feature.

mod arguments;
mod definition;
mod derive;
mod executor;
mod field_cases;
mod handles;
mod outside;
mod pipeline;
mod policy;
mod registry;
mod schema;
mod timing;
mod tool;
