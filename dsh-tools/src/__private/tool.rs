//! What is known of a tool while compiling, and its check.

use std::time::Duration;

use crate::definition::Origin;
use crate::model::{Annotations, NameRule};
use crate::schema::{ValueSchema, check_constant, not_arguments, refuse};

/// A tool as it is known while compiling.
#[derive(Debug)]
pub struct Tool {
    pub name: &'static str,
    pub title: Option<&'static str>,
    pub description: &'static str,
    pub parameters: &'static ValueSchema,
    pub output: &'static ValueSchema,
    pub timeout: Option<Duration>,
    pub grace: Option<Duration>,
    pub annotations: Annotations,
    pub tags: &'static [&'static str],
    pub name_rule: NameRule,
    pub origin: Origin,
}

/// Refuses a tool that breaks a rule, while the user's crate compiles.
#[track_caller]
pub const fn check(tool: &'static Tool) {
    if !tool.name_rule.admits(tool.name) {
        refuse(&["tool `", tool.name, "`: the name has to be ", tool.name_rule.describe()]);
    }
    if let Some((what, kind, instead)) = not_arguments(tool.parameters) {
        refuse(&["tool `", tool.name, "`: $: ", what, kind, instead]);
    }
    check_constant(&["tool `", tool.name, "`"], tool.parameters);
    check_constant(&["tool `", tool.name, "`: what it returns"], tool.output);
}
