//! One expansion to read, and what it takes over from serde.

use proc_macro2::TokenStream;
use quote::quote;

use super::expand;

#[test]
fn a_struct_is_an_object() {
    let expanded = expand(quote! {
        /// Where to read,
        /// and how much.
        struct ReadFile {
            /// Absolute file path.
            path: PathBuf,
            #[schema(minimum = 1)]
            #[serde(default)]
            offset: Option<u64>,
        }
    });
    let expected = quote! {
        const _: () = {
            use ::dsh_tools::__private as __schema;
            #[automatically_derived]
            impl __schema::Schema for ReadFile {
                const SCHEMA: &'static __schema::ValueSchema = &__schema::named(
                    __schema::object(
                        __schema::Notes {
                            description: ::core::option::Option::Some("Where to read, and how much."),
                            ..__schema::Notes::NONE
                        },
                        const {
                            &[
                                __schema::property::<PathBuf>(__schema::Field {
                                    refinement: __schema::Refinement {
                                        notes: __schema::Notes {
                                            description: ::core::option::Option::Some(
                                                "Absolute file path."
                                            ),
                                            ..__schema::Notes::NONE
                                        },
                                        ..__schema::Refinement::NONE
                                    },
                                    ..__schema::Field::new("path")
                                }),
                                __schema::property::<Option<u64> >(__schema::Field {
                                    has_default: true,
                                    refinement: __schema::Refinement {
                                        minimum: ::core::option::Option::Some(
                                            __schema::Number::Integer(1i128)
                                        ),
                                        ..__schema::Refinement::NONE
                                    },
                                    ..__schema::Field::new("offset")
                                })
                            ]
                        }
                    ),
                    ::core::any::type_name::<Self>
                );
            }
        };
    };
    let without_trailing_commas = |tokens: TokenStream| tokens.to_string().replace(" , }", " }");
    assert_eq!(without_trailing_commas(expanded), without_trailing_commas(expected));
}

/// Checks the wire names of an item, in order.
#[track_caller]
fn check_names(item: TokenStream, expected: &[&str]) {
    let expanded = expand(item).to_string();
    let names = expanded.split("Field :: new (\"").chain(expanded.split("member (\""));
    let names = names.filter_map(|rest| rest.split_once('"')).map(|(name, _)| name);
    let names: Vec<&str> = names.filter(|name| !name.contains(' ')).collect();
    assert_eq!(names, expected);
}

#[test]
fn names_are_serdes() {
    check_names(
        quote! {
            #[serde(rename_all = "camelCase")]
            struct Page {
                first_line: u64,
                #[serde(rename = "kind")]
                page_kind: u64,
                r#type: u64,
                #[serde(skip)]
                hidden: u64,
                #[serde(rename(serialize = "both", deserialize = "both"))]
                same: u64,
            }
        },
        &["firstLine", "kind", "type", "both"],
    );
    check_names(
        quote! {
            #[serde(rename_all(serialize = "kebab-case", deserialize = "kebab-case"))]
            enum Speed { FastLane, #[serde(rename = "SLOW")] Slow, r#Static }
        },
        &["fast-lane", "SLOW", "static"],
    );
}

#[test]
fn a_type_with_mistakes_still_has_an_impl() {
    let expanded = expand(quote!(
        union Page { a: u64 }
    ))
    .to_string();
    assert!(expanded.contains("compile_error"));
    assert!(expanded.contains("impl __schema :: Schema for Page"));
}
