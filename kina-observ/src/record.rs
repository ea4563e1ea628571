//! What the collector hands to the outputs: finished spans, events, losses.

use std::borrow::Cow;

use crate::ids::{ModuleId, SpanContext, SpanId};
use crate::site::Facts;
use kina_observ_conventions::Severity;

/// One thing to write.
#[derive(Debug)]
pub enum Record<'a> {
    /// A span that ended.
    Span(SpanRecord<'a>),
    /// A span that started; only if start lines are asked for.
    Start(SpanRecord<'a>),
    /// A span that can no longer end (`longjmp`, process exit).
    Unfinished(SpanRecord<'a>),
    /// A point in time, from `tracing` or from us.
    Event(EventRecord<'a>),
    /// Records that were lost since the last such line.
    Dropped(DroppedRecord<'a>),
}

/// A span with everything known about it.
#[derive(Debug)]
pub struct SpanRecord<'a> {
    /// The static facts: type, kind, severity, module.
    pub facts: &'static Facts,
    /// Display name, placeholders filled.
    pub name: &'a str,
    /// Trace and span id.
    pub context: SpanContext,
    /// Absent at a root.
    pub parent: Option<SpanId>,
    /// The compiled module that the call belongs to.
    pub module: Option<ModuleId>,
    /// Name of the thread, or `thread-N`.
    pub thread: &'a str,
    /// Start, nanoseconds since the Unix epoch.
    pub start_ns: u64,
    /// Nanoseconds; 0 for `Start` and `Unfinished`.
    pub duration_ns: u64,
    /// Whether it failed.
    pub failed: bool,
    /// Registered keys and values, in the site's order; no duplicates; `runtime.module.id` is not among them.
    pub attributes: &'a [(&'static str, AttrValue)],
    /// Other spans that this one refers to.
    pub links: &'a [SpanContext],
    /// Only on the span where the error was first seen.
    pub error: Option<&'a ErrorText>,
}

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum AttrValue {
    /// 64-bit signed integer.
    Int(i64),
    /// 64-bit float.
    Double(f64),
    /// Truth value.
    Boolean(bool),
    /// Text.
    Str(Cow<'static, str>),
    /// List of integers.
    Ints(Vec<i64>),
}

/// What an error says to a person.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErrorText {
    /// Stable, low-cardinality id.
    pub error_type: String,
    /// What happened.
    pub message: String,
    /// What to do.
    pub help: String,
    /// Where: `step > runtime.gpu.matmul`.
    pub span_path: String,
}

/// A point in time.
#[derive(Debug)]
pub struct EventRecord<'a> {
    /// Nanoseconds since the Unix epoch.
    pub time_ns: u64,
    /// Importance.
    pub severity: Severity,
    /// Module path, or the event's own target.
    pub target: &'a str,
    /// The text.
    pub message: &'a str,
    /// Further fields.
    pub fields: &'a [(&'static str, AttrValue)],
    /// The span it happened in.
    pub context: Option<SpanContext>,
    /// The compiled module of that span.
    pub module: Option<ModuleId>,
    /// Name of the thread.
    pub thread: &'a str,
}

/// Records that were lost.
#[derive(Debug)]
pub struct DroppedRecord<'a> {
    /// When it was noticed, nanoseconds since the Unix epoch.
    pub time_ns: u64,
    /// How many since the last line.
    pub count: u64,
    /// The thread that lost them.
    pub thread: &'a str,
    /// Why: `ring full`, `too deep`, `thread exiting`, `no memory`.
    pub reason: &'static str,
}

/// The first line of a file.
#[derive(Debug, Clone)]
pub struct Header {
    /// Resource attributes: `service.name`, `process.pid`, ..
    pub resource: Vec<(String, AttrValue)>,
    /// `tsc` or `system`.
    pub clock: &'static str,
}

/// Where records go. Called by the collector's thread only.
pub trait Output: Send {
    /// Takes one record; may buffer it.
    fn write(&mut self, record: &Record<'_>);
    /// Hands everything buffered to the operating system.
    fn flush(&mut self);
    /// What was written and what was lost so far.
    fn tally(&self) -> Tally;
}

/// What an output wrote and lost.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Path, or `stderr`.
    pub target: String,
    /// Lines handed to the operating system.
    pub written: u64,
    /// Lines that the operating system refused.
    pub lost: u64,
    /// The last refusal, in its words.
    pub last_error: Option<String>,
}
