//! The attributes that generated items take over from the item they belong to.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token};

/// Returns what generated items must carry too: `cfg`, since they name an item that may be absent,
/// and `allow`, since they repeat its types.
pub(crate) fn inherited(attributes: &[Attribute]) -> Vec<TokenStream> {
    let metas = attributes.iter().filter_map(|a| from_meta(&a.meta));
    metas.map(|meta| quote!(#[#meta])).collect()
}

fn from_meta(meta: &Meta) -> Option<TokenStream> {
    let path = meta.path();
    if path.is_ident("cfg") || path.is_ident("allow") {
        return Some(meta.to_token_stream());
    }
    match meta {
        // An expectation is met, or not, on the item itself.
        Meta::List(list) if path.is_ident("expect") => {
            let lints = &list.tokens;
            Some(quote!(allow(#lints)))
        }
        Meta::List(list) if path.is_ident("cfg_attr") => conditional(&list.tokens),
        // Generated code uses the item; only the user's own uses should warn.
        _ if path.is_ident("deprecated") => Some(quote!(allow(deprecated))),
        _ => None,
    }
}

/// Reduces `cfg_attr(condition, …)` to the attributes that are taken over, if there are any.
fn conditional(tokens: &TokenStream) -> Option<TokenStream> {
    let parts =
        syn::parse::Parser::parse2(Punctuated::<Meta, Token![,]>::parse_terminated, tokens.clone());
    let mut parts = parts.ok()?.into_iter();
    let condition = parts.next()?;
    let kept: Vec<_> = parts.filter_map(|meta| from_meta(&meta)).collect();
    (!kept.is_empty()).then(|| quote!(cfg_attr(#condition, #(#kept),*)))
}

#[cfg(test)]
mod tests {
    use super::inherited;
    use quote::quote;
    use syn::parse_quote;

    #[test]
    fn keeps_conditions_and_permissions_only() {
        let attributes = [
            parse_quote!(#[cfg(unix)]),
            parse_quote!(#[inline]),
            parse_quote!(#[cfg_attr(test, inline, cfg(windows), cfg_attr(unix, cold, allow(unused)))]),
            parse_quote!(#[cfg_attr(test, inline)]),
            parse_quote!(#[expect(unused, reason = "x")]),
            parse_quote!(#[deprecated = "x"]),
        ];
        let kept: proc_macro2::TokenStream = inherited(&attributes).into_iter().collect();
        let expected = quote! {
            #[cfg(unix)]
            #[cfg_attr(test, cfg(windows), cfg_attr(unix, allow(unused)))]
            #[allow(unused, reason = "x")]
            #[allow(deprecated)]
        };
        assert_eq!(kept.to_string(), expected.to_string());
    }
}
