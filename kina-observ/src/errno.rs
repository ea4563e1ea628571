//! The host's `errno`: what it was before a call, it is after it.
//! Invariant: cold paths, where system calls are made, keep it (`errno_is_the_same_after_every_call`).

/// Puts `errno` back when dropped.
#[derive(Debug)]
#[must_use = "errno is kept until the guard goes"]
pub(crate) struct KeepErrno(i32);

impl KeepErrno {
    pub(crate) fn new() -> Self {
        Self(std::io::Error::last_os_error().raw_os_error().unwrap_or(0))
    }
}

impl Drop for KeepErrno {
    fn drop(&mut self) {
        // SAFETY: asks for an address, no more.
        let errno = unsafe { place() };
        // SAFETY: it is this thread's `errno`, which is always writable.
        unsafe { errno.write(self.0) };
    }
}

#[cfg(not(target_vendor = "apple"))]
use libc::__errno_location as place;
#[cfg(target_vendor = "apple")]
use libc::__error as place;
