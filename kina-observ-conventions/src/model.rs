//! What a registry can say: spans, attributes and metrics as plain static data.

/// How much of the program is recorded; the gate's setting, from nothing to everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Level {
    /// Nothing is recorded.
    Off = 0,
    /// Calls, phases and kernels.
    Basic = 1,
    /// Also the work inside a kernel.
    Kernel = 2,
}

/// How important a span or an event is, in `tracing`'s five steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Severity {
    /// Something failed.
    Error = 1,
    /// Something is odd.
    Warn = 2,
    /// Normal operation.
    Info = 3,
    /// Detail for the people who work on the code.
    Debug = 4,
    /// Every detail.
    Trace = 5,
}

/// OpenTelemetry's span kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum SpanKind {
    /// Work inside this process.
    Internal = 0,
    /// The receiving side of a remote call.
    Server = 1,
    /// The calling side of a remote call.
    Client = 2,
    /// The sending side of a message.
    Producer = 3,
    /// The receiving side of a message.
    Consumer = 4,
}

/// One span type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpanDef {
    /// The registry key, a span *type* such as `runtime.gpu.matmul`.
    pub key: &'static str,
    /// OpenTelemetry's kind.
    pub kind: SpanKind,
    /// Display name; `{key}` stands for the value of an attribute of this span.
    pub name: &'static str,
    /// Names for when an attribute in `name` is absent, in the order in which they are tried.
    pub fallback_names: &'static [&'static str],
    /// One sentence.
    pub brief: &'static str,
    /// The attribute macros that may use it (`ffi_span`, `span`, ..); empty: any.
    pub macros: &'static [&'static str],
    /// Importance, unless the function says otherwise.
    pub severity: Severity,
    /// The lowest level at which it is recorded.
    pub level: Level,
    /// Text of the NVTX range, a template; `None`: no range.
    pub nvtx: Option<&'static str>,
    /// Types that may enclose it; `ns.*`, `remote` and `any` are allowed, empty: any.
    pub parents: &'static [&'static str],
    /// The closed set of `error.type` values; empty: open.
    pub errors: &'static [&'static str],
    /// Events that may happen while it runs.
    pub events: &'static [&'static str],
    /// Only every n-th of it is recorded.
    pub sample_every: Option<u32>,
    /// What it carries, groups already resolved, sorted by key.
    pub attributes: &'static [AttributeUse],
    /// Set when the type should no longer be used.
    pub deprecated: Option<Deprecated>,
}

/// An attribute in the list of one span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttributeUse {
    /// The attribute's key.
    pub key: &'static str,
    /// Whether it must be there.
    pub requirement: Requirement,
    /// Where its value comes from when the function says nothing.
    pub source: Source,
    /// Names of parameters that carry it, the most specific first.
    pub params: &'static [&'static str],
}

/// OpenTelemetry's requirement levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    /// Always present.
    Required,
    /// Present under the stated condition.
    ConditionallyRequired(&'static str),
    /// Present unless there is a reason against it.
    Recommended,
    /// Present only when asked for.
    OptIn,
}

/// Where the value of an attribute comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A parameter that bears one of the names in `params`.
    Parameter,
    /// The call's context: module id, device.
    Context,
    /// The integer that crosses the C boundary.
    ReturnCode,
    /// What the return value says about success (`error.type`).
    Outcome,
    /// A parameter of this type, whatever its name.
    Type(&'static str),
    /// Only `fields(..)` or `late(..)`.
    Hand,
}

/// The type of an attribute's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueType {
    /// UTF-8 text.
    String,
    /// 64-bit signed integer.
    Int,
    /// 64-bit float.
    Double,
    /// True or false.
    Boolean,
    /// One of `AttributeDef::members`.
    Enum,
    /// A list of texts.
    Strings,
    /// A list of integers.
    Ints,
    /// A list of floats.
    Doubles,
    /// A list of truth values.
    Booleans,
}

/// How private a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// A fact about the system.
    System,
    /// Identifies something, without saying anything about a person.
    Identifier,
    /// A path or an address.
    Path,
    /// User content: never on a span.
    Content,
    /// A credential: never on a span.
    Secret,
    /// About a person: never on a span.
    Personal,
}

/// How many distinct values to expect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cardinality {
    /// A bounded handful.
    Low,
    /// Up to some thousands.
    Medium,
    /// Unbounded: never on a metric or in a span name.
    High,
}

/// One attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttributeDef {
    /// Dotted key.
    pub key: &'static str,
    /// Type of the value.
    pub value_type: ValueType,
    /// One sentence.
    pub brief: &'static str,
    /// Values of an `Enum`.
    pub members: &'static [Member],
    /// Privacy class.
    pub class: Class,
    /// Expected number of values.
    pub cardinality: Cardinality,
    /// A second, short key that outputs also write.
    pub alias: Option<&'static str>,
    /// Old keys that outputs also write while consumers move to this one.
    pub also_emit: &'static [&'static str],
    /// Whether the definition will stay.
    pub stability: Stability,
    /// Set when the key should no longer be used.
    pub deprecated: Option<Deprecated>,
}

/// Whether a definition will stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stability {
    /// It may change: everything short of stable.
    Development,
    /// It stays as it is.
    Stable,
}

/// One value of an enum attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// The text that outputs write.
    pub value: &'static str,
    /// The integer that stands for it in a C interface.
    pub code: Option<i32>,
    /// What it means.
    pub brief: &'static str,
}

/// One metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetricDef {
    /// Dotted name.
    pub name: &'static str,
    /// `counter`, `updowncounter`, `gauge` or `histogram`.
    pub instrument: &'static str,
    /// UCUM unit.
    pub unit: &'static str,
    /// One sentence.
    pub brief: &'static str,
    /// Keys of its attributes.
    pub attributes: &'static [&'static str],
    /// Set when the metric should no longer be used.
    pub deprecated: Option<Deprecated>,
}

/// One event: a moment, usually inside a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventDef {
    /// Its name.
    pub name: &'static str,
    /// One sentence.
    pub brief: &'static str,
    /// Only every n-th of them is recorded.
    pub every: Option<u32>,
    /// What it carries, groups already resolved, sorted by key.
    pub attributes: &'static [AttributeUse],
    /// Set when the event should no longer be used.
    pub deprecated: Option<Deprecated>,
}

/// Why a name should no longer be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deprecated {
    /// The *end* of the rename chain, if it was renamed.
    pub renamed_to: Option<&'static str>,
    /// The registry's own words.
    pub note: &'static str,
}
