//! `kina-observ`'s optional features: every combination is tested, and each says what its build needs beside Rust.
//! The one without any feature is what `cargo test --workspace` tests.

use std::env;
use std::path::Path;

use crate::process::{capture, cargo, command, run};

/// Each with what it needs; `None`: nothing.
const FEATURES: &[(&str, Option<Need>)] =
    &[("cuda", None), ("nvtx", Some(Need { is_there: has_libclang, what: "libclang is not installed" }))];

struct Need {
    is_there: fn() -> bool,
    what: &'static str,
}

/// Why a feature cannot be built here; `None`: it can. In CI nothing may be missing.
pub(crate) fn refusal(feature: &str) -> Result<Option<&'static str>, String> {
    let need = FEATURES.iter().find(|(name, _)| *name == feature).and_then(|(_, need)| need.as_ref());
    let Some(need) = need.filter(|need| !(need.is_there)()) else { return Ok(None) };
    match env::var_os("CI").is_some_and(|value| value == "true") {
        true => Err(format!("{}\nhelp: `.ci/run` installs what Debian needs", need.what)),
        false => Ok(Some(need.what)),
    }
}

/// Lints and tests `kina-observ` with every combination of its features but the empty one, and the example with all.
pub(crate) fn run_all() -> Result<(), String> {
    let mut possible = Vec::new();
    for (feature, _) in FEATURES {
        match refusal(feature)? {
            None => possible.push(*feature),
            Some(reason) => println!("    {feature} skipped, because {reason}"),
        }
    }
    for features in combinations(&possible) {
        println!("==> features: {features}");
        let package = ["--package", "kina-observ", "--features", &features, "--locked"];
        run(cargo(&[&["clippy", "--all-targets"], &package[..], &["--", "-D", "warnings"]].concat()))?;
        run(cargo(&[&["test"], &package[..]].concat()))?;
    }
    // What the features are for: the example on a GPU, under a profiler.
    let package = ["--package", "transformer-block", "--features", &possible.join(","), "--locked"];
    run(cargo(&[&["clippy", "--all-targets"], &package[..], &["--", "-D", "warnings"]].concat()))?;
    run(cargo(&[&["test"], &package[..]].concat()))
}

/// Every choice of at least one of `features`, as cargo takes it.
fn combinations(features: &[&str]) -> Vec<String> {
    let chosen = |number: usize| {
        let chosen = features.iter().enumerate().filter(|(index, _)| number & 1 << index != 0);
        chosen.map(|(_, feature)| *feature).collect::<Vec<_>>().join(",")
    };
    (1..1 << features.len()).map(chosen).collect()
}

/// `bindgen` looks where this variable points, then where the loader looks. `libclang-cpp` is another library.
fn has_libclang() -> bool {
    let known = env::var_os("LIBCLANG_PATH").is_some_and(|path| Path::new(&path).exists());
    let libraries = capture(command("ldconfig", &["-p"])).unwrap_or_default();
    let mut names = libraries.lines().filter_map(|line| line.trim_start().strip_prefix("libclang"));
    known || names.any(|rest| rest.starts_with(['-', '.']) && !rest.starts_with("-cpp"))
}

#[cfg(test)]
mod tests {
    use super::combinations;

    #[test]
    fn every_combination_once() {
        assert_eq!(combinations(&[]), [""; 0]);
        assert_eq!(combinations(&["a", "b"]), ["a", "b", "a,b"]);
    }
}
