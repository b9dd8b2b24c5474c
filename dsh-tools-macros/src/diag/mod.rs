//! Every message of the macros, so that their wording is uniform and can be searched.
//!
//! A message says what is wrong in one line, in lower case; the report puts the name of the item
//! before it. What to do stands on lines of its own, after `help:`; what else is accepted, after
//! `note:`.

mod attribute;
mod schema;
mod serde;
mod tool;
mod tools;

pub(crate) use self::attribute::{
    attribute_with_value, bare_value, doc_not_a_literal, duplicate_key, not_a_choice, unknown_key,
    wrong_value,
};
pub(crate) use self::schema::{
    converted, empty_enum, empty_tuple, flat_recursion, flat_rule, omitted_element,
    open_and_closed, open_not_a_struct, repeated_variant, skipped_newtype, union,
};
pub(crate) use self::serde::{
    into_differs, into_without_from, own_form, serde_one_sided_skip, serde_refused,
    serde_sides_differ,
};
pub(crate) use self::tool::{
    argument_borrows, argument_pattern, blank, blocking_async, conditional_parameter,
    duration_without_unit, generics, impl_parameter, impl_return, lifetimes, long_duration,
    never_returns, no_body, no_description, not_a_duration, not_a_function, qualifier,
    read_only_and_destructive, receiver, two_defaults, two_names, variadic, zero,
};
pub(crate) use self::tools::{
    borrowing_self, conditional_tool, key_of_the_block, never_registered, no_tools, not_an_impl,
    receiver_form, repeated_tool, trait_impl, two_tools,
};
