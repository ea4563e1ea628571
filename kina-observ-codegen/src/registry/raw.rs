//! Definitions as the files write them, each part with its place; nothing is resolved yet.

use kina_observ_conventions::{Cardinality, Class, Level, Requirement, Severity, Source, SpanKind, ValueType};

use super::yaml::{Mark, Word};

/// Everything that the files of one registry define.
#[derive(Debug, Default)]
pub(super) struct Raw {
    pub(super) attributes: Vec<RawAttribute>,
    pub(super) groups: Vec<RawGroup>,
    pub(super) spans: Vec<RawSpan>,
    pub(super) metrics: Vec<RawMetric>,
}

#[derive(Debug)]
pub(super) struct RawAttribute {
    pub(super) key: Word,
    pub(super) value_type: ValueType,
    pub(super) members: Vec<RawMember>,
    pub(super) brief: &'static str,
    pub(super) class: Class,
    pub(super) cardinality: Cardinality,
    pub(super) alias: Option<&'static str>,
    /// Where the file says that others define it.
    pub(super) foreign: Option<Mark>,
    pub(super) deprecated: Option<RawDeprecated>,
}

#[derive(Debug)]
pub(super) struct RawMember {
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
    pub(super) brief: &'static str,
    pub(super) macros: Vec<&'static str>,
    pub(super) severity: Severity,
    pub(super) level: Level,
    pub(super) nvtx: Option<Word>,
    pub(super) parents: Vec<Word>,
    pub(super) errors: Vec<Word>,
    pub(super) uses: Vec<RawUse>,
    pub(super) deprecated: Option<RawDeprecated>,
}

#[derive(Debug)]
pub(super) struct RawMetric {
    pub(super) name: Word,
    pub(super) instrument: &'static str,
    pub(super) unit: Word,
    pub(super) brief: &'static str,
    pub(super) uses: Vec<RawUse>,
    pub(super) deprecated: Option<RawDeprecated>,
}
