//! Each JSON line to a function of the host, from the collector's thread.
//! Invariant: after a callback was replaced it is not called again (`the_host_gets_each_line_until_it_says_stop`).

use core::cell::Cell;
use core::ffi::{c_char, c_void};
use core::panic::AssertUnwindSafe;
use core::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use std::panic::catch_unwind;
use std::sync::{Mutex, MutexGuard, PoisonError};

use kina_observ_conventions::Severity;

use super::Json;
use super::lines::Format;
use crate::record::{Header, Record};

/// A host's function for lines. It is called on the framework's own thread with `user`, the severity (1 error, 2 warn,
/// 3 info, 4 debug, 5 trace), one JSON line without its end, and its length. A NUL follows the line, which lives as long
/// as the call.
pub type LogFunction = unsafe extern "C-unwind" fn(*mut c_void, i32, *const c_char, usize);
/// Called once with `user`, when no log callback will use it any more.
pub type Destroy = unsafe extern "C-unwind" fn(*mut c_void);

/// The host's function and what it wants to be told with it.
pub(crate) struct Callback {
    pub(crate) function: LogFunction,
    pub(crate) user: *mut c_void,
    pub(crate) destroy: Option<Destroy>,
}

// SAFETY: whoever registers it promises that function and `user` may be used from the collector's thread.
unsafe impl Send for Callback {}

impl Drop for Callback {
    fn drop(&mut self) {
        let Some(destroy) = self.destroy else { return };
        // SAFETY: the host's own pair of function and `user`, and this is the one call.
        contain(|| unsafe { destroy(self.user) });
    }
}

static CALLBACK: Mutex<Option<Callback>> = Mutex::new(None);
/// 0: none; else the number of the callback. Read without the lock for every record.
static NUMBER: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// A panic of the host's function, if it is Rust's, ends here.
fn contain(call: impl FnOnce()) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(call)) {
        // Its destructor may panic in turn; what that leaves behind is leaked.
        if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            core::mem::forget(second);
        }
    }
}

/// Held during each call, so that none is under way when `set` returns.
fn callback() -> MutexGuard<'static, Option<Callback>> {
    CALLBACK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether this thread is in the host's function: it must not wait for the collector there.
pub(crate) fn inside() -> bool {
    INSIDE.get()
}

/// Whether the host wants lines.
pub(crate) fn is_set() -> bool {
    NUMBER.load(Relaxed) != 0
}

/// Replaces the callback; the one before is over when this returns. Not from inside a callback.
pub(crate) fn set(new: Option<Callback>) {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let mut current = callback();
    let number = if new.is_some() { LAST.fetch_add(1, Relaxed) + 1 } else { 0 };
    let old = core::mem::replace(&mut *current, new);
    NUMBER.store(number, Release);
    drop(current);
    // Without the lock: `destroy` may register the next one.
    drop(old);
}

/// While the process forks, so that the child does not inherit the lock from a thread that it does not have.
pub(crate) struct Frozen(MutexGuard<'static, Option<Callback>>);

/// `None`: a call of the host's function is under way.
pub(crate) fn try_freeze() -> Option<Frozen> {
    CALLBACK.try_lock().ok().map(Frozen)
}

impl Frozen {
    /// In a forked child: the callback is the parent's, and so is what it frees.
    pub(crate) fn forget(&mut self) {
        NUMBER.store(0, Release);
        core::mem::forget(self.0.take());
    }
}

/// What the collector keeps for the host's function.
pub(crate) struct HostLog {
    json: Json,
    line: Vec<u8>,
    /// The callback that has seen the header.
    greeted: u64,
}

impl HostLog {
    pub(crate) fn new(header: Header) -> Self {
        Self { json: Json::new(header), line: Vec::new(), greeted: 0 }
    }

    /// Hands the record's line over, if somebody wants it.
    pub(crate) fn write(&mut self, record: &Record<'_>) {
        if NUMBER.load(Acquire) != 0 {
            self.write_line(record);
        }
    }

    #[cold]
    fn write_line(&mut self, record: &Record<'_>) {
        let current = callback();
        let Some(callback) = &*current else { return };
        let number = NUMBER.load(Relaxed);
        if self.greeted != number {
            self.greeted = number;
            self.line.clear();
            self.json.header(&mut self.line);
            self.call(callback, Severity::Info);
        }
        self.line.clear();
        self.json.record(&mut self.line, record);
        self.call(callback, severity(record));
    }

    fn call(&mut self, callback: &Callback, severity: Severity) {
        // The NUL stands where the line's end stood.
        let Some(end) = self.line.last_mut() else { return };
        *end = 0;
        let length = self.line.len() - 1;
        INSIDE.set(true);
        // SAFETY: the host promises that its function may be called so until it is replaced; the line lives through it.
        contain(|| unsafe { (callback.function)(callback.user, severity as i32, self.line.as_ptr().cast(), length) });
        INSIDE.set(false);
    }
}

fn severity(record: &Record<'_>) -> Severity {
    match record {
        Record::Span(span) | Record::Start(span) | Record::Unfinished(span) => span.facts.severity,
        Record::Event(event) => event.severity,
        Record::Dropped(_) => Severity::Warn,
    }
}
