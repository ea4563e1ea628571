//! The names that a trace is held against: the built-in registry and the files of `--registry`.

use std::path::{Path, PathBuf};

use kina_observ_codegen::registry::{Document, Origin, parse_files};
use kina_observ_conventions::{
    ATTRIBUTES, AttributeDef, OWNED_NAMESPACES, SPANS, SpanDef, UPSTREAM_NAMESPACES, attribute, nearest, span,
};

use crate::failure::Failure;

/// Everything that is registered.
pub(crate) struct Names {
    own: Option<Document>,
}

impl Names {
    /// The built-in names and those of `files`.
    pub(crate) fn new(files: &[PathBuf]) -> Result<Self, Failure> {
        if files.is_empty() {
            return Ok(Self { own: None });
        }
        let own = parse_files(Path::new(""), files, Origin::Crate).map_err(Failure::Registry)?;
        Ok(Self { own: Some(own) })
    }

    fn own_spans(&self) -> &[SpanDef] {
        self.own.as_ref().map_or(&[], |own| &own.spans)
    }

    fn own_attributes(&self) -> &[AttributeDef] {
        self.own.as_ref().map_or(&[], |own| &own.attributes)
    }

    pub(crate) fn attributes(&self) -> impl Iterator<Item = &AttributeDef> {
        ATTRIBUTES.iter().chain(self.own_attributes())
    }

    pub(crate) fn spans(&self) -> impl Iterator<Item = &SpanDef> {
        SPANS.iter().chain(self.own_spans())
    }

    pub(crate) fn span(&self, key: &str) -> Option<&SpanDef> {
        span(key).or_else(|| self.own_spans().iter().find(|def| def.key == key))
    }

    pub(crate) fn attribute(&self, key: &str) -> Option<&AttributeDef> {
        attribute(key).or_else(|| self.own_attributes().iter().find(|def| def.key == key))
    }

    /// Whether every name below the first segment of `key` must be registered.
    pub(crate) fn owns(&self, key: &str) -> bool {
        let root = root(key);
        OWNED_NAMESPACES.contains(&root)
            || is_upstream(key)
            || self.own.as_ref().is_some_and(|own| own.namespaces.contains(&root))
    }

    /// `did you mean ..?` for an unknown span type, or `otherwise`.
    pub(crate) fn like_span(&self, key: &str, otherwise: &str) -> String {
        let known = self.spans().filter(|def| def.deprecated.is_none()).map(|def| def.key);
        did_you_mean(nearest(key, known).as_slice(), otherwise)
    }

    /// `did you mean ..?` for an unknown attribute, or `otherwise`.
    pub(crate) fn like_attribute(&self, key: &str, otherwise: &str) -> String {
        let known = self.attributes().filter(|def| def.deprecated.is_none()).map(|def| def.key);
        did_you_mean(nearest(key, known).as_slice(), otherwise)
    }
}

/// Whether the namespace of `key` is OpenTelemetry's, whose enumerations are open.
pub(crate) fn is_upstream(key: &str) -> bool {
    UPSTREAM_NAMESPACES.contains(&root(key))
}

fn root(key: &str) -> &str {
    key.split('.').next().unwrap_or(key)
}

fn did_you_mean(near: &[&str], otherwise: &str) -> String {
    match near {
        [] => otherwise.to_owned(),
        [one] => format!("did you mean `{one}`?"),
        [first @ .., last] => format!("did you mean `{}` or `{last}`?", first.join("`, `")),
    }
}
