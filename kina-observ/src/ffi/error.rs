//! What an error must say to cross the boundary.

use core::fmt::Display;

/// An error with a code for C, an id for traces and advice for people; written by `#[derive(FfiError)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot cross the C boundary as an error",
    label = "no code, no `error.type`, no help",
    note = "add `#[derive(kina_observ::FfiError)]` and `#[ffi_error(code = .., help = \"..\")]` to each variant"
)]
pub trait FfiError: Display {
    /// What C receives: positive, explicit, never reused. Negative codes are the boundary's own.
    fn code(&self) -> i32;

    /// Stable, low-cardinality id: the value of `error.type`.
    fn error_type(&self) -> &'static str;

    /// What to do about it.
    fn help(&self) -> &'static str;
}

#[diagnostic::do_not_recommend]
impl<E: FfiError + ?Sized> FfiError for Box<E> {
    fn code(&self) -> i32 {
        (**self).code()
    }

    fn error_type(&self) -> &'static str {
        (**self).error_type()
    }

    fn help(&self) -> &'static str {
        (**self).help()
    }
}

/// A status that a C function returns: `i32`, or a type of your own around it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned to C as a status",
    label = "not a status",
    note = "return `i32`, or implement `kina_observ::ffi::FfiStatus` for your status type"
)]
pub trait FfiStatus {
    /// From a code; 0 is success.
    fn from_code(code: i32) -> Self;

    /// The code; 0 is success.
    fn code(&self) -> i32;
}

impl FfiStatus for i32 {
    #[inline(always)]
    fn from_code(code: i32) -> Self {
        code
    }

    #[inline(always)]
    fn code(&self) -> i32 {
        *self
    }
}
