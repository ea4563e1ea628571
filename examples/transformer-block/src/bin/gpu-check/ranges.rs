//! What an NVTX tool was told, beside the trace: each launch is in one range of its kernel's name, and each range is its span's.

use std::collections::{BTreeMap, BTreeSet};

use kina_observ::conventions::SPANS;
use kina_runtime::backend::KERNELS;
use nvtx_capture::{Call, Names, Payload, What, check};
use serde_json::Value;

/// The ranges of `kina_observ`.
const DOMAIN: &str = "kina";

/// The spans of the example's own registry, by their names.
const OWN: [&str; 5] = ["step", "load", "attention", "mlp", "release"];

/// One range, from its push to its pop.
struct Range {
    name: String,
    /// The range around it.
    outer: Option<usize>,
    /// The span's id, as lines have it; none where nobody recorded the span.
    span: Option<String>,
}

/// How both are right, or what is wrong.
pub(crate) fn verdict(calls: &[Call], lines: &[Value]) -> Result<String, String> {
    if let Some(finding) = check(calls, DOMAIN, &names()).first() {
        return Err(finding.to_string());
    }
    let ranges = ranges(calls)?;
    let text = |line: &Value, key: &str| line[key].as_str().unwrap_or_default().to_owned();
    let spans: BTreeSet<String> =
        lines.iter().filter(|line| line["kind"] == "span").map(|line| text(line, "span_id")).collect();
    if let Some(range) = ranges.iter().find(|range| range.span.as_ref().is_some_and(|span| !spans.contains(span))) {
        return Err(format!("no line of the trace is the range `{}`, whose payload is {:?}", range.name, range.span));
    }
    let launches: Vec<&Value> = lines.iter().filter(|line| line["type"] == "runtime.kernel.launch").collect();
    for launch in &launches {
        let kernel = launch["attributes"]["runtime.kernel.name"].as_str().unwrap_or_default();
        let own: Vec<&Range> = ranges.iter().filter(|range| range.span == Some(text(launch, "span_id"))).collect();
        let [range] = own.as_slice() else { return Err(format!("{} ranges, and not one, for {launch}", own.len())) };
        let around = around(&ranges, range).filter(|outer| outer.name == kernel).count();
        if range.name != kernel || around > 0 {
            return Err(format!(
                "the range `{}`, in {around} others of the kernel's name, is for {launch}",
                range.name
            ));
        }
    }
    match launches.len() {
        0 => Err("the trace has no launch".to_owned()),
        count => Ok(format!("{} ranges; {count} launches, each in one of its kernel's name", ranges.len())),
    }
}

/// Every name that a range may have.
fn names() -> Names {
    let templates = SPANS.iter().flat_map(|span| span.nvtx.into_iter().chain(span.fallback_names.iter().copied()));
    let keys = SPANS.iter().map(|span| span.key);
    Names::new(templates.chain(keys).chain(OWN)).value("runtime.kernel.name", KERNELS)
}

/// The ranges between an outer one, first, and `range` itself.
fn around<'a>(ranges: &'a [Range], range: &Range) -> impl Iterator<Item = &'a Range> {
    let place = |outer: Option<usize>| outer.and_then(|outer| ranges.get(outer));
    std::iter::successors(place(range.outer), move |range| place(range.outer))
}

/// Pairs pushes and pops, which `check` has found to pair.
fn ranges(calls: &[Call]) -> Result<Vec<Range>, String> {
    let mut found: Vec<Range> = Vec::new();
    let mut open: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for Call { thread, what } in calls {
        let stack = open.entry(*thread).or_default();
        match what {
            What::Push { domain, message, payload } if domain == DOMAIN => {
                let name = message.text().unwrap_or_default().to_owned();
                let span = match payload {
                    None => None,
                    Some(Payload::U64(id)) => Some(format!("{id:016x}")),
                    Some(Payload::Other(_)) => return Err(format!("the payload of `{name}` is no span's id")),
                };
                found.push(Range { name, outer: stack.last().copied(), span });
                stack.push(found.len() - 1);
            }
            What::Pop { domain } if domain == DOMAIN => drop(stack.pop()),
            _ => {}
        }
    }
    Ok(found)
}
