//! Checks small crates that bring a registry of their own, and compares what the compiler says with the text beside them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// A fixture without a `.stderr` must compile without a word.
#[test]
fn the_compiler_says_what_is_expected() -> io::Result<()> {
    let bless = std::env::var_os("KINA_BLESS").is_some();
    let mut wrong = Vec::new();
    for name in names()? {
        let said = Fixture::copy(&name, "expected")?.check()?;
        let file = Path::new(FIXTURES).join(format!("{name}.stderr"));
        let expected = fs::read_to_string(&file).unwrap_or_default();
        if said == expected {
            continue;
        }
        if !bless {
            wrong.push(format!("--- {name}: expected\n{expected}--- {name}: said\n{said}"));
        } else if said.is_empty() {
            fs::remove_file(file)?;
        } else {
            fs::write(file, said)?;
        }
    }
    assert!(wrong.is_empty(), "{}\nread them, then `cargo xtask bless`", wrong.join("\n"));
    Ok(())
}

#[test]
fn an_edit_of_the_registry_is_seen() -> io::Result<()> {
    let fixture = Fixture::copy("own_registry", "edited")?;
    assert_eq!(fixture.check()?, "");
    let registry = fixture.folder.join("conventions/acme.yaml");
    let text = fs::read_to_string(&registry)?;
    fs::write(&registry, text.replace("acme.cache.label", "acme.cache.title"))?;
    assert_eq!(fixture.check()?, "", "no function gives the label by hand");
    fs::write(&registry, text.replace("acme.cache.look_up", "acme.cache.find"))?;
    let said = fixture.check()?;
    assert!(said.contains("span type `acme.cache.look_up` is not in the registry"), "{said}");
    Ok(())
}

/// What an error offers to paste into a registry file is all that was missing.
#[test]
fn pasting_the_definition_compiles() -> io::Result<()> {
    let fixture = Fixture::copy("own_registry", "pasted")?;
    let code = fixture.folder.join("src/lib.rs");
    let new = "\n/// New.\n#[span]\npub async fn cache_trim(entries: i64) -> Result<i64, String> {\n    Ok(entries)\n}\n\
               \n/// New.\n#[ffi_span(export = \"acme_cache_flush\")]\npub fn cache_flush(entries: i64) -> i64 {\n    entries\n}\n";
    fs::write(&code, fs::read_to_string(&code)? + new)?;
    let said = fixture.check()?;
    let mut pasted = String::new();
    for offer in said.split("or define it in the registry:\n").skip(1) {
        let lines = offer.lines().take_while(|line| !line.trim_start().starts_with("-->"));
        for line in lines {
            // The compiler indents what follows the first line of a message.
            pasted.push_str(line.strip_prefix("       ").expect("an indented line"));
            pasted.push('\n');
        }
    }
    assert_eq!(pasted.matches("- type: acme.cache.").count(), 2, "{said}");
    let registry = fixture.folder.join("conventions/acme.yaml");
    fs::write(&registry, fs::read_to_string(&registry)? + &pasted)?;
    assert_eq!(fixture.check()?, "", "{pasted}");
    Ok(())
}

#[test]
fn ten_mistakes_are_ten_errors() -> io::Result<()> {
    let said = Fixture::copy("ten_mistakes", "counted")?.check()?;
    let told = |start: &str| said.lines().filter(|line| line.trim_start().starts_with(start)).count();
    assert_eq!((told("error"), told("warning"), told("--> src/lib.rs")), (10, 0, 10), "{said}");
    Ok(())
}

#[test]
fn the_guide_shows_what_the_fixture_compiles() -> io::Result<()> {
    let guide = fs::read_to_string(Path::new(ROOT).join("docs/guide.md"))?;
    let block = |language: &str| {
        let start = guide.split_once(&format!("```{language}\n")).expect("a block").1;
        start.split_once("```").expect("its end").0
    };
    let fixture = |file: &str| fs::read_to_string(Path::new(FIXTURES).join("own_registry").join(file));
    assert!(fixture("kina-observ.toml")?.contains(block("toml")));
    assert!(fixture("conventions/acme.yaml")?.contains(block("yaml")));
    assert!(fixture("src/lib.rs")?.contains("kina_observ::conventions!();"));
    Ok(())
}

fn names() -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(FIXTURES)? {
        let entry = entry?;
        if entry.path().is_dir() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    assert!(!names.is_empty(), "no fixture in {FIXTURES}");
    Ok(names)
}

/// A copy of a fixture: cargo writes a lock file beside a manifest, and the repository stays as it is.
struct Fixture {
    folder: PathBuf,
    root: PathBuf,
}

impl Fixture {
    fn copy(name: &str, purpose: &str) -> io::Result<Self> {
        let root = fs::canonicalize(ROOT)?;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(purpose).join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        copy(&Path::new(FIXTURES).join(name), &folder)?;
        let manifest = folder.join("Cargo.toml");
        let text = fs::read_to_string(&manifest)?;
        // A name of its own: two packages of one name would take each other's results for theirs.
        let text =
            text.replace("../../..", &root.to_string_lossy()).replacen("name = \"", &format!("name = \"{purpose}-"), 1);
        fs::write(&manifest, text)?;
        // The versions of the workspace, so that nothing is looked up.
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        Ok(Self { folder: fs::canonicalize(folder)?, root })
    }

    /// What the compiler says, without what differs from machine to machine.
    fn check(&self) -> io::Result<String> {
        // One after the other: cargo would say that it waits.
        static TURN: Mutex<()> = Mutex::new(());
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let output = Command::new(env!("CARGO"))
            .args(["check", "--offline", "--quiet", "--color=never"])
            .current_dir(&self.folder)
            // All fixtures share what they depend on.
            .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("target"))
            .env_remove("RUSTFLAGS")
            .output()?;
        let said = String::from_utf8_lossy(&output.stderr)
            .replace(&*self.folder.to_string_lossy(), "$DIR")
            .replace(&*self.root.to_string_lossy(), "$ROOT");
        let said: String = said.lines().filter(|line| !is_about_cargo(line)).map(|line| format!("{line}\n")).collect();
        let said = said.trim_end();
        assert_eq!(output.status.success(), !said.contains("error"), "{}: {said}", self.folder.display());
        Ok(if said.is_empty() { String::new() } else { format!("{said}\n") })
    }
}

fn is_about_cargo(line: &str) -> bool {
    ["error: could not compile", "For more information about", "Some errors have detailed explanations"]
        .iter()
        .any(|start| line.starts_with(start))
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to)?;
        } else {
            fs::copy(&from, &to)?;
        }
    }
    Ok(())
}
