//! The words of a suggestion: at most three names, each in backticks.

use kina_observ_conventions::nearest;

/// `did you mean ..?`, or nothing when no name is near.
pub(crate) fn did_you_mean(name: &str, known: impl Iterator<Item = &'static str>) -> String {
    let near: Vec<_> = nearest(name, known).collect();
    meant(&near)
}

/// The same for names that were looked up already.
pub(crate) fn meant(near: &[&'static str]) -> String {
    if near.is_empty() { String::new() } else { format!("did you mean {}?", or_list(near.iter().copied())) }
}

/// `a`, `b` or `c`.
pub(crate) fn or_list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    joined(names, " or ")
}

/// `a`, `b`, `c` and how many more there are: a wall of names helps nobody.
pub(crate) fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const MOST: usize = 3;
    let names: Vec<_> = names.collect();
    let shown = joined(names.iter().take(MOST).copied(), ", ");
    match names.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The same, unless one of the names is near.
pub(crate) fn near_or_list(name: &str, start: &str, known: impl Iterator<Item = &'static str> + Clone) -> String {
    let near = did_you_mean(name, known.clone());
    if near.is_empty() { format!("{start} {}", list(known)) } else { near }
}

fn joined<'a>(names: impl Iterator<Item = &'a str>, last: &str) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((end, rest)) => format!("{}{last}{end}", rest.join(", ")),
    }
}
