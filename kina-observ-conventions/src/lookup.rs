//! Finds a definition by its key.
//! Invariant: the tables are sorted and their keys unique (`tests/registry.rs`).

use crate::model::{AttributeDef, AttributeUse, EventDef, MetricDef, SpanDef};
use crate::{ATTRIBUTES, EVENTS, METRICS, SPANS};

/// The span type `key`.
///
/// ```
/// let span = kina_observ_conventions::span("runtime.kernel.execute").expect("it is registered");
/// assert_eq!(span.name, "{runtime.kernel.name}");
/// ```
#[must_use]
pub fn span(key: &str) -> Option<&'static SpanDef> {
    find(SPANS, key, |def| def.key)
}

/// The attribute `key`.
///
/// ```
/// let old = kina_observ_conventions::attribute("module_id").expect("kept for the rename");
/// assert_eq!(old.deprecated.and_then(|gone| gone.renamed_to), Some("runtime.module.id"));
/// ```
#[must_use]
pub fn attribute(key: &str) -> Option<&'static AttributeDef> {
    find(ATTRIBUTES, key, |def| def.key)
}

/// The metric `name`.
///
/// ```
/// let metric = kina_observ_conventions::metric("runtime.ffi.call.duration").expect("it is registered");
/// assert_eq!((metric.instrument, metric.unit), ("histogram", "s"));
/// ```
#[must_use]
pub fn metric(name: &str) -> Option<&'static MetricDef> {
    find(METRICS, name, |def| def.name)
}

/// The event `name`.
///
/// ```
/// let token = kina_observ_conventions::event("token").expect("it is registered");
/// assert_eq!(token.every, Some(32));
/// ```
#[must_use]
pub fn event(name: &str) -> Option<&'static EventDef> {
    find(EVENTS, name, |def| def.name)
}

impl SpanDef {
    /// Its display names in the order in which they are tried: the first whose attributes are all there is taken.
    ///
    /// ```
    /// let server = kina_observ_conventions::span("http.server").expect("it is registered");
    /// assert!(server.names().eq(["{http.request.method} {http.route}", "{http.request.method}"]));
    /// ```
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        core::iter::once(self.name).chain(self.fallback_names.iter().copied())
    }

    /// How this span uses the attribute `key`.
    #[must_use]
    pub fn attribute(&self, key: &str) -> Option<&'static AttributeUse> {
        find(self.attributes, key, |used| used.key)
    }
}

fn find<T>(table: &'static [T], key: &str, key_of: fn(&T) -> &'static str) -> Option<&'static T> {
    let index = table.binary_search_by(|def| key_of(def).cmp(key)).ok()?;
    table.get(index)
}
