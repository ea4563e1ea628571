//! Holds us against the nine faults that OpenTelemetry's own tool, Weaver 0.25.1, lets through.

use super::super::Origin;
use super::{attribute, check_file, span};

/// A file of ours, which may stand in the namespaces that a crate may not.
fn ours(body: &str, expected: &str) {
    check_file(&format!("file_format: definition/2\n{body}"), Origin::Builtin, &[expected]);
}

fn defines(key: &str, expected: &str) {
    ours(&format!("attributes:\n{}", attribute(key, "")), expected);
}

#[test]
fn a_reference_to_a_deprecated_attribute() {
    ours(&span("{ref: ¦rpc.system}", ""), "`rpc.system` is called `rpc.system.name` today");
}

#[test]
fn a_second_definition_of_an_upstream_attribute() {
    defines("¦error.type", "`error.*` belongs to OpenTelemetry");
}

#[test]
fn an_own_name_below_an_upstream_root() {
    defines("¦http.flavour", "`http.*` belongs to OpenTelemetry");
}

#[test]
fn an_own_name_below_the_reserved_root() {
    defines("¦otel.flavour", "`otel.*` belongs to OpenTelemetry");
}

#[test]
fn a_span_type_that_is_there_twice() {
    let one = "  - {type: acme.s, kind: internal, stability: development, brief: B., name: {note: s}}\n";
    ours(&format!("spans:\n{one}{}", one.replace("acme.s", "¦acme.s")), "`acme.s` is defined twice");
}

#[test]
fn a_metric_that_ends_with_total() {
    let metric =
        "metrics:\n  - {name: ¦acme.hits_total, instrument: counter, unit: '1', stability: development, brief: B.}\n";
    ours(metric, "`acme.hits_total` ends with `total`");
}

#[test]
fn a_unit_that_is_none() {
    let metric =
        "metrics:\n  - {name: acme.work, instrument: counter, unit: ¦bananas, stability: development, brief: B.}\n";
    ours(metric, "`bananas` is not a unit");
}

#[test]
fn a_placeholder_that_is_no_attribute_of_the_span() {
    let named = span("", "").replace("{note: acme.s}", "{note: ¦\"run {acme.m}\"}");
    ours(&named, "`acme.m` is not an attribute of this span");
}

#[test]
fn an_attribute_that_holds_a_secret() {
    defines("¦runtime.password", "`runtime.password` sounds like a secret: `password`");
}
