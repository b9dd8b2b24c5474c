//! How calls and results look: presenters, what is shown without them, and the form on the wire.

use std::fmt::Debug;

use dsh_tools::log::ResultEvent;
use dsh_tools::view::{
    CallView, DiffCall, DiffResult, Exit, FileDiff, FileMatches, GenericCall, GenericResult, Kind,
    LineMatch, Location, ReadResult, ResultRecord, ResultView, SearchMatches, SearchPaths,
    TerminalCall, TerminalResult, WebFetch, WebSearch, WebSource,
};
use dsh_tools::{CallOptions, CallResult, ToolCall, ToolDefinition, ToolError, ToolRegistry};
use fixtures::{Note, Trace, note};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

#[track_caller]
fn round_trips<T, V>(view: T, json: Value)
where
    T: Into<V>,
    V: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let view = view.into();
    assert_eq!(serde_json::to_value(&view).unwrap(), json);
    assert_eq!(serde_json::from_value::<V>(json).unwrap(), view);
}

#[track_caller]
fn call(view: impl Into<CallView>, json: Value) {
    round_trips::<_, CallView>(view, json);
}

#[track_caller]
fn result(view: impl Into<ResultView>, json: Value) {
    round_trips::<_, ResultView>(view, json);
}

fn presented() -> ToolDefinition {
    note(&Trace::default())
        .with_call_view(|note: &Note| Some(GenericCall::new(format!("Say {}", note.text))))
        .with_result_view(|note: &Note, result| {
            let content = format!("{}: {}", note.text, result.content());
            (!result.is_error()).then(|| GenericResult::new(content).with_title("Said"))
        })
}

#[test]
fn call_views_have_the_form_of_their_card() {
    call(GenericCall::new("t"), json!({"card": "generic", "title": "t"}));
    let place = Location::new("a.rs");
    call(
        GenericCall::new("t")
            .with_kind(Kind::Fetch)
            .with_raw_input(json!({"a": 1}))
            .with_content("text")
            .with_location(place.clone())
            .with_location(place.clone().at_line(3)),
        json!({
            "card": "generic", "title": "t", "kind": "fetch", "rawInput": {"a": 1},
            "content": [{"type": "text", "text": "text"}],
            "locations": [{"path": "a.rs"}, {"path": "a.rs", "line": 3}],
        }),
    );
    call(TerminalCall::new("ls"), json!({"card": "terminal", "title": "ls"}));
    call(
        TerminalCall::new("ls").with_description("d").with_cwd("/"),
        json!({"card": "terminal", "title": "ls", "description": "d", "cwd": "/"}),
    );
    call(
        DiffCall::new("t", [FileDiff::written("a", "1"), FileDiff::changed("b", "1", "2")])
            .with_location(place),
        json!({
            "card": "diff", "title": "t",
            "diffs": [
                {"path": "a", "oldText": null, "newText": "1"},
                {"path": "b", "oldText": "1", "newText": "2"},
            ],
            "locations": [{"path": "a.rs"}],
        }),
    );
}

#[test]
fn result_views_have_the_form_of_their_card() {
    result(GenericResult::default(), json!({"card": "generic"}));
    result(
        GenericResult::new("c").with_title("t"),
        json!({"card": "generic", "title": "t", "content": [{"type": "text", "text": "c"}]}),
    );
    result(
        DiffResult::new([FileDiff::written("a", "1")]).with_title("t"),
        json!({
            "card": "diff", "title": "t",
            "diffs": [{"path": "a", "oldText": null, "newText": "1"}],
        }),
    );
    result(
        ReadResult::new("a.rs", 7, ["x", "y"], 9)
            .with_title("t")
            .with_lang("rust")
            .with_content("c"),
        json!({
            "card": "read", "title": "t", "path": "a.rs", "offset": 7,
            "lines": [{"number": 7, "text": "x"}, {"number": 8, "text": "y"}], "totalLines": 9,
            "lang": "rust", "content": [{"type": "text", "text": "c"}],
        }),
    );
    result(
        ReadResult::new("a", 7, [""; 0], 2),
        json!({"card": "read", "path": "a", "offset": 7, "lines": [], "totalLines": 2}),
    );
    result(
        WebFetch::new("https://a/", 404).with_title("t").truncated(true),
        json!({
            "card": "web", "kind": "fetch", "title": "t", "url": "https://a/", "statusCode": 404,
            "truncated": true,
        }),
    );
    let source =
        WebSource::new("u").with_title("t").with_snippet("s").with_published_at("yesterday");
    result(
        WebSearch::new([WebSource::new("u"), source]).with_answer("a"),
        json!({
            "card": "web", "kind": "search",
            "sources": [
                {"url": "u"},
                {"url": "u", "title": "t", "snippet": "s", "publishedAt": "yesterday"},
            ],
            "answer": "a", "truncated": false,
        }),
    );
}

#[test]
fn a_process_has_an_exit_code_or_a_signal() {
    let output = TerminalResult::new("o");
    result(output.clone(), json!({"card": "terminal", "output": "o"}));
    result(
        output.clone().with_title("t").with_exit(Exit::Code(-1)),
        json!({"card": "terminal", "title": "t", "output": "o", "exitCode": -1}),
    );
    result(
        output.with_exit(Exit::Code(1)).with_exit(Exit::Signal("SIGKILL".into())),
        json!({"card": "terminal", "output": "o", "signal": "SIGKILL"}),
    );
}

#[test]
fn a_search_says_how_much_it_does_not_show() {
    let found = SearchMatches::new([FileMatches::new("a", [LineMatch::new(2, "x")])]);
    let files = json!([{"path": "a", "matches": [{"lineNumber": 2, "line": "x"}]}]);
    let sent = |truncated, total| {
        json!({
            "card": "search", "shape": "matches", "files": files.clone(), "truncated": truncated,
            "total": total,
        })
    };
    result(found.clone(), sent(false, 1));
    result(found.clone().of_total(1), sent(false, 1));
    result(found.clone().of_total(0), sent(false, 1));
    result(found.of_total(5), sent(true, 5));
    result(
        SearchPaths::new(["a", "b"]).of_total(3).with_title("t"),
        json!({
            "card": "search", "shape": "paths", "title": "t", "paths": ["a", "b"],
            "truncated": true, "total": 3,
        }),
    );
}

#[test]
fn what_is_not_known_is_kept_as_it_was() {
    let newer = json!({"card": "hologram", "title": "t", "depth": 3});
    round_trips::<_, CallView>(CallView::Unknown(newer.clone()), newer.clone());
    round_trips::<_, ResultView>(ResultView::Unknown(newer.clone()), newer);
    let other = json!({"card": "search", "shape": "graph"});
    round_trips::<_, ResultView>(ResultView::Unknown(other.clone()), other);
    let kind = json!({"card": "generic", "title": "t", "kind": "dream"});
    let read = serde_json::from_value::<CallView>(kind).unwrap();
    assert_eq!(read, GenericCall::new("t").with_kind(Kind::Other).into());
    let line = json!({"path": "a", "line": 0});
    assert!(serde_json::from_value::<Location>(line).is_err());
    assert_eq!(Location::new("a").at_line(0), Location::new("a"));
}

#[test]
fn presenters_take_typed_arguments() {
    let tool = presented();
    let arguments = json!({"text": "hi"});
    assert_eq!(tool.call_view(&arguments), GenericCall::new("Say hi").into());
    assert_eq!(
        tool.result_view(&arguments, &CallResult::success("yes")),
        GenericResult::new("hi: yes").with_title("Said").into()
    );
}

#[test]
fn a_tool_without_presenters_has_the_generic_view() {
    let tool = note(&Trace::default());
    let arguments = json!({"text": "hi"});
    let view = GenericCall::new("note").with_raw_input(arguments.clone());
    assert_eq!(tool.call_view(&arguments), view.into());
    let failed = CallResult::failure(ToolError::new("no"));
    assert_eq!(tool.result_view(&arguments, &failed), GenericResult::new("Error: no").into());
}

#[test]
fn arguments_that_do_not_fit_have_the_generic_view() {
    let tool = presented().with_call_view(|_: &Value| Some(GenericCall::new("never")));
    let done = CallResult::success("yes");
    for arguments in [json!(null), json!({"text": 1}), json!({"text": "hi", "old": true})] {
        let view = GenericCall::new("note").with_raw_input(arguments.clone());
        assert_eq!(tool.call_view(&arguments), view.into());
        assert_eq!(tool.result_view(&arguments, &done), GenericResult::new("yes").into());
    }
}

#[test]
fn a_presenter_that_answers_none_or_panics_has_the_generic_view() {
    let arguments = json!({"text": "hi"});
    let generic = CallView::from(GenericCall::new("note").with_raw_input(arguments.clone()));
    let failed = CallResult::failure(ToolError::new("no"));
    let tool = presented().with_call_view(|_: &Note| None::<CallView>);
    assert_eq!(tool.call_view(&arguments), generic);
    assert_eq!(tool.result_view(&arguments, &failed), GenericResult::new("Error: no").into());

    let tool = note(&Trace::default())
        .with_call_view(|_: &Note| -> Option<CallView> { panic!("secret") })
        .with_result_view(|_: &Note, _| -> Option<ResultView> { panic!("secret") });
    assert_eq!(tool.call_view(&arguments), generic);
    assert_eq!(tool.result_view(&arguments, &failed), GenericResult::new("Error: no").into());
}

#[test]
fn unchecked_parameters_leave_it_to_the_type_of_the_presenter() {
    let tool = ToolDefinition::from_fn("far", "Far.", json!({"type": "object"}), |_, _| async {
        Ok(Value::Null)
    })
    .with_call_view(|note: &Note| Some(TerminalCall::new(&note.text)));
    assert_eq!(tool.call_view(&json!({"text": "ls"})), TerminalCall::new("ls").into());
    let view = GenericCall::new("far").with_raw_input(json!({}));
    assert_eq!(tool.call_view(&json!({})), view.into());
}

#[test]
fn very_deep_arguments_are_shown_as_text() {
    let mut deep = json!(1);
    for _ in 0..200 {
        deep = json!([deep]);
    }
    let text = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    let tool = ToolDefinition::from_fn("far", "Far.", json!({}), |_, _| async { Ok(Value::Null) })
        .with_call_view(|_: &Value| Some(GenericCall::new("never")));
    assert_eq!(tool.call_view(&deep), GenericCall::new("far").with_raw_input(text).into());
}

#[tokio::test]
async fn a_result_looks_the_same_live_and_from_a_log() {
    let tool = note(&Trace::default())
        .with_meta(|_, value| Ok(json!({ "lines": [value] })))
        .with_result_view(|note: &Note, result| {
            #[derive(serde::Deserialize)]
            struct Meta {
                lines: Vec<String>,
            }
            let meta: Meta = result.meta_as()?;
            assert_eq!(result.meta_as::<u64>(), None);
            Some(ReadResult::new(&note.text, 1, meta.lines, 1))
        });
    let registry = ToolRegistry::builder().tool(tool.clone()).build().unwrap();
    let arguments = json!({"text": "hi"});
    let call = ToolCall::new("c1", "note", arguments.clone());
    let live = registry.execute(call, CallOptions::new()).await.into_result();
    let view = ResultView::from(ReadResult::new("hi", 1, ["hi"], 1));
    assert_eq!(tool.result_view(&arguments, &live), view);

    let event: ResultEvent = serde_json::from_value(json!({
        "callId": "c1", "content": live.content(), "isError": false, "meta": live.meta(),
        "tookMicros": 0,
    }))
    .unwrap();
    assert_eq!(tool.result_view(&arguments, &event), view);
    let kept = ResultRecord::new(live.content(), false, Some(&event.meta.as_ref().unwrap()["x"]));
    assert_eq!(tool.result_view(&arguments, kept), GenericResult::new("hi").into());
}

#[test]
fn a_model_is_told_nothing_of_views() {
    let tool = presented().with_title("Note").with_meta(|_, _| Ok(Value::Null));
    assert_eq!(tool.to_json(), note(&Trace::default()).to_json());
    let json = tool.with_deferred_loading(true).to_json();
    let members: Vec<_> = json.as_object().unwrap().keys().collect();
    assert_eq!(members, ["name", "description", "parameters", "deferLoading"]);
}
