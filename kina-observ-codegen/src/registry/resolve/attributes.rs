//! Resolves attributes: members and renames.

use std::collections::BTreeMap;

use kina_observ_conventions::{
    ATTRIBUTES, AttributeDef, Class, Deprecated, Member, UpstreamStatus, ValueType, attribute, secret_word,
    upstream_attribute,
};

use super::super::Origin;
use super::super::error::Errors;
use super::super::raw::{Raw, RawAttribute, RawDeprecated};
use super::super::yaml::Word;
use super::leak;
use super::renames::{self, Next};

pub(super) fn resolve(raw: &Raw, origin: Origin, errors: &mut Errors) -> BTreeMap<&'static str, AttributeDef> {
    let mut table: BTreeMap<&'static str, AttributeDef> = BTreeMap::new();
    for def in &raw.attributes {
        secret(def, errors);
        let resolved = AttributeDef {
            key: def.key.text,
            value_type: def.value_type,
            brief: def.brief,
            members: members(def, errors),
            class: def.class,
            cardinality: def.cardinality,
            alias: def.alias.map(|alias| alias.text),
            also_emit: leak(&def.also_emit),
            stability: def.stability,
            deprecated: def.deprecated.map(|gone| deprecated(def, gone, raw, origin, errors)),
        };
        // The first of two stays; `names` reports the second.
        table.entry(def.key.text).or_insert(resolved);
    }
    for def in &raw.attributes {
        renamed_type(def, &table, origin, errors);
        old_names(def, &table, errors);
    }
    second_names(raw, &table, errors);
    table
}

/// A name that says "secret" needs a word that says why it is none.
fn secret(def: &RawAttribute, errors: &mut Errors) {
    for allowed in &def.allow_name {
        if !format!("_{}_", def.key.text.replace('.', "_")).contains(&format!("_{}_", allowed.text)) {
            let message = format!("`{}` has no word `{}`", def.key.text, allowed.text);
            errors.at(allowed.at, message, "remove `allow_name`, or name the word that a rule refuses");
        }
    }
    // An old name is kept for the rename, and a class that no signal carries says it all.
    let never = def.deprecated.is_some() || matches!(def.class, Class::Secret | Class::Content | Class::Personal);
    let Some(word) = secret_word(def.key.text).filter(|_| !never) else { return };
    if def.allow_name.iter().all(|allowed| allowed.text != word) {
        let help = format!(
            "record an id, a size or a count of it; if the value is no secret: `annotations: {{kina: {{allow_name: {word}}}}}`"
        );
        errors.at(def.key.at, format!("`{}` sounds like a secret: `{word}`", def.key.text), help);
    }
}

/// A rename must not change what a value is.
fn renamed_type(def: &RawAttribute, table: &BTreeMap<&str, AttributeDef>, origin: Origin, errors: &mut Errors) {
    let Some(first) = def.deprecated.and_then(|gone| gone.renamed_to) else { return };
    let Some(to) = table.get(def.key.text).and_then(|own| own.deprecated?.renamed_to) else { return };
    let builtin = attribute(to).filter(|_| origin == Origin::Crate);
    let Some(end) = table.get(to).or(builtin) else { return };
    let text = |value_type| matches!(value_type, ValueType::String | ValueType::Enum);
    if end.value_type != def.value_type && !(text(end.value_type) && text(def.value_type)) {
        let message = format!("`{}` and `{to}` have different types", def.key.text);
        errors.at(first.at, message, "write `reason: obsoleted` and say in `note` what to record instead");
    }
}

/// What `also_emit` names must be an old name, else two meanings would share it.
fn old_names(def: &RawAttribute, table: &BTreeMap<&str, AttributeDef>, errors: &mut Errors) {
    for old in &def.also_emit {
        let ours = table.get(old.text).is_some_and(|own| own.deprecated.is_some());
        let upstream = upstream_attribute(old.text).map(|name| name.status);
        if !ours && !matches!(upstream, Some(UpstreamStatus::Renamed(_) | UpstreamStatus::Gone(_))) {
            let help = "name a deprecated attribute of this registry, or one that OpenTelemetry gave up";
            errors.at(old.at, format!("`{}` is no old name", old.text), help);
        }
    }
}

/// An alias or an old name that outputs write stands for one attribute only.
fn second_names(raw: &Raw, table: &BTreeMap<&str, AttributeDef>, errors: &mut Errors) {
    let mut taken: BTreeMap<&str, Word> = BTreeMap::new();
    for def in &raw.attributes {
        for second in def.alias.iter().chain(&def.also_emit) {
            if table.get(second.text).is_some_and(|own| own.deprecated.is_none()) {
                let help = "choose another word: it is the key of an attribute";
                errors.at(second.at, format!("`{}` would have two meanings", second.text), help);
            } else if let Some(first) = taken.insert(second.text, *second) {
                let help = format!("keep one of the two; the other is at {}", errors.place(first.at));
                errors.at(second.at, format!("`{}` would have two meanings", second.text), help);
            }
        }
    }
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
        if earlier.iter().any(|other| other.id.text == member.id.text) {
            errors.at(
                member.id.at,
                format!("`{}` is the id of two members", member.id.text),
                "give each an id of its own",
            );
        } else if earlier.iter().any(|other| other.value.text == member.value.text) {
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
