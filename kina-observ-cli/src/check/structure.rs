//! Rules about how spans fit together.

use kina_observ_conventions::{SpanDef, SpanKind};

use super::checker::Checker;
use super::finding::Finding;
use crate::trace::{Span, State};
use crate::units::{duration, percent, share};

/// Start and duration are rounded to a nanosecond each, after a conversion from ticks.
const ROUNDING_NS: u64 = 100;

/// A child that fills so much of its parent leaves nothing to see in the parent.
const TIGHT: f64 = 0.95;

pub(super) fn check(checker: &mut Checker<'_>) {
    let mut found = Vec::new();
    for &(first, second) in &checker.trace.duplicates {
        let site = checker.site(second);
        let place = checker.more[first as usize].place;
        let message = format!("span id `{}` is already taken, by line {} of {}", site.span_id, place.line, {
            let same = checker.more[second as usize].place.file == place.file;
            if same { "this file" } else { "an earlier file" }
        });
        let help = "give each file once; ids are random, so that a second span with one is a copy or a bug";
        found.push((site, Finding::error("duplicate-span-id", message, help)));
    }
    for (index, span) in checker.trace.each() {
        let mut find = |finding| found.push((checker.site(index), finding));
        if span.state != State::Ended {
            let help = "its function was left with `longjmp`, or the program ended or still runs";
            find(Finding::warning("unfinished-span", "the span has a start and no end", help));
        }
        let def = checker.names.span(checker.trace.words.text(span.span_type));
        if span.facts.parent == span.facts.span_id {
            let help = "leave `parent_span_id` out at a root";
            find(Finding::error("own-parent", "the span is its own parent", help));
            continue;
        }
        let parent = checker.trace.parent(span).map(|parent| checker.trace.spans[parent as usize]);
        if let Some(finding) = orphan(span, parent.as_ref(), def).or_else(|| parents(checker, span, def)) {
            find(finding);
        }
        if let Some(parent) = parent {
            within(checker, span, &parent).into_iter().for_each(&mut find);
            if let Some(finding) = tight(checker, index, span, &parent) {
                let at = checker.site(checker.trace.parent(span).unwrap_or(index));
                found.push((at, finding));
            }
        }
    }
    checker.found.extend(found);
}

fn is_remote(def: Option<&SpanDef>) -> bool {
    def.is_some_and(|def| matches!(def.kind, SpanKind::Server | SpanKind::Consumer) || def.parents.contains(&"remote"))
}

fn orphan(span: &Span, parent: Option<&Span>, def: Option<&SpanDef>) -> Option<Finding> {
    if parent.is_some() || span.facts.parent == 0 || is_remote(def) {
        return None;
    }
    let message = format!("the parent `{:016x}` is not in the trace", span.facts.parent);
    let help = "if the trace was rotated, give the older files too: `t.1.jsonl t.jsonl`";
    Some(Finding::error("orphan-span", message, help))
}

/// The registry says in which spans a type may stand. Spans that it does not know are looked through.
fn parents(checker: &Checker<'_>, span: &Span, def: Option<&SpanDef>) -> Option<Finding> {
    let def = def?;
    if def.parents.is_empty() || def.parents.contains(&"any") {
        return None;
    }
    let mut above = *span;
    // A chain of parents that goes in circles must not hold us up.
    for _ in 0..64 {
        let Some(next) = checker.trace.parent(&above) else { break };
        above = checker.trace.spans[next as usize];
        let key = checker.trace.words.text(above.span_type);
        if checker.names.span(key).is_some() {
            let allowed = def.parents.iter().any(|parent| match parent.strip_suffix(".*") {
                Some(namespace) => key.strip_prefix(namespace).is_some_and(|rest| rest.starts_with('.')),
                None => *parent == key,
            });
            return (!allowed).then(|| wrong_parent(def, &format!("in `{key}`")));
        }
        // A mistake of its own, and it has been told.
        if checker.names.owns(key) {
            return None;
        }
    }
    // A root, or all that is above is elsewhere or unknown.
    let remote = is_remote(Some(def));
    (above.facts.parent == 0 && !remote).then(|| wrong_parent(def, "at the root"))
}

fn wrong_parent(def: &SpanDef, place: &str) -> Finding {
    let help = format!("the registry allows it in `{}`", def.parents.join("`, `"));
    Finding::error("wrong-parent", format!("`{}` must not stand {place}", def.key), help)
}

fn within(checker: &Checker<'_>, span: &Span, parent: &Span) -> Vec<Finding> {
    let mut found = Vec::new();
    if span.facts.trace_id != parent.facts.trace_id {
        let message = format!("its parent belongs to another trace, `{:032x}`", parent.facts.trace_id);
        let help = "a child has its parent's trace id; refer to a span of another trace with a link";
        found.push(Finding::error("trace-mismatch", message, help));
    }
    // What runs on another thread may start late and end late.
    if span.thread != parent.thread {
        return found;
    }
    let name = checker.trace.words.text(parent.name);
    let early = parent.facts.start_ns.saturating_sub(span.facts.start_ns);
    if early > ROUNDING_NS {
        let message = format!("the span starts {} before its parent `{name}`, on one thread", duration(early));
        let help = "look for a clock that was set, or for spans under the wrong parent";
        found.push(Finding::error("starts-before-parent", message, help));
    }
    let late = span.end().unwrap_or(0).saturating_sub(parent.end().unwrap_or(u64::MAX));
    if late > ROUNDING_NS {
        let message = format!("the span ends {} after its parent `{name}`, on one thread", duration(late));
        let help = "a task may outlive the span that started it; for anything else the parent is wrong";
        found.push(Finding::warning("ends-after-parent", message, help));
    }
    found
}

fn tight(checker: &Checker<'_>, index: u32, span: &Span, parent: &Span) -> Option<Finding> {
    let parent_index = checker.trace.parent(span)?;
    if checker.more[index as usize].attributes != checker.more[parent_index as usize].attributes {
        return None;
    }
    let part = share(span.duration()?, parent.duration()?);
    if !(TIGHT..=1.0).contains(&part) {
        return None;
    }
    let text = |word| checker.trace.words.text(word);
    let (outer, inner) = (text(parent.name), text(span.name));
    let message = format!("`{inner}` has the attributes of `{outer}` and fills {} of it", percent(part));
    let help = "keep one of the two: the outer span shows nothing that the inner one does not";
    Some(Finding::warning("tight-nesting", message, help))
}
