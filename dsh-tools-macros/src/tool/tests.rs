//! One expansion to read, and what is left of the item when there are mistakes.

use quote::quote;

use super::expand;

#[test]
fn a_function_is_declared() {
    let expanded = expand(
        quote!(timeout = "1.5s", parallel, annotations(read_only), tags("files")),
        quote! {
            /// Read a file.
            async fn read_file(args: ReadFile, cx: &ToolContext) -> ToolResult<String> {
                body as written
            }
        },
    );
    let expected = quote! {
        /// Read a file.
        async fn read_file(args: ReadFile, cx: &ToolContext) -> ToolResult<String> {
            body as written
        }
        const _: () = {
            use ::dsh_tools as __dsh_tools;
            const __TOOL: __dsh_tools::__private::Tool = __dsh_tools::__private::Tool {
                name: "read_file",
                title: ::core::option::Option::None,
                description: "Read a file.",
                parameters: <<ReadFile as __dsh_tools::__private::Parameter<'_, _>>::Arguments
                    as __dsh_tools::__private::Schema>::SCHEMA,
                output: <<ToolResult<String> as __dsh_tools::__private::ToolReturn<_>>::Value
                    as __dsh_tools::__private::Schema>::SCHEMA,
                timeout: ::core::option::Option::Some(
                    ::core::time::Duration::from_nanos(1500000000u64)
                ),
                grace: ::core::option::Option::None,
                annotations: __dsh_tools::__private::Annotations {
                    read_only: ::core::option::Option::Some(true),
                    destructive: ::core::option::Option::None,
                    idempotent: ::core::option::Option::None,
                    open_world: ::core::option::Option::None,
                },
                tags: &["files"],
                name_rule: __dsh_tools::__private::NameRule::Portable,
                origin: __dsh_tools::__private::Origin {
                    file: ::core::file!(),
                    line: ::core::line!(),
                    module: ::core::module_path!(),
                },
            };
            const _: () = __dsh_tools::__private::check(&__TOOL);
            fn __definition() -> __dsh_tools::ToolDefinition {
                use __dsh_tools::__private::{AnyKind as _, CodedKind as _};
                __dsh_tools::__private::define(
                    &__TOOL,
                    |__call: __dsh_tools::__private::BodyCall| __dsh_tools::__private::body(async move {
                        let __call = __call;
                        let __returned = read_file(
                            <ReadFile as __dsh_tools::__private::Parameter<'_, _>>::take(&__call)?,
                            __dsh_tools::__private::extra::<&ToolContext>(&__call)?
                        ).await;
                        let __into_result: fn(_) -> _ =
                            <ToolResult<String> as __dsh_tools::__private::ToolReturn<_>>::into_result;
                        match __into_result(__returned) {
                            ::core::result::Result::Ok(__value) => __dsh_tools::__private::value(&__call, __value),
                            ::core::result::Result::Err(__error) => ::core::result::Result::Err(
                                (&__error).__kind().convert(__error)
                            ),
                        }
                    })
                )
                    .__first_needs::<ReadFile, _>()
                    .__needs::<&ToolContext>()
                    .__parallel()
                    .finish()
            }
            fn __function() -> ::core::any::TypeId {
                __dsh_tools::__private::type_id_of(&read_file)
            }
            __dsh_tools::__private::inventory::submit! {
                __dsh_tools::__private::Declared {
                    tool: &__TOOL,
                    definition: __definition,
                    function: __function,
                    register: true,
                }
            }
        };
    };
    assert_eq!(plain(&expanded), plain(&expected));
}

#[test]
fn a_function_with_mistakes_stays_and_its_helpers_go() {
    let expanded = expand(
        quote!(timout = "1s"),
        quote! {
            pub fn add(#[arg] left: i64, /** right */ right: i64) -> i64 { left + }
        },
    );
    let function = quote!(pub fn add(left: i64, right: i64) -> i64 { left + });
    let rest = expanded.to_string();
    let rest = rest.strip_prefix(&function.to_string()).expect("the function comes first");
    assert_eq!(rest.matches("compile_error").count(), 2, "{rest}");
}

#[test]
fn what_is_no_function_stays() {
    let expanded = expand(
        quote!(),
        quote!(
            struct Page {}
        ),
    )
    .to_string();
    assert!(expanded.starts_with("struct Page { }"), "{expanded}");
    assert_eq!(expanded.matches("compile_error").count(), 1);
}

/// The text of tokens without spaces, which depend on how `>>` was put together.
fn plain(tokens: &proc_macro2::TokenStream) -> String {
    tokens.to_string().replace(' ', "")
}
