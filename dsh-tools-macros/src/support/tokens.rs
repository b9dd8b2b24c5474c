//! Looking for a token where no syntax tree is needed.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

/// Finds `impl` anywhere in a type, and returns it with its first bound.
pub(crate) fn find_impl(node: &impl ToTokens) -> Option<TokenStream> {
    find(node.to_token_stream(), &|token, _| match token {
        TokenTree::Ident(ident) => ident == "impl",
        _ => false,
    })
}

/// Finds a reference or a lifetime other than `'static` anywhere in a type.
pub(crate) fn find_borrow(node: &impl ToTokens) -> Option<TokenStream> {
    find(node.to_token_stream(), &|token, next| match token {
        TokenTree::Punct(punct) if punct.as_char() == '\'' => {
            !matches!(next, Some(TokenTree::Ident(name)) if name == "static")
        }
        TokenTree::Punct(punct) => punct.as_char() == '&',
        _ => false,
    })
}

/// Returns the first token that is wanted, given itself and its successor, with that successor.
fn find(
    tokens: TokenStream,
    wanted: &impl Fn(&TokenTree, Option<&TokenTree>) -> bool,
) -> Option<TokenStream> {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        if wanted(&token, tokens.peek()) {
            return Some([Some(token), tokens.next()].into_iter().flatten().collect());
        }
        if let TokenTree::Group(group) = token
            && let Some(found) = find(group.stream(), wanted)
        {
            return Some(found);
        }
    }
    None
}
