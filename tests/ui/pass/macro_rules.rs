//! A tool may come out of a macro, with parts from its caller.

use dsh_tools::prelude::*;

macro_rules! reader {
    ($(#[$meta:meta])* $name:ident, $title:literal, $args:ty, $field:ident: $ty:ty, $limit:expr) => {
        $(#[$meta])*
        #[tool(title = $title, timeout = "1s")]
        pub(crate) async fn $name(args: $args, cx: &ToolContext) -> ToolResult<$ty> {
            let _ = cx;
            Ok(args.$field)
        }

        const _: () = {
            /// Returns its argument.
            #[tool(name = "inline")]
            async fn inline(#[schema(minimum = $limit)] $field: $ty) -> ToolResult<$ty> {
                Ok($field)
            }
        };
    };
}

#[derive(Deserialize, Schema)]
struct Page {
    number: u64,
}

reader!(
    /// Opens a page.
    open_page, "Open", Page, number: u64, 1
);

macro_rules! structure {
    ($name:ident { $(#[doc = $doc:literal] $field:ident: $ty:ty,)* }) => {
        #[derive(Deserialize, Schema)]
        struct $name {
            $(#[doc = $doc] $field: $ty,)*
        }
    };
}

structure!(Range {
    /// The first.
    first: u64,
    /// The last.
    last: Option<u64>,
});

/// Opens pages.
#[tool]
async fn open_pages(args: Range) -> ToolResult<u64> {
    Ok(args.last.unwrap_or(args.first))
}

macro_rules! shelf {
    ($shelf:ident<$T:ident>, $prefix:literal, $name:ident($args:ty), $field:ident: $ty:ty) => {
        struct $shelf<$T>($T);

        #[tools(prefix = $prefix)]
        impl<$T> $shelf<$T> {
            /// Opens a page.
            #[tool(parallel)]
            async fn $name(&self, args: $args) -> $ty {
                args.$field
            }

            /// Returns its argument.
            #[tool]
            fn inline(&self, #[schema(minimum = 1)] $field: $ty) -> $ty {
                $field
            }
        }
    };
}

shelf!(Shelf<Book>, "shelf_", open(Page), number: u64);

fn main() {}
