//! Rules about what a span says of its success.

use super::checker::{Checker, SpanLine};
use super::finding::Finding;
use crate::line::Kind;

/// What the boundary and the runtime themselves report, on any span.
const OF_THE_RUNTIME: &[&str] = &[
    "cancelled",
    "invalid_enum_value",
    "invalid_handle",
    "invalid_size",
    "invalid_utf8",
    "misaligned_pointer",
    "null_pointer",
    "panic",
];

/// Nobody wrote a help for them.
const WITHOUT_HELP: &[&str] = &["cancelled", "panic"];

pub(super) fn check(checker: &mut Checker<'_>, span: &SpanLine<'_>) {
    let error_type = span.attributes.text("error.type");
    match (&error_type, span.failed) {
        (None, true) if span.kind != Kind::Start => {
            let help = "record the `error.type` of what failed: a stable word, not the message";
            checker.find(Finding::error("failed-without-error-type", "the span failed and has no `error.type`", help));
        }
        (Some(error_type), false) => {
            let help = "write `\"status\":\"ERROR\"`, or leave `error.type` out";
            let message = format!("the span has the `error.type` `{error_type}` and did not fail");
            checker.find(Finding::error("error-on-success", message, help));
        }
        (None, false) if span.line.error.is_some() => {
            let help = "write `\"status\":\"ERROR\"` and `error.type`, or leave `error` out";
            checker.find(Finding::error("error-on-success", "the span has an `error` and did not fail", help));
        }
        _ => {}
    }
    let (Some(error_type), true) = (error_type, span.failed) else { return };
    if let Some(error) = &span.line.error {
        if *error.error_type != *error_type {
            let message = format!("`error.type` is `{error_type}`, but `error` is of type `{}`", &*error.error_type);
            checker.find(Finding::error("error-type-mismatch", message, "write the same word in both"));
        }
        for (key, text) in [("message", &error.message), ("help", &error.help)] {
            if text.trim().is_empty() && !(key == "help" && WITHOUT_HELP.contains(&&*error_type)) {
                let help = "say what happened in `message`, and what to do in `help`";
                checker.find(Finding::warning("empty-error-text", format!("the `{key}` of the error is empty"), help));
            }
        }
    }
    let errors = checker.names.span(span.span_type()).map_or(&[][..], |def| def.errors);
    if !errors.is_empty() && ![errors, OF_THE_RUNTIME].iter().any(|known| known.contains(&&*error_type)) {
        let message = format!("`{}` has no `error.type` `{error_type}`", span.span_type());
        let help = format!("its errors are `{}`", errors.join("`, `"));
        checker.find(Finding::error("unknown-error-type", message, help));
    }
}
