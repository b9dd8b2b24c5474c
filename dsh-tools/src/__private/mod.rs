//! What generated code names, and nothing else. Not covered by semver.

mod body;
mod definer;
mod method;
mod parameter;
mod render;
mod returned;
mod tool;

pub use inventory;
pub use serde;

pub use self::body::{blocking, body};
pub use self::definer::{Definer, define, define_method, type_id_of};
pub use self::method::{Method, Receiver, receiver};
pub use self::parameter::{IsArguments, IsExtra, NoArguments, Parameter, extra};
pub use self::render::{OfBoth, OfValue, Render};
pub use self::returned::{
    AnyKind, Coded, CodedKind, IsResult, IsValue, Plain, PlainError, ToolReturn, value,
};
pub use self::tool::{Tool, check};

pub use crate::body::{BodyCall, BodyFuture, Output};
pub use crate::definition::Origin;
pub use crate::model::{Annotations, NameRule};
pub use crate::registry::Declared;
pub use crate::schema::{
    Field, Notes, Number, Refinement, Schema, ValueSchema, any_of, array_of, beside_tag, checked,
    checked_newtype, description, element, exact_property, flattened, late, late_element,
    late_inner, late_property, member, named, null, object, object_of, one_of, open_object,
    property, refine, string_enum, tuple, written_number, written_property,
};
