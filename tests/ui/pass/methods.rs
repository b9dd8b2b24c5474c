//! Whatever an `impl` may have beside tools.

use std::sync::Arc;

use dsh_tools::prelude::*;

struct Shelf<T, const N: usize>([T; N]);

struct Sized<const N: usize>;

#[tools]
#[allow(dead_code, reason = "it is only looked at")]
impl<T, const N: usize> Shelf<T, N>
where
    T: Schema + serde::de::DeserializeOwned + Send,
{
    #![allow(clippy::all)]

    const COUNT: usize = if N > 1 { N } else { 1 };
    pub const NAMES: [&'static str; 2] = ["a", "b"];

    /// A constant function.
    pub(crate) const fn count() -> usize {
        N
    }

    unsafe fn never(&self) {}

    fn generic<'a, U: Into<usize>>(&'a self, more: U) -> Sized<{ 1 + 1 }> {
        let _ = more.into() + Self::COUNT;
        Sized
    }

    /// Takes itself in its types.
    #[tool(parallel = |args: &Of<T>| args.items.is_empty(), render = |found: &usize| Self::show(found))]
    async fn of(self: &Arc<Self>, args: Of<T>) -> usize {
        args.items.len() + self.0.len()
    }

    fn show(found: &usize) -> String {
        format!("{found} {}", Self::COUNT)
    }

    /// Is a tool and a constant function.
    #[tool]
    const fn constant(&self, #[arg(default = Self::count)] number: usize) -> usize {
        number
    }
}

#[derive(Deserialize, Schema)]
struct Of<T> {
    items: Vec<T>,
}

fn main() {
    let toolset = Arc::new(Shelf([1_u8, 2])).toolset();
    assert_eq!(toolset.tool_names().collect::<Vec<_>>(), ["constant", "of"]);
}
