//! What is wrong with one crate: exports without a boundary or under a foreign prefix, codes with two meanings.

use std::collections::BTreeMap;

use super::Found;
use super::facts::{Boundary, Code, Facts};
use crate::check::Finding;

/// Each exported function that has no boundary.
pub(super) fn boundaries(facts: &Facts, found: &mut Vec<Found>) {
    for export in &facts.exports {
        let name = &export.name;
        let (message, help) = match &export.boundary {
            Boundary::Always => continue,
            Boundary::Never => (
                format!("`{name}` is exported without a boundary: a panic in it ends the host"),
                "put `#[ffi_span]` on it, or export it no longer".to_owned(),
            ),
            Boundary::Sometimes(predicate) => (
                format!("`{name}` has its boundary only with `{predicate}`, and is exported without it"),
                "put `#[ffi_span]` on it outside of `cfg_attr`".to_owned(),
            ),
        };
        found.push((export.place.clone(), Finding::error("bare-export", message, help)));
    }
}

/// Each symbol that does not start with the crate's own word.
///
/// That is its `component`, and what `export_c_api!` has; a crate with neither may call its symbols as it likes.
pub(super) fn prefixes(facts: &Facts, component: Option<&str>, found: &mut Vec<Found>) {
    let mut prefixes: Vec<String> = component.iter().map(|component| component.replace('.', "_")).collect();
    prefixes.extend(facts.prefixes.iter().cloned());
    prefixes.dedup();
    let Some(first) = prefixes.first() else { return };
    let fits = |name: &str| prefixes.iter().any(|prefix| name.strip_prefix(prefix).is_some_and(|r| r.starts_with('_')));
    for export in facts.exports.iter().filter(|export| export.is_symbol && !fits(&export.name)) {
        let name = &export.name;
        let shown: Vec<String> = prefixes.iter().map(|prefix| format!("`{prefix}_`")).collect();
        let message = format!("the symbol `{name}` does not start with {}", shown.join(" or "));
        let help = format!("call it `{first}_{name}`, so that it cannot meet another library's in one process");
        found.push((export.place.clone(), Finding::error("wrong-prefix", message, help)));
    }
}

/// Each code that already has, or had, another meaning in this crate.
pub(super) fn codes(facts: &Facts, found: &mut Vec<Found>) {
    let mut first: BTreeMap<i32, &Code> = BTreeMap::new();
    for code in &facts.codes {
        if let Some(retired) = facts.retired.iter().find(|retired| retired.code == code.code) {
            let message = format!("`{}` has the code {}, which `{}` retired", code.of, code.code, retired.by);
            let help = format!("take a number that was never used; it is retired at {}", retired.place);
            found.push((code.place.clone(), Finding::error("retired-code", message, help)));
        }
        match first.get(&code.code) {
            // One error with two bodies, for two configurations.
            Some(other) if other.of == code.of => {}
            Some(other) => {
                let message = format!("`{}` and `{}` have the same code {}", other.of, code.of, code.code);
                let help = format!("give one of the two a number of its own; the other is at {}", other.place);
                found.push((code.place.clone(), Finding::error("code-twice", message, help)));
            }
            None => {
                first.insert(code.code, code);
            }
        }
    }
}
