//! `Uuid` of `uuid`, in groups with hyphens.

use uuid::Uuid;

use super::formatted;
use crate::schema::{Schema, ValueSchema};

schemas! {
    Uuid => formatted("uuid");
}
