//! The model as tokens: an impl for each method, and one that gives them all.
//!
//! The impls stand side by side in one block, so that `Self` and the parameters of the type mean in
//! them what they mean in the methods, and no name of it is visible.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Generics, WherePredicate, parse_quote_spanned};

use super::model::Model;
use crate::tool;
use crate::tool::body::body;
use crate::tool::expand::{arguments_struct, definition, import, place};

/// Generates the impl of `Tools`, and what it gives.
pub(crate) fn expand(model: &Model) -> TokenStream {
    let Model { krate, name, inherited, self_type, methods, .. } = model;
    let import = import(krate);
    let traits: Vec<_> = (0..methods.len())
        .map(|number| quote!(__dsh_tools::__private::Method<__Block, #number>))
        .collect();
    let declarations =
        methods.iter().zip(&traits).map(|(tool, method)| declaration(tool, method, model));
    let definitions = methods.iter().zip(&traits).map(|(tool, method)| {
        let inherited = &tool.inherited;
        quote!(#(#inherited)* <Self as #method>::definition(&self))
    });
    let generics = shared(model);
    let (parameters, _, clause) = generics.split_for_impl();
    quote! {
        #(#inherited)*
        const _: () = {
            #import
            #[allow(dead_code)]
            enum __Block {}
            #(#declarations)*
            #[automatically_derived]
            impl #parameters __dsh_tools::Tools for #self_type #clause {
                fn toolset(self: ::std::sync::Arc<Self>) -> __dsh_tools::Toolset {
                    __dsh_tools::Toolset::new(#name, [#(#definitions),*])
                }
            }
        };
    }
}

/// The parameters of the type where calls can share it.
fn shared(model: &Model) -> Generics {
    let mut generics = model.generics.clone();
    generics.make_where_clause().predicates.push(may_be_shared(model));
    generics
}

/// The bound that lets calls share the value. It has the same place wherever it stands: if it does
/// not hold, the compiler says so once.
fn may_be_shared(Model { self_type, .. }: &Model) -> WherePredicate {
    parse_quote_spanned! {place(self_type)=>
        Self: ::core::marker::Send + ::core::marker::Sync + 'static
    }
}

/// One method, as the trait of its number.
fn declaration(tool: &tool::model::Model, method: &TokenStream, model: &Model) -> TokenStream {
    let tool::model::Model { inherited, function, .. } = tool;
    let self_type = &model.self_type;
    let arguments = arguments_struct(tool);
    let arguments = arguments.map(|arguments| quote!(#(#inherited)* #arguments));
    let constant = tool::expand::tool(tool);
    let body = body(tool);
    let begun = quote!(define_method(<Self as #method>::TOOL, __owner, #body));
    let definition = definition(tool, &begun);
    let check = |ty: TokenStream| {
        quote_spanned! {function.span()=>
            __dsh_tools::__private::check(<#ty as #method>::TOOL)
        }
    };
    // A constant outside cannot know that the value may be shared, so only the function demands it;
    // but the types of a generic one need to know, and so it is checked where it is used.
    let (generics, bound, early, late) = if model.generics.params.is_empty() {
        let (bound, check) = (may_be_shared(model), check(quote!(#self_type)));
        let early = quote!(#(#inherited)* const _: () = #check;);
        (model.generics.clone(), Some(quote!(where #bound)), Some(early), None)
    } else {
        let check = check(quote!(Self));
        (shared(model), None, None, Some(quote!(const { #check };)))
    };
    let (parameters, _, clause) = generics.split_for_impl();
    quote! {
        #arguments
        #(#inherited)*
        #[automatically_derived]
        impl #parameters #method for #self_type #clause {
            const TOOL: &'static __dsh_tools::__private::Tool = &#constant;

            fn definition(__owner: &::std::sync::Arc<Self>) -> __dsh_tools::ToolDefinition
            #bound
            {
                #late
                #definition
            }
        }
        #early
    }
}
