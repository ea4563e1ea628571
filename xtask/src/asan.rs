//! `cargo xtask asan`: the tests under AddressSanitizer and LeakSanitizer, then the hosts under valgrind. Nothing may be found.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

use crate::cost::target_directory;
use crate::memcheck;
use crate::process::{capture, cargo, is_installed, root, run};

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The sanitizer's own functions are shown to a library that a test loads.
const FLAGS: &str = "-Zsanitizer=address -Clink-arg=-Wl,--export-dynamic-symbol=__asan_*";

/// Tests whose name starts like this are left out, for a reason.
const LEFT_OUT: [(&str, &str); 5] = [
    ("off", "it reads every byte of our statics, and between them lies what the sanitizer forbids"),
    ("c_host", "its program has no sanitizer; the same program follows below, with one"),
    ("hosts", "its programs have no sanitizer"),
    ("header", "it compiles and runs nothing of ours"),
    ("python_host", "Python has no sanitizer"),
];

/// A payload that panics while it is dropped: the boundary forgets what that leaves behind, and means to.
const LEAKS: &str = "leak:Bomb\n";

/// Enough for what only a sanitizer sees; the million is the ordinary test's.
const FUZZ_CALLS: &str = "100000";

const LEVELS: [&str; 3] = ["off", "basic", "kernel"];

/// One test program.
struct Test {
    name: String,
    program: PathBuf,
    package: PathBuf,
}

/// Runs everything, and names what found something.
pub(crate) fn run_all() -> Result<(), String> {
    if let Some(reason) = refusal()? {
        return Err(format!("the sanitizer cannot run, because {reason}\nhelp: `.ci/run` installs what Debian needs"));
    }
    let folder = target_directory()?.join("asan");
    println!("==> building with the sanitizer");
    let start = Instant::now();
    let tests = build(&folder)?;
    println!("    built in {:.1} s", start.elapsed().as_secs_f64());
    let leaks = folder.join("leaks.txt");
    fs::write(&leaks, LEAKS).map_err(|error| format!("cannot write `{}`: {error}", leaks.display()))?;
    let mut found = Vec::new();
    for test in &tests {
        if let Some((_, why)) = LEFT_OUT.iter().find(|(start, _)| test.name.starts_with(start)) {
            println!("==> {} left out: {why}", test.name);
            continue;
        }
        step(&test.name, &mut found, || run(sanitized(test, &leaks)));
    }
    let libraries = folder.join(TARGET).join("debug").join("deps");
    let host = compile_host(&folder.join("host-asan"), &libraries, &["-fsanitize=address"])?;
    for level in LEVELS {
        step(&format!("C host, asan, {level}"), &mut found, || run(at_level(Command::new(&host), &folder, level)));
    }
    memcheck::run_all(&folder, |name, command| step(name, &mut found, || run(command)))?;
    verdict(&found)
}

/// The hosts under valgrind alone.
pub(crate) fn run_hosts() -> Result<(), String> {
    let folder = target_directory()?.join("asan");
    fs::create_dir_all(&folder).map_err(|error| format!("cannot make `{}`: {error}", folder.display()))?;
    let mut found = Vec::new();
    memcheck::run_all(&folder, |name, command| step(name, &mut found, || run(command)))?;
    verdict(&found)
}

fn verdict(found: &[String]) -> Result<(), String> {
    if found.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{} found something: {}; the reports are above\n\
         help: mend what the first frame of ours did, then run `cargo xtask asan` again",
        found.len(),
        found.join(", ")
    ))
}

fn step(name: &str, found: &mut Vec<String>, check: impl FnOnce() -> Result<(), String>) {
    println!("==> {name}");
    let start = Instant::now();
    if let Err(message) = check() {
        println!("    {message}");
        found.push(name.to_owned());
    }
    println!("    {:.1} s", start.elapsed().as_secs_f64());
}

/// Why nothing can be run here.
pub(crate) fn refusal() -> Result<Option<&'static str>, String> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(Some("this is not Linux on x86-64"));
    }
    if ["gcc", "g++", "valgrind"].iter().any(|tool| !is_installed(tool)) {
        return Ok(Some("gcc, g++ or valgrind is not installed"));
    }
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut print = Command::new(rustc);
    print.args(["--print", "target-libdir", "--target", TARGET]);
    let libraries = capture(print)?;
    let files = fs::read_dir(libraries.trim());
    let mut files = files.map_err(|error| format!("cannot read `{}`: {error}", libraries.trim()))?.flatten();
    let has_runtime = files.any(|file| file.file_name().to_string_lossy().ends_with("_rt.asan.a"));
    Ok((!has_runtime).then_some("this toolchain has no AddressSanitizer"))
}

fn build(folder: &Path) -> Result<Vec<Test>, String> {
    let mut build = cargo(&["test", "--no-run", "--locked", "--lib", "--tests", "--target", TARGET]);
    build.args(["--package", "kina-observ", "--package", "kina-runtime", "--message-format", "json"]);
    // The sanitizers are not stable yet; nothing else of a nightly is used.
    build.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", FLAGS).env("CARGO_TARGET_DIR", folder);
    let messages = capture(build)?;
    let mut tests: Vec<_> = messages.lines().filter_map(|line| test(&serde_json::from_str(line).ok()?)).collect();
    tests.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(tests)
}

/// What one of cargo's messages says about a test program.
fn test(message: &Value) -> Option<Test> {
    let program = message["executable"].as_str()?.into();
    let package = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
    Some(Test { name: message["target"]["name"].as_str()?.to_owned(), program, package })
}

fn sanitized(test: &Test, leaks: &Path) -> Command {
    let mut command = Command::new(&test.program);
    command.arg("--quiet").current_dir(&test.package);
    command.env("LSAN_OPTIONS", format!("suppressions={}:print_suppressions=0", leaks.display()));
    command.env("KINA_FUZZ_CALLS", FUZZ_CALLS);
    command
}

/// The C host against the library in a folder.
fn compile_host(program: &Path, libraries: &Path, flags: &[&str]) -> Result<PathBuf, String> {
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=c99", "-g"]).args(flags).arg("-o").arg(program);
    gcc.arg(root().join("examples/runtime/c/main.c")).arg("-L").arg(libraries);
    gcc.arg(format!("-Wl,-rpath,{}", libraries.display())).arg("-lkina_runtime");
    run(gcc)?;
    Ok(program.to_owned())
}

/// With the settings that the hosts expect.
pub(crate) fn at_level(mut command: Command, folder: &Path, level: &str) -> Command {
    command.env("KINA_OBSERV_LEVEL", level);
    command.env("KINA_OBSERV_TRACE_OUTPUT", folder.join("host.jsonl")).env("KINA_OBSERV_TRACE_FORMAT", "json");
    command.env("KINA_RUNTIME_MEMORY_LIMIT", "1048576").env("RUST_BACKTRACE", "0");
    command.env_remove("RUST_LOG").env_remove("LD_LIBRARY_PATH");
    command
}

#[cfg(test)]
mod tests {
    use super::test;

    #[test]
    fn a_test_program_among_the_messages_of_cargo() {
        let message = serde_json::json!({
            "executable": "t/deps/c_host-1", "manifest_path": "r/examples/runtime/Cargo.toml", "target": {"name": "c_host"}
        });
        let found = test(&message).expect("a program");
        assert_eq!((found.name.as_str(), found.package.to_str()), ("c_host", Some("r/examples/runtime")));
        assert!(test(&serde_json::json!({"executable": null, "manifest_path": "r/Cargo.toml"})).is_none());
    }
}
