//! A last error as C reads it, and the pointer through which `error = out` hands it over.

use core::ffi::c_char;
use core::ptr::NonNull;

use super::boundary::{boundary, reject};
use super::check;
use super::fault::Fault;
use super::last_error::{self, HELP_BYTES, LastError, MESSAGE_BYTES, PATH_BYTES, TYPE_BYTES};
use crate::site::Site;

/// A last error as C reads it: every text ends in a NUL and is cut between characters if it is too long.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct ErrorCopy {
    /// 0: there was none.
    pub code: i32,
    /// 0 none, 1 boundary, 2 outer, 3 inner.
    pub layer: i32,
    /// The `error.type`.
    pub error_type: [c_char; TYPE_BYTES],
    /// What happened.
    pub message: [c_char; MESSAGE_BYTES],
    /// What to do.
    pub help: [c_char; HELP_BYTES],
    /// Where.
    pub span_path: [c_char; PATH_BYTES],
}

impl ErrorCopy {
    /// Nothing happened: code 0 and empty texts. What a caller in Rust makes room with.
    pub const NONE: Self = Self {
        code: 0,
        layer: 0,
        error_type: [0; TYPE_BYTES],
        message: [0; MESSAGE_BYTES],
        help: [0; HELP_BYTES],
        span_path: [0; PATH_BYTES],
    };

    pub(super) fn of(last: &LastError) -> Self {
        let mut copy = Self { code: last.code(), layer: last.layer() as i32, ..Self::NONE };
        fill(&mut copy.error_type, last.error_type());
        fill(&mut copy.message, last.message());
        fill(&mut copy.help, last.help());
        fill(&mut copy.span_path, last.span_path());
        copy
    }
}

/// The texts are no longer than their buffers, NUL included: they come from buffers of the same sizes.
fn fill(to: &mut [c_char], text: &str) {
    let room = to.len() - 1;
    for (to, byte) in to.iter_mut().zip(crate::words::cut(text, room).bytes()) {
        *to = byte as c_char;
    }
}

/// Where an entry point with `error = out` puts its error; written once, on failure.
#[derive(Debug, Clone, Copy)]
pub struct ErrorOut(Option<NonNull<ErrorCopy>>);

impl ErrorOut {
    #[cold]
    #[inline(never)]
    fn write(self) {
        if let Some(to) = self.0 {
            let copy = last_error::with(ErrorCopy::of);
            // SAFETY: `check_error` found it aligned and not null, and its caller promised the room.
            unsafe { to.write(copy) };
        }
    }
}

/// The pointer of `error = out`; null is fine, and nothing is written there then.
///
/// # Safety
/// Unless it is null or misaligned, `error` is valid for one write while the call lasts.
#[inline(always)]
pub unsafe fn check_error(error: *mut ErrorCopy) -> Result<ErrorOut, Fault> {
    if error.is_null() { Ok(ErrorOut(None)) } else { check::pointer(error, "error").map(|to| ErrorOut(Some(to))) }
}

/// The boundary of a function with `error = out`. What it writes is this thread's last error, so the two never disagree.
#[inline(always)]
pub fn boundary_telling<F: FnOnce() -> i32>(site: &'static Site, error: Result<ErrorOut, Fault>, body: F) -> i32 {
    let error = match error {
        Ok(error) => error,
        Err(fault) => return reject(site, fault),
    };
    let code = boundary(site, body);
    if code != 0 {
        error.write();
    }
    code
}
