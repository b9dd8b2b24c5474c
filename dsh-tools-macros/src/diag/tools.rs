//! What stands under `#[tools]`.

use quote::ToTokens;

use crate::support::report::Mistake;

pub(crate) fn not_an_impl(at: impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "only an `impl` can have tools\n\
         help: write `#[tools]` above `impl Type { … }`, and `#[tool]` above the methods in it; a \
         function needs `#[tool]` alone"
            .to_owned(),
    )
}

pub(crate) fn trait_impl(at: impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "the methods of a trait cannot be tools, since the trait says what they look like\n\
         help: write `#[tools]` above an `impl` of the type itself, whose methods may call these"
            .to_owned(),
    )
}

pub(crate) fn borrowing_self(at: impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "a type with tools has to be `'static`, since a registry keeps them as long as it wants\n\
         help: own what it borrows, or share it with `Arc`"
            .to_owned(),
    )
}

pub(crate) fn no_tools(at: impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "no method has `#[tool]`\n\
         help: write `#[tool]` above each method that a model may call"
            .to_owned(),
    )
}

pub(crate) fn receiver_form(at: impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "calls share the value that a tool is called on, so it cannot be taken or changed\n\
         help: write `&self`, and keep what changes in a `Mutex` or an atomic"
            .to_owned(),
    )
}

pub(crate) fn repeated_tool(at: impl ToTokens) -> Mistake {
    let text = "`#[tool]` is given twice\nhelp: write its keys into one";
    Mistake::new(at, text.to_owned())
}

pub(crate) fn conditional_tool(at: impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "whether a method is a tool cannot depend on `cfg_attr`\n\
         help: write `#[tool]`, and put `#[cfg(…)]` on the method"
            .to_owned(),
    )
}

pub(crate) fn key_of_the_block(at: impl ToTokens, key: &str) -> Mistake {
    Mistake::new(
        at,
        format!(
            "`{key}` is the same for all tools of an `impl`\n\
             help: move it to `#[tools({key} = …)]`"
        ),
    )
}

pub(crate) fn never_registered(at: impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "`register` is for functions, since `discover` has no value to call a method on\n\
         help: remove it; a method is registered with the value, by `.toolset(…)`"
            .to_owned(),
    )
}

pub(crate) fn two_tools(at: impl ToTokens, name: &str) -> Mistake {
    let text = format!(
        "another tool of this `impl` has the name `{name}`\n\
         help: give one of them another with `#[tool(name = \"…\")]`"
    );
    Mistake::new(at, text)
}
