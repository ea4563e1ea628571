//! Holds references, renames, templates and capture against mistakes.

use super::{attribute, check, span};

#[test]
fn references() {
    check(&span("{ref: acme.m}, {ref: runtime.device}, {ref: error.type}", ""), &[]);
    check(&span("{ref: ¦acme.k}", ""), &["`acme.k` is not in the registry"]);
    check(&span("{ref: ¦eror.type}", ""), &["`eror.type` is not in the registry"]);
    check(&span("{ref: acme.m}, {ref: ¦acme.m}", ""), &["`acme.m` stands in this list twice"]);
    check(&span("{ref_group: ¦g}", ""), &["there is no group `g`"]);
    check(&span("{ref: ¦module_id}", ""), &["`module_id` is deprecated"]);
}

#[test]
fn groups() {
    let group = |id: &str, uses: &str| format!("  - {{id: {id}, visibility: internal, attributes: [{uses}]}}\n");
    let groups = |list: &str| span("{ref_group: a}", &format!("attribute_groups:\n{list}"));
    check(&groups(&format!("{}{}", group("a", "{ref_group: b}"), group("b", "{ref: acme.m}"))), &[]);
    check(
        &groups(&format!("{}{}", group("a", "{ref_group: ¦b}"), group("b", "{ref_group: ¦a}"))),
        &["the group `b` contains itself", "the group `a` contains itself"],
    );
    // Once, although the group is checked and used.
    check(&groups(&group("a", "{ref: ¦acme.k}")), &["`acme.k` is not in the registry"]);
}

#[test]
fn capture() {
    let other = attribute("acme.other.m", "");
    let file = span("{ref: acme.m}, {ref: ¦acme.other.m}", "").replace("spans:\n", &format!("{other}spans:\n"));
    check(&file, &["in `acme.s`, the parameter `m` would be both `acme.m` and `acme.other.m`"]);
    let named = file.replace("{ref: ¦acme.other.m}", "{ref: acme.other.m, annotations: {kina: {param: other}}}");
    check(&named, &[]);
    let by_hand = file.replace("{ref: ¦acme.other.m}", "{ref: acme.other.m, annotations: {kina: {source: hand}}}");
    check(&by_hand, &[]);
}

#[test]
fn private_values() {
    for (class, shown) in [("secret", "a secret"), ("content", "content"), ("personal", "personal")] {
        let more = format!(", annotations: {{kina: {{class: {class}}}}}");
        let file = span("{ref: ¦acme.m}", "").replacen(&attribute("acme.m", ""), &attribute("acme.m", &more), 1);
        check(&file, &[&format!("`acme.m` is {shown}, which is never recorded")]);
    }
}

#[test]
fn templates() {
    let named = |name: &str| {
        let required = |key: &str| format!("{{ref: {key}, requirement_level: required}}");
        let uses = [required("acme.m"), required("runtime.kernel.grid")].join(", ");
        span(&uses, "").replace("{note: acme.s}", &format!("{{note: {name}}}"))
    };
    check(&named("\"run {acme.m}\""), &[]);
    check(&named("¦\"run {acme.n}\""), &["`acme.n` is not an attribute of this span"]);
    check(&named("¦\"run {acme.m\""), &["a `{` without `}` in `run {acme.m`"]);
    check(&named("¦\"{runtime.kernel.grid}\""), &["`runtime.kernel.grid` has no short text"]);
    let high = attribute("acme.m", ", annotations: {kina: {cardinality: high}}");
    check(
        &named("¦\"{acme.m}\"").replacen(&attribute("acme.m", ""), &high, 1),
        &["`acme.m` has too many values for a span name"],
    );
    check(
        &span("", "    annotations: {kina: {nvtx: ¦\"{acme.n}\"}}\n"),
        &["`acme.n` is not an attribute of this span"],
    );
}

#[test]
fn parents_and_errors() {
    let kina = |more: &str| span("", &format!("    annotations: {{kina: {{{more}}}}}\n"));
    check(&kina("parent: [acme.s, runtime.gpu.matmul, \"acme.*\", remote, any]"), &[]);
    check(&kina("parent: ¦acme.t"), &["there is no span type `acme.t`"]);
    check(&kina("errors: [out_of_memory]"), &[]);
    check(&kina("errors: [¦Out of memory]"), &["`Out of memory` is not an error type"]);
    check(&kina("errors: [a, ¦a]"), &["`a` stands in this list twice"]);
}

#[test]
fn renames() {
    let renamed = |to: &str| format!(", deprecated: {{reason: renamed, renamed_to: {to}}}");
    let two = |first: &str, second: &str| {
        format!("attributes:\n{}{}", attribute("acme.a", first), attribute("acme.b", second))
    };
    check(&two(&renamed("acme.b"), ""), &[]);
    check(&two(&renamed("runtime.stream.id"), ""), &[]);
    check(&two(&renamed("¦acme.c"), ""), &["`acme.c` is not in the registry"]);
    check(
        &two(&renamed("¦acme.b"), &renamed("¦acme.a")),
        &["the renames of `acme.a` lead back to `acme.a`", "the renames of `acme.b` lead back to `acme.b`"],
    );
    check(&two(&renamed("¦acme.b"), ", deprecated: {reason: obsoleted, note: Gone.}"), &["`acme.b` is itself gone"]);
}

#[test]
fn enums() {
    let members = |list: &str| {
        format!("attributes:\n  - {{key: acme.e, stability: development, brief: B., type: {{members: [{list}]}}}}\n")
    };
    let coded = |id: &str, code: &str| format!("{{id: {id}, annotations: {{kina: {{code: {code}}}}}}}");
    check(&members(&[coded("a", "1"), coded("b", "2")].join(", ")), &[]);
    check(&members("{id: a}, {id: b, value: ¦a}"), &["`a` is a member twice"]);
    check(&members(&[coded("a", "1"), coded("b", "¦1")].join(", ")), &["code 1 stands for `a` already"]);
}

#[test]
fn metrics() {
    let metric = |name: &str, unit: &str, uses: &str| {
        format!(
            "metrics:\n  - {{name: {name}, instrument: counter, unit: {unit}, stability: development, brief: B., attributes: [{uses}]}}\n"
        )
    };
    check(&metric("acme.hits", "'{hit}'", "{ref: runtime.device}"), &[]);
    check(&metric("acme.hits", "¦''", "").replace("acme.hits", "acme.hit"), &["the unit is empty"]);
    let high = attribute("acme.m", ", annotations: {kina: {cardinality: high}}");
    let with = |uses: &str| format!("{}attributes:\n{high}", metric("acme.work", "s", uses));
    check(&with("{ref: ¦acme.m}"), &["`acme.m` has too many values for a metric"]);
    check(&with("{ref: acme.m, requirement_level: opt_in}"), &[]);
}
