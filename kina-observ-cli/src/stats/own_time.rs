//! The time that a span spent in itself.

use crate::trace::{Children, Span, Trace};

/// Duration without the union of the children on the same thread; never less than nothing, also when children overlap.
pub(super) fn own_ns(trace: &Trace, children: &Children, index: u32) -> u64 {
    let span = &trace.spans[index as usize];
    let (Some(duration), Some(end)) = (span.duration(), span.end()) else { return 0 };
    let mut covered = 0;
    let mut from = span.facts.start_ns;
    for child in children.children(index).map(|child| &trace.spans[child as usize]) {
        if child.thread != span.thread {
            continue;
        }
        // Children come by start, so that only what lies behind the last one's end is new.
        let start = child.facts.start_ns.clamp(from, end);
        let stop = ended(child, end).clamp(start, end);
        covered += stop - start;
        from = from.max(stop);
    }
    duration - covered.min(duration)
}

/// A child that never ended took the rest.
fn ended(child: &Span, otherwise: u64) -> u64 {
    child.end().unwrap_or(otherwise)
}

#[cfg(test)]
mod tests {
    use super::own_ns;
    use crate::line::parse;
    use crate::trace::{Children, Trace};

    /// The own time of the first span; each is start, duration in milliseconds, thread.
    fn check(spans: &[(u32, u32, &str)], expected_ms: u64) {
        let mut trace = Trace::default();
        for (id, (start, duration, thread)) in (1..).zip(spans) {
            let parent = if id == 1 { "" } else { r#""parent_span_id":"0000000000000001","# };
            let text = format!(
                r#"{{"ts":"2026-01-01T00:00:00.{start:03}000000Z","kind":"span","span":"a","type":"a","trace_id":"{id:032x}",
                "span_id":"{id:016x}",{parent}"duration_ms":{duration},"thread":"{thread}","attributes":{{}}}}"#
            );
            let line = parse(text.as_bytes(), true).expect("a line");
            let kind = line.kind().expect("a kind");
            trace.add(&line, kind, line.facts(kind).expect("a span"));
        }
        assert_eq!(own_ns(&trace, &Children::of(&trace), 0), expected_ms * 1_000_000, "{spans:?}");
    }

    #[test]
    fn what_is_left_beside_the_children() {
        check(&[(100, 100, "main")], 100);
        check(&[(100, 100, "main"), (110, 20, "main"), (150, 30, "main")], 50);
        check(&[(100, 100, "main"), (110, 20, "other")], 100);
        // Overlapping, nested, before the start, behind the end, all of it twice.
        check(&[(100, 100, "main"), (110, 40, "main"), (130, 40, "main")], 40);
        check(&[(100, 100, "main"), (110, 60, "main"), (120, 10, "main")], 40);
        check(&[(100, 100, "main"), (50, 60, "main"), (190, 500, "main")], 80);
        check(&[(100, 100, "main"), (100, 100, "main"), (100, 100, "main")], 0);
    }
}
