use std::cell::RefCell;
use std::rc::Rc;

use dsh_tools::prelude::*;

struct Files(Rc<RefCell<Vec<String>>>);

#[tools]
impl Files {
    /// Counts the files.
    #[tool]
    async fn count(&self) -> usize {
        self.0.borrow().len()
    }

    /// Clears the list.
    #[tool]
    async fn clear(&self) {
        self.0.borrow_mut().clear();
    }
}

fn main() {}
