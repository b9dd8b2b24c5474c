//! Looking for a token where no syntax tree is needed.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::discouraged::Speculative as _;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{LitStr, Token, Type};

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

/// Finds what keeps a type from being `'static`, anywhere in it.
pub(crate) fn find_short_lifetime(node: &impl ToTokens) -> Option<TokenStream> {
    find(node.to_token_stream(), &|token, next| match token {
        TokenTree::Punct(punct) if punct.as_char() == '\'' => {
            !matches!(next, Some(TokenTree::Ident(name)) if name == "static")
        }
        // What follows is its lifetime, or it has none of its own.
        TokenTree::Punct(punct) if punct.as_char() == '&' => {
            !matches!(next, Some(TokenTree::Punct(next)) if next.as_char() == '\'')
        }
        _ => false,
    })
}

/// A name in a type, with the first name of its path and the name after it, if there are such.
#[derive(Debug)]
pub(crate) struct Name {
    pub(crate) ident: Ident,
    pub(crate) first: Option<Ident>,
    pub(crate) next: Option<Ident>,
}

/// Lists the names in a type. What `PhantomData` holds is no part of a value and left out, as
/// serde leaves it out.
pub(crate) fn names(node: &impl ToTokens) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    collect_names(node.to_token_stream(), &mut names);
    names
}

fn collect_names(tokens: TokenStream, names: &mut Vec<Name>) {
    let is = |token: Option<&TokenTree>, mark: char| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == mark);
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let (mut index, mut phantom_depth) = (0, 0_usize);
    while let Some(token) = tokens.get(index) {
        let is_joined =
            index >= 2 && is(tokens.get(index - 1), ':') && is(tokens.get(index - 2), ':');
        match token {
            TokenTree::Ident(ident) if phantom_depth == 0 => {
                let before = names.last_mut().filter(|_| is_joined && index >= 3);
                let first = before.map(|before| {
                    before.next = Some(ident.clone());
                    before.first.clone().unwrap_or_else(|| before.ident.clone())
                });
                if ident == "PhantomData" && is(tokens.get(index + 1), '<') {
                    phantom_depth = 1;
                    index += 1;
                }
                names.push(Name { ident: ident.clone(), first, next: None });
            }
            TokenTree::Punct(punct) if phantom_depth > 0 && punct.as_char() == '<' => {
                phantom_depth += 1;
            }
            TokenTree::Punct(punct)
                if phantom_depth > 0
                    && punct.as_char() == '>'
                    && !is(tokens.get(index - 1), '-') =>
            {
                phantom_depth -= 1;
            }
            TokenTree::Group(group) if phantom_depth == 0 => collect_names(group.stream(), names),
            _ => {}
        }
        index += 1;
    }
}

/// The macro that [`wrap_type`] writes; nobody calls it.
pub(crate) const TYPE_MACRO: &str = "__type";

/// Puts the type behind `key =` into a call of a macro. The values of an attribute are taken for
/// expressions, which a type is not; what a macro is given may be anything.
pub(crate) fn wrap_type(tokens: TokenStream, key: &str) -> TokenStream {
    let parser = |input: ParseStream<'_>| {
        let mut wrapped = TokenStream::new();
        while !input.is_empty() {
            let token: TokenTree = input.parse()?;
            let is_key = matches!(&token, TokenTree::Ident(ident) if ident == key);
            wrapped.extend([token]);
            if is_key && input.peek(Token![=]) {
                wrapped.extend(input.parse::<Token![=]>()?.into_token_stream());
                let ahead = input.fork();
                if !ahead.peek(LitStr)
                    && let Ok(ty) = ahead.parse::<Type>()
                    && (ahead.is_empty() || ahead.peek(Token![,]))
                {
                    input.advance_to(&ahead);
                    let name = Ident::new(TYPE_MACRO, ty.span());
                    wrapped.extend(quote!(#name!(#ty)));
                }
            }
        }
        Ok(wrapped)
    };
    parser.parse2(tokens.clone()).unwrap_or(tokens)
}

/// Writes the type for `Self`, where that would mean another type.
pub(crate) fn replace_self(tokens: TokenStream, self_type: &Type) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut replaced = TokenStream::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(ident) if ident == "Self" => {
                let is_path =
                    matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == ':');
                // `Vec<T>::new` is no expression, and `<Vec<T>>::new` is.
                replaced.extend(if is_path {
                    quote!(<#self_type>)
                } else {
                    self_type.to_token_stream()
                });
            }
            TokenTree::Group(group) => {
                let inside = replace_self(group.stream(), self_type);
                let mut group_replaced = Group::new(group.delimiter(), inside);
                group_replaced.set_span(group.span());
                replaced.extend([TokenTree::Group(group_replaced)]);
            }
            other => replaced.extend([other]),
        }
    }
    replaced
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

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::{find_short_lifetime, names, replace_self, wrap_type};

    #[test]
    fn names_know_their_path() {
        let found: Vec<_> = names(&quote!(Option<crate::a::Tree<(T::Item, &'a [u8; N])>>))
            .into_iter()
            .map(|name| {
                let first = name.first.map(|first| first.to_string());
                (name.ident.to_string(), first.unwrap_or_default())
            })
            .collect();
        let expected = [
            ("Option", ""),
            ("crate", ""),
            ("a", "crate"),
            ("Tree", "crate"),
            ("T", ""),
            ("Item", "T"),
            ("a", ""),
            ("u8", ""),
            ("N", ""),
        ];
        assert_eq!(found, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }

    #[test]
    fn phantom_data_holds_no_value() {
        let found = names(&quote!((PhantomData<fn(Vec<T>) -> U>, V)));
        let found: Vec<_> = found.into_iter().map(|name| name.ident.to_string()).collect();
        assert_eq!(found, ["PhantomData", "V"]);
    }

    #[test]
    fn what_is_not_static_is_found() {
        let found = |tokens| find_short_lifetime(&tokens).map(|found| found.to_string());
        assert_eq!(found(quote!(Files<&'static str, (u8, 'static)>)), None);
        assert_eq!(found(quote!(Files<(u8, &str)>)).as_deref(), Some("& str"));
        assert_eq!(found(quote!(Files<'_>)).as_deref(), Some("'_"));
        assert_eq!(found(quote!(&'a mut Files)).as_deref(), Some("'a"));
    }

    #[test]
    fn self_is_written_out() {
        let replaced = replace_self(
            quote!((Self, [Self::Id; N], default = Self::id)),
            &syn::parse_quote!(Files<T>),
        );
        let expected = quote!((Files<T>, [<Files<T> >::Id; N], default = <Files<T> >::id));
        assert_eq!(replaced.to_string(), expected.to_string());
    }

    #[test]
    fn a_type_with_commas_is_one_value() {
        let wrapped = wrap_type(quote!(title = "x", with = Map<String, u8>, recursive), "with");
        let expected = quote!(title = "x", with = __type!(Map<String, u8>), recursive);
        assert_eq!(wrapped.to_string(), expected.to_string());
    }
}
