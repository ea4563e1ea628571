//! Resolves metrics.

use kina_observ_conventions::{Cardinality, MetricDef, Requirement};

use super::super::error::Errors;
use super::super::raw::RawMetric;
use super::Known;
use super::uses::Groups;

pub(super) fn resolve(raw: &RawMetric, known: &Known, groups: &Groups<'_>, errors: &mut Errors) -> MetricDef {
    let uses = groups.flatten(&raw.uses, known, errors);
    for used in uses.values() {
        if used.def.cardinality == Cardinality::High && used.used.requirement != Requirement::OptIn {
            let help = "remove it, or write `requirement_level: opt_in`";
            errors.at(used.at, format!("`{}` has too many values for a metric", used.used.key), help);
        }
    }
    if raw.name.text.ends_with("_total") || raw.name.text.ends_with(".total") {
        errors.at(
            raw.name.at,
            format!("`{}` ends with `total`", raw.name.text),
            "remove it: Prometheus output adds it to counters",
        );
    }
    if raw.unit.text.is_empty() {
        errors.at(raw.unit.at, "the unit is empty", "write a UCUM unit: `s`, `By`, `1` or `{request}`");
    }
    MetricDef {
        name: raw.name.text,
        instrument: raw.instrument,
        unit: raw.unit.text,
        brief: raw.brief,
        attributes: uses.keys().copied().collect::<Vec<_>>().leak(),
    }
}
