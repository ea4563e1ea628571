//! What a library does inside a program that it does not own: it stays loaded, and it ends quietly.

use core::cell::Cell;
use core::mem::ManuallyDrop;
use core::time::Duration;

use super::forked::{self, Frozen};
use super::{hosted, init};
use crate::errno::KeepErrno;
use crate::{panic_hook, pinned, span};

/// At exit the host waits this long for the last records; more would look like a hang.
const EXIT_PATIENCE: Duration = Duration::from_secs(2);

/// A process that aborts is waited for by somebody, and hangs no longer than one that exits.
const ABORT_PATIENCE: Duration = EXIT_PATIENCE;

/// Once a process, when recording starts: the collector's thread and the records point into this library.
pub(super) fn settle() {
    pinned::pin();
    panic_hook::install(write_the_rest);
    if cfg!(panic = "abort") {
        hosted::say(format_args!(
            "built with `panic = \"abort\"`: a panic ends the process, no boundary can contain it"
        ));
    }
}

/// Once a process, before its first `init`.
pub(super) fn watch_forks() {
    // SAFETY: the handlers never unwind, and the C library forgets them when it unmaps this library.
    let _ = unsafe { libc::pthread_atfork(Some(before_fork), Some(after_fork), Some(after_fork_in_child)) };
}

/// A panic is about to end the process; nothing but the outputs is waited for, and not for long.
fn write_the_rest(panic: &str) {
    span::end_all(panic);
    let _ = init::try_shutdown(ABORT_PATIENCE);
}

/// For a host that never heard of us: the last records reach the file although nobody calls `shutdown`.
pub(super) fn flush_at_exit() {
    // SAFETY: the handler never unwinds and the library is pinned.
    let _ = unsafe { libc::atexit(at_exit) };
}

thread_local! {
    /// Our locks, from before the fork to after it. Without a destructor, so that any thread may fork at any time.
    static FROZEN: Cell<Option<ManuallyDrop<Frozen>>> = const { Cell::new(None) };
}

extern "C" fn before_fork() {
    let _errno = KeepErrno::new();
    FROZEN.set(Some(ManuallyDrop::new(forked::freeze())));
}

extern "C" fn after_fork() {
    let _errno = KeepErrno::new();
    drop(FROZEN.take().map(ManuallyDrop::into_inner));
}

/// Closes the gate: the collector's thread does not exist here. The child may call `init` again.
extern "C" fn after_fork_in_child() {
    let _errno = KeepErrno::new();
    if let Some(mut frozen) = FROZEN.take().map(ManuallyDrop::into_inner) {
        frozen.start_afresh();
    }
}

extern "C" fn at_exit() {
    let _ = std::panic::catch_unwind(|| hosted::shutdown_for_host(EXIT_PATIENCE));
}
