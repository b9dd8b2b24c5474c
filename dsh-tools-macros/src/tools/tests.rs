//! One expansion to read, and what is left of the block when there are mistakes.

use quote::quote;

use super::expand;

#[test]
fn methods_are_declared_beside_the_block() {
    let expanded = expand(
        quote!(prefix = "notes_"),
        quote! {
            impl<B: Backend> Notes<B> {
                const LIMIT: usize = if true { 1 } else { 2 };

                /// Read a note.
                #[tool(parallel)]
                async fn get(&self, #[arg] name: String) -> ToolResult<String> {
                    body as written
                }
            }
        },
    );
    let bound = quote!(where Self: ::core::marker::Send + ::core::marker::Sync + 'static);
    let expected = quote! {
        impl<B: Backend> Notes<B> {
            const LIMIT: usize = if true { 1 } else { 2 };

            /// Read a note.
            async fn get(&self, name: String) -> ToolResult<String> {
                body as written
            }
        }
        const _: () = {
            use ::dsh_tools as __dsh_tools;
            #[allow(dead_code)]
            enum __Block {}
            #[::core::prelude::v1::derive(
                __dsh_tools::__private::serde::Deserialize,
                __dsh_tools::Schema,
            )]
            #[serde(crate = "__dsh_tools::__private::serde", bound = "")]
            #[schema(crate = __dsh_tools)]
            struct __Arguments0<B: Backend> {
                name: String,
                #[serde(skip)]
                __of: ::core::marker::PhantomData<fn() -> Notes<B> >,
            }
            #[automatically_derived]
            impl<B: Backend> __dsh_tools::__private::Method<__Block, 0usize> for Notes<B> #bound {
                const TOOL: &'static __dsh_tools::__private::Tool = &__dsh_tools::__private::Tool {
                    name: "notes_get",
                    title: ::core::option::Option::None,
                    description: "Read a note.",
                    parameters: <<__Arguments0<B> as __dsh_tools::__private::Parameter<'_, _>>::Arguments
                        as __dsh_tools::__private::Schema>::SCHEMA,
                    output: <<ToolResult<String> as __dsh_tools::__private::ToolReturn<_>>::Value
                        as __dsh_tools::__private::Schema>::SCHEMA,
                    timeout: ::core::option::Option::None,
                    grace: ::core::option::Option::None,
                    annotations: __dsh_tools::__private::Annotations {
                        read_only: ::core::option::Option::None,
                        destructive: ::core::option::Option::None,
                        idempotent: ::core::option::Option::None,
                        open_world: ::core::option::Option::None,
                    },
                    tags: &[],
                    name_rule: __dsh_tools::__private::NameRule::Portable,
                    origin: __dsh_tools::__private::Origin {
                        file: ::core::file!(),
                        line: ::core::line!(),
                        module: ::core::module_path!(),
                    },
                };

                fn definition(__owner: &::std::sync::Arc<Self>) -> __dsh_tools::ToolDefinition {
                    const {
                        __dsh_tools::__private::check(
                            <Self as __dsh_tools::__private::Method<__Block, 0usize>>::TOOL
                        )
                    };
                    use __dsh_tools::__private::{AnyKind as _, CodedKind as _};
                    __dsh_tools::__private::define_method(
                        <Self as __dsh_tools::__private::Method<__Block, 0usize>>::TOOL,
                        __owner,
                        |__owner: ::std::sync::Arc<Self>, __call: __dsh_tools::__private::BodyCall|
                        __dsh_tools::__private::body(async move {
                            let __owner = __owner;
                            let __call = __call;
                            let __Arguments0 { name: __argument_0, .. } =
                                <__Arguments0<B> as __dsh_tools::__private::Parameter<'_, _>>
                                    ::take(&__call)?;
                            let __returned = Self::get(
                                __dsh_tools::__private::receiver(&__owner),
                                __argument_0
                            ).await;
                            let __into_result: fn(_) -> _ = <ToolResult<String>
                                as __dsh_tools::__private::ToolReturn<_>>::into_result;
                            match __into_result(__returned) {
                                ::core::result::Result::Ok(__value) =>
                                    __dsh_tools::__private::value(&__call, __value),
                                ::core::result::Result::Err(__error) =>
                                    ::core::result::Result::Err(
                                        (&__error).__kind().convert(__error)
                                    ),
                            }
                        })
                    )
                        .__parallel()
                        .finish()
                }
            }
            #[automatically_derived]
            impl<B: Backend> __dsh_tools::Tools for Notes<B> #bound {
                fn toolset(self: ::std::sync::Arc<Self>) -> __dsh_tools::Toolset {
                    __dsh_tools::Toolset::new(
                        "Notes",
                        [<Self as __dsh_tools::__private::Method<__Block, 0usize>>::definition(&self)]
                    )
                }
            }
        };
    };
    assert_eq!(plain(&expanded), plain(&expected));
}

#[test]
fn a_block_with_mistakes_stays_and_its_type_has_no_tools() {
    let expanded = expand(
        quote!(prefx = "a"),
        quote! {
            impl Notes {
                /// Read a note.
                #[tool(timout = "1s")]
                fn get(&mut self, #[arg] name: String) -> String { name + }
            }
        },
    );
    let block = quote! {
        impl Notes {
            /// Read a note.
            #[allow(clippy::needless_pass_by_value)]
            fn get(&mut self, name: String) -> String { name + }
        }
    };
    let rest = plain(&expanded);
    let rest = rest.strip_prefix(&plain(&block)).expect("the block comes first");
    assert_eq!(rest.matches("compile_error").count(), 3, "{rest}");
    assert!(rest.ends_with(r#"__dsh_tools::Toolset::new("Notes",[])}}};"#), "{rest}");
}

#[test]
fn what_is_no_impl_stays() {
    let expanded = expand(
        quote!(),
        quote!(
            fn get() {}
        ),
    )
    .to_string();
    assert!(expanded.starts_with("fn get () { }"), "{expanded}");
    assert_eq!(expanded.matches("compile_error").count(), 1);
}

/// The text of tokens without spaces, which depend on how `>>` was put together.
fn plain(tokens: &proc_macro2::TokenStream) -> String {
    tokens.to_string().replace(' ', "")
}
