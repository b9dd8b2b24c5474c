//! The `#[tool]` and `#[tools]` attributes and the `Schema` derive of `dsh-tools`.
//!
//! Use them through `dsh-tools`, which re-exports and documents them: what they generate names
//! hidden items of exactly that version.
//!
//! Each macro goes the same way: `parse` reads what was written, `model` decides what it means and
//! collects every mistake, `expand` turns a model without mistakes into tokens and cannot fail.

mod diag;
mod schema;
mod support;
mod tool;
mod tools;

use proc_macro::TokenStream;

/// Declares a tool; documented where `dsh-tools` re-exports it.
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(attribute.into(), item.into()).into()
}

/// Makes tools of the methods of a type; documented where `dsh-tools` re-exports it.
#[proc_macro_attribute]
pub fn tools(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tools::expand(attribute.into(), item.into()).into()
}

/// Derives the schema of a type; documented where `dsh-tools` re-exports it.
#[proc_macro_derive(Schema, attributes(schema, serde))]
pub fn schema(item: TokenStream) -> TokenStream {
    schema::expand(item.into()).into()
}
