//! `cargo xtask cost --compile`: what an attribute adds to a build, beside `#[tracing::instrument]` and fastrace.
//! Times are of one machine at one moment, so only their ratios mean something; sizes repeat exactly.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::process::{capture, cargo, run};

/// Functions in each generated crate: enough for the difference to stand out from what a crate costs anyway.
const FUNCTIONS: u32 = 400;
/// The smallest of so many is taken: everything else on the machine only adds.
const RUNS: usize = 3;

/// What stands above each function, and the crate that it needs.
const VARIANTS: [(&str, &str); 4] = [
    ("none", ""),
    ("span", "#[kina_observ::span(\"runtime.kernel.lane\")]"),
    ("instrument", "#[tracing::instrument(skip_all, err)]"),
    ("fastrace", "#[fastrace::trace]"),
];

struct Cost {
    check: Duration,
    build: Duration,
    text: u64,
}

/// Prints a table, and fails if an annotated function costs more than `#[tracing::instrument(skip_all, err)]`.
pub(crate) fn run_all() -> Result<(), String> {
    let libraries = libraries()?;
    let folder = libraries.folder.join("compile-cost");
    fs::create_dir_all(&folder).map_err(|error| format!("cannot make `{}`: {error}", folder.display()))?;
    let mut costs = Vec::new();
    for (name, attribute) in VARIANTS {
        eprintln!("compiling {FUNCTIONS} functions: {name}");
        let source = folder.join(format!("{name}.rs"));
        fs::write(&source, program(attribute))
            .map_err(|error| format!("cannot write `{}`: {error}", source.display()))?;
        costs.push((name, measure(&source, &libraries)?));
    }
    report(&costs)
}

fn report(costs: &[(&str, Cost)]) -> Result<(), String> {
    let none = &costs[0].1;
    let added = |cost: &Cost| {
        let millis =
            |time: Duration, bare: Duration| time.saturating_sub(bare).as_secs_f64() * 1e3 / f64::from(FUNCTIONS);
        let text = cost.text.saturating_sub(none.text) as f64 / f64::from(FUNCTIONS);
        [millis(cost.check, none.check), millis(cost.build, none.build), text]
    };
    println!("added for each function    check ms   build ms   .text bytes");
    for (name, cost) in &costs[1..] {
        let [check, build, text] = added(cost);
        println!("{name:<24} {check:>10.3} {build:>10.3} {text:>13.0}");
    }
    let (ours, instrument) = (added(&costs[1].1), added(&costs[2].1));
    for (index, what) in ["check time", "build time", ".text"].into_iter().enumerate() {
        let ratio = ours[index] / instrument[index];
        println!("span / instrument, {what}: {ratio:.2}");
        // Times are not asserted: a busy machine would decide.
        if what == ".text" && ratio >= 1.0 {
            return Err(format!(
                "{what} of `#[span]` is {ratio:.2} of `#[tracing::instrument(skip_all, err)]`\n\
                 help: keep the site to one static, and move the rest into functions that are compiled once"
            ));
        }
    }
    Ok(())
}

fn program(attribute: &str) -> String {
    let mut text = String::from(
        "#[derive(Debug)] pub struct Negative;\n\
         impl core::fmt::Display for Negative {\n\
             fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result { f.write_str(\"negative\") }\n\
         }\n",
    );
    for index in 0..FUNCTIONS {
        text.push_str(&format!(
            "{attribute}\npub fn work_{index}(kernel: &'static str, lane: i64) -> Result<i64, Negative> {{\n    \
                 if lane < 0 {{ return Err(Negative); }}\n    \
                 let length = kernel.len() as i64;\n    \
                 Ok(lane.wrapping_mul({index}).wrapping_add(length))\n}}\n"
        ));
    }
    text
}

fn measure(source: &Path, libraries: &Libraries) -> Result<Cost, String> {
    let object = source.with_extension("o");
    let check = |command: &mut Command| {
        command.arg("--emit=metadata").arg("-o").arg(source.with_extension("rmeta"));
    };
    let build = |command: &mut Command| {
        command.args(["--emit=obj", "-Copt-level=3", "-Ccodegen-units=1"]).arg("-o").arg(&object);
    };
    let check = fastest(source, libraries, check)?;
    let build = fastest(source, libraries, build)?;
    Ok(Cost { check, build, text: text_bytes(&object)? })
}

fn fastest(source: &Path, libraries: &Libraries, finish: impl Fn(&mut Command)) -> Result<Duration, String> {
    let mut best = Duration::MAX;
    for _ in 0..RUNS {
        let mut command = libraries.rustc(source);
        finish(&mut command);
        let start = Instant::now();
        run(command)?;
        best = best.min(start.elapsed());
    }
    Ok(best)
}

/// The sum of the object's `.text` sections.
fn text_bytes(object: &Path) -> Result<u64, String> {
    let mut size = Command::new("size");
    size.arg("-A").arg(object);
    let sections = capture(size)?;
    let bytes = sections.lines().filter(|line| line.starts_with(".text")).filter_map(|line| {
        let bytes = line.split_whitespace().nth(1)?;
        bytes.parse::<u64>().ok()
    });
    Ok(bytes.sum())
}

/// Where the libraries are that the generated crates name.
struct Libraries {
    folder: PathBuf,
    external: Vec<(String, PathBuf)>,
}

impl Libraries {
    fn rustc(&self, source: &Path) -> Command {
        let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        command.args(["--edition=2024", "--crate-type=lib", "--cap-lints=allow"]).arg(source);
        // No `kina-observ.toml` lies here.
        command.env("CARGO_MANIFEST_DIR", &self.folder);
        command.arg("-L").arg(format!("dependency={}", self.folder.join("deps").display()));
        for (name, path) in &self.external {
            command.arg("--extern").arg(format!("{name}={}", path.display()));
        }
        command
    }
}

/// Builds the package that has them all, and asks cargo where they are.
fn libraries() -> Result<Libraries, String> {
    let mut build = cargo(&["build", "--release", "--locked", "--package", "kina-observ-cost"]);
    build.arg("--message-format=json");
    let messages = capture(build)?;
    let mut external = Vec::new();
    for message in messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let Some(name) = message["target"]["name"].as_str() else { continue };
        let names = ["kina_observ", "tracing", "fastrace"];
        let files = message["filenames"].as_array().into_iter().flatten().filter_map(Value::as_str);
        if let (true, Some(file)) = (names.contains(&name), files.clone().find(|file| file.ends_with(".rlib"))) {
            external.push((name.to_owned(), PathBuf::from(file)));
        }
    }
    let deps = external.first().and_then(|(_, path)| path.parent());
    let folder = deps.map(|deps| if deps.ends_with("deps") { deps.parent().unwrap_or(deps) } else { deps });
    let folder = folder.ok_or("cargo did not say where the libraries are")?.to_owned();
    Ok(Libraries { folder, external })
}
