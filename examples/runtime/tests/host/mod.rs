//! What both host tests share: where the library is, which tools are there, and how a trace is read back.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The 17 entry points.
#[allow(dead_code, reason = "not every test calls them all")]
pub(crate) const ENTRY_POINTS: [&str; 17] = [
    "runtime_copy_d2h",
    "runtime_copy_h2d",
    "runtime_device_count",
    "runtime_device_synchronize",
    "runtime_event_record",
    "runtime_gpu_add",
    "runtime_gpu_gelu",
    "runtime_gpu_layernorm",
    "runtime_gpu_matmul",
    "runtime_gpu_softmax",
    "runtime_gpu_transpose",
    "runtime_stream_create",
    "runtime_stream_destroy",
    "runtime_stream_synchronize",
    "runtime_stream_wait_event",
    "runtime_tensor_alloc",
    "runtime_tensor_free",
];

/// The folder of the library that cargo built together with this test.
pub(crate) fn library_folder() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it is");
    test.parent().expect("an executable lies in a folder").to_owned()
}

/// Whether a tool can be run. Where it must be there, in CI, its absence is a failure.
pub(crate) fn have(tool: &str) -> bool {
    if Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success()) {
        return true;
    }
    assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "`{tool}` is not installed");
    println!("skipped, because `{tool}` is not installed");
    false
}

/// Builds a host from a source, such as `c/main.c`, and gives the program. None without the compiler.
#[allow(dead_code, reason = "not every test builds a host")]
pub(crate) fn build(compiler: &str, flags: &[&str], source: &str, folder: &Path) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    build_with(compiler, flags, &source, folder, &library_folder(), &["-lkina_runtime"])
}

/// The same, with these libraries of a folder.
#[allow(dead_code, reason = "not every test builds a host")]
pub(crate) fn build_with(
    compiler: &str,
    flags: &[&str],
    source: &Path,
    folder: &Path,
    libraries: &Path,
    linked: &[&str],
) -> Option<PathBuf> {
    if !have(compiler) {
        return None;
    }
    let program = folder.join("host");
    let output = Command::new(compiler)
        .args(flags)
        .args(["-Wall", "-Wextra", "-Werror", "-g", "-pthread", "-I"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("c"))
        .arg("-o")
        .arg(&program)
        .arg(source)
        .arg("-L")
        .arg(libraries)
        .arg(format!("-Wl,-rpath,{}", libraries.display()))
        // A host that loads the library itself is not linked to it.
        .arg("-Wl,--as-needed")
        .args(linked)
        .args(["-ldl", "-lm"])
        .output()
        .expect("the compiler runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(program)
}

/// The spans of a trace. Every line is JSON, and the first is the header.
pub(crate) fn spans(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("the trace was written");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    assert_eq!(lines.first().map(|line| &line["kind"]), Some(&"header".into()), "{text}");
    lines.into_iter().filter(|line| line["kind"] == "span").collect()
}

/// The spans of one entry point.
#[allow(dead_code, reason = "not every test tells the entry points apart")]
pub(crate) fn of<'a>(spans: &'a [Value], symbol: &str) -> Vec<&'a Value> {
    let named = |span: &&Value| span["type"].as_str().is_some_and(|span_type| span_type.replace('.', "_") == symbol);
    spans.iter().filter(named).collect()
}
