//! Signals are the host's business: its handlers never run on the collector's thread.
//! A closed pipe and a file size limit thus reach the outputs as errors, which are counted, and not as SIGPIPE or SIGXFSZ.

use core::mem::MaybeUninit;

/// Blocks every signal for the calling thread.
pub(super) fn block_all() {
    let mut all = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: `all` is writable; the call fills it.
    unsafe { libc::sigfillset(all.as_mut_ptr()) };
    // SAFETY: `all` was filled; a null old set is allowed.
    unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, all.as_ptr(), core::ptr::null_mut()) };
}
