//! Holds the strict reading of files against mistakes.

use super::super::Origin;
use super::{attribute, check, check_file, mistakes, span};

#[test]
fn yaml() {
    let file = |text: &str, message: &str| check_file(text, Origin::Crate, &[message]);
    file("¦", "the file is empty");
    file("a: [\n¦", "not valid YAML: while parsing a node, did not find expected node content");
    check("a: 1\n¦a: 2\n", &["`a` stands here twice"]);
    check("attributes: ¦*other\n", &["not valid YAML: while parsing node, found unknown anchor"]);
    check("a: &x 1\nattributes: ¦*x\n", &["a YAML alias is not read here"]);
    check(&format!("a: {}¦[[", "[".repeat(31)), &["nested more than 32 deep"]);
    file("file_format: definition/2\n¦---\nfile_format: definition/2\n", "a second document in one file");
}

#[test]
fn keys() {
    let file = |text: &str, message: &str| check_file(text, Origin::Crate, &[message]);
    file("¦attributes: []\n", "a definition file needs `file_format`");
    file("file_format: ¦'1'\n", "the file format `1` is not known");
    check("¦atributes: []\n", &["a definition file has no key `atributes`"]);
    check("¦entities: []\n", &["`entities` is not read by kina-observ"]);
    check("attributes: ¦{}\n", &["`attributes` must be a list"]);
    check("attributes: [¦x]\n", &["an attribute must be a map"]);
    check(&format!("attributes:\n{}", attribute("acme.m", ", ¦breif: B.")), &["an attribute has no key `breif`"]);
    check(
        "attributes:\n  - ¦¦¦{key: acme.m}\n",
        &["an attribute needs `stability`", "an attribute needs `brief`", "an attribute needs `type`"],
    );
    check(&span("{ref: acme.m, sampling_relevant: true}", ""), &[]);
    check(
        "attribute_groups:\n  - {id: g, visibility: internal, attributes: [{ref: error.type, ¦sampling_relevant: true}]}\n",
        &["an attribute reference has no key `sampling_relevant`"],
    );
}

#[test]
fn values_of_attributes() {
    let one = |more: &str, message: &str| {
        check(&format!("attributes:\n  - {{key: acme.m, stability: development, brief: B., {more}}}\n"), &[message]);
    };
    one("type: ¦integer", "`integer` is not a value of `type`");
    one("type: ¦any", "the type `any` has no fixed form");
    one("type: ¦{members: []}", "an enum type needs `members`");
    one("type: {members: [{id: a, value: ¦1}]}", "`1` is not a text");
    one("type: {members: [{id: a, annotations: {kina: {code: ¦x}}}]}", "a code must be a whole number of 32 bits");
    one("type: int, annotations: {kina: {class: ¦private}}", "`private` is not a value of `class`");
    one("type: int, annotations: {kina: {cardinality: ¦1}}", "`1` is not a text");
    one("type: int, annotations: {kina: {¦klass: x}}", "the `kina` annotation of an attribute has no key `klass`");
    one("type: int, deprecated: ¦{reason: renamed}", "a deprecation needs `renamed_to`");
    one(
        "type: int, deprecated: {reason: obsoleted, note: Gone., renamed_to: ¦acme.n}",
        "`renamed_to` needs `reason: renamed`",
    );
    check(&format!("attributes:\n{}", attribute("acme.m", ", annotations: {other: {klass: x}}")), &[]);
    check(
        "attributes:\n  - {key: acme.m, type: int, stability: ¦new, brief: ¦\"A\\nB\"}\n",
        &["`new` is not a value of `stability`", "a `brief` is one line"],
    );
}

#[test]
fn values_of_spans() {
    let kina =
        |more: &str, message: &str| check(&span("", &format!("    annotations: {{kina: {{{more}}}}}\n")), &[message]);
    kina("level: ¦verbose", "`verbose` is not a value of `level`");
    kina("gate: ¦off", "`off` is not a value of `gate`");
    kina("macro: ¦trace", "`trace` is not a value of `macro`");
    kina("¦severity: info", "the `kina` annotation of a span has no key `severity`");
    let uses = |uses: &str, message: &str| check(&span(uses, ""), &[message]);
    uses("{ref: acme.m, requirement_level: ¦must}", "`must` is not a value of `requirement_level`");
    uses("{ref: acme.m, annotations: {kina: {source: ¦magic}}}", "`magic` is not a value of `source`");
    uses("{ref: acme.m, annotations: {kina: {source: ¦context, param: m}}}", "`source` and `param` exclude each other");
    uses("{ref: acme.m, annotations: {kina: {param: ¦a-b}}}", "`a-b` cannot be the name of a parameter");
    uses("{ref: ¦acme.m, ref_group: g}", "`ref` and `ref_group` exclude each other");
    let file = span("", "").replace("kind: internal", "kind: ¦inner");
    check(&file, &["`inner` is not a value of `kind`"]);
}

#[test]
fn all_mistakes_of_a_file_come_at_once() {
    let text = "file_format: definition/2\nattributes:\n  - {key: a.b, typ: int}\nspans: x\n";
    assert_eq!(mistakes(text, Origin::Crate).len(), 5);
}
