//! Off, after the first call: no allocation, no clock read, no atomic write.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use kina_observ::device::{Device, DevicePtr, LaunchConfig, Stream};
use kina_observ::{alloc_traced, ffi_span, kernel, stream_sync};

mod common;

#[ffi_span(runtime.gpu.softmax)]
#[unsafe(no_mangle)]
extern "C" fn off_softmax(m: i64, n: i64) -> i32 {
    std::hint::black_box(i32::from(m + n < 0))
}

#[kernel]
fn launch(_stream: &Stream, config: LaunchConfig) -> i32 {
    std::hint::black_box(config.shared_memory as i32)
}

struct Queue(Stream);

impl Queue {
    #[kernel(stream = self.0, kernel = format!("kernel {}", config.shared_memory))]
    fn launch(&self, config: &LaunchConfig) -> i32 {
        std::hint::black_box(config.shared_memory as i32)
    }
}

#[stream_sync("free.wait")]
fn wait(_stream: &Stream) -> i32 {
    std::hint::black_box(0)
}

#[alloc_traced]
fn take(size: usize, _stream: &Stream) -> DevicePtr {
    std::hint::black_box(DevicePtr::new(size as u64))
}

#[alloc_traced(free)]
fn give_back(_block: DevicePtr, size: usize) {
    std::hint::black_box(size);
}

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: our caller's promise is the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: our caller's promise is the system's.
        unsafe { System.dealloc(pointer, layout) };
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The writable statics of this program: nothing at Off may change one.
fn statics() -> Vec<u8> {
    unsafe extern "C" {
        // The linker's names for the start of `.data` and the end of `.bss`.
        static __data_start: u8;
        static _end: u8;
    }
    let start = &raw const __data_start;
    let end = &raw const _end;
    // SAFETY: the linker laid both in one segment, which is mapped as a whole.
    let length = unsafe { end.offset_from(start) } as usize;
    // SAFETY: see above; this is the only thread that runs test code, and it does not write while it reads.
    unsafe { std::slice::from_raw_parts(start, length) }.to_vec()
}

/// Makes every read of the time stamp counter, `clock_gettime`'s among them, kill this thread.
fn forbid_the_clock(forbidden: bool) -> bool {
    const PR_SET_TSC: libc::c_int = 26;
    let mode: libc::c_ulong = if forbidden { 2 } else { 1 };
    // SAFETY: sets a flag of this thread.
    unsafe { libc::prctl(PR_SET_TSC, mode) == 0 }
}

fn thousand_calls(queue: &Queue) -> i32 {
    let config = LaunchConfig { grid: [1; 3], block: [1; 3], shared_memory: 0 };
    (0..1_000)
        .map(|call| {
            give_back(take(16, &queue.0), 16);
            off_softmax(call, 1) + launch(&queue.0, config) + queue.launch(&config) + wait(&queue.0)
        })
        .sum()
}

/// The witness of the clock can speak: with recording on, a call reads it.
fn on_reads_the_clock() {
    use std::os::unix::process::ExitStatusExt;
    if !cfg!(target_arch = "x86_64") {
        return;
    }
    let child = std::process::Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "off_reads_no_clock_allocates_nothing_writes_nothing"])
        .env(CHILD, "1")
        .output()
        .expect("a child");
    assert_eq!(child.status.signal(), Some(libc::SIGSEGV), "{child:?}");
}

const CHILD: &str = "KINA_OBSERV_TEST_CHILD";

fn child() {
    let (_folder, path) = common::trace_file();
    let _guard = kina_observ::builder().trace_output(path).init().expect("recording");
    off_softmax(1, 1);
    forbid_the_clock(true);
    off_softmax(1, 1);
}

// One test in this file: a second one would write to statics beside it.
#[test]
fn off_reads_no_clock_allocates_nothing_writes_nothing() {
    if std::env::var_os(CHILD).is_some() {
        return child();
    }
    on_reads_the_clock();

    // The first call configures: nothing is in the environment, so nothing is installed.
    // SAFETY: this process has one thread that uses the environment.
    unsafe { std::env::remove_var("KINA_OBSERV_LEVEL") };
    assert_eq!(off_softmax(1, 1), 0);
    let queue = Queue(Device::cpu().stream("main").expect("a stream"));
    // Its thread is up, and writes nothing while it waits.
    queue.0.record().expect("an event");
    queue.0.synchronize().expect("nothing failed");

    let before = ALLOCATIONS.get();
    assert_eq!(thousand_calls(&queue), 0);
    assert_eq!(ALLOCATIONS.get() - before, 0, "allocations");

    // The harness's main thread sleeps until this one ends, so whatever changes is ours.
    let before = statics();
    assert_eq!(thousand_calls(&queue), 0);
    let after = statics();
    let changed = before.iter().zip(&after).filter(|(before, after)| before != after).count();
    assert_eq!(changed, 0, "bytes of statics that 1,000 calls changed");

    if cfg!(target_arch = "x86_64") {
        assert!(forbid_the_clock(true), "prctl");
        let sum = thousand_calls(&queue);
        forbid_the_clock(false);
        assert_eq!(sum, 0);
    }
}
