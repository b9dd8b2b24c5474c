//! The model as tokens. Everything that can be generic code of the runtime is; what is left names
//! the function, its types and its texts.
//!
//! What may fail to compile because of a type has the span of that type.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Type, parse_quote};

use super::model::{Annotations, Argument, Model, Parameters, Passed, Way};
use super::value::{NameRule, Parallel};

/// Generates the declaration. It stands in a block of its own, so that no name of it is visible,
/// and the crate is named once, so that a wrong path to it is one error.
pub(crate) fn expand(model: &Model) -> TokenStream {
    let Model {
        inherited, krate, ..
    } = model;
    let arguments = arguments_struct(model);
    let tool = tool(model);
    let body = body(model);
    let definition = definition(model);
    let declared = declared(model);
    quote! {
        #(#inherited)*
        const _: () = {
            use #krate as __dsh_tools;
            #arguments
            #tool
            #body
            #definition
            #declared
        };
    }
}

/// The struct of the inline arguments. Serde gets the crate by a name of this block, since a path
/// of a user's may not survive being a string.
fn arguments_struct(model: &Model) -> TokenStream {
    let Parameters::Inline(passed) = &model.parameters else {
        return TokenStream::new();
    };
    let fields = inline_arguments(passed).map(
        |Argument {
             attributes,
             ident,
             ty,
         }| { quote!(#(#attributes)* #ident: #ty) },
    );
    quote! {
        use __dsh_tools::__private::serde as __serde;
        #[::core::prelude::v1::derive(__serde::Deserialize, __dsh_tools::Schema)]
        #[serde(crate = "__serde")]
        #[schema(crate = __dsh_tools)]
        struct __Arguments {
            #(#fields,)*
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
        Parameters::Inline(_) => parse_quote!(__Arguments),
    }
}

/// The constant that describes the tool, and its check while the user's crate compiles.
fn tool(model: &Model) -> TokenStream {
    let Model {
        function,
        name,
        description,
        output,
        tags,
        ..
    } = model;
    let parameters = parameters_type(model);
    let parameters = quote_spanned! {place(&parameters)=>
        __dsh_tools::__private::parameters::<#parameters, _>()
    };
    let output = quote_spanned! {place(output)=>
        __dsh_tools::__private::output::<#output, _>()
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
    let check = quote_spanned! {function.span()=>
        const _: () = __dsh_tools::__private::check(&__TOOL);
    };
    quote! {
        const __TOOL: __dsh_tools::__private::Tool = __dsh_tools::__private::Tool {
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
        };
        #check
    }
}

/// The function as the runtime calls it. The two traits convert an error by its kind: one with a
/// code of its own, or any other.
fn body(model: &Model) -> TokenStream {
    let call = call(model);
    let (run, started) = match model.way {
        Way::Async | Way::Plain => (quote!(body), quote!(async move)),
        Way::Blocking => (quote!(blocking), quote!(move ||)),
    };
    quote! {
        fn __body(__call: __dsh_tools::__private::BodyCall) -> __dsh_tools::__private::BodyFuture {
            use __dsh_tools::__private::{AnyKind as _, CodedKind as _};
            __dsh_tools::__private::#run(#started {
                let __call = __call;
                #call
                match __dsh_tools::__private::ToolReturn::into_result(__returned) {
                    ::core::result::Result::Ok(__value) => __dsh_tools::__private::value(__value),
                    ::core::result::Result::Err(__error) => {
                        ::core::result::Result::Err((&__error).__kind().convert(__error))
                    }
                }
            })
        }
    }
}

/// Makes the parameters in the order of the signature, and calls.
fn call(model: &Model) -> TokenStream {
    let function = &model.function;
    let (before, values) = match &model.parameters {
        Parameters::None => (TokenStream::new(), Vec::new()),
        Parameters::Struct { first, extras } => {
            let mut values = vec![parameter(first)];
            values.extend(extras.iter().map(extra));
            (TokenStream::new(), values)
        }
        Parameters::Inline(passed) => inline_values(passed),
    };
    let awaited = (model.way == Way::Async).then(|| quote!(.await));
    quote! {
        #before
        let __returned = #function(#(#values),*)#awaited;
    }
}

/// Takes the struct apart under names of our own, since an argument may have the function's name.
fn inline_values(passed: &[Passed]) -> (TokenStream, Vec<TokenStream>) {
    let mut fields = Vec::new();
    let mut values = Vec::new();
    for (i, passed) in passed.iter().enumerate() {
        values.push(match passed {
            Passed::Extra(ty) => extra(ty),
            Passed::Argument(Argument { ident, .. }) => {
                let local = format_ident!("__argument_{i}");
                fields.push(quote!(#ident: #local));
                local.into_token_stream()
            }
        });
    }
    let arguments = parameter(&parse_quote!(__Arguments));
    (
        quote!(let __Arguments { #(#fields),* } = #arguments;),
        values,
    )
}

fn parameter(ty: &Type) -> TokenStream {
    quote_spanned!(place(ty)=> __dsh_tools::__private::parameter::<#ty, _>(&__call)?)
}

fn extra(ty: &Type) -> TokenStream {
    quote_spanned!(place(ty)=> __dsh_tools::__private::extra::<#ty>(&__call)?)
}

fn definition(model: &Model) -> TokenStream {
    let parameters = parameters_type(model);
    let needs = needs(&model.parameters);
    let parallel = match &model.parallel {
        Parallel::Always(true) => quote!(.__parallel()),
        Parallel::Always(false) => TokenStream::new(),
        Parallel::When(function) => quote!(.__classifier::<#parameters, _, _>(#function)),
    };
    let output = &model.output;
    let render = model
        .render
        .as_ref()
        .map(|function| quote!(.__render::<#parameters, _, #output, _, _, _>(#function)));
    quote! {
        fn __definition() -> __dsh_tools::ToolDefinition {
            __dsh_tools::__private::define(&__TOOL, __body)
                #needs
                #parallel
                #render
                .finish()
        }
    }
}

/// Names every type that may be state, for the registry to look for when it is built.
fn needs(parameters: &Parameters) -> TokenStream {
    let need = |ty: &Type| quote_spanned!(place(ty)=> .__needs::<#ty>());
    match parameters {
        Parameters::None => TokenStream::new(),
        Parameters::Struct { first, extras } => {
            let first = quote_spanned!(place(first)=> .__first_needs::<#first, _>());
            first
                .into_iter()
                .chain(extras.iter().flat_map(need))
                .collect()
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

fn declared(model: &Model) -> TokenStream {
    let Model {
        function,
        is_registered,
        ..
    } = model;
    quote! {
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
    }
}

fn annotations(annotations: &Annotations) -> TokenStream {
    let Annotations {
        read_only,
        destructive,
        idempotent,
        open_world,
    } = annotations;
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

/// The place of a user's type, where names still mean what they mean in this expansion, also when
/// the type comes from elsewhere through `macro_rules!`.
fn place(ty: &Type) -> Span {
    Span::call_site().located_at(ty.span())
}
