//! The model as tokens. Everything that can be generic code of the runtime is; what is left names
//! the function, its types and its texts.
//!
//! What may fail to compile because of a type has the span of that type.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Path, Type, parse_quote};

use super::body::body;
use super::model::{Annotations, Argument, Method, Model, Parameters, Passed, Way};
use super::value::{NameRule, Parallel};

/// A function that declares itself.
#[derive(Debug)]
pub(crate) struct Declared {
    pub(crate) krate: Path,
    pub(crate) is_registered: bool,
    pub(crate) model: Model,
}

/// Generates the declaration. It stands in a block of its own, so that no name of it is visible,
/// and the crate is named once, so that a wrong path to it is one error.
pub(crate) fn expand(Declared { krate, is_registered, model }: &Declared) -> TokenStream {
    let Model { function, inherited, .. } = model;
    let import = import(krate);
    let arguments = arguments_struct(model);
    let tool = tool(model);
    let check = quote_spanned! {function.span()=>
        const _: () = __dsh_tools::__private::check(&__TOOL);
    };
    let body = body(model);
    let definition = definition(model, &quote!(define(&__TOOL, #body)));
    quote! {
        #(#inherited)*
        const _: () = {
            #import
            #arguments
            const __TOOL: __dsh_tools::__private::Tool = #tool;
            #check
            fn __definition() -> __dsh_tools::ToolDefinition {
                #definition
            }
            fn __function() -> ::core::any::TypeId {
                __dsh_tools::__private::type_id_of(&#function)
            }
            __dsh_tools::__private::inventory::submit! {
                __dsh_tools::__private::Declared {
                    tool: &__TOOL,
                    definition: __definition,
                    function: __function,
                    register: #is_registered,
                }
            }
        };
    }
}

/// Names the crate. An import is reported as a whole, so the alias stands where the path ends.
pub(crate) fn import(krate: &Path) -> TokenStream {
    let end = krate.segments.last().map_or_else(Span::call_site, Spanned::span);
    let alias = quote_spanned!(end=> as __dsh_tools);
    quote!(use #krate #alias;)
}

/// Parameters are made for one call, so there is nobody else to take them from by reference. The
/// lint looks at plain functions only.
pub(crate) fn by_value(model: &Model) -> Option<TokenStream> {
    (model.way != Way::Async).then(|| quote!(#[allow(clippy::needless_pass_by_value)]))
}

/// The struct of the inline arguments. Serde gets the crate by a name of this block, since a path
/// of a user's may not survive being a string.
///
/// In a generic block it has the parameters of the block, which its fields may name. Their bounds
/// are the block's; serde would add its own beside them, and could not choose.
pub(crate) fn arguments_struct(model: &Model) -> Option<TokenStream> {
    let Parameters::Inline(passed) = &model.parameters else { return None };
    let fields = inline_arguments(passed)
        .map(|Argument { attributes, ident, ty }| quote!(#(#attributes)* #ident: #ty));
    let name = arguments_name(model);
    let (generics, clause, bound, marker) = match &model.method {
        Some(method) if method.is_generic() => {
            let Method { generics, self_type, .. } = &**method;
            let (parameters, _, clause) = generics.split_for_impl();
            let marker = quote! {
                #[serde(skip)]
                __of: ::core::marker::PhantomData<fn() -> #self_type>,
            };
            (Some(parameters), clause, Some(quote!(, bound = "")), Some(marker))
        }
        _ => (None, None, None, None),
    };
    Some(quote! {
        #[::core::prelude::v1::derive(
            __dsh_tools::__private::serde::Deserialize,
            __dsh_tools::Schema,
        )]
        #[serde(crate = "__dsh_tools::__private::serde" #bound)]
        #[schema(crate = __dsh_tools)]
        struct #name #generics #clause {
            #(#fields,)*
            #marker
        }
    })
}

/// The name of the struct of the inline arguments.
pub(super) fn arguments_name(model: &Model) -> Ident {
    match &model.method {
        None => format_ident!("__Arguments"),
        Some(method) => format_ident!("__Arguments{}", method.number),
    }
}

/// The struct of the inline arguments, as its block names it.
pub(super) fn arguments_type(model: &Model) -> Type {
    let name = arguments_name(model);
    match &model.method {
        None => parse_quote!(#name),
        Some(method) => {
            let (_, arguments, _) = method.generics.split_for_impl();
            parse_quote!(#name #arguments)
        }
    }
}

fn inline_arguments(passed: &[Passed]) -> impl Iterator<Item = &Argument> {
    passed.iter().filter_map(|passed| match passed {
        Passed::Argument(argument) => Some(argument),
        Passed::Extra(_) => None,
    })
}

/// The type that decides the schema of the arguments.
fn parameters_type(model: &Model) -> Type {
    match &model.parameters {
        Parameters::None => parse_quote!(__dsh_tools::__private::NoArguments),
        Parameters::Struct { first, .. } => (**first).clone(),
        Parameters::Inline(_) => arguments_type(model),
    }
}

/// The constant that describes the tool.
pub(crate) fn tool(model: &Model) -> TokenStream {
    let Model { function, name, description, output, tags, .. } = model;
    let parameters = parameters_type(model);
    let parameters = quote_spanned! {place(&parameters)=>
        <<#parameters as __dsh_tools::__private::Parameter<'_, _>>::Arguments
            as __dsh_tools::__private::Schema>::SCHEMA
    };
    let output = quote_spanned! {place(output)=>
        <<#output as __dsh_tools::__private::ToolReturn<_>>::Value
            as __dsh_tools::__private::Schema>::SCHEMA
    };
    let title = optional(model.title.as_ref());
    let timeout = duration(model.timeout);
    let grace = duration(model.grace);
    let annotations = annotations(&model.annotations);
    let name_rule = match model.name_rule {
        NameRule::Portable => quote!(Portable),
        NameRule::Mcp => quote!(Mcp),
    };
    let line = quote_spanned!(function.span()=> ::core::line!());
    quote! {
        __dsh_tools::__private::Tool {
            name: #name,
            title: #title,
            description: #description,
            parameters: #parameters,
            output: #output,
            timeout: #timeout,
            grace: #grace,
            annotations: #annotations,
            tags: &[#(#tags),*],
            name_rule: __dsh_tools::__private::NameRule::#name_rule,
            origin: __dsh_tools::__private::Origin {
                file: ::core::file!(),
                line: #line,
                module: ::core::module_path!(),
            },
        }
    }
}

/// The definition, begun with its body. The body is a closure in it and not a function beside it,
/// since the compiler reports a type that fits nowhere once for each function that names it.
pub(crate) fn definition(model: &Model, begun: &TokenStream) -> TokenStream {
    let parameters = parameters_type(model);
    let needs = needs(&model.parameters);
    let parallel = match &model.parallel {
        Parallel::Always(true) => quote!(.__parallel()),
        Parallel::Always(false) => TokenStream::new(),
        Parallel::When(function) => {
            quote_spanned!(place(function)=> .__classifier::<#parameters, _, _>(#function))
        }
    };
    let output = &model.output;
    let render = model.render.as_ref().map(|function| {
        quote_spanned! {place(function)=>
            .__render::<#parameters, _, #output, _, _, _>(#function)
        }
    });
    let meta = model.meta.as_ref().map(|function| {
        quote_spanned! {place(function)=>
            .__meta::<#parameters, _, #output, _, _, _>(#function)
        }
    });
    let rest = rest(model);
    quote! {
        use __dsh_tools::__private::{AnyKind as _, CodedKind as _};
        __dsh_tools::__private::#begun
            #needs
            #parallel
            #render
            #meta
            .finish()
            #rest
    }
}

/// What the public methods of a definition say as well as ours could.
fn rest(model: &Model) -> TokenStream {
    let with = |method: &str, function: Option<&Expr>| {
        let function = function?;
        let method = Ident::new(method, place(function));
        Some(quote_spanned!(place(function)=> .#method(#function)))
    };
    let project = with("with_project_content", model.project.as_ref());
    let finalize = with("with_finalize_content", model.finalize.as_ref());
    let call_view = with("with_call_view", model.call_view.as_ref());
    let result_view = with("with_result_view", model.result_view.as_ref());
    let when = with("with_condition", model.when.as_ref());
    let budget = model.output_budget.map(|bytes| quote!(.with_output_budget(#bytes)));
    let late = model.defers_loading.then(|| quote!(.with_deferred_loading(true)));
    quote!(#project #finalize #call_view #result_view #when #budget #late)
}

/// Names every type that may be state, for the registry to look for when it is built.
fn needs(parameters: &Parameters) -> TokenStream {
    let need = |ty: &Type| quote_spanned!(place(ty)=> .__needs::<#ty>());
    match parameters {
        Parameters::None => TokenStream::new(),
        Parameters::Struct { first, extras } => {
            let first = quote_spanned!(place(first)=> .__first_needs::<#first, _>());
            first.into_iter().chain(extras.iter().flat_map(need)).collect()
        }
        Parameters::Inline(passed) => passed
            .iter()
            .filter_map(|passed| match passed {
                Passed::Extra(ty) => Some(need(ty)),
                Passed::Argument(_) => None,
            })
            .collect(),
    }
}

fn annotations(annotations: &Annotations) -> TokenStream {
    let Annotations { read_only, destructive, idempotent, open_world } = annotations;
    let read_only = optional(read_only.as_ref());
    let destructive = optional(destructive.as_ref());
    let idempotent = optional(idempotent.as_ref());
    let open_world = optional(open_world.as_ref());
    quote! {
        __dsh_tools::__private::Annotations {
            read_only: #read_only,
            destructive: #destructive,
            idempotent: #idempotent,
            open_world: #open_world,
        }
    }
}

fn duration(nanos: Option<u64>) -> TokenStream {
    let duration = nanos.map(|nanos| quote!(::core::time::Duration::from_nanos(#nanos)));
    optional(duration.as_ref())
}

fn optional(value: Option<&impl ToTokens>) -> TokenStream {
    let none = || quote!(::core::option::Option::None);
    value.map_or_else(none, |value| quote!(::core::option::Option::Some(#value)))
}

/// The place of something of the user's, where names still mean what they mean in this expansion,
/// also when it comes from elsewhere through `macro_rules!`.
pub(crate) fn place(written: &impl Spanned) -> Span {
    Span::call_site().located_at(written.span())
}
