//! What `cargo xtask codegen` writes from `registry/kina/*.yaml`.

pub(crate) mod attributes;
pub(crate) mod metrics;
pub mod names;
pub(crate) mod spans;
