//! What a return value says about success: decided by value and type, never by syntax.
//! Invariant: every arm of nested Results, of aliases and of `Option` (`tests/outcome.rs`).
//!
//! The macros write `(&&&&&&&&&&Probe(&value)).outcome()`; the compiler takes the impl with the most references that fits.

use core::any::type_name;
use core::fmt::{Debug, Display};

use crate::ffi::FfiError;

/// What a span ends with.
#[derive(Clone, Copy)]
pub enum Outcome<'a> {
    /// The status stays unset.
    Success,
    /// The span failed.
    Failure(Failure<'a>),
}

/// Why a span failed.
#[derive(Clone, Copy)]
pub struct Failure<'a> {
    /// Stable, low-cardinality id.
    pub error_type: &'static str,
    /// What happened.
    pub message: Message<'a>,
    /// What to do.
    pub help: &'a str,
}

/// Text that is made only if it is needed.
#[derive(Clone, Copy)]
pub enum Message<'a> {
    /// From `Display`.
    Display(&'a dyn Display),
    /// From `Debug`.
    Debug(&'a dyn Debug),
    /// Already text.
    Text(&'a str),
}

/// Wraps the value that is asked.
pub struct Probe<'a, T: ?Sized>(pub &'a T);

fn stable<E: FfiError>(error: &E) -> Outcome<'_> {
    Outcome::Failure(Failure { error_type: error.error_type(), message: Message::Display(error), help: error.help() })
}

fn shown<E: Display>(error: &E) -> Outcome<'_> {
    Outcome::Failure(Failure { error_type: type_name::<E>(), message: Message::Display(error), help: "" })
}

fn debugged<E: Debug>(error: &E) -> Outcome<'_> {
    Outcome::Failure(Failure { error_type: type_name::<E>(), message: Message::Debug(error), help: "" })
}

fn silent<E>(_: &E) -> Outcome<'static> {
    Outcome::Failure(Failure { error_type: type_name::<E>(), message: Message::Text(""), help: "" })
}

macro_rules! levels {
    ($($trait:ident [$($refs:tt)*] [$($generic:tt)*] $value:ty, $this:ident => $body:expr;)*) => {$(
        /// One step of the ladder.
        pub trait $trait<'a> {
            /// What the value says.
            fn outcome(&self) -> Outcome<'a>;
        }

        impl<'a, $($generic)*> $trait<'a> for $($refs)* Probe<'a, $value> {
            #[inline]
            fn outcome(&self) -> Outcome<'a> {
                let $this = self.0;
                $body
            }
        }
    )*};
}

/// `Result<Result<_, _>, _>`, each error told by its own function.
macro_rules! nested {
    ($value:ident, $inner:ident, $outer:ident) => {
        match $value {
            Ok(Ok(_)) => Outcome::Success,
            Ok(Err(error)) => $inner(error),
            Err(error) => $outer(error),
        }
    };
}

/// `Result<_, _>`.
macro_rules! plain {
    ($value:ident, $told:ident) => {
        match $value {
            Ok(_) => Outcome::Success,
            Err(error) => $told(error),
        }
    };
}

// From the most to the least specific; each takes one reference less than the one before.
levels! {
    NestedStable [&&&&&&&&&] [T, E: FfiError, F: FfiError] Result<Result<T, E>, F>, value => nested!(value, stable, stable);
    NestedInnerStable [&&&&&&&&] [T, E: FfiError, F: Display] Result<Result<T, E>, F>, value => nested!(value, stable, shown);
    NestedOuterStable [&&&&&&&] [T, E: Display, F: FfiError] Result<Result<T, E>, F>, value => nested!(value, shown, stable);
    NestedShown [&&&&&&] [T, E: Display, F: Display] Result<Result<T, E>, F>, value => nested!(value, shown, shown);
    NestedAny [&&&&&] [T, E, F] Result<Result<T, E>, F>, value => nested!(value, silent, silent);
    Stable [&&&&] [T, E: FfiError] Result<T, E>, value => plain!(value, stable);
    Shown [&&&] [T, E: Display] Result<T, E>, value => plain!(value, shown);
    Debugged [&&] [T, E: Debug] Result<T, E>, value => plain!(value, debugged);
    AnyResult [&] [T, E] Result<T, E>, value => plain!(value, silent);
    Anything [] [T: ?Sized] T, _value => Outcome::Success;
}
