//! What a memory resource could not do: what happened, where, what to do.

use core::fmt;

use super::book::HOST;
use super::failure::AllocReport;
use crate::device::{DeviceError, DevicePtr, Stream};

/// Why an allocation failed. Its text says who holds the memory, if the resource is traced and the level is not off.
#[derive(Clone, PartialEq, Eq)]
pub struct AllocError(Box<Failed>);

#[derive(Clone, PartialEq, Eq)]
struct Failed {
    reason: Reason,
    resource: &'static str,
    requested: u64,
    stream: i64,
    stream_name: String,
    device: String,
    report: Option<AllocReport>,
}

/// What stood in the way of an allocation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// There is not enough memory.
    OutOfMemory,
    /// The resource may not grow as far.
    Limit {
        /// The bytes it may have.
        limit: u64,
    },
    /// No resource could give a block of this size.
    TooLarge,
    /// The device refused for another reason.
    Device(DeviceError),
}

impl AllocError {
    /// An allocation of `requested` bytes on `stream` that `resource` refused.
    #[cold]
    pub fn new(reason: Reason, resource: &'static str, requested: usize, stream: &Stream) -> Self {
        Self(Box::new(Failed {
            reason,
            resource,
            requested: requested as u64,
            stream: stream.id(),
            stream_name: stream.name().to_owned(),
            device: stream.device().name(),
            report: None,
        }))
    }

    /// The same of memory that is not in the order of a stream.
    #[cold]
    pub(super) fn without_stream(reason: Reason, resource: &'static str, requested: usize) -> Self {
        Self(Box::new(Failed {
            reason,
            resource,
            requested: requested as u64,
            stream: 0,
            stream_name: String::new(),
            device: HOST.to_owned(),
            report: None,
        }))
    }

    /// The same from what the device said.
    #[cold]
    pub fn of_device(error: DeviceError, resource: &'static str, requested: usize, stream: &Stream) -> Self {
        let reason = match error {
            DeviceError::OutOfMemory { .. } => Reason::OutOfMemory,
            error => Reason::Device(error),
        };
        Self::new(reason, resource, requested, stream)
    }

    /// What stood in the way.
    pub fn reason(&self) -> &Reason {
        &self.0.reason
    }

    /// Bytes asked for.
    pub fn requested(&self) -> u64 {
        self.0.requested
    }

    /// Number of the stream; 0: there is none.
    pub fn stream_id(&self) -> i64 {
        self.0.stream
    }

    /// The resource that refused, the innermost of a stack.
    pub fn resource(&self) -> &'static str {
        self.0.resource
    }

    /// Who holds the memory; `None`: nobody kept a ledger.
    pub fn report(&self) -> Option<&AllocReport> {
        self.0.report.as_ref()
    }

    /// The same in OpenTelemetry's `error.type`.
    pub fn error_type(&self) -> &'static str {
        match self.0.reason {
            Reason::OutOfMemory | Reason::Limit { .. } | Reason::TooLarge => "out_of_memory",
            Reason::Device(_) => "device",
        }
    }

    /// The outermost ledger that sees the failure explains it.
    pub(super) fn with_report(mut self, report: AllocReport) -> Self {
        self.0.report.get_or_insert(report);
        self
    }

    /// What happened and where, in one line that is the same at every level.
    pub fn summary(&self) -> impl fmt::Display + '_ {
        Summary(&self.0)
    }
}

struct Summary<'a>(&'a Failed);

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failed { reason, resource, requested, stream, stream_name, device, .. } = self.0;
        write!(f, "`{resource}` cannot allocate {requested} bytes")?;
        if *stream != 0 {
            write!(f, " on stream {stream} (`{stream_name}`) of {device}")?;
        }
        f.write_str(": ")?;
        match reason {
            Reason::OutOfMemory => f.write_str("out of memory"),
            Reason::Limit { limit } => write!(f, "it may not have more than {limit} bytes"),
            Reason::TooLarge => f.write_str("no block can be as large"),
            Reason::Device(error) => f.write_str(&first_line(error)),
        }
    }
}

impl fmt::Display for AllocError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.summary())?;
        match &self.0.report {
            Some(report) => write!(f, "\n{report}"),
            None => write!(f, "\n  = help: {}", self.help()),
        }
    }
}

impl AllocError {
    /// What to do.
    pub fn help(&self) -> &'static str {
        match (&self.0.reason, &self.0.report) {
            (Reason::TooLarge, _) => "ask for a size below 2^63 bytes; one that large is a mistake in its computation",
            (Reason::Device(_), _) => "see what the device says; memory is not the reason",
            (_, Some(report)) => report.help(),
            (Reason::Limit { .. }, None) => "raise the limit, or free what is no longer needed",
            (Reason::OutOfMemory, None) => "free what is no longer needed, or work on smaller pieces",
        }
    }
}

impl fmt::Debug for AllocError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AllocError({self})")
    }
}

impl core::error::Error for AllocError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.0.reason {
            Reason::Device(error) => Some(error),
            _ => None,
        }
    }
}

/// Why a block was not freed. It is where it was.
// One word, so that a free that succeeds hands on nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct FreeError(Box<FreeReason>);

/// What stood in the way of a free.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FreeReason {
    /// The resource has given out no such block, or it is freed already.
    Unknown {
        /// The resource.
        resource: &'static str,
        /// What was passed.
        pointer: DevicePtr,
    },
    /// The block has another size.
    SizeMismatch {
        /// The resource.
        resource: &'static str,
        /// The block.
        pointer: DevicePtr,
        /// Its size in bytes.
        allocated: u64,
        /// The size that was passed.
        passed: u64,
    },
    /// The device refused.
    Device(DeviceError),
}

impl FreeError {
    /// A free that a resource refused.
    #[cold]
    pub fn new(reason: FreeReason) -> Self {
        Self(Box::new(reason))
    }

    /// The same from what the device said.
    #[cold]
    pub fn of_device(error: DeviceError) -> Self {
        Self::new(FreeReason::Device(error))
    }

    /// What stood in the way.
    pub fn reason(&self) -> &FreeReason {
        &self.0
    }

    /// What happened and where, in one line.
    pub fn summary(&self) -> impl fmt::Display + '_ {
        FreeSummary(self.reason())
    }

    /// What to do.
    pub fn help(&self) -> &'static str {
        match self.reason() {
            FreeReason::Unknown { .. } => "free a block once, through the resource that gave it out",
            FreeReason::SizeMismatch { .. } => "keep the size beside the pointer",
            FreeReason::Device(_) => "see what the device says",
        }
    }
}

struct FreeSummary<'a>(&'a FreeReason);

impl fmt::Display for FreeSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            FreeReason::Unknown { resource, pointer } => {
                write!(f, "{:#x} is no block of `{resource}`", pointer.as_u64())
            }
            FreeReason::SizeMismatch { resource, pointer, allocated, passed } => {
                let address = pointer.as_u64();
                write!(f, "the block at {address:#x} of `{resource}` has {allocated} bytes, not {passed}")
            }
            FreeReason::Device(error) => f.write_str(&first_line(error)),
        }
    }
}

/// The rest of a device's text is its help.
fn first_line(error: &DeviceError) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

impl fmt::Display for FreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason() {
            FreeReason::Device(error) => error.fmt(f),
            _ => write!(f, "{}\n  = help: {}", self.summary(), self.help()),
        }
    }
}

impl fmt::Debug for FreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FreeError({self})")
    }
}

impl core::error::Error for FreeError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self.reason() {
            FreeReason::Device(error) => Some(error),
            _ => None,
        }
    }
}
