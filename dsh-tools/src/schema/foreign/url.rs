//! `Url` of `url`.
//!
//! It follows the URL standard of the web, not RFC 3986: it has the last word on what is read.

use url::Url;

use super::formatted;
use crate::schema::{Schema, ValueSchema};

schemas! {
    Url => formatted("uri");
}
