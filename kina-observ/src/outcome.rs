//! What a return value says about success: decided by value and type, never by syntax.
//! Invariant: every arm of nested Results, of aliases and of `Option` (`tests/outcome.rs`).
//!
//! `outcome_of!` asks twice: which error is there, and then that error itself. Each time it calls a method on `&&&&Probe(&value)`,
//! one reference more than the first impl has; the compiler takes the first that fits, and sees through every alias.

use core::any::type_name;
use core::convert::Infallible;
use core::fmt::{Debug, Display};

use crate::ffi::FfiError;
use crate::site::Site;

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
    /// The error of an inner `Result`, which `inner = event` makes a normal answer.
    pub inner: bool,
}

impl<'a> Outcome<'a> {
    pub(crate) fn failure(error_type: &'static str, message: Message<'a>, help: &'a str) -> Self {
        Self::Failure(Failure { error_type, message, help, inner: false })
    }

    /// The error was that of the inner `Result`.
    #[must_use]
    pub fn inner(self) -> Self {
        match self {
            Self::Success => self,
            Self::Failure(failure) => Self::Failure(Failure { inner: true, ..failure }),
        }
    }

    /// What it means for a span of this site.
    pub(crate) fn at(self, site: &Site) -> Self {
        match self {
            Self::Failure(failure) if failure.inner && site.facts.inner_event => Self::Success,
            _ => self,
        }
    }
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
#[derive(Debug)]
pub struct Probe<'a, T: ?Sized>(pub &'a T);

/// Where a value keeps its error.
#[derive(Debug)]
pub enum Found<'a, Inner, Outer> {
    /// There is none.
    None,
    /// In the inner `Result`.
    Inner(&'a Inner),
    /// In the outer, or the only, `Result`.
    Outer(&'a Outer),
}

/// The outcome of a value.
#[doc(hidden)]
#[macro_export]
macro_rules! __outcome_of {
    ($value:expr) => {{
        use $crate::__private::outcome::*;
        match (&&&$crate::__private::Probe(&$value)).found() {
            $crate::__private::Found::None => $crate::__private::Outcome::Success,
            $crate::__private::Found::Inner(error) => (&&&&$crate::__private::Probe(error)).told().inner(),
            $crate::__private::Found::Outer(error) => (&&&&$crate::__private::Probe(error)).told(),
        }
    }};
}

/// `Result<Result<_, _>, _>`.
pub trait FoundInNested<'a, Inner, Outer> {
    /// Its error.
    fn found(&self) -> Found<'a, Inner, Outer>;
}

impl<'a, T, Inner, Outer> FoundInNested<'a, Inner, Outer> for &&Probe<'a, Result<Result<T, Inner>, Outer>> {
    #[inline]
    fn found(&self) -> Found<'a, Inner, Outer> {
        match self.0 {
            Ok(Ok(_)) => Found::None,
            Ok(Err(error)) => Found::Inner(error),
            Err(error) => Found::Outer(error),
        }
    }
}

/// `Result<_, _>`.
pub trait FoundInResult<'a, Outer> {
    /// Its error.
    fn found(&self) -> Found<'a, Infallible, Outer>;
}

impl<'a, T, Outer> FoundInResult<'a, Outer> for &Probe<'a, Result<T, Outer>> {
    #[inline]
    fn found(&self) -> Found<'a, Infallible, Outer> {
        self.0.as_ref().err().map_or(Found::None, Found::Outer)
    }
}

/// Everything else, `Option` among it: `None` is an answer.
pub trait FoundNothing<'a> {
    /// No error.
    fn found(&self) -> Found<'a, Infallible, Infallible>;
}

impl<'a, T: ?Sized> FoundNothing<'a> for Probe<'a, T> {
    #[inline]
    fn found(&self) -> Found<'a, Infallible, Infallible> {
        Found::None
    }
}

macro_rules! errors {
    ($($trait:ident [$($refs:tt)*] [$($bound:tt)*] $error:ident => $outcome:expr;)*) => {$(
        /// One step of the ladder of errors.
        pub trait $trait<'a> {
            /// What the error says.
            fn told(&self) -> Outcome<'a>;
        }

        impl<'a, E $($bound)*> $trait<'a> for $($refs)* Probe<'a, E> {
            #[inline]
            fn told(&self) -> Outcome<'a> {
                let $error = self.0;
                $outcome
            }
        }
    )*};
}

// From the most to the least that an error can say; each takes one reference less than the one before.
errors! {
    Stable [&&&] [: FfiError] error => Outcome::failure(error.error_type(), Message::Display(error), error.help());
    Shown [&&] [: Display] error => Outcome::failure(name_of::<E>(), Message::Display(error), "");
    Debugged [&] [: Debug] error => Outcome::failure(name_of::<E>(), Message::Debug(error), "");
    Silent [] [] _error => Outcome::failure(name_of::<E>(), Message::Text(""), "");
}

#[cold]
fn name_of<E>() -> &'static str {
    plain(type_name::<E>())
}

/// The error's own type: what owns it and what it may be sent through say nothing about the error.
/// Arguments stay: `Timeout<Connect>` is not `Timeout<Read>`.
fn plain(name: &'static str) -> &'static str {
    const OWNERS: [&str; 4] = ["alloc::boxed::Box<", "alloc::sync::Arc<", "alloc::rc::Rc<", "&"];
    for owner in OWNERS {
        if let Some(inside) = name.strip_prefix(owner) {
            return plain(if owner == "&" { inside } else { inside.strip_suffix('>').unwrap_or(inside) });
        }
    }
    match name.find(" + core::marker::") {
        Some(end) if name.starts_with("dyn ") && !name.contains('<') => &name[..end],
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_of_error_types() {
        for (name, expected) in [
            ("std::io::error::Error", "std::io::error::Error"),
            ("alloc::boxed::Box<dyn core::error::Error>", "dyn core::error::Error"),
            (
                "alloc::boxed::Box<dyn core::error::Error + core::marker::Send + core::marker::Sync>",
                "dyn core::error::Error",
            ),
            ("alloc::sync::Arc<alloc::boxed::Box<acme::Broken>>", "acme::Broken"),
            ("&acme::Broken", "acme::Broken"),
            ("acme::Timeout<acme::Connect>", "acme::Timeout<acme::Connect>"),
            ("dyn acme::Of<u8> + core::marker::Send", "dyn acme::Of<u8> + core::marker::Send"),
        ] {
            assert_eq!(plain(name), expected);
        }
    }
}
