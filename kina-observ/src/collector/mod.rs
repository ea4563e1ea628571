//! The thread that drains the rings, replays what each thread did and hands records to the outputs.
//! Invariant: written + dropped = produced (`tests/backpressure.rs`).

mod decode;
mod replay;
mod rollup;
mod signals;
mod sink;
mod thread;

pub use rollup::SpanTotal;
pub(crate) use thread::{Collector, Finished, Settings, after_fork};
