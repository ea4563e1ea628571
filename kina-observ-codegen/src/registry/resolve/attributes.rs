//! Resolves attributes: members and renames.

use std::collections::BTreeMap;

use kina_observ_conventions::{ATTRIBUTES, AttributeDef, Deprecated, Member, attribute};

use super::super::Origin;
use super::super::error::Errors;
use super::super::raw::{Raw, RawAttribute, RawDeprecated};
use super::renames::{self, Next};

pub(super) fn resolve(raw: &Raw, origin: Origin, errors: &mut Errors) -> BTreeMap<&'static str, AttributeDef> {
    let mut table = BTreeMap::new();
    for def in &raw.attributes {
        let resolved = AttributeDef {
            key: def.key.text,
            value_type: def.value_type,
            brief: def.brief,
            members: members(def, errors),
            class: def.class,
            cardinality: def.cardinality,
            alias: def.alias,
            deprecated: def.deprecated.map(|gone| deprecated(def, gone, raw, origin, errors)),
        };
        // The first of two stays; `names` reports the second.
        table.entry(def.key.text).or_insert(resolved);
    }
    table
}

fn deprecated(def: &RawAttribute, gone: RawDeprecated, raw: &Raw, origin: Origin, errors: &mut Errors) -> Deprecated {
    let builtin = origin == Origin::Crate;
    let next = |key: &str| {
        if let Some(own) = raw.attributes.iter().find(|own| own.key.text == key) {
            return renames::next_of(own.deprecated.map(|gone| gone.renamed_to.map(|to| to.text)));
        }
        match attribute(key).filter(|_| builtin) {
            Some(def) => renames::next_of(def.deprecated.map(|gone| gone.renamed_to)),
            None => Next::Unknown,
        }
    };
    let known =
        raw.attributes.iter().map(|own| own.key.text).chain(ATTRIBUTES.iter().filter(|_| builtin).map(|def| def.key));
    renames::resolve(def.key, gone, next, known, errors)
}

fn members(def: &RawAttribute, errors: &mut Errors) -> &'static [Member] {
    for (index, member) in def.members.iter().enumerate() {
        let earlier = &def.members[..index];
        if earlier.iter().any(|other| other.value.text == member.value.text) {
            errors.at(member.value.at, format!("`{}` is a member twice", member.value.text), "keep one of the two");
        }
        if let Some((code, at)) = member.code
            && let Some(other) = earlier.iter().find(|other| other.code.is_some_and(|(held, _)| held == code))
        {
            errors.at(
                at,
                format!("code {code} stands for `{}` already", other.value.text),
                "give each member a code of its own",
            );
        }
    }
    let resolve = |member: &super::super::raw::RawMember| Member {
        value: member.value.text,
        code: member.code.map(|(code, _)| code),
        brief: member.brief,
    };
    def.members.iter().map(resolve).collect::<Vec<_>>().leak()
}
