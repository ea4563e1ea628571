//! The bodies of the C functions that `export_c_api!` instantiates in the final library.
//! Nothing here panics into C: each is wrapped, and the worst answer is a code.

use core::ffi::{CStr, c_char, c_void};
use core::panic::AssertUnwindSafe;
use core::time::Duration;
use std::panic::catch_unwind;

use kina_observ_conventions::Level;

pub use super::error_copy::ErrorCopy;
use super::last_error;
use crate::config;
use crate::errno::KeepErrno;
use crate::ids::ModuleId;
use crate::module_id;
use crate::output::callback::{self, Callback};

/// The argument cannot be used: no such level, null, not UTF-8, no such directive.
pub const INVALID: i32 = -2;
/// The framework itself failed.
pub const FAILED: i32 = -1;
/// It was done already, or there is nothing to do it with.
pub const UNCHANGED: i32 = 1;

fn contained(body: impl FnOnce() -> i32) -> i32 {
    let _errno = KeepErrno::new();
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(FAILED)
}

fn level(number: i32) -> Option<Level> {
    [Level::Off, Level::Basic, Level::Kernel].into_iter().find(|level| *level as i32 == number)
}

/// Starts recording at `level` with the settings of `KINA_OBSERV_*`.
/// 0: started; 1: was running, the level is set; -1: could not start, the reason is on standard error; -2: no such level.
pub fn observ_init(number: i32) -> i32 {
    contained(|| match level(number) {
        Some(level) => config::hosted::init_from_c(level),
        None => INVALID,
    })
}

/// 0: set; 1: nothing is running; -2: no such level.
pub fn observ_set_level(number: i32) -> i32 {
    contained(|| match level(number) {
        Some(level) if config::init::set_level(level) => 0,
        Some(_) => UNCHANGED,
        None => INVALID,
    })
}

/// Sets `RUST_LOG` directives. 0: set; -2: null, not UTF-8 or not understood.
///
/// # Safety
/// `directives` is null or ends in a NUL.
pub unsafe fn observ_set_filter(directives: *const c_char) -> i32 {
    contained(|| {
        if directives.is_null() {
            return INVALID;
        }
        // SAFETY: not null; the caller promises the NUL.
        let directives = unsafe { CStr::from_ptr(directives) };
        match directives.to_str() {
            Ok(text) if config::init::set_filter(text).is_ok() => 0,
            _ => INVALID,
        }
    })
}

/// 0: everything recorded so far has reached the operating system; 1: not within `milliseconds`.
pub fn observ_flush(milliseconds: u32) -> i32 {
    // The log callback would wait for itself.
    contained(|| i32::from(callback::inside() || !config::init::flush(Duration::from_millis(milliseconds.into()))))
}

/// 0: flushed and stopped; 1: nothing was running, it did not end within `milliseconds`, or a log callback asked for it.
/// What was lost on the way is told on standard error.
pub fn observ_shutdown(milliseconds: u32) -> i32 {
    contained(|| {
        if callback::inside() {
            return UNCHANGED;
        }
        if config::hosted::shutdown_for_host(Duration::from_millis(milliseconds.into())) { 0 } else { UNCHANGED }
    })
}

/// 0: a panic unwinds and becomes code -1; 1: the library was built with `panic=abort`, so a panic ends the process.
pub fn observ_panic_strategy() -> i32 {
    i32::from(cfg!(panic = "abort"))
}

pub use crate::output::callback::{Destroy, LogFunction};

/// Hands every JSON line to `function`, or to nobody if it is null. Set it before `observ_init` and standard error stays
/// empty unless it was asked for. The callback before is not called again, and its `destroy` has been called, when this
/// returns. A callback may call annotated functions, which record nothing there, and must not throw or wait.
/// 0: set; 1: called from inside a callback, nothing changed.
///
/// # Safety
/// Until they are replaced, `function` and `destroy` may be called with `user` on any thread.
pub unsafe fn observ_set_log_callback(
    function: Option<LogFunction>,
    user: *mut c_void,
    destroy: Option<Destroy>,
) -> i32 {
    contained(|| {
        if callback::inside() {
            return UNCHANGED;
        }
        callback::set(function.map(|function| Callback { function, user, destroy }));
        0
    })
}

/// 0: none. Meaningful only after a call returned a code other than 0.
pub fn last_error_code() -> i32 {
    last_error::with(last_error::LastError::code)
}

/// 0 none, 1 boundary, 2 outer, 3 inner.
pub fn last_error_layer() -> i32 {
    last_error::with(|last| last.layer() as i32)
}

/// What happened; never null, valid until the next failing call on this thread.
pub fn last_error_message() -> *const c_char {
    last_error::message_pointer()
}

/// What to do; never null, valid until the next failing call on this thread.
pub fn last_error_help() -> *const c_char {
    last_error::help_pointer()
}

/// The `error.type`; never null, valid until the next failing call on this thread.
pub fn last_error_type() -> *const c_char {
    last_error::type_pointer()
}

/// Where; never null, valid until the next failing call on this thread.
pub fn last_error_span_path() -> *const c_char {
    last_error::span_path_pointer()
}

/// Copies this thread's last error as a whole, for hosts that move between threads: a goroutine may read the copy later.
/// 0: copied; -2: null or misaligned.
///
/// # Safety
/// `to` is null or points to room for an `ErrorCopy`.
pub unsafe fn last_error_copy(to: *mut ErrorCopy) -> i32 {
    if to.is_null() || !to.is_aligned() {
        return INVALID;
    }
    let copy = last_error::with(ErrorCopy::of);
    // SAFETY: not null, aligned; the caller promises the room.
    unsafe { to.write(copy) };
    0
}

/// Forgets this thread's last error.
pub fn last_error_clear() {
    last_error::clear();
}

/// 0: this thread's calls belong to the module now; 1: 32 are pushed already; -2: null.
///
/// # Safety
/// `id` is null or points to 16 bytes.
pub unsafe fn module_push(id: *const u8) -> i32 {
    contained(|| {
        if id.is_null() {
            return INVALID;
        }
        // SAFETY: not null; the caller promises 16 bytes, which need no alignment.
        let bytes = unsafe { id.cast::<[u8; 16]>().read() };
        if module_id::push(ModuleId::from_bytes(bytes)) { 0 } else { UNCHANGED }
    })
}

/// 0: the module before is back; 1: none was pushed.
pub fn module_pop() -> i32 {
    contained(|| if module_id::pop() { 0 } else { UNCHANGED })
}
