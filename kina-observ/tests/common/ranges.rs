//! What the tests of ranges share: ranges made of pushes and pops, and joined with lines.

use std::collections::BTreeMap;

use nvtx_capture::{Call, Payload, What};
use serde_json::Value;

use crate::common::of_kind;

/// One range, from its push to its pop.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Range {
    pub(crate) thread: u32,
    pub(crate) name: String,
    /// The range around it.
    pub(crate) outer: Option<usize>,
    pub(crate) payload: Option<u64>,
}

/// Pairs pushes and pops; the capture's own check says when they do not pair.
pub(crate) fn ranges(calls: &[Call]) -> Vec<Range> {
    let mut found: Vec<Range> = Vec::new();
    let mut open: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for Call { thread, what } in calls {
        let stack = open.entry(*thread).or_default();
        match what {
            What::Push { domain, message, payload } if domain == "kina" => {
                let payload = payload.map(|payload| match payload {
                    Payload::U64(id) => id,
                    Payload::Other(_) => panic!("not a span id: {payload:?}"),
                });
                let name = message.text().expect("a name").to_owned();
                found.push(Range { thread: *thread, name, outer: stack.last().copied(), payload });
                stack.push(found.len() - 1);
            }
            What::Pop { domain } if domain == "kina" => drop(stack.pop()),
            _ => {}
        }
    }
    found
}

/// The names from the outermost range to this one: `a > b`.
#[allow(dead_code, reason = "not every test looks at paths")]
pub(crate) fn path(ranges: &[Range], range: &Range) -> String {
    match range.outer {
        Some(outer) => format!("{} > {}", path(ranges, &ranges[outer]), range.name),
        None => range.name.clone(),
    }
}

/// Every range is the span whose id it carries, and stands inside the range of that span's parent.
pub(crate) fn assert_joined(ranges: &[Range], lines: &[Value]) {
    let spans = of_kind(lines, "span").into_iter().chain(of_kind(lines, "unfinished"));
    let spans: BTreeMap<&str, &Value> = spans.map(|line| (line["span_id"].as_str().expect("an id"), line)).collect();
    let id = |range: &Range| range.payload.map(|id| format!("{id:016x}"));
    for range in ranges {
        let own = id(range).unwrap_or_else(|| panic!("no payload: {range:?}"));
        let line = spans.get(own.as_str()).unwrap_or_else(|| panic!("no line of {own}: {range:?}"));
        if let Some(outer) = range.outer {
            assert_eq!(line["parent_span_id"].as_str().map(str::to_owned), id(&ranges[outer]), "{line}");
        }
    }
    let with_range: Vec<String> = ranges.iter().filter_map(id).collect();
    for id in spans.keys() {
        assert!(with_range.iter().any(|own| own == id), "no range of {id}");
    }
}
