//! Counts and times by span name, made from the records: the caller pays nothing for them.

use std::collections::HashMap;

use crate::site::Facts;

/// Names kept apart; a name template that fills without bound ends up under `other`.
const MOST_NAMES: usize = 1_024;
const OTHER: &str = "other";

/// What the spans of one name cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpanTotal {
    /// Display name.
    pub name: String,
    /// Registry key.
    pub span_type: &'static str,
    /// Spans that ended.
    pub count: u64,
    /// Those that failed.
    pub errors: u64,
    /// Their durations added up, in nanoseconds.
    pub total_ns: u64,
    /// The same without what their children on the same thread took.
    pub own_ns: u64,
}

#[derive(Default)]
pub(super) struct Rollup(HashMap<&'static str, HashMap<String, SpanTotal>>);

impl Rollup {
    pub(super) fn add(&mut self, facts: &'static Facts, name: &str, total_ns: u64, own_ns: u64, failed: bool) {
        let names = self.0.entry(facts.span_type).or_default();
        let name = if names.contains_key(name) || names.len() < MOST_NAMES { name } else { OTHER };
        if !names.contains_key(name) {
            let total = SpanTotal {
                name: name.to_owned(),
                span_type: facts.span_type,
                count: 0,
                errors: 0,
                total_ns: 0,
                own_ns: 0,
            };
            names.insert(name.to_owned(), total);
        }
        if let Some(total) = names.get_mut(name) {
            total.count += 1;
            total.errors += u64::from(failed);
            total.total_ns += total_ns;
            total.own_ns += own_ns;
        }
    }

    /// The most expensive first.
    pub(super) fn totals(&self) -> Vec<SpanTotal> {
        let mut totals: Vec<_> = self.0.values().flat_map(HashMap::values).cloned().collect();
        totals.sort_by(|a, b| b.total_ns.cmp(&a.total_ns).then_with(|| a.name.cmp(&b.name)));
        totals
    }
}
