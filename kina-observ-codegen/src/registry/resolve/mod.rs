//! Resolves references and holds the definitions against the rules.

mod attributes;
mod events;
mod metrics;
mod renames;
mod spans;
mod units;
mod uses;

use std::collections::{BTreeMap, BTreeSet};

use kina_observ_conventions::{ATTRIBUTES, AttributeDef, EVENTS, EventDef, MetricDef, SPANS, SpanDef, attribute};

use super::error::{Errors, RegistryError};
use super::raw::Raw;
use super::yaml::Word;
use super::{Origin, names};

/// What one registry defines, checked and resolved; each list is sorted by key.
#[derive(Debug)]
pub struct Document {
    /// Span types.
    pub spans: Vec<SpanDef>,
    /// Attributes.
    pub attributes: Vec<AttributeDef>,
    /// Metrics.
    pub metrics: Vec<MetricDef>,
    /// Events.
    pub events: Vec<EventDef>,
    /// Root namespaces in which it defines something.
    pub namespaces: Vec<&'static str>,
}

/// The definitions of `raw`, or every mistake in them.
pub(super) fn resolve(raw: &Raw, origin: Origin, errors: &mut Errors) -> Result<Document, Vec<RegistryError>> {
    names::check(raw, origin, errors);
    let known = Known { attributes: attributes::resolve(raw, origin, errors), origin };
    let groups = uses::Groups::new(raw, &known, errors);
    let mut spans: Vec<SpanDef> =
        raw.spans.iter().map(|span| spans::resolve(span, raw, &known, &groups, errors)).collect();
    let mut metrics: Vec<MetricDef> =
        raw.metrics.iter().map(|metric| metrics::resolve(metric, raw, &known, &groups, errors)).collect();
    let mut events: Vec<EventDef> =
        raw.events.iter().map(|event| events::resolve(event, raw, &known, &groups, errors)).collect();
    errors.barrier()?;
    spans.sort_by_key(|def| def.key);
    metrics.sort_by_key(|def| def.name);
    events.sort_by_key(|def| def.name);
    let keys = spans.iter().map(|def| def.key).chain(metrics.iter().map(|def| def.name));
    let keys = keys.chain(events.iter().map(|def| def.name));
    // A name of one word closes no namespace.
    let namespaces: BTreeSet<&str> =
        keys.chain(known.attributes.keys().copied()).filter(|key| key.contains('.')).map(names::root).collect();
    Ok(Document {
        spans,
        attributes: known.attributes.into_values().collect(),
        metrics,
        events,
        namespaces: namespaces.into_iter().collect(),
    })
}

/// The attributes that a reference may name.
struct Known {
    /// The registry's own.
    attributes: BTreeMap<&'static str, AttributeDef>,
    origin: Origin,
}

impl Known {
    fn attribute(&self, key: &str) -> Option<AttributeDef> {
        let builtin = || attribute(key).copied().filter(|_| self.origin == Origin::Crate);
        self.attributes.get(key).copied().or_else(builtin)
    }

    fn attribute_keys(&self) -> impl Iterator<Item = &'static str> {
        let builtin = ATTRIBUTES.iter().filter(|_| self.origin == Origin::Crate).map(|def| def.key);
        self.attributes.keys().copied().chain(builtin)
    }

    fn span_keys(&self, raw: &Raw) -> impl Iterator<Item = &'static str> {
        let builtin = SPANS.iter().filter(|_| self.origin == Origin::Crate).map(|def| def.key);
        raw.spans.iter().map(|span| span.key.text).chain(builtin)
    }

    fn event_names(&self, raw: &Raw) -> impl Iterator<Item = &'static str> {
        let builtin = EVENTS.iter().filter(|_| self.origin == Origin::Crate).map(|def| def.name);
        raw.events.iter().map(|event| event.name.text).chain(builtin)
    }
}

/// The texts, for as long as the process lives.
fn leak(words: &[Word]) -> &'static [&'static str] {
    words.iter().map(|word| word.text).collect::<Vec<_>>().leak()
}
