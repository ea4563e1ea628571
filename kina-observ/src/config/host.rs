//! What a library does inside a program that it does not own: it stays loaded, and it ends quietly.

use core::ffi::c_void;
use core::ptr;
use core::time::Duration;

use crate::gate;

/// At exit the host waits this long for the last records; more would look like a hang.
const EXIT_PATIENCE: Duration = Duration::from_secs(2);

/// Once a process, when recording starts: the collector's thread and the records point into this library.
pub(super) fn settle() {
    pin();
    // SAFETY: the handler touches one atomic, which a forked child may.
    let _ = unsafe { libc::pthread_atfork(None, None, Some(after_fork)) };
}

/// For a host that never heard of us: the last records reach the file although nobody calls `shutdown`.
pub(super) fn flush_at_exit() {
    // SAFETY: the handler never unwinds and the library is pinned.
    let _ = unsafe { libc::atexit(at_exit) };
}

/// Keeps the library mapped after `dlclose`; the executable itself cannot be unloaded anyway.
fn pin() {
    let mut info = core::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    let own: *const c_void = ptr::from_ref(&gate::GLOBAL).cast();
    // SAFETY: any address may be asked for; `info` is writable.
    if unsafe { libc::dladdr(own, info.as_mut_ptr()) } == 0 {
        return;
    }
    // SAFETY: `dladdr` has filled it, and zeros are a valid `Dl_info` too.
    let info = unsafe { info.assume_init() };
    // SAFETY: the name is a C string of the loader's; NOLOAD runs no constructor.
    unsafe { libc::dlopen(info.dli_fname, libc::RTLD_LAZY | libc::RTLD_NOLOAD | libc::RTLD_NODELETE) };
}

/// The collector's thread does not exist in a forked child.
extern "C" fn after_fork() {
    gate::GLOBAL.set(0);
}

extern "C" fn at_exit() {
    let _ = std::panic::catch_unwind(|| super::init::shutdown(EXIT_PATIENCE));
}
