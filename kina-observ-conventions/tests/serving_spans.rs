//! Holds the registry of the serving system against the system's own table, re-stated in `serving_spans.txt`.

use std::collections::BTreeSet;

use kina_observ_conventions::{
    ATTRIBUTES, AttributeUse, Requirement, SPANS, Source, SpanDef, SpanKind, ValueType, attribute, event, span,
};

/// A line of the table.
struct Row {
    kind: &'static str,
    name: &'static str,
    parents: Vec<&'static str>,
    attributes: Vec<Wanted>,
}

/// An attribute as the table writes it.
struct Wanted {
    key: &'static str,
    always: bool,
    /// Values or type; empty: the table says nothing.
    value: &'static str,
}

fn table() -> Vec<Row> {
    let lines = include_str!("serving_spans.txt").lines().filter(|line| !line.starts_with('#'));
    let row = |line: &'static str| {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let [kind, name, parents, attributes] = columns[..] else { panic!("four columns: `{line}`") };
        let wanted = |word: &'static str| {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            Wanted { key: key.trim_end_matches('?'), always: !key.ends_with('?'), value }
        };
        let parents = parents.split(';').map(str::trim).collect();
        Row { kind, name, parents, attributes: attributes.split_whitespace().map(wanted).collect() }
    };
    lines.map(row).collect()
}

#[test]
fn every_row_is_in_the_registry() {
    let rows = table();
    let mut found = BTreeSet::new();
    for row in &rows {
        let here = format!("{} {}", row.kind, row.name);
        if row.kind == "event" {
            let def = event(row.name).unwrap_or_else(|| panic!("`{here}` is registered"));
            assert_eq!(def.every, Some(32), "`{here}`");
            carries(&here, def.attributes, &row.attributes);
            assert!(by_name(row.parents[0]).events.contains(&row.name), "`{here}` may happen in its span");
            continue;
        }
        let def = by_name(&here);
        found.insert(def.key);
        let parents: BTreeSet<&str> = row
            .parents
            .iter()
            .map(|parent| if matches!(*parent, "any" | "remote") { *parent } else { by_name(parent).key })
            .collect();
        assert_eq!(def.parents.iter().copied().collect::<BTreeSet<_>>(), parents, "the parents of `{here}`");
        carries(&here, def.attributes, &row.attributes);
        let error = def.attribute("error.type").unwrap_or_else(|| panic!("`{here}` can fail"));
        assert_eq!(error.source, Source::Outcome, "`{here}`");
        // Nothing more is required than the table says, but what a name needs.
        for used in def.attributes.iter().filter(|used| used.requirement == Requirement::Required) {
            let asked = row.attributes.iter().any(|wanted| stands_for(used.key, wanted.key));
            assert!(asked || def.name.contains(&format!("{{{}}}", used.key)), "`{}` of `{here}`", used.key);
        }
    }
    let ours: BTreeSet<&str> = SPANS.iter().map(|def| def.key).filter(|key| key.starts_with("tl.")).collect();
    assert_eq!(found, ours, "each span type has its row");
    assert_eq!(ours.len(), 25);
    assert_eq!(ATTRIBUTES.iter().filter(|def| def.key.starts_with("tl.")).count(), 46);
    assert_eq!(span("tl.train.step").and_then(|def| def.sample_every), Some(50));
}

fn carries(here: &str, uses: &[AttributeUse], wanted: &[Wanted]) {
    for Wanted { key, always, value } in wanted {
        let used = uses.iter().find(|used| stands_for(used.key, key));
        let used = used.unwrap_or_else(|| panic!("`{here}` carries `{key}`, or an attribute that also emits it"));
        match used.requirement {
            Requirement::Required => assert!(always, "`{key}` of `{here}`"),
            Requirement::ConditionallyRequired(why) => {
                assert_eq!((*always, why), (false, "On the gateway."), "`{key}` of `{here}`");
            }
            Requirement::Recommended | Requirement::OptIn => panic!("`{key}` of `{here}` is not required"),
        }
        let def = attribute(used.key).expect("a registered attribute");
        match *value {
            "" => {}
            "bool" => assert_eq!(def.value_type, ValueType::Boolean, "`{key}`"),
            "int" => assert_eq!(def.value_type, ValueType::Int, "`{key}`"),
            "strings" => assert_eq!(def.value_type, ValueType::Strings, "`{key}`"),
            values => {
                assert_eq!(def.value_type, ValueType::Enum, "`{key}`");
                for value in values.split(',') {
                    assert!(def.members.iter().any(|member| member.value == value), "`{key}` can be `{value}`");
                }
            }
        }
    }
}

/// Whether the attribute `key` is `written`, or outputs can write it under that old name too.
fn stands_for(key: &str, written: &str) -> bool {
    key == written || attribute(key).is_some_and(|def| def.also_emit.contains(&written))
}

/// The one span type of the serving system that a `kind name` of the table means.
fn by_name(kind_and_name: &str) -> &'static SpanDef {
    let (kind, name) = kind_and_name.split_once(' ').unwrap_or_else(|| panic!("a kind and a name: `{kind_and_name}`"));
    let kind = match kind {
        "internal" => SpanKind::Internal,
        "client" => SpanKind::Client,
        "server" => SpanKind::Server,
        other => panic!("`{other}` is no kind of the table"),
    };
    let mut fitting =
        SPANS.iter().filter(|def| def.key.starts_with("tl.") && def.kind == kind && can_be(def.name, name));
    let def = fitting.next().unwrap_or_else(|| panic!("`{kind_and_name}` is registered"));
    assert_eq!(fitting.next(), None, "`{kind_and_name}` means one span type");
    def
}

/// Whether a template with at most two placeholders of one word each can be filled to `name`.
fn can_be(template: &str, name: &str) -> bool {
    let words: Vec<&str> = template.split(' ').collect();
    let filled: Vec<&str> = name.split(' ').collect();
    words.len() == filled.len()
        && words.iter().zip(filled).all(|(word, filled)| *word == filled || word.starts_with('{'))
}
