//! Tells a UCUM unit from a word, as far as metrics need it.

/// Units that stand alone or behind a prefix.
const ATOMS: &[&str] = &[
    "A", "B", "By", "C", "Cel", "F", "H", "Hz", "J", "K", "L", "N", "Ohm", "Pa", "S", "T", "V", "W", "Wb", "a", "bar",
    "bit", "cal", "cd", "d", "deg", "eV", "g", "h", "l", "lm", "lx", "m", "min", "mo", "mol", "rad", "s", "wk",
];

const PREFIXES: &[&str] =
    &["E", "Ei", "G", "Gi", "Ki", "M", "Mi", "P", "Pi", "T", "Ti", "c", "d", "da", "h", "k", "m", "n", "p", "f", "u"];

/// Whether `text` is terms with `.` or `/` between them, each `1`, `%`, `{what}`, or a unit with prefix and exponent.
pub(super) fn is_unit(text: &str) -> bool {
    let text = text.strip_prefix('/').unwrap_or(text);
    let Some(terms) = terms(text) else { return false };
    terms.into_iter().all(is_term)
}

/// Splits at the operators that are not in braces; `None` when the braces do not match.
fn terms(text: &str) -> Option<Vec<&str>> {
    let (mut terms, mut start, mut open) = (Vec::new(), 0, false);
    for (at, c) in text.char_indices() {
        match c {
            '{' if open => return None,
            '{' => open = true,
            '}' if !open => return None,
            '}' => open = false,
            '.' | '/' if !open => {
                terms.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    terms.push(&text[start..]);
    (!open).then_some(terms)
}

fn is_term(term: &str) -> bool {
    let (unit, what) = match term.split_once('{') {
        Some((unit, rest)) => match rest.strip_suffix('}') {
            Some(what) => (unit, Some(what)),
            None => return false,
        },
        None => (term, None),
    };
    if what.is_some_and(|what| what.is_empty() || !what.chars().all(|c| c.is_ascii_graphic())) {
        return false;
    }
    if unit.is_empty() {
        return what.is_some();
    }
    if unit == "%" || unit.bytes().all(|b| b.is_ascii_digit()) {
        return true;
    }
    let unit = unit.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(['-', '+']);
    let behind = |prefix: &&str| unit.strip_prefix(*prefix).is_some_and(|atom| ATOMS.contains(&atom));
    ATOMS.contains(&unit) || PREFIXES.iter().any(behind)
}

#[cfg(test)]
mod tests {
    use super::is_unit;

    #[test]
    fn units() {
        for unit in [
            "s",
            "ms",
            "By",
            "KiBy",
            "1",
            "%",
            "{request}",
            "By/s",
            "{packet}/s",
            "m2",
            "Cel",
            "W.h",
            "V",
            "Hz",
            "By{sent}",
            "100",
        ] {
            assert!(is_unit(unit), "`{unit}`");
        }
        for unit in ["bananas", "seconds", "bytes", "{}", "{a", "a}", "s/", "Bytes", "sec", "{a b}", "{a}x"] {
            assert!(!is_unit(unit), "`{unit}`");
        }
    }
}
