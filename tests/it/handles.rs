//! Public handles can be shared between threads and kept in state.

use dsh_tools::{
    Batch, BatchOutcome, BuildError, CallOptions, CallResult, Completed, Dispatched, Execution,
    NativeExecutor, Prepared, Registration, RegistryBuilder, State, ToolCall, ToolContext,
    ToolDefinition, ToolError, ToolRegistry, Toolset,
    around::{Limit, RepeatGuard, Retry},
    outbound,
    schema::ValueSchema,
};

#[test]
fn handles_are_send_and_sync() {
    fn check<T: Send + Sync + 'static>() {}
    check::<ToolRegistry>();
    check::<RegistryBuilder>();
    check::<Registration>();
    check::<ToolDefinition>();
    check::<Toolset>();
    check::<NativeExecutor>();
    check::<Batch>();
    check::<BatchOutcome>();
    check::<BuildError>();
    check::<ToolCall>();
    check::<CallOptions>();
    check::<CallResult>();
    check::<ToolError>();
    check::<Execution>();
    check::<ToolContext>();
    check::<State<String>>();
    check::<Prepared>();
    check::<Dispatched>();
    check::<Completed>();
    check::<ValueSchema>();
    check::<outbound::KeptOutput>();
    check::<outbound::MemoryStore>();
    check::<outbound::OutputBudget>();
    check::<outbound::Redact>();
    check::<Retry>();
    check::<Limit>();
    check::<RepeatGuard>();
}
