//! The mistakes found in one item, collected so that a user needs one build and not four.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;

/// One mistake: the words to change, and what to say about them.
#[derive(Debug)]
pub(crate) struct Mistake {
    at: TokenStream,
    text: String,
}

pub(crate) type Result<T> = std::result::Result<T, Mistake>;

impl Mistake {
    /// Points from the first to the last token of `at`; darling's errors would keep the first only.
    pub(crate) fn new(at: impl ToTokens, text: String) -> Self {
        Self { at: at.into_token_stream(), text }
    }
}

impl From<syn::Error> for Mistake {
    /// Keeps the first message: our parsers stop at the first thing they do not understand.
    fn from(error: syn::Error) -> Self {
        Self::new(Ident::new("here", error.span()), error.to_string())
    }
}

impl From<darling::Error> for Mistake {
    fn from(error: darling::Error) -> Self {
        Self::new(Ident::new("here", error.span()), error.to_string())
    }
}

/// Collects mistakes and names the item at fault in each.
#[derive(Debug)]
pub(crate) struct Report {
    subject: String,
    mistakes: Vec<Mistake>,
}

impl Report {
    /// Starts a report about `subject`, such as ``tool `read_file` ``.
    pub(crate) fn new(subject: String) -> Self {
        Self { subject, mistakes: Vec::new() }
    }

    /// Returns how many mistakes were found so far.
    pub(crate) fn len(&self) -> usize {
        self.mistakes.len()
    }

    pub(crate) fn push(&mut self, mistake: Mistake) {
        self.mistakes.push(mistake);
    }

    /// Takes the value, or keeps the mistake and goes on.
    pub(crate) fn handle<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|mistake| self.push(mistake)).ok()
    }

    /// Returns `value` if nothing was wrong, else every mistake as a `compile_error!` of its own.
    pub(crate) fn finish<T>(self, value: T) -> std::result::Result<T, TokenStream> {
        if self.mistakes.is_empty() {
            return Ok(value);
        }
        Err(self
            .mistakes
            .into_iter()
            .map(|Mistake { at, text }| {
                syn::Error::new_spanned(at, format!("{}: {text}", self.subject)).to_compile_error()
            })
            .collect())
    }
}
