//! A collector that sleeps: calls do not block, losses are counted, and nothing is counted twice.

mod common;

use std::time::Duration;

use kina_observ::{Level, builder, ffi_span};

#[ffi_span(runtime.gpu.softmax)]
#[unsafe(no_mangle)]
extern "C" fn pressed_softmax(m: i64, n: i64) -> i32 {
    std::hint::black_box(i32::from(m + n < 0))
}

const THREADS: u64 = 2;
const SPANS: u64 = 500_000;

#[test]
fn written_and_dropped_make_produced() {
    let (_folder, path) = common::trace_file();
    let guard = builder()
        .level(Level::Basic)
        .trace_output(&path)
        .ring_bytes(64 << 10)
        .poll_interval(Duration::from_secs(3_600))
        .init()
        .expect("recording");
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| (0..SPANS).for_each(|call| assert_eq!(pressed_softmax(call as i64, 1), 0)));
        }
    });
    let report = guard.shutdown();
    let lines = common::lines(&path);
    let written = common::of_kind(&lines, "span").len() as u64;
    let dropped: u64 = common::of_kind(&lines, "dropped").iter().filter_map(|line| line["count"].as_u64()).sum();
    assert!(dropped > 0, "the rings cannot hold a million spans");
    assert!(written > 0);
    assert_eq!(written + dropped, THREADS * SPANS);
    assert_eq!((report.produced, report.written, report.dropped), (THREADS * SPANS, written, dropped));
    assert!(report.to_string().contains(&format!("dropped {dropped}")), "{report}");
}
