//! Holds our types for OpenTelemetry's own spans against what semconv 1.42.0 says: kind, names, required attributes.

use kina_observ_conventions::{Requirement, SPANS, SpanKind, UPSTREAM_NAMESPACES, span};

/// A span of OpenTelemetry's: key, kind, names in the order in which they are tried, required attributes.
type Row = (&'static str, SpanKind, &'static [&'static str], &'static [&'static str]);

const CALL: &[&str] = &["rpc.system.name"];
const MODEL: &[&str] = &["{gen_ai.operation.name} {gen_ai.request.model}", "{gen_ai.operation.name}"];
const MODEL_CALL: &[&str] = &["gen_ai.operation.name", "gen_ai.provider.name"];
const MESSAGE: &[&str] = &[
    "{messaging.operation.name} {messaging.destination.template}",
    "{messaging.operation.name} {messaging.destination.name}",
    "{messaging.operation.name}",
];
const MESSAGING: &[&str] = &["messaging.operation.name", "messaging.system"];

const TABLE: &[Row] = &[
    (
        "db.client",
        SpanKind::Client,
        &[
            "{db.query.summary}",
            "{db.operation.name} {db.collection.name}",
            "{db.operation.name} {db.stored_procedure.name}",
            "{db.operation.name} {db.namespace}",
            "{db.operation.name}",
            "{db.collection.name}",
            "{db.stored_procedure.name}",
            "{db.namespace}",
            "{db.system.name}",
        ],
        &["db.system.name"],
    ),
    ("gen_ai.chat", SpanKind::Client, MODEL, MODEL_CALL),
    ("gen_ai.embeddings", SpanKind::Client, MODEL, MODEL_CALL),
    (
        "gen_ai.execute_tool",
        SpanKind::Internal,
        &["execute_tool {gen_ai.tool.name}", "execute_tool"],
        &["gen_ai.operation.name"],
    ),
    ("gen_ai.invoke_agent", SpanKind::Client, &["invoke_agent {gen_ai.agent.name}", "invoke_agent"], MODEL_CALL),
    ("gen_ai.text_completion", SpanKind::Client, MODEL, MODEL_CALL),
    (
        "http.client",
        SpanKind::Client,
        &["{http.request.method} {url.template}", "{http.request.method}"],
        &["http.request.method", "server.address", "server.port", "url.full"],
    ),
    (
        "http.server",
        SpanKind::Server,
        &["{http.request.method} {http.route}", "{http.request.method}"],
        &["http.request.method", "url.path", "url.scheme"],
    ),
    ("messaging.create", SpanKind::Producer, MESSAGE, MESSAGING),
    ("messaging.process", SpanKind::Consumer, MESSAGE, MESSAGING),
    ("messaging.publish", SpanKind::Producer, MESSAGE, MESSAGING),
    ("messaging.receive", SpanKind::Client, MESSAGE, MESSAGING),
    ("messaging.send", SpanKind::Producer, MESSAGE, MESSAGING),
    ("messaging.settle", SpanKind::Client, MESSAGE, MESSAGING),
    ("rpc.client", SpanKind::Client, &["{rpc.method}", "{rpc.system.name}"], CALL),
    ("rpc.server", SpanKind::Server, &["{rpc.method}", "{rpc.system.name}"], CALL),
];

#[test]
fn each_is_what_the_conventions_say() {
    for &(key, kind, names, required) in TABLE {
        let def = span(key).unwrap_or_else(|| panic!("`{key}` is registered"));
        assert_eq!(def.kind, kind, "`{key}`");
        assert_eq!(def.names().collect::<Vec<_>>(), names, "`{key}`");
        let used = def.attributes.iter().filter(|used| used.requirement == Requirement::Required);
        assert_eq!(used.map(|used| used.key).collect::<Vec<_>>(), required, "`{key}`");
        assert!(def.attribute("error.type").is_some(), "`{key}` can fail");
        assert_eq!(def.macros, ["span"], "`{key}`");
    }
    let theirs = |key: &str| key.split_once('.').is_some_and(|(root, _)| UPSTREAM_NAMESPACES.contains(&root));
    let ours: Vec<&str> = SPANS.iter().map(|def| def.key).filter(|key| theirs(key)).collect();
    assert_eq!(ours, TABLE.iter().map(|row| row.0).collect::<Vec<_>>(), "each has its row");
}

#[test]
fn an_old_operation_leads_to_todays() {
    let old = span("messaging.publish").and_then(|def| def.deprecated).expect("deprecated");
    assert_eq!(old.renamed_to, Some("messaging.send"));
}
