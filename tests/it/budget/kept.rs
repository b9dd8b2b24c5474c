//! The whole of what was cut: who may read it, in which parts, and how long.

use std::sync::Arc;

use dsh_tools::hooks::BoxFuture;
use dsh_tools::outbound::{KeptOutput, MemoryStore, OutputBudget, OutputStore, Redact};
use dsh_tools::{CallOptions, CallResult, Scope, ToolCall, ToolError, ToolRegistry, ToolResult};
use fixtures::{code, read};
use serde_json::{Value, json};

use super::{Outer, call, gives, handle, lines, registry, under};

fn keeping(bytes: usize) -> OutputBudget {
    OutputBudget::new(bytes).with_store(MemoryStore::new())
}

async fn read_part(registry: &ToolRegistry, scope: Option<&Scope>, arguments: Value) -> CallResult {
    let options = CallOptions::new();
    let options = match scope {
        Some(scope) => options.with_scope(scope),
        None => options,
    };
    let call = ToolCall::new("r1", "read_output", arguments);
    registry.execute(call, options).await.into_result()
}

/// Everything from the start on, in parts of at most so many bytes.
async fn read_all(registry: &ToolRegistry, handle: &str, limit: usize) -> String {
    let (mut all, mut offset) = (String::new(), Value::from(0));
    loop {
        let arguments = json!({"handle": handle, "offset": offset, "limit": limit});
        let part = read_part(registry, None, arguments).await;
        let part = part.value().unwrap();
        let text = part["text"].as_str().unwrap();
        assert!(text.len() <= limit.max(4));
        assert_eq!(part["offset"], all.len());
        all += text;
        match part.get("next") {
            Some(next) => offset = next.clone(),
            None => return all,
        }
    }
}

#[tokio::test]
async fn the_note_says_how_to_read_on_and_the_parts_are_the_whole() {
    let text = lines(300) + &"é€😀".repeat(300);
    let registry = registry(gives(&*text), |b| keeping(1_000).mount(b));
    let cut = read(call(&registry).await.result());
    let handle = handle(&cut);
    let offset = cut.find('[').unwrap();
    assert!(cut.contains(&format!(
        "are left out here. The whole is kept: call read_output with \
         {{\"handle\": \"{handle}\", \"offset\": {offset}}}.]\n"
    )));
    for limit in [1, 3, 7, 100, 880, 10_000] {
        assert_eq!(read_all(&registry, &handle, limit.min(880)).await, text);
    }
    let arguments = json!({"handle": handle, "offset": offset});
    let part = read_part(&registry, None, arguments).await;
    let next = part.value().unwrap()["next"].as_u64().unwrap();
    let shown = text.get(offset..usize::try_from(next).unwrap()).unwrap();
    assert_eq!(
        read(&part),
        format!("{shown}[bytes {offset} to {next} of {}; read on with offset {next}]", text.len())
    );
}

#[tokio::test]
async fn a_part_is_not_cut_again_whatever_is_asked_for() {
    let registry = registry(gives("x".repeat(20_000)), |b| keeping(1_000).mount(b));
    let handle = handle(&read(call(&registry).await.result()));
    let part = read_part(&registry, None, json!({"handle": handle, "limit": 1_000_000})).await;
    let text = read(&part);
    assert!(text.len() <= 1_000 && text.len() > 850, "{}", text.len());
    assert!(!text.contains("left out"), "{text}");

    let rest = json!({"handle": handle, "offset": 19_990});
    assert_eq!(
        read(&read_part(&registry, None, rest).await),
        "xxxxxxxxxx\n[bytes 19990 to 20000 of 20000, which is the end]"
    );
    let end = json!({"handle": handle, "offset": 20_000});
    assert_eq!(
        read(&read_part(&registry, None, end).await),
        "[bytes 20000 to 20000 of 20000, which is the end]"
    );
    let beyond = json!({"handle": handle, "offset": 20_001});
    assert_eq!(
        read(&read_part(&registry, None, beyond).await),
        "Error: the offset is beyond the end: there are 20000 bytes"
    );
}

#[tokio::test]
async fn an_output_is_read_where_it_was_made_and_below_and_nowhere_else() {
    let registry = registry(gives(lines(1000)), |b| keeping(1_000).mount(b));
    let parent = registry.scope("parent");
    let (agent, sibling) = (parent.scope("agent"), parent.scope("agent"));
    let child = agent.scope("child").scope("grandchild");
    let options = CallOptions::new().with_scope(&agent);
    let cut = registry.execute(ToolCall::new("c1", "t", "{}"), options).await;
    let handle = handle(&read(cut.result()));
    let arguments = || json!({"handle": handle.clone()});

    for scope in [&agent, &child] {
        assert!(!read_part(&registry, Some(scope), arguments()).await.is_error());
    }
    let unknown = read_part(&registry, Some(&agent), json!({"handle": "0-0"})).await;
    assert_eq!(code(&unknown), Some("UNKNOWN_OUTPUT"));
    for scope in [None, Some(&parent), Some(&sibling)] {
        assert_eq!(read_part(&registry, scope, arguments()).await, unknown);
    }
}

#[tokio::test]
async fn what_was_made_for_nobody_is_read_by_all() {
    let registry = registry(gives(lines(1000)), |b| keeping(1_000).mount(b));
    let handle = handle(&read(call(&registry).await.result()));
    let agent = registry.scope("agent");
    assert!(!read_part(&registry, Some(&agent), json!({ "handle": handle })).await.is_error());
}

#[tokio::test]
async fn handles_are_not_numbers_that_can_be_counted_up() {
    let registry = registry(gives(lines(1000)), |b| keeping(1_000).mount(b));
    let (first, second) = (call(&registry).await, call(&registry).await);
    let (first, second) = (handle(&read(first.result())), handle(&read(second.result())));
    let code = |handle: &str| handle.split_once('-').unwrap().1.to_owned();
    assert_eq!((code(&first).len(), code(&first) == code(&second)), (16, false));
    let mixed = format!("1-{}", code(&first));
    for guess in ["", "-", "0", "0-", "1", &mixed, "99999999999999999999999-0"] {
        let result = read_part(&registry, None, json!({ "handle": guess })).await;
        assert_eq!(fixtures::code(&result), Some("UNKNOWN_OUTPUT"), "{guess}");
    }
}

#[tokio::test]
async fn old_outputs_make_room_and_their_handles_say_so() {
    for store in [MemoryStore::new().with_max_outputs(2), MemoryStore::new().with_max_bytes(25_000)]
    {
        let store = Arc::new(store);
        let budget = OutputBudget::new(1_000).with_store(Arc::clone(&store));
        let registry = registry(gives(lines(1000)), |b| budget.mount(b));
        let mut handles = Vec::new();
        for _ in 0..4 {
            handles.push(handle(&read(call(&registry).await.result())));
        }
        for (index, handle) in handles.iter().enumerate() {
            let result = read_part(&registry, None, json!({ "handle": handle })).await;
            let expected = (index < 2).then_some("OUTPUT_DROPPED");
            assert_eq!(code(&result), expected, "{index}");
        }
        assert_eq!(format!("{store:?}"), "MemoryStore { outputs: 2, bytes: 20000, .. }");
    }
}

/// A store that does what it is made of.
struct Store(fn() -> ToolResult<String>);

impl OutputStore for Store {
    fn put(&self, _: KeptOutput) -> BoxFuture<'_, ToolResult<String>> {
        Box::pin(async { (self.0)() })
    }

    fn get<'a>(&'a self, _: &'a str) -> BoxFuture<'a, ToolResult<Option<KeptOutput>>> {
        Box::pin(async { Err(ToolError::new("the disk is gone")) })
    }
}

#[tokio::test]
async fn what_cannot_be_kept_is_cut_all_the_same() {
    let note = "are left out here. The whole could not be kept.]";
    let stores: [fn() -> ToolResult<String>; 3] =
        [|| Err("full".into()), || panic!("no"), || Ok("h".repeat(1_000))];
    for store in stores {
        let result =
            under(OutputBudget::new(500).with_store(Store(store)), gives(lines(1000))).await;
        let text = read(&result);
        assert!(text.len() <= 500 && text.contains(note), "{text}");
    }
    for small in [MemoryStore::new().with_max_bytes(9_999), MemoryStore::new().with_max_outputs(0)]
    {
        let result = under(OutputBudget::new(500).with_store(small), gives(lines(1000))).await;
        assert!(read(&result).contains(note));
    }
}

#[tokio::test]
async fn a_store_of_the_host_is_asked_by_its_own_handles() {
    let budget = OutputBudget::new(500).with_store(Store(|| Ok("a \"b\"".to_owned())));
    let registry = registry(gives(lines(1000)), |b| budget.mount(b));
    let cut = read(call(&registry).await.result());
    assert!(cut.contains(r#"{"handle": "a \"b\"", "offset": "#), "{cut}");
    let result = read_part(&registry, None, json!({"handle": "a \"b\""})).await;
    assert_eq!(read(&result), "Error: the disk is gone");
}

#[tokio::test]
async fn what_fits_and_what_is_nested_is_not_kept() {
    let store = Arc::new(MemoryStore::new());
    let outer = Outer::default();
    let budget = OutputBudget::new(40_000).with_store(Arc::clone(&store));
    let registry = registry(gives(lines(1000)).with_output_budget(500), |b| {
        budget.mount(b.tool(outer.tool(2)))
    });
    let completed = outer.call(registry).await;
    assert_eq!(read(completed.result()), lines(1000).repeat(2));
    assert_eq!(format!("{store:?}"), "MemoryStore { outputs: 0, bytes: 0, .. }");
}

#[tokio::test]
async fn secrets_are_taken_out_before_anything_is_cut_or_kept() {
    let redact = || Redact::new().with_secret("token", "hunter2");
    // Secrets stand at every place where a cut or a part could take one apart.
    let text = "hunter2".repeat(2_000);
    for budget_first in [true, false] {
        let registry = registry(gives(&*text), |b| {
            if budget_first {
                keeping(1_000).mount(b).outbound("redact", redact())
            } else {
                keeping(1_000).mount(b.outbound("redact", redact()))
            }
        });
        let cut = read(call(&registry).await.result());
        assert!(!cut.contains("hunter") && cut.contains("[redacted: token]"), "{cut}");
        let whole = read_all(&registry, &handle(&cut), 880).await;
        assert_eq!(whole, "[redacted: token]".repeat(2_000));
    }
}

#[tokio::test]
async fn the_tool_that_reads_on_is_there_with_a_store_alone() {
    assert!(OutputBudget::new(1_000).read_output().is_none());
    let tool = keeping(1_000).read_output().unwrap();
    assert!(tool.annotations().is_read_only());
    let registry = ToolRegistry::builder().tool(tool).build().unwrap();
    assert!(registry.get("read_output").unwrap().is_parallel(&json!({"handle": "h"}).into()));
    let result = read_part(&registry, None, json!({"handle": "h", "limit": 0})).await;
    assert_eq!(code(&result), Some("INVALID_ARGS"));
}
