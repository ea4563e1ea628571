//! Parses, validates and lowers the attributes of kina-observ, as an ordinary library.
//!
//! Four steps, four kinds of data, one direction: tokens, `Args` and `Item` (`parse`), a checked `Plan` (`validate`), tokens (`emit`).

mod c_api;
mod container;
mod conventions_macro;
mod derive;
mod emit;
mod errors;
pub mod expand;
pub mod header;
pub mod kinds;
pub mod lower;
mod parse;
mod paths;
mod plan;
pub mod registry;
mod resource_impl;
mod returned;
mod suggest;
mod validate;

pub use errors::Mistake;
