//! Durations and shares as people read them.

/// `12.345 ms`: one unit for each size, three decimals below a second.
pub(crate) fn duration(ns: u64) -> String {
    match ns {
        0..1_000 => format!("{ns} ns"),
        1_000..1_000_000 => format!("{:.3} µs", ns as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.3} ms", ns as f64 / 1e6),
        _ => format!("{:.3} s", ns as f64 / 1e9),
    }
}

/// A share of 1 in percent; a part of nothing is nothing.
pub(crate) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// `25.2 %`.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// `1 span`, `2 spans`.
pub(crate) fn counted(count: u64, word: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {word}{plural}")
}

#[cfg(test)]
mod tests {
    use super::{counted, duration, percent, share};

    #[test]
    fn for_people() {
        assert_eq!(duration(999), "999 ns");
        assert_eq!(duration(1_500), "1.500 µs");
        assert_eq!(duration(13_943_127), "13.943 ms");
        assert_eq!(duration(61_000_000_000), "61.000 s");
        assert_eq!(percent(share(1, 4)), "25.0 %");
        assert_eq!(percent(share(1, 0)), "0.0 %");
        assert_eq!((counted(1, "span"), counted(2, "span")), ("1 span".to_owned(), "2 spans".to_owned()));
    }
}
