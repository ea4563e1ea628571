//! A million arbitrary calls of the 17 entry points, off and recording: none crashes, each refusal names its parameter, and
//! all memory comes back. `KINA_FUZZ_SEED` and `KINA_FUZZ_CALLS` repeat a run.

#[path = "../fuzz/shared/mod.rs"]
mod shared;

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use shared::{Choices, Host, Seen};

const CHILD: &str = "KINA_RUNTIME_TEST_CHILD";
const SEED: &str = "KINA_FUZZ_SEED";
const CALLS: &str = "KINA_FUZZ_CALLS";

/// Together the million; what is recorded takes longer.
const RUNS: [(&str, u64); 2] = [("off", 750_000), ("basic", 250_000)];

/// Calls before the first look at the memory: the events of the default stream and every table have their size by then.
const WARM_UP: u64 = 60_000;

/// What may lie around between two looks at a program whose threads work; a tensor, stream or event that leaks with every
/// hundredth call would be more.
const SLACK_BYTES: usize = 256 << 10;

/// Counts the bytes that are in use.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is passed to the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        IN_USE.fetch_add(layout.size(), Relaxed);
        // SAFETY: the caller keeps the promises of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the promises of `dealloc`, and `alloc` gave what the system gave.
        unsafe { System.dealloc(pointer, layout) };
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// SplitMix64: any seed will do.
struct Random(u64);

impl Choices for Random {
    fn below(&mut self, limit: u64) -> u64 {
        // The bias is far below what a test could see.
        (self.word() >> 16) % limit
    }

    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}

#[test]
fn a_million_arbitrary_calls() {
    if std::env::var_os(CHILD).is_some() {
        return call(number(SEED).expect("the parent gives it"), number(CALLS).expect("the parent gives it"));
    }
    let seed = number(SEED).unwrap_or(0x6b69_6e61);
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Both at once: each is a process, so that a crash still tells its seed.
    let runs = RUNS.map(|(level, calls)| {
        let calls = number(CALLS).unwrap_or(calls);
        (level, calls, start(level, seed, calls, folder.path()))
    });
    for (level, calls, child) in runs {
        let output = child.wait_with_output().expect("the child ends");
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        println!("level {level}: {out}");
        assert!(
            output.status.success(),
            "level {level}: {}\n{out}{err}\nrepeat with: {SEED}={seed} {CALLS}={calls}",
            output.status
        );
    }
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| text.parse().expect("a number"))
}

fn start(level: &str, seed: u64, calls: u64, folder: &Path) -> Child {
    Command::new(std::env::current_exe().expect("a test knows where it is"))
        .args(["--exact", "a_million_arbitrary_calls", "--nocapture"])
        .env(CHILD, "1")
        .env(SEED, seed.to_string())
        .env(CALLS, calls.to_string())
        .env("KINA_OBSERV_LEVEL", level)
        .env("KINA_OBSERV_TRACE_OUTPUT", folder.join(format!("{level}.jsonl")))
        .env("KINA_OBSERV_TRACE_FORMAT", "json")
        // The trace is not what is looked at: it may not fill the disk.
        .env("KINA_OBSERV_TRACE_MAX_BYTES", "16M")
        .env("KINA_OBSERV_TRACE_MAX_FILES", "1")
        .env("KINA_RUNTIME_MEMORY_LIMIT", "1048576")
        .env_remove("RUST_LOG")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the test runs itself")
}

fn call(seed: u64, calls: u64) {
    let (mut host, mut random) = (Host::new(), Random(seed));
    let mut before = 0;
    for number in 0..calls {
        if number == WARM_UP.min(calls / 2) {
            before = idle(&mut host);
        }
        if let Err(message) = host.step(&mut random) {
            panic!("call {number}: {message}");
        }
    }
    let after = idle(&mut host);
    let seen = host.seen();
    println!("{} calls; {before} bytes in use after the warm-up, {after} at the end", seen.values().sum::<u64>());
    println!("{seen:?}");
    // A shorter run is one that somebody repeats.
    if calls >= WARM_UP * 2 {
        assert!(after <= before + SLACK_BYTES, "{} bytes did not come back", after - before);
        check_that_all_was_tried(seen);
    }
}

/// Bytes in use when nothing is alive and nothing runs.
fn idle(host: &mut Host) -> usize {
    host.finish().unwrap_or_else(|message| panic!("something is left: {message}"));
    // What the collector holds goes with what it writes. At Off there is none.
    kina_observ::flush(Duration::from_secs(20));
    IN_USE.load(Relaxed)
}

fn check_that_all_was_tried(seen: &Seen) {
    let done = seen.keys().filter(|(_, code)| *code == 0).count();
    assert_eq!(done, 17, "entry points that were called well");
    for code in [-7, -6, -5, -4, -3, -2, 101, 102, 103, 111, 112, 201] {
        assert!(seen.keys().any(|(_, given)| *given == code), "code {code} was never given");
    }
    let refused = |symbol: &str| seen.keys().any(|(name, code)| *name == symbol && *code < 0);
    for (symbol, _) in seen.keys().filter(|(symbol, _)| *symbol != "runtime_device_synchronize") {
        assert!(refused(symbol), "`{symbol}` never refused a call");
    }
}
