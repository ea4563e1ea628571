//! Reads the nodes of a definition file into the raw model.

mod attribute;
mod signal;
mod uses;

use super::error::Errors;
use super::fields::{Fields, choose};
use kina_observ_conventions::Stability;

use super::raw::{Raw, RawDeprecated};
use super::yaml::{Mark, Node, Value, Word};

const FILE: &[&str] = &["file_format", "attributes", "attribute_groups", "spans", "metrics", "events"];

/// Legal in the format, but nothing here reads them: saying nothing would lose definitions.
const NOT_YET: &[&str] =
    &["entities", "entity_refinements", "event_refinements", "imports", "metric_refinements", "span_refinements"];

/// Levels of stability; what is not stable may change.
const STABILITY: &[(&str, Stability)] = &[
    ("stable", Stability::Stable),
    ("development", Stability::Development),
    ("alpha", Stability::Development),
    ("beta", Stability::Development),
    ("release_candidate", Stability::Development),
    ("deprecated", Stability::Development),
];

/// Reads one definition file.
pub(super) fn read(node: &Node, raw: &mut Raw, errors: &mut Errors) {
    if let Value::Map(entries) = &node.value
        && let Some((key, _)) = entries.iter().find(|(key, _)| NOT_YET.contains(&key.text))
    {
        let help = "use `attributes`, `attribute_groups`, `spans`, `metrics` and `events`";
        errors.at(key.at, format!("`{}` is not read by kina-observ", key.text), help);
        return;
    }
    let Some(file) = Fields::open(node, "a definition file", FILE, errors) else { return };
    if let Some(format) = file.text("file_format", errors)
        && format.text != "definition/2"
    {
        errors.at(
            format.at,
            format!("the file format `{}` is not known", format.text),
            "write `file_format: definition/2`",
        );
    }
    raw.attributes.extend(file.list("attributes", errors).iter().filter_map(|node| attribute::read(node, errors)));
    raw.groups.extend(file.list("attribute_groups", errors).iter().filter_map(|node| uses::group(node, errors)));
    raw.spans.extend(file.list("spans", errors).iter().filter_map(|node| signal::span(node, errors)));
    raw.metrics.extend(file.list("metrics", errors).iter().filter_map(|node| signal::metric(node, errors)));
    raw.events.extend(file.list("events", errors).iter().filter_map(|node| signal::event(node, errors)));
}

/// The fields under `annotations: {kina: {..}}`; other tools' annotations are theirs.
fn annotations<'node>(
    fields: &Fields<'node>,
    what: &'static str,
    known: &'static [&'static str],
    errors: &mut Errors,
) -> Option<Fields<'node>> {
    let node = fields.find("annotations")?;
    let Value::Map(entries) = &node.value else {
        errors.at(node.at, "`annotations` must be a map", "write `annotations: {kina: {..}}`");
        return None;
    };
    let (_, kina) = entries.iter().find(|(key, _)| key.text == "kina")?;
    Fields::open(kina, what, known, errors)
}

fn deprecated(fields: &Fields<'_>, errors: &mut Errors) -> Option<RawDeprecated> {
    let node = fields.find("deprecated")?;
    let fields = Fields::open(node, "a deprecation", &["reason", "renamed_to", "note"], errors)?;
    let reason = fields.text("reason", errors)?;
    let reasons = [("renamed", true), ("obsoleted", false), ("uncategorized", false), ("unspecified", false)];
    let renamed = choose(reason, "reason", &reasons, errors)?;
    let renamed_to = if renamed { Some(fields.text("renamed_to", errors)?) } else { None };
    if let (false, Some(stray)) = (renamed, fields.find("renamed_to")) {
        errors.at(stray.at, "`renamed_to` needs `reason: renamed`", "write `reason: renamed`, or remove `renamed_to`");
    }
    let note = match (fields.maybe_text("note", errors), renamed_to) {
        (Some(note), _) => note.text,
        (None, Some(to)) => format!("Replaced by `{}`.", to.text).leak(),
        (None, None) => fields.text("note", errors)?.text,
    };
    Some(RawDeprecated { renamed_to, note })
}

/// A level of stability, which each definition has.
fn stability(fields: &Fields<'_>, errors: &mut Errors) -> Stability {
    let written = fields.required("stability", errors).and_then(|_| fields.choice("stability", STABILITY, errors));
    written.unwrap_or(Stability::Development)
}

/// A sentence, which each definition has.
fn brief(fields: &Fields<'_>, errors: &mut Errors) -> Option<Word> {
    let brief = fields.text("brief", errors)?;
    single_line(brief.text, brief.at, errors);
    Some(Word { text: brief.text.trim_end(), at: brief.at })
}

/// Where the `kina` annotation says that others define the name.
fn foreign(kina: &Fields<'_>, errors: &mut Errors) -> Option<Mark> {
    let node = kina.find("foreign")?;
    node.boolean(errors)?.then_some(node.at)
}

/// A whole number from 1, such as the n of "every n-th".
fn count(kina: &Fields<'_>, key: &str, errors: &mut Errors) -> Option<u32> {
    let node = kina.find(key)?;
    let parsed =
        if let Value::Plain(text) = node.value { text.parse().ok().filter(|&number| number > 0) } else { None };
    if parsed.is_none() {
        errors.at(node.at, format!("`{key}` must be a whole number from 1"), format!("write `{key}: 50`"));
    }
    parsed
}

/// Briefs become doc comments and table cells.
fn single_line(text: &str, at: Mark, errors: &mut Errors) {
    if text.trim_end().contains('\n') {
        errors.at(at, "a `brief` is one line", "move the rest into `note`");
    }
}
