// Generated from registry/*/*.yaml by `cargo xtask codegen`. Do not edit.
//! Events, sorted by name.

use crate::model::*;

/// Events, sorted by name.
pub static EVENTS: &[EventDef] = &[EventDef {
    name: "token",
    brief: "Tokens came out of a decode.",
    every: Some(32),
    attributes: &[AttributeUse {
        key: "tl.engine.tokens",
        requirement: Requirement::Required,
        source: Source::Parameter,
        params: &["tokens"],
    }],
    deprecated: None,
}];
