//! Follows `renamed_to` to the name that is in use today.

use kina_observ_conventions::{Deprecated, nearest};

use super::super::error::{Errors, did_you_mean};
use super::super::raw::RawDeprecated;
use super::super::yaml::Word;

/// What a table says about the next name of a chain.
pub(super) enum Next {
    Unknown,
    InUse,
    Renamed(&'static str),
    Gone,
}

/// The deprecation of `name`, its `renamed_to` replaced by the end of the chain.
pub(super) fn resolve(
    name: Word,
    raw: RawDeprecated,
    next: impl Fn(&str) -> Next,
    known: impl Iterator<Item = &'static str>,
    errors: &mut Errors,
) -> Deprecated {
    let RawDeprecated { renamed_to, note } = raw;
    let Some(first) = renamed_to else { return Deprecated { renamed_to: None, note } };
    let mut visited = vec![name.text];
    let mut end = first.text;
    loop {
        if visited.contains(&end) {
            errors.at(
                first.at,
                format!("the renames of `{}` lead back to `{end}`", name.text),
                "name the attribute or span that is in use today",
            );
            break;
        }
        visited.push(end);
        match next(end) {
            Next::InUse => break,
            Next::Renamed(to) => end = to,
            Next::Gone => {
                errors.at(
                    first.at,
                    format!("`{end}` is itself gone"),
                    "name the attribute or span that is in use today, or write `reason: obsoleted`",
                );
                break;
            }
            Next::Unknown => {
                let near = nearest(end, known);
                errors.at(
                    first.at,
                    format!("`{end}` is not in the registry"),
                    did_you_mean(near.as_slice(), "name a definition that exists"),
                );
                break;
            }
        }
    }
    Deprecated { renamed_to: Some(end), note }
}

/// Where a definition that may itself be deprecated leads.
pub(super) fn next_of(deprecated: Option<Option<&'static str>>) -> Next {
    match deprecated {
        None => Next::InUse,
        Some(Some(to)) => Next::Renamed(to),
        Some(None) => Next::Gone,
    }
}
