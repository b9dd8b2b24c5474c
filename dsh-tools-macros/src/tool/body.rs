//! The body of a definition as tokens: make the parameters, call the function, convert what it
//! returns.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Receiver, Type, parse_quote};

use super::expand::{arguments_name, arguments_type, place};
use super::model::{Argument, Method, Model, Parameters, Passed, Way};

/// Generates the function as the runtime calls it.
pub(crate) fn body(model: &Model) -> TokenStream {
    let call = call(model);
    let into_result = into_result(&model.output);
    // Two traits choose the conversion of an error: by a code of its own, or as any other.
    let convert = quote_spanned!(place(&model.output)=> (&__error).__kind().convert(__error));
    // A future that cannot be sent is reported at the name of the function that makes it.
    let name = place(&model.function);
    let (run, started) = match model.way {
        Way::Async | Way::Plain => (quote_spanned!(name=> body), quote_spanned!(name=> async move)),
        Way::Blocking => (quote_spanned!(name=> blocking), quote_spanned!(name=> move ||)),
    };
    let (takes, keeps) = match model.method.as_deref() {
        None => (TokenStream::new(), TokenStream::new()),
        Some(Method { receiver: None, .. }) => {
            (quote!(_: ::std::sync::Arc<Self>,), TokenStream::new())
        }
        Some(Method { receiver: Some(_), .. }) => {
            (quote!(__owner: ::std::sync::Arc<Self>,), quote!(let __owner = __owner;))
        }
    };
    quote_spanned! {name=>
        |#takes __call: __dsh_tools::__private::BodyCall| __dsh_tools::__private::#run(#started {
            #keeps
            let __call = __call;
            #call
            let __into_result: fn(_) -> _ = #into_result;
            match __into_result(__returned) {
                ::core::result::Result::Ok(__value) => __dsh_tools::__private::value(&__call, __value),
                ::core::result::Result::Err(__error) => ::core::result::Result::Err(#convert),
            }
        })
    }
}

/// Makes the parameters in the order of the signature, and calls.
fn call(model: &Model) -> TokenStream {
    let function = &model.function;
    let (before, values) = match &model.parameters {
        // The arguments are read all the same, so that a key that nobody accepts is refused.
        Parameters::None => {
            let none = parameter(&parse_quote!(__dsh_tools::__private::NoArguments));
            (quote!(let _: __dsh_tools::__private::NoArguments = #none;), Vec::new())
        }
        Parameters::Struct { first, extras } => {
            let mut values = vec![parameter(first)];
            values.extend(extras.iter().map(extra));
            (TokenStream::new(), values)
        }
        Parameters::Inline(passed) => inline_values(model, passed),
    };
    let (function, receiver) = match &model.method {
        None => (quote!(#function), None),
        Some(method) => (quote!(Self::#function), method.receiver.as_ref().map(receiver)),
    };
    let values = receiver.into_iter().chain(values);
    let awaited = (model.way == Way::Async).then(|| quote!(.await));
    quote! {
        #before
        let __returned = #function(#(#values),*)#awaited;
    }
}

/// Takes the struct apart under names of our own, since an argument may have the function's name.
fn inline_values(model: &Model, passed: &[Passed]) -> (TokenStream, Vec<TokenStream>) {
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
    let name = arguments_name(model);
    let arguments = parameter(&arguments_type(model));
    // A field of ours that only names the parameters of the block.
    let is_generic = model.method.as_ref().is_some_and(|method| method.is_generic());
    let rest = is_generic.then(|| quote!(..));
    (quote!(let #name { #(#fields,)* #rest } = #arguments;), values)
}

fn parameter(ty: &Type) -> TokenStream {
    quote_spanned!(place(ty)=> <#ty as __dsh_tools::__private::Parameter<'_, _>>::take(&__call)?)
}

/// The value the tools share, as the signature takes it.
fn receiver(written: &Receiver) -> TokenStream {
    quote_spanned!(place(written)=> __dsh_tools::__private::receiver(&__owner))
}

fn extra(ty: &Type) -> TokenStream {
    quote_spanned!(place(ty)=> __dsh_tools::__private::extra::<#ty>(&__call)?)
}

/// Names the conversion of what is returned. The path has exactly the span of the return type: so
/// the error for a type that cannot be returned is the same as that of the constant, to the letter,
/// and the compiler shows it once.
fn into_result(output: &Type) -> TokenStream {
    let mut tokens = output.to_token_stream().into_iter();
    let start = tokens.next().map_or_else(Span::call_site, |token| token.span());
    let end = tokens.last().map_or(start, |token| token.span());
    let open = quote_spanned!(start=> <);
    quote_spanned! {end=>
        #open #output as __dsh_tools::__private::ToolReturn<_>>::into_result
    }
}
