//! What the boundary refuses, with the codes -2 to -7.

use core::fmt;

use super::error::FfiError;

/// A value from C that cannot be used. It names the parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    parameter: &'static str,
    kind: FaultKind,
    /// What is said shows no value.
    secret: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FaultKind {
    Null,
    NoFunction,
    Misaligned { align: usize },
    TooLong,
    Negative { value: i64 },
    NotUtf8 { valid: usize },
    NotAMember { value: i32, members: &'static [(i32, &'static str)] },
    DeadHandle { what: &'static str },
}

impl Fault {
    pub(crate) fn new(parameter: &'static str, kind: FaultKind) -> Self {
        Self { parameter, kind, secret: false }
    }

    /// The same without the value that was refused, for what is secret.
    ///
    /// ```
    /// use kina_observ::ffi::{Fault, dim};
    ///
    /// let fault = dim(-1, "pin").map_err(Fault::without_value).unwrap_err();
    /// assert_eq!(fault.to_string(), "`pin` is negative, and a size cannot be");
    /// ```
    #[must_use]
    pub fn without_value(self) -> Self {
        Self { secret: true, ..self }
    }

    /// The parameter that was refused.
    pub fn parameter(&self) -> &'static str {
        self.parameter
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.parameter;
        match self.kind {
            FaultKind::Null | FaultKind::NoFunction => write!(f, "`{name}` is null"),
            FaultKind::Misaligned { align } => write!(f, "`{name}` is not aligned to {align} bytes"),
            FaultKind::TooLong => write!(f, "`{name}` is longer than the address space"),
            FaultKind::Negative { .. } if self.secret => write!(f, "`{name}` is negative, and a size cannot be"),
            FaultKind::Negative { value } => write!(f, "`{name}` is {value}: a size cannot be negative"),
            FaultKind::NotUtf8 { .. } if self.secret => write!(f, "`{name}` is not UTF-8"),
            FaultKind::NotUtf8 { valid } => write!(f, "`{name}` is not UTF-8: byte {valid} is invalid"),
            FaultKind::NotAMember { value, members } => {
                match self.secret {
                    true => write!(f, "`{name}` is none of")?,
                    false => write!(f, "`{name}` is {value}, which is none of")?,
                }
                for (index, (code, text)) in members.iter().enumerate() {
                    write!(f, "{} {code} ({text})", if index == 0 { "" } else { "," })?;
                }
                Ok(())
            }
            FaultKind::DeadHandle { what } => write!(f, "`{name}` is not the handle of a live {what}"),
        }
    }
}

impl std::error::Error for Fault {}

impl FfiError for Fault {
    fn code(&self) -> i32 {
        match self.kind {
            FaultKind::Null | FaultKind::NoFunction => -2,
            FaultKind::Misaligned { .. } => -3,
            FaultKind::TooLong | FaultKind::Negative { .. } => -4,
            FaultKind::NotUtf8 { .. } => -5,
            FaultKind::NotAMember { .. } => -6,
            FaultKind::DeadHandle { .. } => -7,
        }
    }

    fn error_type(&self) -> &'static str {
        match self.kind {
            FaultKind::Null | FaultKind::NoFunction => "null_pointer",
            FaultKind::Misaligned { .. } => "misaligned_pointer",
            FaultKind::TooLong | FaultKind::Negative { .. } => "invalid_size",
            FaultKind::NotUtf8 { .. } => "invalid_utf8",
            FaultKind::NotAMember { .. } => "invalid_enum_value",
            FaultKind::DeadHandle { .. } => "invalid_handle",
        }
    }

    fn help(&self) -> &'static str {
        match self.kind {
            FaultKind::Null => "pass the address of a value",
            FaultKind::NoFunction => "pass the address of a function",
            FaultKind::Misaligned { .. } => {
                "pass the address of a variable of the declared type, not of a byte inside a buffer"
            }
            FaultKind::TooLong => {
                "pass the number of elements; (size_t)-1 often means that an error was passed on as a length"
            }
            FaultKind::Negative { .. } => "pass zero or more",
            FaultKind::NotUtf8 { .. } => "encode the text as UTF-8",
            FaultKind::NotAMember { .. } => "pass one of the values that the header declares",
            FaultKind::DeadHandle { .. } => "pass a handle that was created, not yet destroyed, and is of this kind",
        }
    }
}

/// A dimension from C: zero or more.
///
/// # Errors
/// A [`Fault`] with code -4 when `value` is negative.
///
/// ```
/// assert_eq!(kina_observ::ffi::dim(8, "m")?, 8);
/// assert_eq!(kina_observ::ffi::dim(-1, "m").unwrap_err().to_string(), "`m` is -1: a size cannot be negative");
/// # Ok::<(), kina_observ::ffi::Fault>(())
/// ```
pub fn dim(value: i64, parameter: &'static str) -> Result<usize, Fault> {
    usize::try_from(value).map_err(|_| Fault::new(parameter, FaultKind::Negative { value }))
}
