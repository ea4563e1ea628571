//! The names of spans, attributes and metrics, as sorted static tables.
//!
//! The source is `registry/*/*.yaml`; `cargo xtask codegen` writes `src/generated/`.
//!
//! ```
//! use kina_observ_conventions::{Requirement, names, span};
//!
//! let matmul = span(names::spans::RUNTIME_GPU_MATMUL).expect("a registered span type");
//! let rows = matmul.attribute(names::attributes::RUNTIME_SHAPE_M).expect("an attribute of it");
//! assert_eq!(rows.requirement, Requirement::Required);
//! assert_eq!(rows.params, ["m"]);
//! assert!(span("runtime.gpu.matmull").is_none());
//! ```

#![no_std]
#![forbid(unsafe_code)]

mod generated;
mod lookup;
pub mod model;
mod secrets;
mod suggest;
mod upstream;
pub mod values;

pub use generated::names::{self, OWNED_NAMESPACES, REGISTRY_HASH, SCHEMA_URL, SEMCONV_VERSION};
pub use generated::upstream::{UPSTREAM_ATTRIBUTES, UPSTREAM_METRICS, UPSTREAM_NAMESPACES};
pub use generated::{attributes::ATTRIBUTES, events::EVENTS, metrics::METRICS, spans::SPANS};
pub use lookup::{attribute, event, metric, span};
pub use model::*;
pub use secrets::secret_word;
pub use suggest::{Suggestions, nearest};
pub use upstream::{UpstreamName, UpstreamStatus, upstream, upstream_attribute, upstream_metric};
