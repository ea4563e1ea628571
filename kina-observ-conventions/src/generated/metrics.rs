// Generated from registry/kina/*.yaml by `cargo xtask codegen`. Do not edit.
//! Metrics, sorted by name.

use crate::model::*;

/// Metrics, sorted by name.
pub static METRICS: &[MetricDef] = &[
    MetricDef {
        name: "runtime.alloc.bytes",
        instrument: "counter",
        unit: "By",
        brief: "Bytes allocated.",
        attributes: &["runtime.device"],
    },
    MetricDef {
        name: "runtime.alloc.count",
        instrument: "counter",
        unit: "{allocation}",
        brief: "Allocations.",
        attributes: &["runtime.device"],
    },
    MetricDef {
        name: "runtime.ffi.call.duration",
        instrument: "histogram",
        unit: "s",
        brief: "Duration of C entry points.",
        attributes: &["code.function.name", "error.type"],
    },
];
