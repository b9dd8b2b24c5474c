//! One module a tool, each with its arguments, its output, `run` and `render`.

pub mod edit_file;
pub mod glob;
pub mod grep;
pub mod list_dir;
pub mod read_file;
pub mod run_command;
pub mod write_file;

dsh_tools::toolset!(pub toolset);
