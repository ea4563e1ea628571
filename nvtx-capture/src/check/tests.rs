//! Each fault, planted, is found, and nothing else is.

use super::*;
use crate::calls::Payload;

fn registered(text: &str) -> What {
    What::Register { domain: "kina".into(), text: text.into() }
}

fn push(text: &str) -> What {
    let message = Message::Registered(text.into());
    What::Push { domain: "kina".into(), message, payload: Some(Payload::U64(1)) }
}

fn pop() -> What {
    What::Pop { domain: "kina".into() }
}

fn found(calls: &[(u32, What)], expected: &[Finding]) {
    let names = Names::new(["step", "matmul {m}x{n}", "{kernel}"]).value("kernel", ["gelu", "gelu_wide"]);
    let calls: Vec<Call> = calls.iter().map(|(thread, what)| Call { thread: *thread, what: what.clone() }).collect();
    assert_eq!(check(&calls, "kina", &names), expected);
}

#[test]
fn a_clean_capture_has_no_findings() {
    found(
        &[
            (1, registered("step")),
            (1, push("step")),
            (2, push("gelu_wide")),
            (1, push("matmul 12x7")),
            (1, pop()),
            (2, pop()),
            (1, pop()),
        ],
        &[],
    );
}

#[test]
fn another_domain_is_none_of_our_business() {
    let text = || Message::Text("theirs".into());
    found(
        &[
            (1, What::Push { domain: "theirs".into(), message: text(), payload: None }),
            (1, What::Start { domain: String::new(), message: text() }),
        ],
        &[],
    );
}

#[test]
fn each_fault_is_found() {
    found(
        &[(1, push("step")), (1, push("gelu"))],
        &[Finding::LeftOpen { thread: 1, names: vec!["step".into(), "gelu".into()] }],
    );
    found(&[(1, push("step")), (1, pop()), (1, pop())], &[Finding::PopBelowZero { thread: 1 }]);
    found(&[(1, push("step")), (2, pop())], &[Finding::OtherThread { opened: 1, closed: 2 }]);
    let text = || Message::Text("step".into());
    found(
        &[(1, What::Push { domain: "kina".into(), message: text(), payload: None }), (1, pop())],
        &[Finding::NotRegistered(text())],
    );
    found(&[(1, registered("step")), (2, registered("step"))], &[Finding::RegisteredAgain("step".into())]);
    found(&[(1, What::Start { domain: "kina".into(), message: text() })], &[Finding::StartEnd]);
}

#[test]
fn a_name_must_come_from_a_template() {
    for unknown in ["steps", "matmul 12", "matmul 1 2x3", "matmul x7", "softmax", ""] {
        found(&[(1, push(unknown)), (1, pop())], &[Finding::UnknownName(unknown.into())]);
    }
}
