//! Holds the rebuild against edits of a crate's registry: each edit is seen, and a mistake points into the YAML.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const MANIFEST: &str = "\
[package]
name = \"rebuilt\"
version = \"0.0.0\"
edition = \"2024\"

[dependencies]
kina-observ = { path = \"ROOT/kina-observ\" }

[workspace]
";

const SOURCE: &str = "\
//! One annotated function.
kina_observ::conventions!();

/// Looks something up.
#[kina_observ::span(acme.look_up)]
pub fn look_up(entries: i64) -> i64 {
    entries
}
";

const REGISTRY: &str = "\
file_format: definition/2
attributes:
  - {key: acme.entries, type: int, stability: development, brief: Entries looked at.}
spans:
  - type: acme.look_up
    kind: internal
    stability: development
    brief: One look-up.
    name: {note: acme.look_up}
    attributes:
      - {ref: acme.entries, requirement_level: required}
";

/// A crate on disk that one test edits and checks again.
struct Crate {
    folder: PathBuf,
}

impl Crate {
    fn new() -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rebuilt");
        fs::create_dir_all(folder.join("src")).expect("the crate's folder");
        let root = fs::canonicalize(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).expect("the repository");
        // The versions of the workspace, so that nothing is looked up.
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("the lock file");
        let new = Self { folder };
        new.write("Cargo.toml", &MANIFEST.replace("ROOT", &root.to_string_lossy()));
        new.write("src/lib.rs", SOURCE);
        new.write("kina-observ.toml", "registries = [\"acme.yaml\"]\n");
        new.write("acme.yaml", REGISTRY);
        new
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.folder.join(file), text).expect("the file is written");
    }

    /// Runs `cargo check`; `expected` are parts of what it must say, nothing: it must be content.
    fn check(&self, expected: &[&str]) {
        let output = Command::new(env!("CARGO"))
            .args(["check", "--offline", "--color=never"])
            .current_dir(&self.folder)
            // Shared with the fixtures of `ui-tests`, which depend on the same crates.
            .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("target"))
            .env_remove("RUSTFLAGS")
            .output()
            .expect("cargo starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), expected.is_empty(), "{said}");
        for part in expected {
            assert!(said.contains(part), "`{part}` in\n{said}");
        }
    }
}

#[test]
fn an_edit_of_the_registry_is_seen_and_a_mistake_points_into_it() {
    let acme = Crate::new();
    acme.check(&[]);
    acme.write("acme.yaml", &REGISTRY.replace("type: int", "type: integer"));
    acme.check(&["acme.yaml:3:31: `integer` is not a value of `type`"]);
    acme.write("acme.yaml", &REGISTRY.replace("acme.entries", "acme.items"));
    acme.check(&["span `acme.look_up` requires attribute `acme.items`, and nothing supplies it", "src/lib.rs:5"]);
    acme.write("acme.yaml", REGISTRY);
    acme.check(&[]);
    acme.write("kina-observ.toml", "registries = [\"acme.yaml\", \"more.yaml\"]\n");
    acme.write("more.yaml", REGISTRY.split("spans:").next().unwrap_or_default());
    acme.check(&["more.yaml:3:11: `acme.entries` is defined twice", "the other is at acme.yaml:3:11"]);
    acme.write("more.yaml", "file_format: definition/2\n");
    acme.check(&[]);
}
