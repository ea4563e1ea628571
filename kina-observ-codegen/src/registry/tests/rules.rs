//! Holds each rule of the registry, by its number in `registry/README.md`, against a file that breaks it.
//!
//! Rules 1, 2, 6 and 7 are in `names`, the rest of 4, 5, 9 and 16 in `resolving`.

use super::super::{Origin, parse_files, spans_without_histogram};
use super::{attribute, check, check_file, span};

/// One metric; `more` follows its attributes.
fn metric(name: &str, instrument: &str, unit: &str, more: &str) -> String {
    format!(
        "metrics:\n  - {{name: {name}, instrument: {instrument}, unit: \"{unit}\", stability: development, brief: B.{more}}}\n"
    )
}

fn one(key: &str, more: &str, expected: &[&str]) {
    check(&format!("attributes:\n{}", attribute(key, more)), expected);
}

fn kina(more: &str) -> String {
    format!("    annotations: {{kina: {{{more}}}}}\n")
}

#[test]
fn rule_4_a_reference_to_an_old_name() {
    let refers = |key: &str, message: &str| check(&span(&format!("{{ref: ¦{key}}}"), ""), &[message]);
    refers("rpc.system", "`rpc.system` is called `rpc.system.name` today");
    refers("http.method", "`http.method` is called `http.request.method` today");
    refers("db.system", "`db.system` is called `db.system.name` today");
    refers("rpc.service", "`rpc.service` is no longer in use");
    refers("k8s.pod.name", "`k8s.pod.name` is OpenTelemetry's, and no type is known for it here");
}

#[test]
fn rule_4_a_rename_keeps_the_type() {
    let renamed = |to: &str| format!(", deprecated: {{reason: renamed, renamed_to: {to}}}");
    one("acme.a", &renamed("¦error.type"), &["`acme.a` and `error.type` have different types"]);
    one("acme.a", &renamed("runtime.stream.id"), &[]);
}

#[test]
fn rule_5_a_metric_is_no_namespace() {
    let two = metric("¦acme.hit", "counter", "{hit}", "")
        + &metric("acme.hit.rate", "gauge", "1", "").replace("metrics:\n", "");
    check(&two, &["`acme.hit` is also the namespace of `acme.hit.rate`"]);
}

#[test]
fn rule_5_an_id_of_a_member_is_unique() {
    let file = "attributes:\n  - {key: acme.e, stability: development, brief: B., type: {members: [{id: a, value: x}, {id: ¦a, value: y}]}}\n";
    check(file, &["`a` is the id of two members"]);
}

#[test]
fn rule_7_never_two_meanings() {
    let second = |of_m: &str, of_n: &str| {
        let more = |kina: &str| format!(", annotations: {{kina: {{{kina}}}}}");
        format!("attributes:\n{}{}", attribute("acme.m", &more(of_m)), attribute("acme.n", &more(of_n)))
    };
    check(&second("alias: x", "alias: ¦x"), &["`x` would have two meanings"]);
    check(&second("alias: ¦acme.n", "cardinality: low"), &["`acme.n` would have two meanings"]);
    check(&second("also_emit: [rpc.system]", "also_emit: [¦rpc.system]"), &["`rpc.system` would have two meanings"]);
    check(&second("also_emit: [¦acme.old]", "cardinality: low"), &["`acme.old` is no old name"]);
    check(&second("also_emit: [¦http.route]", "cardinality: low"), &["`http.route` is no old name"]);
}

#[test]
fn rule_7_an_upstream_name_is_not_defined_again() {
    one("¦error.type", "", &["`error.*` belongs to OpenTelemetry"]);
    one("¦rpc.system", "", &["`rpc.*` belongs to OpenTelemetry"]);
}

#[test]
fn rule_9_a_span_always_has_a_name() {
    let named = |name: &str, level: &str, more: &str| {
        span(
            &format!("{{ref: acme.m, requirement_level: {level}}}, {{ref: error.type, requirement_level: required}}"),
            &kina(more),
        )
        .replace("{note: acme.s}", &format!("{{note: {name}}}"))
    };
    check(&named("\"s {acme.m}\"", "required", "nvtx: none"), &[]);
    check(
        &named("¦\"s {acme.m}\"", "recommended", "nvtx: none"),
        &["`acme.m` can be absent, and then this span has no name"],
    );
    check(&named("\"s {acme.m}\"", "recommended", "fallback_names: [s]"), &[]);
    check(
        &named("\"s {acme.m}\"", "recommended", "fallback_names: [¦\"t {acme.m}\"]"),
        &["`acme.m` can be absent, and then this span has no name"],
    );
    check(&named("s", "required", "fallback_names: [¦\"t {acme.n}\"]"), &["`acme.n` is not an attribute of this span"]);
    check(&named("¦\"s {error.type}\"", "required", "nvtx: none"), &["`error.type` is known only when the span ends"]);
}

#[test]
fn rule_10_a_name_has_at_most_255_characters() {
    let long = "x".repeat(256);
    check(
        &span("", &kina("nvtx: none")).replace("{note: acme.s}", &format!("{{note: ¦{long}}}")),
        &["the name has 256 characters"],
    );
}

#[test]
fn rule_11_kinds() {
    let kind = |kind: &str, key: &str, uses: &str, more: &str| {
        span(uses, &kina(more))
            .replace("kind: internal", &format!("kind: {kind}"))
            .replace("type: acme.s", &format!("type: {key}"))
    };
    check(&kind("client", "acme.s", "{ref: server.address}", "nvtx: none"), &[]);
    check(&kind("client", "¦acme.s", "", "nvtx: none"), &["`acme.s` is a call to somebody, and does not say to whom"]);
    check(&kind("server", "acme.s", "", "macro: ¦ffi_span"), &["`ffi_span` is work inside this process"]);
    check(&kind("server", "acme.s", "", "macro: span"), &[]);
    check(&kind("[¦client, server]", "acme.s", "", "nvtx: none").replace("[¦", "¦["), &["expected a text"]);
}

#[test]
fn rule_16_words_of_secrets() {
    one("¦acme.password", "", &["`acme.password` sounds like a secret: `password`"]);
    one("¦acme.api_key", "", &["`acme.api_key` sounds like a secret: `api_key`"]);
    one("acme.api_key", ", annotations: {kina: {allow_name: api_key}}", &[]);
    one("acme.api_key_id", "", &[]);
    one("acme.password", ", annotations: {kina: {class: secret}}", &[]);
    one("acme.input_tokens", "", &[]);
    one("acme.hit", ", annotations: {kina: {allow_name: ¦key}}", &["`acme.hit` has no word `key`"]);
    // The registry that Weaver lets through.
    let ours = |key: &str| format!("file_format: definition/2\nattributes:\n{}", attribute(key, ""));
    check_file(&ours("¦runtime.password"), Origin::Builtin, &["`runtime.password` sounds like a secret: `password`"]);
}

#[test]
fn rule_25_metrics() {
    let check = |name: &str, instrument: &str, unit: &str, expected: &[&str]| {
        check(&metric(name, instrument, unit, ""), expected)
    };
    check("¦acme.hits_total", "counter", "{hit}", &["`acme.hits_total` ends with `total`"]);
    check("¦acme.hits.total", "counter", "{hit}", &["`acme.hits.total` ends with `total`"]);
    check("acme.hit.count", "updowncounter", "{hit}", &[]);
    check(
        "¦acme.hit.count",
        "counter",
        "{hit}",
        &["`acme.hit.count` promises by its last word an `updowncounter`; a counter is named after what it counts"],
    );
    check("acme.call.duration", "histogram", "s", &[]);
    check(
        "¦acme.call.duration",
        "histogram",
        "ms",
        &["`acme.call.duration` promises by its last word a `histogram` with unit `s`"],
    );
    check("¦acme.cpu.time", "counter", "ms", &["`acme.cpu.time` promises by its last word a metric with unit `s`"]);
    check(
        "¦acme.pool.utilization",
        "gauge",
        "%",
        &["`acme.pool.utilization` promises by its last word a share with unit `1`, which can go down"],
    );
    check(
        "¦acme.pool.usage",
        "counter",
        "By",
        &["`acme.pool.usage` promises by its last word an `updowncounter` or a `gauge`, since it can go down"],
    );
    check(
        "¦acme.disk.io",
        "gauge",
        "By",
        &["`acme.disk.io` promises by its last word a `counter` of what flows in both directions"],
    );
    check(
        "¦acme.bytes",
        "counter",
        "By",
        &["`acme.bytes` promises by its last word a plural, which is for a unit in braces, such as `{request}`"],
    );
    check("acme.address", "gauge", "1", &[]);
}

#[test]
fn rule_25_units_and_briefs() {
    let unit = |unit: &str| metric("acme.work", "counter", "UNIT", "").replace("\"UNIT\"", unit);
    check(&unit("By/s"), &[]);
    check(&unit("¦bananas"), &["`bananas` is not a unit"]);
    let brief = metric("acme.work", "counter", "s", "").replace("brief: B.", "brief: ¦Work");
    check(&brief, &["the `brief` of a metric is a sentence"]);
    let foreign = |name: &str| metric(name, "histogram", "{x}", ", annotations: {kina: {foreign: true}}");
    check(&foreign("k8s.pod.uptime"), &[]);
    check(&foreign("¦rpc.client.duration"), &["`rpc.client.duration` is no longer in use"]);
    check(&foreign("k8s.pod.mood").replace("true", "¦true"), &["`k8s.pod.mood` is no name of OpenTelemetry's"]);
    let allowed = metric("acme.bytes", "counter", "By", ", annotations: {kina: {allow_name: bytes}}");
    check(&allowed, &[]);
}

#[test]
fn rule_26_attributes_of_metrics() {
    let with = |uses: &str| metric("acme.work", "counter", "s", &format!(", attributes: [{uses}]"));
    check(&with("{ref: runtime.device}"), &[]);
    check(&with("{ref: ¦runtime.kernel.name}"), &["the name of a kernel is not for a metric"]);
    check(&with("{ref: ¦url.full}"), &["`url.full` has too many values for a metric"]);
    check(&with("{ref: url.full, requirement_level: opt_in}"), &[]);
}

#[test]
fn rule_27_a_signal_is_at_most_as_stable_as_its_attributes() {
    let stable = |file: String| {
        file.replacen(
            "  - type: acme.s\n    kind: internal\n    stability: development",
            "  - type: acme.s\n    kind: internal\n    stability: stable",
            1,
        )
    };
    check(&stable(span("{ref: ¦acme.m}", "")), &["`acme.s` is stable, and its attribute `acme.m` is not"]);
    check(&stable(span("{ref: acme.m, requirement_level: opt_in}, {ref: error.type}", "")), &[]);
    let metric =
        metric("acme.work", "counter", "s", ", attributes: [{ref: ¦runtime.device}]").replace("development", "stable");
    check(&metric, &["`acme.work` is stable, and its attribute `runtime.device` is not"]);
}

#[test]
fn rule_29_at_most_128_attributes() {
    let defined: String = (0..129).map(|n| attribute(&format!("acme.a{n}"), "")).collect();
    let uses: Vec<String> = (0..129).map(|n| format!("{{ref: acme.a{n}}}")).collect();
    let file = span(&uses.join(", "), "")
        .replace("spans:\n", &format!("{defined}spans:\n"))
        .replace("type: acme.s", "type: ¦acme.s");
    check(&file, &["`acme.s` has 129 attributes"]);
}

#[test]
fn rule_30_old_names_of_code() {
    check(&span("{ref: ¦code.namespace}", ""), &["`code.namespace` is no longer in use"]);
    check(&span("{ref: ¦code.filepath}", ""), &["`code.filepath` is called `code.file.path` today"]);
    check(&span("{ref: ¦code.lineno}", ""), &["`code.lineno` is called `code.line.number` today"]);
}

#[test]
fn events() {
    let event = |more: &str| format!("events:\n  - {{name: acme.e, stability: development, brief: B.{more}}}\n");
    check(&event(", attributes: [{ref: runtime.device}]"), &[]);
    check(&event(", attributes: [{ref: ¦acme.k}]"), &["`acme.k` is not in the registry"]);
    check(&event(", annotations: {kina: {every: ¦0}}"), &["`every` must be a whole number from 1"]);
    check(&(event("") + "  - {name: ¦acme.e, stability: development, brief: B.}\n"), &["`acme.e` is defined twice"]);
    check(&span("", &kina("events: [¦tokn]")), &["there is no event `tokn`"]);
    check(&span("", &kina("sample_every: ¦often")), &["`sample_every` must be a whole number from 1"]);
}

#[test]
fn rule_24_a_span_of_a_remote_call_has_a_duration_histogram() {
    let unpaired = |kind: &str, metric: &str| {
        let folder = tempfile::tempdir().expect("a folder for the file");
        let span = span("{ref: server.address}", "").replace("kind: internal", &format!("kind: {kind}"));
        std::fs::write(folder.path().join("acme.yaml"), format!("file_format: definition/2\n{span}{metric}"))
            .expect("the file is written");
        let document = parse_files(folder.path(), &["acme.yaml".into()], Origin::Crate).expect("a sound registry");
        spans_without_histogram(&document)
    };
    assert_eq!(unpaired("internal", ""), [""; 0]);
    assert_eq!(unpaired("server", ""), ["acme.s"]);
    assert_eq!(unpaired("server", &metric("acme.s.duration", "histogram", "s", "")), [""; 0]);
    assert_eq!(unpaired("client", &metric("acme.calls", "counter", "{call}", "")), ["acme.s"]);
}
