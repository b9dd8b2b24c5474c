//! The model as tokens.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned;

use super::model::{Element, Head, Member, Model, Notes, Property, Refinement, Schema, Setting};
use crate::support::value::Number;

/// Generates the impl. It stands in a block of its own, so that the crate is named once, and a
/// wrong path to it is one error.
pub(crate) fn expand(model: &Model<'_>) -> TokenStream {
    let Model { ident, generics, inherited, krate, schema, stands_for } = model;
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let schema = match schema {
        Schema::Same(element) => match &element.late_for {
            Some(owner) => late_newtype(owner, element),
            None => self::element(element),
        },
        other => self::schema(other),
    };
    let optional = stands_for.as_ref().map(
        |ty| quote!(const OPTIONAL: ::core::primitive::bool = <#ty as __schema::Schema>::OPTIONAL;),
    );
    quote! {
        #(#inherited)*
        const _: () = {
            use #krate::__private as __schema;
            #[automatically_derived]
            impl #impl_generics __schema::Schema for #ident #type_generics #where_clause {
                const SCHEMA: &'static __schema::ValueSchema =
                    &__schema::named(#schema, ::core::any::type_name::<Self>);
                #optional
            }
        };
    }
}

fn schema(schema: &Schema) -> TokenStream {
    match schema {
        Schema::Null(notes) => {
            let notes = self::notes(notes);
            quote!(__schema::null(#notes))
        }
        Schema::Text(notes, members) => {
            let notes = self::notes(notes);
            let members = members.iter().map(member);
            quote!(__schema::string_enum(#notes, const { &[#(#members),*] }))
        }
        Schema::Object { notes, properties, is_open } => {
            let notes = self::notes(notes);
            let properties = properties.iter().map(property);
            let function = if *is_open { quote!(open_object) } else { quote!(object) };
            quote!(__schema::#function(#notes, const { &[#(#properties),*] }))
        }
        Schema::Tuple { notes, elements, required } => {
            let notes = self::notes(notes);
            let elements = elements.iter().map(element);
            quote!(__schema::tuple(#notes, const { &[#(#elements),*] }, #required))
        }
        Schema::Same(element) => self::element(element),
        Schema::Choice { is_exclusive, notes, branches } => {
            let notes = self::notes(notes);
            let branches = branches.iter().map(self::schema);
            let function = if *is_exclusive { quote!(one_of) } else { quote!(any_of) };
            quote!(__schema::#function(#notes, const { &[#(#branches),*] }))
        }
    }
}

/// A call with the type as its parameter has the span of the type: one without a schema is
/// reported there.
fn typed(function: &str, ty: &Type, arguments: &TokenStream) -> TokenStream {
    let function = Ident::new(function, Span::call_site());
    quote_spanned!(ty.span()=> __schema::#function::<#ty>(#arguments))
}

fn element(element: &Element) -> TokenStream {
    let refined = refinement(&element.refinement);
    let Some(owner) = &element.late_for else {
        return typed("element", &element.ty, &refined);
    };
    let notes = notes(&element.refinement.notes);
    let target = late("late_element", owner, element);
    quote!(__schema::late(#notes, #target))
}

/// A closure that gives the schema: it is evaluated when the schema is used, where a constant that
/// contains itself would be a cycle.
fn late(function: &str, owner: &str, Element { ty, refinement, .. }: &Element) -> TokenStream {
    let schema = typed(function, ty, &self::refinement(refinement));
    quote_spanned!(ty.span()=> || const { __schema::checked(#owner, const { &#schema }) })
}

/// The target has the name of the newtype, since it is what is found in its own type.
fn late_newtype(owner: &str, Element { ty, refinement, .. }: &Element) -> TokenStream {
    let notes = notes(&refinement.notes);
    let schema = typed("late_element", ty, &self::refinement(refinement));
    let target = quote_spanned! {ty.span()=>
        || const {
            __schema::checked_newtype(
                #owner,
                const { &__schema::named(#schema, ::core::any::type_name::<Self>) },
            )
        }
    };
    quote!(__schema::late(#notes, #target))
}

fn property(property: &Property) -> TokenStream {
    match property {
        Property::Field(head, element) => {
            let field = field(head, &element.refinement);
            match &element.late_for {
                None => typed("property", &element.ty, &field),
                Some(owner) => {
                    let target = late("late_inner", owner, element);
                    typed("late_property", &element.ty, &quote!(#field, #target))
                }
            }
        }
        Property::Exact(head, schema) => {
            let field = match schema {
                Schema::Same(element) => field(head, &element.refinement),
                _ => field(head, &Refinement::default()),
            };
            let schema = self::schema(schema);
            quote!(__schema::exact_property(#field, #schema))
        }
        Property::Flattened { name, ty, may_be_omitted } => {
            typed("flattened", ty, &quote!(#name, #may_be_omitted))
        }
        Property::BesideTag { name, ty } => typed("beside_tag", ty, &quote!(#name)),
    }
}

/// Writes only what is not usual.
fn field(head: &Head, refinement: &Refinement) -> TokenStream {
    let Head { name, aliases, has_default, may_be_omitted } = head;
    let mut given = Vec::new();
    given.extend(has_default.then(|| quote!(has_default: true)));
    given.extend(may_be_omitted.then(|| quote!(may_be_omitted: true)));
    if !aliases.is_empty() {
        given.push(quote!(aliases: &[#(#aliases),*]));
    }
    if !refinement.is_empty() {
        let refinement = self::refinement(refinement);
        given.push(quote!(refinement: #refinement));
    }
    over(&quote!(__schema::Field), &given, &quote!(__schema::Field::new(#name)))
}

fn refinement(refinement: &Refinement) -> TokenStream {
    let Refinement { notes, rules } = refinement;
    let mut given = Vec::new();
    if !notes.is_empty() {
        let notes = self::notes(notes);
        given.push(quote!(notes: #notes));
    }
    given.extend(rules.iter().map(|(key, setting)| {
        let key = Ident::new(key, Span::call_site());
        let setting = self::setting(setting);
        quote!(#key: #setting)
    }));
    over(&quote!(__schema::Refinement), &given, &quote!(__schema::Refinement::NONE))
}

fn setting(setting: &Setting) -> TokenStream {
    match setting {
        Setting::Number(Number::Integer(integer)) => {
            some(&quote!(__schema::Number::Integer(#integer)))
        }
        Setting::Number(Number::Float(float)) => some(&quote!(__schema::Number::Float(#float))),
        Setting::Count(count) => some(count),
        Setting::Text(text) => some(text),
        Setting::On => quote!(true),
    }
}

fn notes(notes: &Notes) -> TokenStream {
    let Notes { title, description, described_by, default, examples, deprecated } = notes;
    let mut given = Vec::new();
    let mut give = |key: &str, value: TokenStream| {
        let key = Ident::new(key, Span::call_site());
        given.push(quote!(#key: #value));
    };
    if let Some(title) = title {
        give("title", some(title));
    }
    match (description, described_by) {
        (Some(description), _) => give("description", some(description)),
        (None, Some(ty)) => give("description", quote!(__schema::description::<#ty>())),
        (None, None) => {}
    }
    if let Some(default) = default {
        give("default", some(default));
    }
    if !examples.is_empty() {
        give("examples", some(&format!("[{}]", examples.join(","))));
    }
    if *deprecated {
        give("deprecated", quote!(true));
    }
    over(&quote!(__schema::Notes), &given, &quote!(__schema::Notes::NONE))
}

/// A value with some fields of its own over another value.
fn over(path: &TokenStream, given: &[TokenStream], base: &TokenStream) -> TokenStream {
    if given.is_empty() {
        return base.clone();
    }
    quote!(#path { #(#given,)* ..#base })
}

fn member(member: &Member) -> TokenStream {
    let Member { name, description } = member;
    let none = || quote!(::core::option::Option::None);
    let description = description.as_ref().map_or_else(none, some);
    quote!(__schema::member(#name, #description))
}

fn some(value: &impl ToTokens) -> TokenStream {
    quote!(::core::option::Option::Some(#value))
}
