//! The path to `dsh-tools` in generated code.

use syn::{Expr, Lit, Meta, Path, parse_quote};

use super::report::Result;
use super::value::{Value, expression, wrong};

/// The value of `crate = …`, for users who reach `dsh-tools` through another crate.
#[derive(Debug)]
pub(crate) struct CratePath(pub(crate) Path);

impl Default for CratePath {
    fn default() -> Self {
        Self(parse_quote!(::dsh_tools))
    }
}

impl Value for CratePath {
    const TAKES: &'static str = "a path to dsh-tools";
    const EXAMPLE: &'static str = " = my_crate::dsh_tools";

    /// Reads a path, also in quotes, as serde's `crate` wants it.
    fn read(meta: &Meta) -> Result<Self> {
        let path = match expression(meta) {
            Some(Expr::Path(path)) if path.qself.is_none() => Some(path.path.clone()),
            Some(Expr::Lit(text)) => match &text.lit {
                Lit::Str(text) => text.parse().ok(),
                _ => None,
            },
            _ => None,
        };
        path.map(Self).ok_or_else(|| wrong::<Self>(meta))
    }
}
