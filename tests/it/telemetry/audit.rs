//! The audit: one record a call, and what a broken file means.

use std::io::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use dsh_tools::audit::{Audit, AuditRecord, Outcome};
use dsh_tools::log::{Line, read_json_lines};
use dsh_tools::{CallOptions, Completed, Execution, ToolCall, ToolDefinition, ToolRegistry};
use fixtures::{Trace, code, read, registry, run, say};
use serde_json::json;
use tracing::Level;

use super::Recording;
use super::disk::Disk;

const DENIAL: &str = "Error: no call may run while the audit cannot be written";

fn audited(trace: &Trace, audit: Audit) -> ToolRegistry {
    registry(trace, |b| {
        let panics =
            ToolDefinition::from_fn("panics", "Panics.", json!({"type": "object"}), |_, _| async {
                panic!("no")
            });
        audit.mount(b.tool(panics).guard("no secrets", |execution: &Execution| {
            Ok((execution.arguments()["text"] == "secret").then(|| "never".to_owned()))
        }))
    })
}

fn records(disk: &Disk) -> Vec<AuditRecord> {
    let text = disk.text();
    read_json_lines(text.as_bytes()).filter_map(|line| line.unwrap().record()).collect()
}

#[tokio::test(start_paused = true)]
async fn a_call_leaves_who_what_when_and_what_decided() {
    let disk = Disk::default();
    let registry = audited(&Trace::default(), Audit::new(disk.clone()));
    run(&registry, say("hi")).await;
    let text = disk.text();
    let (time, rest) = text.strip_prefix("{\"time\":\"").unwrap().split_once('"').unwrap();
    assert_eq!(
        rest,
        ",\"agent\":\"main\",\"callId\":\"c1\",\"rootCallId\":\"c1\",\"tool\":\"note\",\
         \"argumentsHash\":\"e7b995efa755c5ff3b84d2188b58cb4ae916a59470eb3761df8a814f11763500\",\
         \"steps\":[\
         {\"stage\":\"guard\",\"by\":\"no secrets\",\"decision\":\"silent\",\"micros\":0},\
         {\"stage\":\"body\",\"by\":\"note\",\"decision\":\"ok\",\"micros\":0}],\
         \"outcome\":\"ok\"}\n"
    );
    let written = chrono::DateTime::parse_from_rfc3339(time).unwrap().timestamp();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    assert!(now.abs_diff(u64::try_from(written).unwrap()) < 60, "{time}");
}

#[tokio::test]
async fn every_way_in_which_a_call_ends_leaves_one_record() {
    let disk = Disk::default();
    let registry = audited(&Trace::default(), Audit::new(disk.clone()));
    for call in [
        say("hi"),
        say("secret"),
        ToolCall::new("c1", "nope", "{}"),
        ToolCall::new("c1", "panics", "{}"),
        ToolCall::new("c1", "note", "{}"),
        ToolCall::new("c1", "note", "{\"text\": -0}"),
    ] {
        run(&registry, call).await;
    }
    let summary: Vec<_> = records(&disk)
        .into_iter()
        .map(|record| {
            let by: Vec<_> = record.steps.iter().map(|step| &*step.by).collect();
            let code = record.code.map_or("-".to_owned(), |code| code.to_string());
            format!("{} {:?} {code} {by:?}", record.tool, record.outcome)
        })
        .collect();
    assert_eq!(
        summary,
        [
            "note Ok - [\"no secrets\", \"note\"]",
            "note Error - [\"no secrets\"]",
            "nope Error UNKNOWN_TOOL [\"no secrets\"]",
            "panics Error PANICKED [\"no secrets\", \"panics\"]",
            "note Error INVALID_ARGS [\"no secrets\", \"note\"]",
            "note Error - []",
        ]
    );
}

#[tokio::test]
async fn arguments_are_there_only_where_they_are_asked_for_and_equal_ones_have_one_hash() {
    let disk = Disk::default();
    let audit = Audit::new(disk.clone());
    let registry = audited(&Trace::default(), audit.clone());
    let call = |arguments: &str| ToolCall::new("c1", "note", arguments);
    run(&registry, call(r#"{"text": "s3cret", "n": 1}"#)).await;
    run(&registry, call(r#"{"n": 1.0, "text": "s3cret"}"#)).await;
    run(&registry, call(r#"{"n": 2, "text": "s3cret"}"#)).await;
    assert!(!disk.text().contains("s3cret"), "{}", disk.text());
    let hashes: Vec<_> = records(&disk).into_iter().map(|record| record.arguments_hash).collect();
    assert_eq!(hashes[0], hashes[1]);
    assert_ne!(hashes[0], hashes[2]);

    let registry = audited(&Trace::default(), audit.with_arguments());
    run(&registry, call(r#"{ "text": "s3cret" }"#)).await;
    assert_eq!(records(&disk)[3].arguments.as_deref(), Some(r#"{ "text": "s3cret" }"#));
}

#[tokio::test]
async fn arguments_of_any_depth_are_hashed() {
    let disk = Disk::default();
    let registry = audited(&Trace::default(), Audit::new(disk.clone()).with_arguments());
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    run(&registry, ToolCall::new("c1", "note", deep.as_str())).await;
    let record = &records(&disk)[0];
    assert_eq!((record.arguments_hash.len(), record.arguments.as_ref()), (64, Some(&deep)));
}

#[tokio::test]
async fn a_full_disk_fails_no_call_and_lost_records_are_reported_and_counted() {
    let (recording, _guard) = Recording::start(Level::ERROR);
    let (disk, trace) = (Disk::default(), Trace::default());
    let audit = Audit::new(disk.clone());
    let registry = audited(&trace, audit.clone());
    disk.set_full(true);
    for _ in 0..2 {
        assert_eq!(read(run(&registry, say("hi")).await.result()), "hi");
    }
    assert_eq!((audit.lost(), trace.lines().len()), (2, 2));
    let reported = "ERROR : a record is missing in the audit: no space left \
                    {\"call\": \"c1\", \"tool\": \"note\"}";
    assert_eq!(recording.events(), [reported, reported]);

    disk.set_full(false);
    run(&registry, say("hi")).await;
    assert_eq!((records(&disk).len(), audit.lost()), (1, 2));
}

#[tokio::test]
async fn a_required_audit_denies_before_the_body_until_it_can_be_written_again() {
    let (disk, trace) = (Disk::default(), Trace::default());
    let audit = Audit::new(disk.clone()).required();
    let registry = audited(&trace, audit.clone());
    let hi = async || read(run(&registry, say("hi")).await.result());
    assert_eq!(hi().await, "hi");
    disk.set_full(true);
    // That the disk is full shows when the record of this call is written.
    assert_eq!(hi().await, "hi");
    assert_eq!([hi().await, hi().await], [DENIAL, DENIAL]);
    disk.set_full(false);
    // The record of this denial is the one that shows that it can be written again.
    assert_eq!([hi().await, hi().await], [DENIAL, "hi"]);
    assert_eq!((trace.lines().len(), audit.lost()), (3, 3));
    let outcomes: Vec<_> = records(&disk).into_iter().map(|record| record.outcome).collect();
    assert_eq!(outcomes, [Outcome::Ok, Outcome::Error, Outcome::Ok]);
}

#[tokio::test]
async fn a_writer_that_panics_is_a_broken_audit() {
    struct Panics;
    impl Write for Panics {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            panic!("no")
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let audit = Audit::new(Panics).required();
    let registry = audited(&Trace::default(), audit.clone());
    let hi = async || read(run(&registry, say("hi")).await.result());
    assert_eq!([hi().await, hi().await], ["hi", DENIAL]);
    assert_eq!(audit.lost(), 2);
}

#[tokio::test]
async fn a_file_is_appended_to_and_a_record_that_a_crash_cut_off_is_told_as_torn() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("audit.jsonl");
    let call = async || -> Completed {
        let registry = audited(&Trace::default(), Audit::open(&path).unwrap());
        registry.execute(say("hi"), CallOptions::new()).await
    };
    assert_eq!(code(call().await.result()), None);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{text}{}", text.split_at(text.len() / 2).0)).unwrap();
    call().await;
    let text = std::fs::read(&path).unwrap();
    let lines = read_json_lines::<AuditRecord>(&*text).collect::<Result<Vec<_>, _>>().unwrap();
    assert!(
        matches!(&*lines, [Line::Record(_), Line::Torn { line: 2 }, Line::Record(_)]),
        "{lines:?}"
    );
}
