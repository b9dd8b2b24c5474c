//! The derive answers every text that Rust can split into tokens: with an implementation or with
//! errors, both of which are Rust, and never with a panic.
#![no_main]

#[path = "../../dsh-tools-macros/src/diag/mod.rs"]
mod diag;
#[path = "../../dsh-tools-macros/src/schema/mod.rs"]
mod schema;
#[path = "../../dsh-tools-macros/src/support/mod.rs"]
mod support;
#[path = "../../dsh-tools-macros/src/tool/mod.rs"]
mod tool;

use libfuzzer_sys::fuzz_target;
use proc_macro2::TokenStream;

fuzz_target!(|text: &str| {
    // What stands deeper overflows the stack of the parser of types, which is not ours.
    if text.bytes().filter(|byte| b"<([{&*".contains(byte)).count() > 200 {
        return;
    }
    derive(text);
    derive(&format!("struct Args {{ #[schema({text})] a: u8, b: Vec<Args> }}"));
    derive(&format!("#[schema({text})] enum Args {{ A, #[schema({text})] B(u8) }}"));
    derive(&format!(
        "#[serde({text})] enum Args {{ A, #[serde({text})] B {{ #[serde({text})] c: u8 }} }}"
    ));
    annotate(text, "/// Reads.\nasync fn read(args: Args) {}");
    annotate("", text);
});

fn derive(text: &str) {
    if let Ok(item) = text.parse::<TokenStream>() {
        is_rust(&schema::expand(item));
    }
}

fn annotate(attribute: &str, item: &str) {
    if let (Ok(attribute), Ok(item)) = (attribute.parse(), item.parse()) {
        tool::expand(attribute, item);
    }
}

fn is_rust(expanded: &TokenStream) {
    if let Err(error) = syn::parse2::<syn::File>(expanded.clone()) {
        panic!("{error}: {expanded}");
    }
}
