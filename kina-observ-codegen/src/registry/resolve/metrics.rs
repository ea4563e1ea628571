//! Resolves metrics and holds their names, units and attributes against the rules.

use kina_observ_conventions::{Cardinality, METRICS, MetricDef, Requirement, metric};

use super::super::error::Errors;
use super::super::raw::{Raw, RawMetric};
use super::renames::{self, Next};
use super::units::is_unit;
use super::uses::{Groups, Uses, at_most_as_stable};
use super::{Known, Origin};

/// Its values are as many as a program has kernels: one series each has drowned backends before.
const KERNEL_NAME: &str = "runtime.kernel.name";

pub(super) fn resolve(
    raw: &RawMetric,
    all: &Raw,
    known: &Known,
    groups: &Groups<'_>,
    errors: &mut Errors,
) -> MetricDef {
    let uses = groups.flatten(&raw.uses, known, errors);
    few_series(&uses, errors);
    at_most_as_stable(raw.name, raw.stability, &uses, errors);
    unit(raw, errors);
    last_word(raw, errors);
    if !raw.brief.text.ends_with('.') {
        errors.at(raw.brief.at, "the `brief` of a metric is a sentence", "end it with a full stop");
    }
    let next = |name: &str| {
        if let Some(own) = all.metrics.iter().find(|own| own.name.text == name) {
            return renames::next_of(own.deprecated.map(|gone| gone.renamed_to.map(|to| to.text)));
        }
        match metric(name).filter(|_| known.origin == Origin::Crate) {
            Some(def) => renames::next_of(def.deprecated.map(|gone| gone.renamed_to)),
            None => Next::Unknown,
        }
    };
    let builtin = METRICS.iter().filter(|_| known.origin == Origin::Crate).map(|def| def.name);
    let names = all.metrics.iter().map(|own| own.name.text).chain(builtin);
    MetricDef {
        name: raw.name.text,
        instrument: raw.instrument.text,
        unit: raw.unit.text,
        brief: raw.brief.text,
        attributes: uses.keys().copied().collect::<Vec<_>>().leak(),
        deprecated: raw.deprecated.map(|gone| renames::resolve(raw.name, gone, next, names, errors)),
    }
}

/// Each combination of values is a series that a backend keeps.
fn few_series(uses: &Uses, errors: &mut Errors) {
    for used in uses.values() {
        if used.used.key == KERNEL_NAME {
            let help = "remove it: kernels are told apart on spans";
            errors.at(used.at, "the name of a kernel is not for a metric", help);
        } else if used.def.cardinality == Cardinality::High && used.used.requirement != Requirement::OptIn {
            let help = "remove it, or write `requirement_level: opt_in`";
            errors.at(used.at, format!("`{}` has too many values for a metric", used.used.key), help);
        }
    }
}

fn unit(raw: &RawMetric, errors: &mut Errors) {
    if raw.unit.text.is_empty() {
        errors.at(raw.unit.at, "the unit is empty", "write a UCUM unit: `s`, `By`, `1` or `{request}`");
    } else if !is_unit(raw.unit.text) {
        let help = "write a UCUM unit: `s`, `ms`, `By`, `By/s`, `1`, `%`, or what is counted in braces: `{request}`";
        errors.at(raw.unit.at, format!("`{}` is not a unit", raw.unit.text), help);
    }
}

/// The last word of a name promises an instrument and a unit.
fn last_word(raw: &RawMetric, errors: &mut Errors) {
    let name = raw.name.text;
    let last = name.rsplit(['.', '_']).next().unwrap_or(name);
    if last == "total" {
        errors.at(
            raw.name.at,
            format!("`{name}` ends with `total`"),
            "remove it: Prometheus output adds it to counters",
        );
        return;
    }
    // OpenTelemetry keeps a few names that are older than its rules.
    if raw.foreign.is_some() || raw.allow_name.iter().any(|allowed| allowed.text == last) {
        return;
    }
    let instrument = raw.instrument.text;
    let counted = raw.unit.text.starts_with('{');
    let (fits, wanted) = match last {
        "count" => (instrument == "updowncounter", "an `updowncounter`; a counter is named after what it counts"),
        "duration" => (instrument == "histogram" && raw.unit.text == "s", "a `histogram` with unit `s`"),
        "time" => (raw.unit.text == "s", "a metric with unit `s`"),
        "utilization" => (raw.unit.text == "1" && instrument != "counter", "a share with unit `1`, which can go down"),
        "limit" | "usage" => {
            (matches!(instrument, "updowncounter" | "gauge"), "an `updowncounter` or a `gauge`, since it can go down")
        }
        "io" => (instrument == "counter", "a `counter` of what flows in both directions"),
        _ if is_plural(last) => (counted, "a plural, which is for a unit in braces, such as `{request}`"),
        _ => return,
    };
    if !fits {
        let help = format!("change one of them, or let the word pass: `annotations: {{kina: {{allow_name: {last}}}}}`");
        errors.at(raw.name.at, format!("`{name}` promises by its last word {wanted}"), help);
    }
}

fn is_plural(word: &str) -> bool {
    word.ends_with('s') && !["ss", "us", "is", "as"].iter().any(|end| word.ends_with(end)) && word.len() > 2
}
