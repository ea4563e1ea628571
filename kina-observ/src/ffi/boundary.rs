//! Nothing unwinds into C: every panic becomes code -1, every error a code and this thread's last error.
//! Invariant: the success path costs no instruction (`cargo xtask cost`).

use core::any::Any;
use core::fmt::{self, Display, Write};
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

use super::error::FfiError;
use super::fault::Fault;
use super::last_error::{self, Layer, Report};
use crate::errno::KeepErrno;
use crate::panic_hook;
use crate::site::Site;
use crate::text::FixedText;

/// Runs the body; a panic ends here.
#[inline(always)]
pub fn boundary<F: FnOnce() -> i32>(site: &'static Site, body: F) -> i32 {
    // A body that panics may leave its own data half written, never ours: nothing of the framework is borrowed here.
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(code) => code,
        Err(payload) => panicked(site, payload),
    }
}

#[cold]
#[inline(never)]
fn panicked(site: &'static Site, payload: Box<dyn Any + Send>) -> i32 {
    let _errno = KeepErrno::new();
    let mut message = FixedText::<{ last_error::MESSAGE_BYTES }>::new();
    let text = panic_hook::text_of(&*payload);
    let _ = write!(message, "panic in `{}`", site.facts.symbol);
    panic_hook::write_place(text, &mut message);
    let _ = write!(message, ": {text}");
    // Dropping the payload may panic in turn; what that leaves behind is leaked. It comes before the last error is set, which
    // code of the user's could overwrite.
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        core::mem::forget(second);
    }
    last_error::set(
        site,
        &Report {
            layer: Layer::Boundary,
            code: -1,
            error_type: "panic",
            help: "this is a bug in the library: report it with the message and the trace",
            answer: false,
            message: message.as_str(),
        },
    );
    -1
}

/// A value from C was refused.
#[cold]
#[inline(never)]
pub fn reject(site: &'static Site, fault: Fault) -> i32 {
    failed(site, Layer::Boundary, &fault)
}

/// The function returned an error.
#[cold]
pub(crate) fn failed<E: FfiError>(site: &'static Site, layer: Layer, error: &E) -> i32 {
    let code = error.code();
    // A fault that came through the function's own error type is still the boundary's.
    let layer = if code < 0 { Layer::Boundary } else { layer };
    let answer = layer == Layer::Inner && site.facts.inner_event;
    note(site, layer, code, error.error_type(), error.help(), answer, error);
    code
}

#[inline(never)]
fn note(
    site: &'static Site,
    layer: Layer,
    code: i32,
    error_type: &'static str,
    help: &'static str,
    answer: bool,
    error: &dyn Display,
) {
    let _errno = KeepErrno::new();
    let mut message = FixedText::<{ last_error::MESSAGE_BYTES }>::new();
    write_contained(&mut message, error);
    last_error::set(site, &Report { layer, code, error_type, help, answer, message: message.as_str() });
}

/// The user's `Display` may panic; the code is still delivered.
fn write_contained<const N: usize>(message: &mut FixedText<N>, value: &dyn Display) {
    let written: Result<fmt::Result, _> = catch_unwind(AssertUnwindSafe(|| write!(message, "{value}")));
    if written.is_err() {
        message.clear();
        let _ = message.write_str("<error message panicked>");
    }
}

/// A function that returns its own status: makes sure that a code other than 0 has a message.
#[inline(always)]
pub fn note_code(site: &'static Site, code: i32) -> i32 {
    if code != 0 {
        last_error::note_code(site, code);
    }
    code
}
