//! Resolves events.

use kina_observ_conventions::{EventDef, event};

use super::super::error::Errors;
use super::super::raw::{Raw, RawEvent};
use super::renames::{self, Next};
use super::uses::{Groups, at_most_as_stable};
use super::{Known, Origin};

pub(super) fn resolve(raw: &RawEvent, all: &Raw, known: &Known, groups: &Groups<'_>, errors: &mut Errors) -> EventDef {
    let uses = groups.flatten(&raw.uses, known, errors);
    at_most_as_stable(raw.name, raw.stability, &uses, errors);
    let next = |name: &str| {
        if let Some(own) = all.events.iter().find(|own| own.name.text == name) {
            return renames::next_of(own.deprecated.map(|gone| gone.renamed_to.map(|to| to.text)));
        }
        match event(name).filter(|_| known.origin == Origin::Crate) {
            Some(def) => renames::next_of(def.deprecated.map(|gone| gone.renamed_to)),
            None => Next::Unknown,
        }
    };
    EventDef {
        name: raw.name.text,
        brief: raw.brief,
        every: raw.every,
        attributes: uses.values().map(|used| used.used).collect::<Vec<_>>().leak(),
        deprecated: raw.deprecated.map(|gone| renames::resolve(raw.name, gone, next, known.event_names(all), errors)),
    }
}
