//! What the trace is told: failures, faulty frees and leaks, as events inside the span that is open.

use core::fmt::Write;

use tracing_core::callsite::Callsite;
use tracing_core::field::FieldSet;
use tracing_core::{Interest, Kind, Level, Metadata, identify_callsite};

use super::error::AllocError;
use super::fault::{FaultKind, FreeFault};
use super::leaks::Leak;
use super::sites::MODULE;
use crate::bridge::{self, EventValue};
use crate::text::FixedText;

/// As much as an event's message keeps.
const MESSAGE_BYTES: usize = bridge::MESSAGE_BYTES;

/// These events are ours: no subscriber is asked.
struct Place(&'static Metadata<'static>);

impl Callsite for Place {
    fn set_interest(&self, _: Interest) {}

    fn metadata(&self) -> &Metadata<'_> {
        self.0
    }
}

macro_rules! event {
    ($name:ident, $level:ident) => {{
        static PLACE: Place = Place(&METADATA);
        static METADATA: Metadata<'static> = Metadata::new(
            concat!("event ", stringify!($name)),
            MODULE,
            Level::$level,
            Some(file!()),
            Some(line!()),
            Some(MODULE),
            FieldSet::new(&[], identify_callsite!(&PLACE)),
            Kind::EVENT,
        );
        &METADATA
    }};
}

/// An allocation failed.
#[cold]
pub(super) fn failed(error: &AllocError) {
    let mut message = FixedText::<MESSAGE_BYTES>::new();
    // A `FixedText` takes what fits and marks the cut; it never fails.
    let _ = write!(message, "{}", error.summary());
    let path = error.report().map(|report| report.path.to_string());
    let mut values = vec![
        ("runtime.alloc.size", int(error.requested())),
        ("runtime.alloc.resource", EventValue::Text(error.resource())),
        ("runtime.stream.id", EventValue::Int(error.stream_id())),
    ];
    if let (Some(report), Some(path)) = (error.report(), &path) {
        values.push(("runtime.alloc.span_path", EventValue::Text(path)));
        let _ = write!(message, ", in `{path}`");
        for (index, holder) in report.holders.iter().enumerate() {
            let before = if index == 0 { "; held: " } else { ", " };
            let _ = write!(message, "{before}{holder}");
        }
        if let Some(memory) = report.memory {
            values.push(("runtime.memory.free", int(memory.free)));
            values.push(("runtime.memory.total", int(memory.total)));
        }
        if let Some(pool) = report.pool {
            values.push(("runtime.pool.reserved", int(pool.reserved)));
            values.push(("runtime.pool.used", int(pool.used)));
            values.push(("runtime.pool.largest_free", int(pool.largest_free)));
        }
    }
    let _ = write!(message, "; {}", error.help());
    bridge::emit(event!(failed, ERROR), message.as_str(), &values);
}

/// A free cannot be right.
#[cold]
pub(super) fn free_fault(fault: &FreeFault) {
    let mut message = FixedText::<MESSAGE_BYTES>::new();
    let _ = write!(message, "{}; {}", fault.summary(), fault.help());
    let values = [
        ("runtime.free.fault", EventValue::Text(fault.kind.as_str())),
        ("runtime.alloc.size", int(fault.size)),
        ("runtime.alloc.resource", EventValue::Text(fault.resource)),
        ("runtime.stream.id", EventValue::Int(fault.stream)),
    ];
    let metadata = match fault.kind {
        FaultKind::Unknown | FaultKind::Double => event!(free_fault, ERROR),
        FaultKind::SizeMismatch | FaultKind::OtherStream => event!(free_fault, WARN),
    };
    bridge::emit(metadata, message.as_str(), &values);
}

/// Blocks are still out.
#[cold]
pub(super) fn leak(leak: &Leak) {
    let mut message = FixedText::<MESSAGE_BYTES>::new();
    let _ = write!(message, "{leak}");
    let path = leak.path.to_string();
    let values = [
        ("runtime.alloc.span_path", EventValue::Text(&path)),
        ("runtime.alloc.held", int(leak.bytes)),
        ("runtime.alloc.blocks", int(leak.blocks)),
        ("runtime.alloc.resource", EventValue::Text(leak.resource)),
    ];
    bridge::emit(event!(leak, WARN), message.as_str(), &values);
}

fn int(value: u64) -> EventValue<'static> {
    EventValue::Int(i64::try_from(value).unwrap_or(i64::MAX))
}
