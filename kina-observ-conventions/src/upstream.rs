//! OpenTelemetry's own names: which exist, and what became of those that are no longer in use.
//! Invariant: the tables are the published crate's (`tests/upstream.rs`).

use crate::{UPSTREAM_ATTRIBUTES, UPSTREAM_METRICS};

/// A name of OpenTelemetry's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UpstreamName {
    /// Dotted name.
    pub key: &'static str,
    /// Whether it is in use.
    pub status: UpstreamStatus,
}

/// Whether a name of OpenTelemetry's is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpstreamStatus {
    /// In use, and it will stay.
    Stable,
    /// In use, and it may change.
    Development,
    /// In use, but defined in a repository of its own today (`gen_ai.*`).
    Moved,
    /// Replaced: the *end* of its rename chain.
    Renamed(&'static str),
    /// No longer in use, without one successor: upstream's own words about it.
    Gone(&'static str),
}

impl UpstreamName {
    pub(crate) const fn new(key: &'static str, status: UpstreamStatus) -> Self {
        Self { key, status }
    }

    /// Whether new code may use it.
    #[must_use]
    pub fn is_in_use(&self) -> bool {
        matches!(self.status, UpstreamStatus::Stable | UpstreamStatus::Development | UpstreamStatus::Moved)
    }
}

/// OpenTelemetry's attribute or metric `key`.
///
/// ```
/// use kina_observ_conventions::{UpstreamStatus, upstream};
///
/// let old = upstream("http.method").expect("it once was a name");
/// assert_eq!(old.status, UpstreamStatus::Renamed("http.request.method"));
/// assert!(upstream("http.request.method").is_some_and(|name| name.is_in_use()));
/// assert!(upstream("http.flavour").is_none());
/// ```
#[must_use]
pub fn upstream(key: &str) -> Option<&'static UpstreamName> {
    upstream_attribute(key).or_else(|| upstream_metric(key))
}

/// OpenTelemetry's attribute `key`.
#[must_use]
pub fn upstream_attribute(key: &str) -> Option<&'static UpstreamName> {
    find(UPSTREAM_ATTRIBUTES, key)
}

/// OpenTelemetry's metric `name`.
#[must_use]
pub fn upstream_metric(name: &str) -> Option<&'static UpstreamName> {
    find(UPSTREAM_METRICS, name)
}

fn find(table: &'static [UpstreamName], key: &str) -> Option<&'static UpstreamName> {
    table.get(table.binary_search_by(|name| name.key.cmp(key)).ok()?)
}
