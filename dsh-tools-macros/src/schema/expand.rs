//! The model as tokens.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse_quote;
use syn::spanned::Spanned;

use super::model::{Bounds, Content, Member, Model, Notes, Property};
use crate::support::value::Number;

/// Generates the impl. It stands in a block of its own, so that the crate is named once, and a
/// wrong path to it is one error.
pub(crate) fn expand(model: &Model<'_>) -> TokenStream {
    let Model { ident, inherited, krate, .. } = model;
    let mut generics = model.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(__schema::Schema));
    }
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let notes = notes(&model.notes);
    let schema = match &model.content {
        Content::Object(properties) => {
            let properties = properties.iter().map(property);
            quote!(__schema::object(#notes, const { &[#(#properties),*] }))
        }
        Content::Choice(members) => {
            let members = members.iter().map(member);
            quote!(__schema::string_enum(#notes, const { &[#(#members),*] }))
        }
    };
    quote! {
        #(#inherited)*
        const _: () = {
            use #krate::__private as __schema;
            #[automatically_derived]
            impl #impl_generics __schema::Schema for #ident #type_generics #where_clause {
                const SCHEMA: &'static __schema::ValueSchema = &#schema;
            }
        };
    }
}

fn notes(notes: &Notes) -> TokenStream {
    let texts = [("title", &notes.title), ("description", &notes.description)];
    let given: Vec<_> = texts
        .into_iter()
        .filter_map(|(key, text)| Some((Ident::new(key, Span::call_site()), text.as_ref()?)))
        .collect();
    if given.is_empty() {
        return quote!(__schema::Notes::NONE);
    }
    let (keys, texts): (Vec<_>, Vec<_>) = given.into_iter().unzip();
    quote! {
        __schema::Notes {
            #(#keys: ::core::option::Option::Some(#texts),)*
            ..__schema::Notes::NONE
        }
    }
}

/// The call has the span of the type: a type without a schema is reported there.
fn property(property: &Property<'_>) -> TokenStream {
    let Property { name, ty, has_default, may_be_omitted, notes, bounds } = property;
    let refinement = refinement(notes, bounds);
    let field = quote! {
        __schema::Field {
            name: #name,
            has_default: #has_default,
            may_be_omitted: #may_be_omitted,
            aliases: &[],
            refinement: #refinement,
        }
    };
    let call = quote_spanned!(ty.span()=> __schema::property::<#ty>);
    quote!(#call(#field))
}

/// Writes only what was given, over `Refinement::NONE`.
fn refinement(notes: &Notes, bounds: &Bounds) -> TokenStream {
    let texts = [&notes.title, &notes.description];
    let texts = texts.iter().any(|text| text.is_some()).then(|| ("notes", self::notes(notes)));
    let numbers = bounds.numbers.iter().map(|(key, number)| (*key, some(&self::number(*number))));
    let counts = bounds.counts.iter().map(|(key, count)| (*key, some(count)));
    let given: Vec<_> = texts.into_iter().chain(numbers).chain(counts).collect();
    if given.is_empty() {
        return quote!(__schema::Refinement::NONE);
    }
    let keys = given.iter().map(|(key, _)| Ident::new(key, Span::call_site()));
    let values = given.iter().map(|(_, value)| value);
    quote! {
        __schema::Refinement {
            #(#keys: #values,)*
            ..__schema::Refinement::NONE
        }
    }
}

fn number(number: Number) -> TokenStream {
    match number {
        Number::Integer(integer) => quote!(__schema::Number::Integer(#integer)),
        Number::Float(float) => quote!(__schema::Number::Float(#float)),
    }
}

fn member(member: &Member) -> TokenStream {
    let Member { name, description } = member;
    let description = optional_text(description.as_ref());
    quote!(__schema::member(#name, #description))
}

fn some(value: &impl quote::ToTokens) -> TokenStream {
    quote!(::core::option::Option::Some(#value))
}

fn optional_text(text: Option<&String>) -> TokenStream {
    let none = || quote!(::core::option::Option::None);
    text.map_or_else(none, |text| quote!(::core::option::Option::Some(#text)))
}
