//! Instrumentation for Rust runtimes with a C ABI: one attribute, no span code.

// Generated code names `::kina_observ`, in our own tests too.
extern crate self as kina_observ;

#[doc(hidden)]
pub mod __private;
mod attributes;
pub mod bridge;
mod clock;
mod collector;
pub mod config;
mod context;
pub mod device;
mod errno;
pub mod ffi;
mod filter;
mod first;
mod gate;
#[cfg(doctest)]
mod guide;
mod ids;
pub mod instruments;
mod intern;
mod late;
mod listed;
mod local;
pub mod memory;
mod module_id;
#[cfg(feature = "nvtx")]
pub mod nvtx;
#[cfg(not(feature = "nvtx"))]
#[path = "nvtx/absent.rs"]
mod nvtx;
mod outcome;
mod output;
mod panic_hook;
mod pinned;
pub mod record;
mod ring;
mod rings;
pub mod site;
mod span;
mod task;
mod text;
mod value;
mod words;

pub use attributes::{
    FfiEnum, FfiError, FfiStruct, alloc_traced, conventions, export_c_api, ffi_span, kernel, span, stream_sync,
};
pub use clock::Clock;
pub use collector::SpanTotal;
pub use config::init::{Guard, InitError, flush, init, set_filter, set_level};
pub use config::report::Report;
pub use config::{Builder, ColorChoice, ConfigError, Format, Rotation, builder};
pub use context::{AdoptedModule, Context};
pub use ffi::{FfiEnum, FfiError};
pub use gate::level;
pub use ids::{InvalidModuleId, ModuleId, SpanContext, SpanId, TraceId};
pub use kina_observ_conventions as conventions;
#[doc = include_str!("../docs/attributes/values.md")]
pub use kina_observ_conventions::values;
pub use kina_observ_conventions::{Level, Severity, SpanKind};
pub use listed::BoundedLabel;
pub use module_id::{ModuleScope, module_scope, set_default_device};
pub use span::link;
