//! What `cargo xtask codegen` writes from `registry/` and from the published names of OpenTelemetry.

pub(crate) mod attributes;
pub(crate) mod events;
pub(crate) mod metrics;
pub mod names;
pub(crate) mod spans;
pub(crate) mod upstream;
pub(crate) mod values;
