//! Times many calls at once, and finds the middle of many such times: for both programs.

use std::time::Instant;

/// Seconds of one of `calls` calls.
pub(crate) fn seconds(calls: u32, mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..calls).for_each(|_| call());
    start.elapsed().as_secs_f64() / f64::from(calls)
}

/// The value in the middle.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
