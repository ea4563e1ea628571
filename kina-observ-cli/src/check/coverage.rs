//! `--coverage`: which registered span types never appear.

use std::collections::HashSet;

use super::checker::Checker;

/// What appeared, in numbers, and what did not, by name.
pub(super) struct Coverage {
    pub(super) seen: usize,
    pub(super) never: Vec<&'static str>,
}

pub(super) fn never_seen(checker: &Checker<'_>) -> Coverage {
    let seen: HashSet<&str> = checker.trace.each().map(|(_, span)| checker.trace.words.text(span.span_type)).collect();
    let current = checker.names.spans().filter(|def| def.deprecated.is_none());
    let (seen, mut never): (Vec<_>, Vec<_>) = current.map(|def| def.key).partition(|key| seen.contains(key));
    never.sort_unstable();
    Coverage { seen: seen.len(), never }
}
