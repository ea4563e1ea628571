//! What a C host may ask of the framework itself: lines of its own, a copy of an error, `errno` as it was.

use core::ffi::{CStr, c_char, c_void};
use core::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};

use kina_observ::ffi::c_api::{Destroy, ErrorCopy, LogFunction};
use kina_observ::{export_c_api, ffi_span};

export_c_api!("host");

#[ffi_span(runtime.gpu.softmax)]
#[unsafe(no_mangle)]
extern "C" fn host_softmax(m: i64, n: i64) -> i32 {
    if n == 0 {
        return kina_observ::ffi::fail(7, "`n` is 0");
    }
    i32::from(m < 0)
}

unsafe extern "C" {
    fn host_observ_set_log_callback(function: Option<LogFunction>, user: *mut c_void, destroy: Option<Destroy>) -> i32;
    safe fn host_observ_init(level: i32) -> i32;
    safe fn host_observ_flush(milliseconds: u32) -> i32;
    safe fn host_observ_shutdown(milliseconds: u32) -> i32;
    safe fn host_observ_panic_strategy() -> i32;
    fn host_last_error_copy(to: *mut ErrorCopy) -> i32;
}

static LINES: Mutex<Vec<(i32, String)>> = Mutex::new(Vec::new());
/// Lines are the process's, so one test at a time.
static ALONE: Mutex<()> = Mutex::new(());
static DESTROYED: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C-unwind" fn take(user: *mut c_void, severity: i32, line: *const c_char, length: usize) {
    // SAFETY: the framework promises a line with a NUL.
    let line = unsafe { CStr::from_ptr(line) }.to_str().expect("UTF-8").to_owned();
    assert_eq!(line.len(), length);
    // From inside, an annotated call leaves no line, and nothing waits for itself.
    host_softmax(1, 1);
    assert_eq!(host_observ_flush(60_000), 1);
    assert_eq!(host_observ_shutdown(60_000), 1);
    // SAFETY: clears the callback, which is refused here.
    assert_eq!(unsafe { host_observ_set_log_callback(None, user, None) }, 1);
    LINES.lock().expect("no panic").push((severity, line));
    if user as usize == 2 {
        panic!("a callback that panics");
    }
}

unsafe extern "C-unwind" fn destroy(_user: *mut c_void) {
    DESTROYED.fetch_add(1, SeqCst);
}

fn set(function: Option<LogFunction>, user: usize) {
    // SAFETY: the functions above may be called on any thread.
    assert_eq!(unsafe { host_observ_set_log_callback(function, user as *mut c_void, Some(destroy)) }, 0);
}

/// The lines since the last look.
fn lines() -> Vec<(i32, String)> {
    assert_eq!(host_observ_flush(60_000), 0);
    core::mem::take(&mut LINES.lock().expect("no panic"))
}

#[test]
fn the_host_gets_each_line_until_it_says_stop() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    set(Some(take), 1);
    assert_eq!(host_observ_init(1), 0);
    host_softmax(4, 5);
    host_softmax(4, 0);
    let seen = lines();
    assert_eq!(seen.len(), 3, "{seen:?}");
    assert!(seen[0].1.contains("\"kind\":\"header\""), "{seen:?}");
    assert!(seen[2].1.contains("`n` is 0") && seen[2].0 == 3, "{seen:?}");
    for (_, line) in &seen {
        serde_json::from_str::<serde_json::Value>(line).expect("JSON");
    }

    // Another one: the first is over, and a panic in it changes nothing.
    set(Some(take), 2);
    assert_eq!(DESTROYED.load(SeqCst), 1);
    host_softmax(6, 7);
    assert_eq!(lines().len(), 2);
    host_softmax(6, 7);
    assert_eq!(lines().len(), 1);
    set(None, 0);
    assert_eq!(DESTROYED.load(SeqCst), 2);
    host_softmax(6, 7);
    assert_eq!(lines(), []);
    assert_eq!(host_observ_shutdown(60_000), 0);
}

fn text(field: &[c_char]) -> String {
    // SAFETY: the framework promises a NUL.
    unsafe { CStr::from_ptr(field.as_ptr()) }.to_str().expect("UTF-8").to_owned()
}

#[test]
fn an_error_can_be_copied_as_a_whole() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    assert_eq!(host_observ_panic_strategy(), 0);
    host_softmax(1, 0);
    let mut copy = core::mem::MaybeUninit::<ErrorCopy>::uninit();
    // SAFETY: null is refused.
    assert_eq!(unsafe { host_last_error_copy(core::ptr::null_mut()) }, -2);
    // SAFETY: there is room for one.
    assert_eq!(unsafe { host_last_error_copy(copy.as_mut_ptr()) }, 0);
    // SAFETY: the call returned 0.
    let copy = unsafe { copy.assume_init() };
    assert_eq!((copy.code, copy.layer), (7, 2));
    assert_eq!((text(&copy.message), text(&copy.error_type)), ("`n` is 0".to_owned(), "_OTHER".to_owned()));
    assert!(text(&copy.span_path).ends_with("runtime.gpu.softmax"), "{}", text(&copy.span_path));
    assert_eq!(size_of::<ErrorCopy>(), 1128);
}
