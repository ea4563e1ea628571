//! Holds the rules of names against names that break them.

use super::super::Origin;
use super::{attribute, check, check_file};

fn one(key: &str, more: &str, expected: &[&str]) {
    check(&format!("attributes:\n{}", attribute(key, more)), expected);
}

#[test]
fn syntax() {
    one("acme.cache.hit_2", "", &[]);
    one("¦Acme.hit", "", &["`Acme.hit` is not a name"]);
    one("¦acme..hit", "", &["`acme..hit` is not a name"]);
    one("¦acme.hit_", "", &["`acme.hit_` is not a name"]);
    one("¦2acme.hit", "", &["`2acme.hit` is not a name"]);
    one("¦acme-hit.x", "", &["`acme-hit.x` is not a name"]);
    one("¦hits", "", &["`hits` has no namespace"]);
    one("hits", ", deprecated: {reason: obsoleted, note: Gone.}", &[]);
    one(&format!("¦acme.{}", "x".repeat(300)), "", &["the name has 305 characters"]);
}

#[test]
fn namespaces() {
    one("¦http.flavour", "", &["`http.*` belongs to OpenTelemetry"]);
    one("¦otel.acme", "", &["`otel.*` belongs to OpenTelemetry"]);
    one("¦runtime.acme", "", &["`runtime.*` belongs to the built-in registry"]);
    one("¦compiler.acme", "", &["`compiler.*` belongs to the built-in registry"]);
    one("k8s.pod.name", ", annotations: {kina: {foreign: true}}", &[]);
    one("acme.route", ", annotations: {kina: {foreign: ¦true}}", &["`acme.route` is no name of OpenTelemetry's"]);
    one("¦error.type", ", annotations: {kina: {foreign: true}}", &["`error.type` is in the built-in registry already"]);
    check(
        "metrics:\n  - {name: ¦http.work, instrument: counter, unit: '1', stability: development, brief: B.}\n",
        &["`http.*` belongs to OpenTelemetry"],
    );
    let foreign = ", annotations: {kina: {foreign: true}}";
    one("http.flavour", &foreign.replace("true", "¦true"), &["`http.flavour` is no name of OpenTelemetry's"]);
    one("¦net.host.ip", foreign, &["`net.host.ip` is called `network.local.address` today"]);
    one("¦rpc.service", foreign, &["`rpc.service` is no longer in use"]);
    // No list of OpenTelemetry's span types is published, so a crate cannot claim one.
    let span = "spans:\n  - {type: k8s.pod.start, kind: internal, stability: development, brief: B., name: {note: s}, annotations: {kina: {foreign: ¦true}}}\n";
    check(span, &["`k8s.pod.start` is no name of OpenTelemetry's"]);
}

#[test]
fn ours_may_define_our_namespaces_only() {
    let file = |key: &str| format!("file_format: definition/2\nattributes:\n{}", attribute(key, ""));
    check_file(&file("runtime.acme"), Origin::Builtin, &[]);
    check_file(&file("¦http.acme"), Origin::Builtin, &["`http.*` belongs to OpenTelemetry"]);
}

#[test]
fn uniqueness() {
    let two = |one: &str, other: &str| format!("attributes:\n{}{}", attribute(one, ""), attribute(other, ""));
    check(&two("acme.m", "¦acme.m"), &["`acme.m` is defined twice"]);
    check(&two("acme.a_b", "¦acme.a.b"), &["`acme.a_b` and `acme.a.b` differ only in dots and underscores"]);
    check(&two("¦acme.size", "acme.size.max"), &["`acme.size` is also the namespace of `acme.size.max`"]);
    let span = "  - {type: acme.s, kind: internal, stability: development, brief: B., name: {note: s}}\n";
    let again = span.replace("acme", "¦acme");
    check(&format!("spans:\n{span}{again}"), &["`acme.s` is defined twice"]);
    let group = "  - {id: g, visibility: internal}\n";
    check(
        &format!("attribute_groups:\n{group}  - {{id: ¦g, visibility: internal}}\n"),
        &["the group `g` is defined twice"],
    );
}
