//! Definitions as the files write them, each part with its place; nothing is resolved yet.

use kina_observ_conventions::{
    Cardinality, Class, Level, Requirement, Severity, Source, SpanKind, Stability, ValueType,
};

use super::yaml::{Mark, Word};

/// Everything that the files of one registry define.
#[derive(Debug, Default)]
pub(super) struct Raw {
    pub(super) attributes: Vec<RawAttribute>,
    pub(super) groups: Vec<RawGroup>,
    pub(super) spans: Vec<RawSpan>,
    pub(super) metrics: Vec<RawMetric>,
    pub(super) events: Vec<RawEvent>,
}

#[derive(Debug)]
pub(super) struct RawAttribute {
    pub(super) key: Word,
    pub(super) value_type: ValueType,
    pub(super) members: Vec<RawMember>,
    pub(super) brief: &'static str,
    pub(super) class: Class,
    pub(super) cardinality: Cardinality,
    pub(super) alias: Option<Word>,
    pub(super) also_emit: Vec<Word>,
    /// Words that rules about names let pass, for a reviewer to see.
    pub(super) allow_name: Vec<Word>,
    pub(super) stability: Stability,
    /// Where the file says that others define it.
    pub(super) foreign: Option<Mark>,
    pub(super) deprecated: Option<RawDeprecated>,
}

#[derive(Debug)]
pub(super) struct RawMember {
    pub(super) id: Word,
    pub(super) value: Word,
    pub(super) code: Option<(i32, Mark)>,
    pub(super) brief: &'static str,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct RawDeprecated {
    pub(super) renamed_to: Option<Word>,
    pub(super) note: &'static str,
}

#[derive(Debug)]
pub(super) struct RawGroup {
    pub(super) id: Word,
    pub(super) uses: Vec<RawUse>,
}

/// A line of an `attributes` list.
#[derive(Debug)]
pub(super) enum RawUse {
    Attribute { key: Word, requirement: Requirement, source: Option<Source>, params: Vec<Word> },
    Group(Word),
}

#[derive(Debug)]
pub(super) struct RawSpan {
    pub(super) key: Word,
    pub(super) kind: SpanKind,
    pub(super) name: Word,
    pub(super) fallbacks: Vec<Word>,
    pub(super) brief: &'static str,
    pub(super) macros: Vec<Word>,
    pub(super) severity: Severity,
    pub(super) level: Level,
    pub(super) nvtx: Option<Word>,
    pub(super) parents: Vec<Word>,
    pub(super) errors: Vec<Word>,
    pub(super) events: Vec<Word>,
    pub(super) sample_every: Option<u32>,
    pub(super) uses: Vec<RawUse>,
    pub(super) stability: Stability,
    /// Where the file says that others define it.
    pub(super) foreign: Option<Mark>,
    pub(super) deprecated: Option<RawDeprecated>,
}

#[derive(Debug)]
pub(super) struct RawEvent {
    pub(super) name: Word,
    pub(super) brief: &'static str,
    pub(super) every: Option<u32>,
    pub(super) uses: Vec<RawUse>,
    pub(super) stability: Stability,
    pub(super) deprecated: Option<RawDeprecated>,
}

#[derive(Debug)]
pub(super) struct RawMetric {
    pub(super) name: Word,
    pub(super) instrument: Word,
    pub(super) unit: Word,
    pub(super) brief: Word,
    pub(super) uses: Vec<RawUse>,
    pub(super) stability: Stability,
    pub(super) allow_name: Vec<Word>,
    /// Where the file says that others define it.
    pub(super) foreign: Option<Mark>,
    pub(super) deprecated: Option<RawDeprecated>,
}
