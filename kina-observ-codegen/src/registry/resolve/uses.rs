//! Resolves the `attributes` list of a signal: groups, references, capture sources.

use std::collections::BTreeMap;

use kina_observ_conventions::{
    AttributeDef, AttributeUse, Class, Requirement, Source, Stability, UpstreamStatus, ValueType, nearest,
    upstream_attribute,
};

use super::super::error::{Errors, did_you_mean};
use super::super::raw::{Raw, RawGroup, RawUse};
use super::super::yaml::{Mark, Word};
use super::{Known, leak};

/// A resolved reference and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Used {
    pub(super) used: AttributeUse,
    pub(super) def: AttributeDef,
    pub(super) at: Mark,
}

pub(super) type Uses = BTreeMap<&'static str, Used>;

/// The attribute groups of a registry.
pub(super) struct Groups<'raw> {
    by_id: BTreeMap<&'static str, &'raw RawGroup>,
}

impl<'raw> Groups<'raw> {
    pub(super) fn new(raw: &'raw Raw, known: &Known, errors: &mut Errors) -> Self {
        let mut by_id = BTreeMap::new();
        for group in &raw.groups {
            if by_id.insert(group.id.text, group).is_some() {
                errors.at(
                    group.id.at,
                    format!("the group `{}` is defined twice", group.id.text),
                    "keep one of the two",
                );
            }
        }
        let groups = Self { by_id };
        // A group that no signal uses must be sound too.
        for group in &raw.groups {
            groups.add(&group.uses, known, &mut vec![group.id.text], &mut Uses::new(), errors);
        }
        groups
    }

    /// The attributes of a signal, groups resolved; its own reference wins over a group's.
    pub(super) fn flatten(&self, uses: &[RawUse], known: &Known, errors: &mut Errors) -> Uses {
        let mut found = Uses::new();
        self.add(uses, known, &mut Vec::new(), &mut found, errors);
        found
    }

    fn add(&self, uses: &[RawUse], known: &Known, path: &mut Vec<&'static str>, found: &mut Uses, errors: &mut Errors) {
        for group in uses.iter().filter_map(|used| if let RawUse::Group(id) = used { Some(*id) } else { None }) {
            let Some(inner) = self.by_id.get(group.text) else {
                let near = nearest(group.text, self.by_id.keys().copied());
                let help = did_you_mean(
                    near.as_slice(),
                    "list the attributes themselves, or define the group in this registry",
                );
                errors.at(group.at, format!("there is no group `{}`", group.text), help);
                continue;
            };
            if path.contains(&group.text) {
                errors.at(group.at, format!("the group `{}` contains itself", group.text), "remove this `ref_group`");
                continue;
            }
            path.push(group.text);
            self.add(&inner.uses, known, path, found, errors);
            path.pop();
        }
        let mut own: Vec<Word> = Vec::new();
        for used in uses {
            let RawUse::Attribute { key, requirement, source, params } = used else { continue };
            if own.iter().any(|other| other.text == key.text) {
                errors.at(key.at, format!("`{}` stands in this list twice", key.text), "keep one of the two");
                continue;
            }
            own.push(*key);
            let Some(def) = known.attribute(key.text) else {
                unknown(*key, known, errors);
                continue;
            };
            allowed(*key, &def, errors);
            let (source, params) = capture(&def, *source, params);
            let used = AttributeUse { key: def.key, requirement: *requirement, source, params };
            found.insert(def.key, Used { used, def, at: key.at });
        }
    }
}

/// The rule that a definition is at most as stable as what it stands on.
pub(super) fn at_most_as_stable(name: Word, stability: Stability, uses: &Uses, errors: &mut Errors) {
    if stability != Stability::Stable {
        return;
    }
    for used in uses.values() {
        if used.def.stability != Stability::Stable && used.used.requirement != Requirement::OptIn {
            let message = format!("`{}` is stable, and its attribute `{}` is not", name.text, used.used.key);
            errors.at(used.at, message, "write `requirement_level: opt_in` here, or make the attribute stable first");
        }
    }
}

fn unknown(key: Word, known: &Known, errors: &mut Errors) {
    let status = upstream_attribute(key.text).map(|name| name.status);
    let (message, help) = match status {
        Some(UpstreamStatus::Renamed(to)) => {
            (format!("`{}` is called `{to}` today", key.text), format!("write `{to}`"))
        }
        Some(UpstreamStatus::Gone(why)) => (format!("`{}` is no longer in use", key.text), why.to_owned()),
        Some(UpstreamStatus::Stable | UpstreamStatus::Development | UpstreamStatus::Moved) => (
            format!("`{}` is OpenTelemetry's, and no type is known for it here", key.text),
            "define it under `attributes` with its type and `annotations: {kina: {foreign: true}}`".to_owned(),
        ),
        None => {
            let near = nearest(key.text, known.attribute_keys());
            let help = did_you_mean(near.as_slice(), "define it under `attributes`");
            (format!("`{}` is not in the registry", key.text), help)
        }
    };
    errors.at(key.at, message, help);
}

fn allowed(key: Word, def: &AttributeDef, errors: &mut Errors) {
    let class = match def.class {
        Class::Secret => Some("a secret"),
        Class::Content => Some("content"),
        Class::Personal => Some("personal"),
        Class::System | Class::Identifier | Class::Path => None,
    };
    if let Some(class) = class {
        let help = "record a size, a count or an id of it instead";
        errors.at(key.at, format!("`{}` is {class}, which is never recorded", key.text), help);
    }
    if let Some(gone) = def.deprecated {
        let help = gone.renamed_to.map_or_else(|| gone.note.to_owned(), |to| format!("use `{to}`"));
        errors.at(key.at, format!("`{}` is deprecated", key.text), help);
    }
}

/// Where the value comes from when the function says nothing.
fn capture(def: &AttributeDef, written: Option<Source>, params: &[Word]) -> (Source, &'static [&'static str]) {
    if let Some(source) = written {
        return (source, &[]);
    }
    if !params.is_empty() {
        return (Source::Parameter, leak(params));
    }
    let source = match (def.key, def.value_type) {
        ("runtime.module.id" | "runtime.device", _) => Source::Context,
        ("runtime.ffi.code", _) => Source::ReturnCode,
        ("error.type", _) => Source::Outcome,
        // No text is captured because a parameter happens to be called `name`.
        (_, ValueType::String | ValueType::Strings) => Source::Hand,
        _ => {
            let segment = def.key.rsplit('.').next().unwrap_or(def.key);
            return (Source::Parameter, vec![segment].leak());
        }
    };
    (source, &[])
}
