use dsh_tools::prelude::*;

#[derive(Deserialize)]
struct Find {
    text: String,
}

struct Files;

#[tools]
impl Files {
    /// Finds a file.
    #[tool]
    async fn find(&self, args: Find) -> String {
        args.text
    }
}

fn main() {}
