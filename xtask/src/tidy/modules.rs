//! Inside `kina-observ` a module uses only what stands left of it.

use super::Finding;
use super::code::{code_only, is_name, line_at, without_tests};
use super::tree::{File, Tree};

const FOLDER: &str = "kina-observ/src/";

/// From left to right, as in ARCHITECTURE.md.
const ORDER: &[&[&str]] = &[
    // Know nothing of spans.
    &["errno", "first", "gate", "pinned", "clock", "ids", "instruments", "intern", "filter", "value", "listed"],
    // What a span leaves behind.
    &["site", "record", "words", "text", "ring", "rings", "late"],
    // What a thread is doing.
    &["local", "module_id", "context", "panic_hook", "nvtx"],
    // A call from start to end.
    &["ffi", "outcome", "span", "task"],
    // What runs elsewhere.
    &["device"],
];

/// Modules beside the line, and all that each may use.
const SIDES: &[(&str, &[&str])] = &[
    ("bridge", &["clock", "gate", "local", "ring", "site", "text", "words"]),
    (
        "collector",
        &[
            "bridge",
            "clock",
            "ids",
            "listed",
            "local",
            "module_id",
            "output",
            "record",
            "ring",
            "rings",
            "site",
            "text",
            "words",
        ],
    ),
    (
        "memory",
        &[
            "bridge",
            // The first allocation of a process configures it, as its first span does.
            "config",
            "device",
            "errno",
            "gate",
            "instruments",
            "local",
            "outcome",
            "site",
            "span",
            "text",
            "value",
        ],
    ),
    ("output", &["record"]),
];

/// May use everything.
const FACES: [&str; 6] = ["config", "__private", "ffi::c_api", "device::calls", "attributes", "guide"];

pub(crate) fn modules_depend_one_way(tree: &Tree) -> Vec<Finding> {
    tree.sources()
        .filter_map(|file| Some((file, module_of(&file.path)?)))
        .flat_map(|(file, module)| broken(file, module))
        .collect()
}

/// `ring` for `kina-observ/src/ring.rs` and for everything below `kina-observ/src/ring/`.
fn module_of(path: &str) -> Option<&str> {
    let path = path.strip_prefix(FOLDER)?.strip_suffix(".rs")?;
    match path {
        "lib" => None,
        // The C face of what stands elsewhere.
        "ffi/c_api" => Some("ffi::c_api"),
        // What a program calls by hand.
        "device/calls" => Some("device::calls"),
        path => path.split('/').next(),
    }
}

fn broken(file: &File, module: &str) -> Vec<Finding> {
    let finding = |line, what, help| Finding { path: file.path.clone(), line, what, help };
    if !is_known(module) {
        return vec![finding(
            1,
            format!("module `{module}` has no place in the order"),
            "give it one in `xtask/src/tidy/modules.rs` and in ARCHITECTURE.md",
        )];
    }
    let code = without_tests(&code_only(&file.text));
    used_modules(&code)
        .filter(|(_, used)| *used != module && is_known(used) && !may_use(module, used))
        .map(|(at, used)| {
            finding(
                line_at(&code, at),
                format!("`{module}` must not use `{used}`"),
                "a module uses only what stands left of it: move the shared part there",
            )
        })
        .collect()
}

fn is_known(module: &str) -> bool {
    FACES.contains(&module) || place(module).is_some() || side(module).is_some()
}

fn may_use(module: &str, used: &str) -> bool {
    if FACES.contains(&module) {
        return true;
    }
    if let Some(allowed) = side(module) {
        return allowed.contains(&used);
    }
    place(used).is_some_and(|place_used| Some(place_used) < place(module))
}

fn place(module: &str) -> Option<usize> {
    ORDER.iter().flat_map(|row| row.iter()).position(|known| *known == module)
}

fn side(module: &str) -> Option<&'static [&'static str]> {
    let (_, allowed) = SIDES.iter().find(|(name, _)| *name == module)?;
    Some(allowed)
}

/// Every `crate::name` and every first name in `crate::{a, b::c}`, with its place.
fn used_modules(code: &str) -> impl Iterator<Item = (usize, &str)> {
    code.match_indices("crate::")
        .filter(|(at, _)| {
            let before = code[..*at].chars().next_back();
            !before.is_some_and(|c| is_name(c) || c == '$')
        })
        .flat_map(|(at, path)| {
            let start = at + path.len();
            first_names(&code[start..]).map(move |name| (at, name))
        })
}

fn first_names(rest: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    let mut names = Vec::new();
    let mut at_start = true;
    for (at, c) in rest.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 1 => at_start = true,
            _ if is_name(c) && at_start && depth <= 1 => {
                let name = &rest[at..];
                names.push(&name[..name.find(|c| !is_name(c)).unwrap_or(name.len())]);
                at_start = false;
            }
            _ => {}
        }
        if depth == 0 && !at_start {
            break;
        }
    }
    names.into_iter()
}

#[cfg(test)]
mod tests {
    use super::modules_depend_one_way;
    use crate::tidy::check;

    #[test]
    fn a_use_that_points_right() {
        check(
            modules_depend_one_way,
            &[
                ("kina-observ/src/lib.rs", "pub use crate::span::enter;\n"),
                (
                    "kina-observ/src/ring.rs",
                    "//! `crate::span` in words is fine.\nuse crate::clock::now;\nuse crate::span::enter;\n",
                ),
                (
                    "kina-observ/src/span/enter.rs",
                    "use crate::{gate::is_on, ring, collector::{a, b}};\nfn f() { crate::config::read() }\n",
                ),
                (
                    "kina-observ/src/output/json.rs",
                    "use crate::record::Record;\nuse crate::ring::Ring;\n#[cfg(test)]\nmod tests {\n    use crate::config;\n}\n",
                ),
                ("kina-observ/src/config/env.rs", "use crate::collector;\n"),
                ("kina-observ/src/ffi/c_api.rs", "pub use crate::config::first_call;\n"),
                ("kina-observ/src/hub.rs", "//! x\n"),
                ("kina-runtime/src/gate.rs", "use crate::anything;\n"),
            ],
            &[
                "kina-observ/src/ring.rs:3: `ring` must not use `span`",
                "kina-observ/src/span/enter.rs:1: `span` must not use `collector`",
                "kina-observ/src/span/enter.rs:2: `span` must not use `config`",
                "kina-observ/src/output/json.rs:2: `output` must not use `ring`",
                "kina-observ/src/hub.rs:1: module `hub` has no place in the order",
            ],
        );
    }
}
