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

/// `a`, `b`, `c`.
pub(crate) fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    joined(names, ", ")
}

fn joined<'a>(names: impl Iterator<Item = &'a str>, last: &str) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((end, rest)) => format!("{}{last}{end}", rest.join(", ")),
    }
}
