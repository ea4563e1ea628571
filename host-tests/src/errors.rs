//! Functions that fail: with an error, an error that cannot be told, a panic, a panic that panics.

use std::fmt;

use kina_observ::ffi::Fault;
use kina_observ::{FfiError, ffi_span};

/// An answer of the operation.
#[derive(Debug, FfiError)]
pub enum Answer {
    /// It has a text.
    #[ffi_error(code = 101, help = "make them equal")]
    Mismatch {
        /// Elements that were given.
        got: usize,
    },
    /// Its text is a panic.
    #[ffi_error(code = 401, help = "look at the error type")]
    Unspeakable,
}

/// A failure of the device.
#[derive(Debug, FfiError)]
pub enum Failure {
    /// Too little of something.
    #[ffi_error(code = 201, help = "free memory")]
    OutOfMemory,
    /// What the boundary found.
    #[ffi_error(transparent)]
    Fault(Fault),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mismatch { got } => write!(f, "shape mismatch: want 12 elements, got {got}"),
            Self::Unspeakable => panic!("in Display"),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfMemory => f.write_str("out of device memory"),
            Self::Fault(fault) => fault.fmt(f),
        }
    }
}

/// A payload that panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("in the payload's drop");
    }
}

/// Fails with an inner error (0), an outer one (1), one whose text panics (2); else gives 7.
#[ffi_span(export = "traps_fail")]
pub fn fail(how: i32) -> Result<Result<u64, Answer>, Failure> {
    match how {
        0 => Ok(Err(Answer::Mismatch { got: 6 })),
        1 => Err(Failure::OutOfMemory),
        2 => Ok(Err(Answer::Unspeakable)),
        _ => Ok(Ok(7)),
    }
}

/// Panics with a text (0), a formatted one (1), a number (2), a payload that panics in turn (3), an index that is
/// out of bounds (4); else gives 7.
#[ffi_span(export = "traps_panic")]
pub fn panic(how: i32) -> Result<u64, Failure> {
    match how {
        0 => panic!("a plain text"),
        1 => panic!("index out of tile: k = {}", how + 12),
        2 => std::panic::panic_any(17),
        3 => std::panic::panic_any(Bomb),
        4 => Ok([7_u64][how as usize]),
        _ => Ok(7),
    }
}
