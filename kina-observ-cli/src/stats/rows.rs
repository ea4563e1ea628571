//! Sums spans up by name, type or module.

use std::collections::HashMap;

use super::own_time::own_ns;
use crate::cli::By;
use crate::trace::{Children, Trace, Word};

/// One row of the table.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) key: String,
    pub(super) count: u64,
    pub(super) errors: u64,
    pub(super) own_ns: u64,
    /// Own time without waiting for other threads.
    pub(super) work_ns: u64,
    pub(super) total_ns: u64,
    pub(super) p50_ns: u64,
    pub(super) p95_ns: u64,
    pub(super) p99_ns: u64,
    pub(super) max_ns: u64,
}

/// In no particular order. Spans that did not end have no duration and are left out.
pub(super) fn rows(trace: &Trace, by: By) -> Vec<Row> {
    let children = Children::of(trace);
    let mut rows: HashMap<Word, (Row, Vec<u64>)> = HashMap::new();
    for (index, span) in trace.each() {
        let Some(duration) = span.duration() else { continue };
        let word = match by {
            By::Name => span.name,
            By::Type => span.span_type,
            By::Module => span.module,
        };
        let (row, durations) = rows.entry(word).or_default();
        let own = own_ns(trace, &children, index);
        row.count += 1;
        row.errors += u64::from(span.facts.failed);
        row.own_ns += own;
        row.total_ns += duration;
        if !waits(trace.words.text(span.span_type)) {
            row.work_ns += own;
        }
        durations.push(duration);
    }
    let finish = |(word, (mut row, mut durations)): (Word, (Row, Vec<u64>))| {
        durations.sort_unstable();
        let key = trace.words.text(word);
        row.key = if key.is_empty() { "(no module)".to_owned() } else { key.to_owned() };
        row.p50_ns = percentile(&durations, 50);
        row.p95_ns = percentile(&durations, 95);
        row.p99_ns = percentile(&durations, 99);
        row.max_ns = percentile(&durations, 100);
        row
    };
    rows.into_iter().map(finish).collect()
}

/// The smallest duration that `percent` of all do not exceed.
fn percentile(sorted: &[u64], percent: usize) -> u64 {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0)
}

/// Whether the type's whole purpose is to wait until another thread has done the work.
fn waits(span_type: &str) -> bool {
    span_type.rsplit('.').next() == Some("synchronize")
}

#[cfg(test)]
mod tests {
    use super::{percentile, waits};

    #[test]
    fn percentiles_are_values_that_occurred() {
        let hundred: Vec<u64> = (1..=100).collect();
        assert_eq!([50, 95, 99, 100].map(|percent| percentile(&hundred, percent)), [50, 95, 99, 100]);
        assert_eq!([50, 95, 99, 100].map(|percent| percentile(&[7], percent)), [7; 4]);
        assert_eq!(percentile(&[], 50), 0);
    }

    #[test]
    fn waiting() {
        assert!(waits("runtime.stream.synchronize"));
        assert!(!waits("runtime.gpu.matmul"));
    }
}
