//! Shapes that must compile without a warning and run: one module a shape, each denies every warning.

// What these say about themselves is their names.
#![allow(missing_docs)]

pub mod attributes_are_kept;
pub mod bodies;
pub mod callbacks;
pub mod cfg_on_parameters;
pub mod crate_path;
pub mod modules_named_core_and_std;
pub mod parameters;
pub mod parameters_named_like_internals;
pub mod raw_identifiers;
pub mod types_named_like_the_prelude;
pub mod unsafe_code;
