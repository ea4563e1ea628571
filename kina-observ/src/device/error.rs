//! What a device could not do: what happened, where, what to do.

use core::fmt;
use std::borrow::Cow;

/// Why a device did not do it. Its text is made here; no driver is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeviceError {
    /// There is no driver, or one that cannot be used.
    Unavailable {
        /// What was looked for, and what was found instead.
        what: String,
        /// What to do.
        help: Cow<'static, str>,
    },
    /// A call of the driver failed.
    Driver {
        /// The function that was called.
        call: &'static str,
        /// The driver's code.
        code: i32,
        /// The driver's name for it.
        name: Cow<'static, str>,
        /// What to do; may be empty.
        help: Cow<'static, str>,
    },
    /// No memory is left.
    OutOfMemory {
        /// Bytes asked for.
        requested: u64,
        /// Bytes that were free.
        free: u64,
        /// All bytes.
        total: u64,
    },
    /// No kernel has this name.
    NoSuchKernel {
        /// The name.
        kernel: String,
        /// What to do.
        help: Cow<'static, str>,
    },
    /// A kernel's source does not compile or load.
    BadSource {
        /// What the compiler or the driver says.
        what: String,
    },
    /// A kernel that ran before this call panicked.
    KernelPanicked {
        /// The kernel.
        kernel: String,
        /// What it said.
        message: String,
    },
    /// A kernel or a copy touched memory that is not its own.
    InvalidAddress {
        /// The kernel, or the copy.
        by: String,
        /// The address.
        address: u64,
    },
    /// A kernel was launched with another argument than it reads.
    BadArgument {
        /// The kernel.
        kernel: String,
        /// Which argument, from 0.
        index: usize,
        /// The type that the kernel reads.
        expected: &'static str,
    },
    /// An event is not complete yet.
    NotReady,
    /// Not while the stream's work goes into a graph.
    Capturing {
        /// What was called.
        what: &'static str,
    },
    /// A capture ends that did not begin.
    NotCapturing,
    /// The stream, event, graph or kernel is not this device's, or it is gone.
    Unknown {
        /// What it is.
        what: &'static str,
    },
    /// The operating system gave no thread for a stream.
    NoThread {
        /// What it said.
        what: String,
    },
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable { what, help } => write!(f, "{what}\n  = help: {help}"),
            Self::Driver { call, code, name, help } => {
                write!(f, "`{call}` failed with {name} ({code})")?;
                if help.is_empty() { Ok(()) } else { write!(f, "\n  = help: {help}") }
            }
            Self::OutOfMemory { requested, free, total } => write!(
                f,
                "the device has no {requested} bytes: {free} of {total} are free\n  \
                   = help: free what is no longer needed, or work on smaller pieces"
            ),
            Self::NoSuchKernel { kernel, help } => write!(f, "no kernel is called `{kernel}`\n  = help: {help}"),
            Self::BadSource { what } => write!(f, "the kernel's source cannot be loaded: {what}"),
            Self::KernelPanicked { kernel, message } => write!(f, "kernel `{kernel}` panicked: {message}"),
            Self::InvalidAddress { by, address } => write!(
                f,
                "`{by}` touched the address {address:#x}, which is in no allocation\n  \
                   = help: check the kernel's bounds, and that nothing is freed before the stream has used it"
            ),
            Self::BadArgument { kernel, index, expected } => write!(
                f,
                "`{kernel}` was not given a `{expected}` as argument {index}\n  = help: pass the arguments that the kernel reads, in order"
            ),
            Self::NotReady => {
                f.write_str("the event is not complete\n  = help: synchronize its stream, or ask again later")
            }
            Self::Capturing { what } => write!(
                f,
                "`{what}` is not possible while the stream's work goes into a graph\n  = help: call it before `begin_capture` or after `end_capture`"
            ),
            Self::NotCapturing => f.write_str("the stream is not capturing\n  = help: call `begin_capture` first"),
            Self::Unknown { what } => {
                write!(f, "this device has no such {what}\n  = help: use what the same device made, while it lives")
            }
            Self::NoThread { what } => {
                write!(
                    f,
                    "the stream's thread did not start: {what}\n  = help: raise the limit on threads (`ulimit -u`)"
                )
            }
        }
    }
}

impl std::error::Error for DeviceError {}
