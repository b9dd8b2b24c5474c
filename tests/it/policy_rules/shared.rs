//! Policies that are replaced while calls run.

use std::error::Error;
use std::fs;

use dsh_tools::hooks::approver_fn;
use dsh_tools::policy::{Decision, LoadError, SharedPolicy};
use fixtures::{Trace, code, read, registry, run, say};

use super::policy;

const ALLOW: &str = "default = \"allow\"";
const DENY: &str = "default = \"deny\"";

#[tokio::test]
async fn calls_are_judged_by_the_policy_that_is_there_when_they_come() {
    let shared = SharedPolicy::new(policy(ALLOW));
    let registry = registry(&Trace::default(), |b| b.pre_execute("policy", shared.clone()));
    assert_eq!(read(run(&registry, say("hi")).await.result()), "hi");
    assert_eq!(shared.replace(policy(DENY)), policy(ALLOW));
    assert_eq!(code(run(&registry, say("hi")).await.result()), Some("POLICY_DENIED"));
}

#[tokio::test]
async fn a_call_that_waits_for_an_answer_keeps_its_judgement() {
    let shared = SharedPolicy::new(policy("default = \"ask\""));
    let other = shared.clone();
    let approver = approver_fn(move |request| {
        other.replace(policy(DENY));
        let yes = request.allow_once();
        Box::pin(async { Ok(yes) })
    });
    let registry =
        registry(&Trace::default(), |b| b.pre_execute("policy", shared).approver(approver));
    assert_eq!(read(run(&registry, say("hi")).await.result()), "hi");
    assert_eq!(code(run(&registry, say("hi")).await.result()), Some("POLICY_DENIED"));
}

#[test]
fn a_broken_or_missing_file_keeps_the_old_policy() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("policy.toml");
    fs::write(&path, ALLOW).unwrap();
    let shared = SharedPolicy::load(&path).unwrap();
    assert_eq!(shared.current(), policy(ALLOW));

    fs::write(&path, "default = \"never\"").unwrap();
    let error = shared.reload(&path).unwrap_err();
    assert_eq!(error.to_string(), format!("the policy {} is broken", path.display()));
    assert_eq!(
        error.source().unwrap().to_string(),
        "line 1, column 11: unknown decision \"never\", accepted are \"allow\", \"ask\", \"deny\""
    );
    assert_eq!(shared.current(), policy(ALLOW));

    fs::remove_file(&path).unwrap();
    let error = shared.reload(&path).unwrap_err();
    assert_eq!(error.to_string(), format!("the policy {} cannot be read", path.display()));
    assert!(matches!(error, LoadError::Unreadable { .. }));
    assert_eq!(shared.current(), policy(ALLOW));
    assert!(SharedPolicy::load(&path).is_err());

    fs::write(&path, DENY).unwrap();
    shared.reload(&path).unwrap();
    assert_eq!(shared.current().default_decision(), Decision::Deny);
}
