//! Reports from users of neighbouring projects, put as inputs in our terms; the number in a name is
//! the number of the report in `tests/data/field-cases.md`.

mod calls;
mod macros;
mod policy;
mod schema_shape;
mod telemetry;
