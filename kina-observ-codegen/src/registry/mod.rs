//! The names that one crate may use: the built-in registry and the crate's own files.

mod cache;
mod crate_files;
mod error;
mod fields;
mod files;
mod names;
mod pairs;
mod raw;
mod read;
mod render;
pub(crate) mod render_values;
mod resolve;
mod template;
#[cfg(test)]
mod tests;
mod yaml;

use std::path::{Path, PathBuf};

use kina_observ_conventions::{
    ATTRIBUTES, AttributeDef, EventDef, MetricDef, SPANS, SpanDef, UpstreamStatus, attribute, event, metric, nearest,
    span, upstream,
};

pub use error::RegistryError;
pub use files::{Manifest, parse_files, parse_manifest};
pub use pairs::spans_without_histogram;
pub use render::{Generated, render};
pub use resolve::Document;

/// Whose definition files are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Ours: they stand on nothing and may define the built-in namespaces.
    Builtin,
    /// A crate's: they stand on the built-in tables and define the crate's own namespaces.
    Crate,
}

/// The built-in tables and what a crate adds to them.
#[derive(Debug)]
pub struct Registry {
    component: Option<String>,
    device: Option<String>,
    declared: bool,
    files: Vec<PathBuf>,
    own: &'static Document,
}

static NOTHING: Document = Document {
    spans: Vec::new(),
    attributes: Vec::new(),
    metrics: Vec::new(),
    events: Vec::new(),
    namespaces: Vec::new(),
};

static BUILTIN: Registry =
    Registry { component: None, device: None, declared: false, files: Vec::new(), own: &NOTHING };

impl Registry {
    /// The built-in tables alone.
    #[must_use]
    pub fn builtin() -> &'static Self {
        &BUILTIN
    }

    /// The tables of the crate in `manifest_dir`, with `kina-observ.toml` and the files it names, if it is there.
    ///
    /// Parsed once for each process and state of the files.
    ///
    /// # Errors
    ///
    /// Every mistake in those files, in their order.
    pub fn for_crate(manifest_dir: &Path) -> Result<&'static Self, Vec<RegistryError>> {
        cache::registry(manifest_dir)
    }

    /// The `component` of `kina-observ.toml`: the namespace of unregistered spans.
    #[must_use]
    pub fn component(&self) -> Option<&str> {
        self.component.as_deref()
    }

    /// The `device` of `kina-observ.toml`: where calls run whose context does not say.
    pub fn device(&self) -> Option<&str> {
        self.device.as_deref()
    }

    /// Whether `kina-observ.toml` exists, so that expansions need the marker of `conventions!()`.
    #[must_use]
    pub fn declared(&self) -> bool {
        self.declared
    }

    /// `kina-observ.toml` and the files it names, absolute.
    #[must_use]
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The span type `key`.
    #[must_use]
    pub fn span(&self, key: &str) -> Option<&'static SpanDef> {
        span(key).or_else(|| self.own.spans.iter().find(|def| def.key == key))
    }

    /// The span type whose key is `symbol` when dots and underscores count as one.
    #[must_use]
    pub fn span_by_symbol(&self, symbol: &str) -> Option<&'static SpanDef> {
        let flat = |text: &str| text.replace('.', "_");
        let symbol = flat(symbol);
        SPANS.iter().chain(&self.own.spans).find(|def| flat(def.key) == symbol)
    }

    /// The key that a new span for `symbol` would have: a dot after each namespace that known span types have.
    #[must_use]
    pub fn key_for_symbol(&self, symbol: &str) -> String {
        let keys = SPANS.iter().chain(&self.own.spans).map(|def| def.key);
        let namespaces = keys.flat_map(|key| key.match_indices('.').map(move |(dot, _)| &key[..dot]));
        let known = namespaces.filter_map(|namespace| {
            let rest = symbol.strip_prefix(&namespace.replace('.', "_"))?.strip_prefix('_')?;
            (!rest.is_empty()).then_some((namespace, rest))
        });
        match known.max_by_key(|(namespace, _)| namespace.len()) {
            Some((namespace, rest)) => format!("{namespace}.{rest}"),
            None => symbol.replacen('_', ".", 1),
        }
    }

    /// The attribute `key`.
    #[must_use]
    pub fn attribute(&self, key: &str) -> Option<&'static AttributeDef> {
        attribute(key).or_else(|| self.own.attributes.iter().find(|def| def.key == key))
    }

    /// The metric `name`.
    #[must_use]
    pub fn metric(&self, name: &str) -> Option<&'static MetricDef> {
        metric(name).or_else(|| self.own.metrics.iter().find(|def| def.name == name))
    }

    /// The event `name`.
    #[must_use]
    pub fn event(&self, name: &str) -> Option<&'static EventDef> {
        event(name).or_else(|| self.own.events.iter().find(|def| def.name == name))
    }

    /// At most three span types that someone who wrote `key` may have meant, the nearest first.
    #[must_use]
    pub fn nearest_span(&self, key: &str) -> Vec<&'static str> {
        let all = SPANS.iter().chain(&self.own.spans).filter(|def| def.deprecated.is_none());
        nearest(key, all.map(|def| def.key)).collect()
    }

    /// At most three attributes that someone who wrote `key` may have meant, the nearest first.
    #[must_use]
    pub fn nearest_attribute(&self, key: &str) -> Vec<&'static str> {
        let all = ATTRIBUTES.iter().chain(&self.own.attributes).filter(|def| def.deprecated.is_none());
        let all = all.map(|def| def.key);
        // Many keys end with `name` or `id`: whoever writes a namespace that is there means a key in it.
        let inside = |name: &&str| key.contains('.') && names::root(name) == names::root(key);
        if all.clone().any(|name| inside(&name)) {
            return nearest(key, all.filter(inside)).collect();
        }
        nearest(key, all).collect()
    }

    /// Whether OpenTelemetry has, or once had, an attribute or metric of that name.
    #[must_use]
    pub fn is_upstream(&self, key: &str) -> bool {
        upstream(key).is_some()
    }

    /// What OpenTelemetry calls `key` today, if it was renamed: the end of the chain.
    #[must_use]
    pub fn upstream_rename(&self, key: &str) -> Option<&'static str> {
        match upstream(key)?.status {
            UpstreamStatus::Renamed(to) => Some(to),
            UpstreamStatus::Stable | UpstreamStatus::Development | UpstreamStatus::Moved | UpstreamStatus::Gone(_) => {
                None
            }
        }
    }

    /// OpenTelemetry's own words about a name that it gave up without one successor.
    #[must_use]
    pub fn upstream_gone(&self, key: &str) -> Option<&'static str> {
        match upstream(key)?.status {
            UpstreamStatus::Gone(note) => Some(note),
            UpstreamStatus::Stable
            | UpstreamStatus::Development
            | UpstreamStatus::Moved
            | UpstreamStatus::Renamed(_) => None,
        }
    }

    /// What the crate's own files define; empty without any.
    #[must_use]
    pub fn own(&self) -> &'static Document {
        self.own
    }

    /// Whether every name below the first segment of `key` must be registered: it is ours,
    /// OpenTelemetry's, or the crate's files define something there.
    #[must_use]
    pub fn owns(&self, key: &str) -> bool {
        !self.may_define(key) || self.own.namespaces.contains(&names::root(key))
    }

    /// Whether the crate's own files may define `key`: its namespace is neither ours nor OpenTelemetry's.
    #[must_use]
    pub fn may_define(&self, key: &str) -> bool {
        !names::is_builtin(key) && !names::is_upstream(key)
    }
}
