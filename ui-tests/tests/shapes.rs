//! Each shape of `shapes/`, compiled as it is and without our attributes: the compiler must say the same about both.
//!
//! Compared are level, code, text and place of every diagnostic, with clippy's default lints where clippy is installed; and
//! the lines that `-Cinstrument-coverage` counts.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use serde_json::Value;

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// Where what we depend on was compiled to.
struct Libraries {
    folder: PathBuf,
    externs: Vec<String>,
}

/// Compiles the dependencies of this test, which cargo has done already, and asks where they are.
fn libraries() -> Libraries {
    let output = Command::new(env!("CARGO"))
        .args(["build", "--offline", "--quiet", "--message-format=json", "-p", "ui-tests", "--test", "tasks"])
        .current_dir(HERE)
        // Not the directory whose lock the outer cargo may hold.
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("target"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut folder = PathBuf::new();
    let mut externs = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: Value = serde_json::from_str(line).expect("JSON");
        let name = message["target"]["name"].as_str().unwrap_or_default();
        if message["reason"] == "compiler-artifact" && ["kina_observ", "async_trait"].contains(&name) {
            let file = PathBuf::from(message["filenames"][0].as_str().expect("a file"));
            externs.push(format!("{name}={}", file.display()));
            folder = file.parent().expect("a folder").to_owned();
        }
    }
    assert_eq!(externs.len(), 2, "{externs:?}");
    Libraries { folder, externs }
}

/// Blanks every attribute of ours, so that all other places stay the same.
fn bare(text: &str) -> String {
    let mut bare = String::new();
    for line in text.lines() {
        if line.starts_with("kina_observ::conventions!") {
            bare.push('\n');
            continue;
        }
        let start = line.find("#[").filter(|_| line.contains("kina_observ::") && line.trim_end().ends_with(']'));
        match start {
            Some(start) => bare.push_str(&line[..start]),
            None => bare.push_str(line),
        }
        bare.push('\n');
    }
    bare
}

/// One shape in one of its two forms, on disk.
struct Source {
    name: String,
    file: PathBuf,
    edition: String,
    /// The crate that it pretends to be in.
    package: PathBuf,
}

fn sources() -> Vec<[Source; 2]> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shapes");
    let mut all = Vec::new();
    for entry in fs::read_dir(Path::new(HERE).join("shapes")).expect("the shapes") {
        let path = entry.expect("a shape").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("its text");
        let header = |word: &str| text.lines().find_map(|line| line.strip_prefix("//@")?.strip_prefix(word));
        let edition = header("edition: ").unwrap_or("2024").to_owned();
        let package = Path::new(HERE).join(header("package: ").unwrap_or_default());
        assert!(text.contains("kina_observ::"), "{name} has nothing that is annotated");
        let source = |form: &str, text: String| {
            let file = folder.join(form).join(&name).with_extension("rs");
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(&file, text).expect("the source is written");
            Source { name: name.clone(), file, edition: edition.clone(), package: package.clone() }
        };
        all.push([source("bare", bare(&text)), source("annotated", text)]);
    }
    all.sort_by(|one, other| one[0].name.cmp(&other[0].name));
    assert!(all.len() >= 31, "{} shapes", all.len());
    all
}

fn compiler(program: &str, source: &Source, libraries: &Libraries) -> Command {
    let mut command = Command::new(program);
    command.args([
        "--edition",
        &source.edition,
        "--crate-type=lib",
        "--crate-name",
        &source.name,
        "--error-format=json",
    ]);
    command.args(["--cap-lints=warn", "-L"]).arg(format!("dependency={}", libraries.folder.display()));
    for library in &libraries.externs {
        command.args(["--extern", library]);
    }
    command.arg(source.file.file_name().expect("a name")).current_dir(source.file.parent().expect("a folder"));
    // Clippy as everybody has it: there is no `clippy.toml` in that folder.
    command.env("CLIPPY_CONF_DIR", source.file.parent().expect("a folder"));
    command.env("CARGO_MANIFEST_DIR", &source.package);
    command
}

/// The diagnostics, as `place: level[code]: text`, sorted.
fn diagnostics(program: &str, source: &Source, libraries: &Libraries) -> Vec<String> {
    let mut command = compiler(program, source, libraries);
    let out = source.file.with_extension("rmeta");
    let output = command.arg(format!("--emit=metadata={}", out.display())).output().expect("the compiler runs");
    let text = String::from_utf8_lossy(&output.stderr);
    let mut found: Vec<_> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap_or_else(|_| panic!("{}: {text}", source.name)))
        .filter(|message| {
            message["$message_type"] == "diagnostic" && !message["spans"].as_array().is_some_and(Vec::is_empty)
        })
        .map(|message| {
            let spans = message["spans"].as_array().expect("spans");
            let places: Vec<_> = spans
                .iter()
                .filter(|span| span["is_primary"] == true)
                .map(|span| {
                    format!(
                        "{}:{}-{}:{}",
                        span["line_start"], span["column_start"], span["line_end"], span["column_end"]
                    )
                })
                .collect();
            let (level, code) = (&message["level"], &message["code"]["code"]);
            // The compiler has no name for what an `async` block has captured.
            let text = message["message"].as_str().unwrap_or_default();
            let text = if code == "E0382" || code == "E0499" { "" } else { text };
            format!("{} {level} {code} {text}", places.join(" "))
        })
        .collect();
    found.sort();
    found
}

/// Lines that are counted when the shape runs.
fn counted(source: &Source, libraries: &Libraries) -> BTreeSet<String> {
    let out = source.file.with_extension("mir");
    let mut command = compiler("rustc", source, libraries);
    command.arg("-Cinstrument-coverage").arg(format!("--emit=mir={}", out.display()));
    let output = command.output().expect("the compiler runs");
    assert!(output.status.success(), "{}: {}", source.name, String::from_utf8_lossy(&output.stderr));
    let mir = fs::read_to_string(&out).expect("MIR");
    let mut lines = BTreeSet::new();
    for line in mir.lines().filter(|line| line.trim_start().starts_with("coverage ") && line.contains("=> ")) {
        // `coverage Code { .. } => src/lib.rs:3:5: 4:6 (#0);`
        let (_, place) = line.split_once(".rs:").unwrap_or_else(|| panic!("{line}"));
        let numbers: Vec<usize> =
            place.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
        lines.extend((numbers[0]..=numbers[2]).map(|line| format!("{line:4}")));
    }
    lines
}

/// Runs `check` for each shape, on every core.
fn each(check: impl Fn(&[Source; 2], &Libraries) -> String + Sync) {
    let (libraries, sources) = (libraries(), sources());
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(source) = sources.get(next.fetch_add(1, Relaxed)) {
                    let said = check(source, &libraries);
                    if !said.is_empty() {
                        wrong.lock().expect("no panic").push(format!("{}:\n{said}", source[0].name));
                    }
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().expect("no panic");
    wrong.sort();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn difference(bare: &[String], annotated: &[String]) -> String {
    let mut said = String::new();
    let mut only = |lines: &[String], others: &[String], sign: char| {
        let mut others = others.to_vec();
        for line in lines {
            match others.iter().position(|other| other == line) {
                Some(index) => drop(others.swap_remove(index)),
                None => said.push_str(&format!("  {sign} {line}\n")),
            }
        }
    };
    only(bare, annotated, '-');
    only(annotated, bare, '+');
    said
}

#[test]
fn the_compiler_says_the_same() {
    let clippy = Command::new("clippy-driver").arg("--version").output().is_ok_and(|output| output.status.success());
    let program = if clippy { "clippy-driver" } else { "rustc" };
    each(|[bare, annotated], libraries| {
        let said = difference(&diagnostics(program, bare, libraries), &diagnostics(program, annotated, libraries));
        // What clippy says about the form of an attribute or of a signature it does not say about what a macro wrote.
        said.lines()
            .filter(|line| !(line.starts_with("  -") && line.contains("clippy::")))
            .map(|line| format!("{line}\n"))
            .collect()
    });
}

#[test]
fn coverage_counts_the_same_lines() {
    each(|[bare, annotated], libraries| {
        // Those whose name starts with `f` do not compile.
        if bare.name.starts_with('f') {
            return String::new();
        }
        let (bare, annotated) = (counted(bare, libraries), counted(annotated, libraries));
        if bare.is_empty() {
            return String::from("  nothing is counted\n");
        }
        let lost: Vec<_> = bare.difference(&annotated).map(|line| format!("  lost: line {line}\n")).collect();
        lost.concat()
    });
}
