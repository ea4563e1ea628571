//! Signals are the host's: none of them runs on the framework's own thread.
#![cfg(target_os = "linux")]

mod common;

use std::fs;

/// Signals that nobody can block, and two that the C library keeps for itself.
const OTHERS: [u32; 4] = [9, 19, 32, 33];

#[test]
fn the_collectors_thread_takes_no_signal() {
    let (_folder, path) = common::trace_file();
    let guard = kina_observ::builder().trace_output(path).init().expect("recording");
    // It has blocked them when it answers.
    assert!(guard.flush(std::time::Duration::from_secs(60)));
    let threads = fs::read_dir("/proc/self/task").expect("this process has threads");
    let status = threads
        .filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("status")).ok())
        .find(|status| status.starts_with("Name:\tkina-observ\n"))
        .expect("the collector's thread");
    let blocked = status.lines().find_map(|line| line.strip_prefix("SigBlk:\t")).expect("a mask");
    let blocked = u64::from_str_radix(blocked, 16).expect("hexadecimal");
    let taken: Vec<u32> = (1..=64).filter(|signal| blocked & 1 << (signal - 1) == 0).collect();
    assert_eq!(taken, OTHERS);
}
