//! What the command line promises: what goes where, how errors look, and the exit codes.

use std::process::{Command, Output};

fn run(environment: &[(&str, &str)], arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_transformer-block"));
    for name in [
        "RUST_LOG",
        "KINA_RUNTIME_BACKEND",
        "KINA_OBSERV_LEVEL",
        "KINA_OBSERV_TRACE_OUTPUT",
        "KINA_OBSERV_TRACE_FORMAT",
    ] {
        command.env_remove(name);
    }
    let output: Output =
        command.args(arguments).envs(environment.iter().copied()).output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("the program prints text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_trace_goes_to_standard_error_and_the_tables_to_standard_output() {
    let (code, stdout, stderr) = run(&[], &["--steps", "1"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.lines().any(|line| line.starts_with('[') && line.contains("runtime.gpu.matmul")), "{stderr}");
    assert!(stdout.lines().last().is_some_and(|line| line.starts_with("you spent ")), "{stdout}");
    assert!(!stdout.contains("] "), "no trace among the tables: {stdout}");
}

#[test]
fn off_records_nothing_and_says_so() {
    let (code, stdout, stderr) = run(&[], &["--steps", "1", "--level", "off"]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert!(stdout.contains("nothing was recorded"), "{stdout}");
}

#[test]
fn an_error_says_what_happened_where_and_what_to_do() {
    let (code, _, stderr) = run(&[("KINA_RUNTIME_MEMORY_LIMIT", "1000")], &["--quiet"]);
    assert_eq!(code, Some(1));
    let shown = stderr.split_once("error: out of memory: 1024 bytes asked for").expect(&stderr).1;
    assert!(
        shown.contains("\n  = trace context: step > load > runtime.tensor.alloc\n  = help: free tensors"),
        "{stderr}"
    );
}

#[test]
fn a_backend_that_is_none_or_not_built_is_one_error() {
    let (code, _, stderr) = run(&[("KINA_RUNTIME_BACKEND", "vulkan")], &["--quiet"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("error: `KINA_RUNTIME_BACKEND` is neither `cpu` nor `cuda` (code 206)"), "{stderr}");
    // The command line wins.
    let (code, _, stderr) =
        run(&[("KINA_RUNTIME_BACKEND", "vulkan")], &["--quiet", "--steps", "1", "--backend", "cpu"]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    if !cfg!(feature = "cuda") {
        let (code, _, stderr) = run(&[], &["--quiet", "--backend", "cuda"]);
        assert_eq!(code, Some(1));
        assert!(stderr.contains("built without the feature `cuda` (code 207)"), "{stderr}");
        assert!(stderr.contains("= help: install the driver"), "{stderr}");
    }
}

#[test]
fn a_trace_that_cannot_be_written_is_a_clear_error() {
    let (code, _, stderr) = run(&[], &["--trace-output", "/no/such/folder/t.jsonl"]);
    assert_eq!(code, Some(1));
    assert!(stderr.starts_with("error: ") && stderr.contains("/no/such/folder/t.jsonl"), "{stderr}");
    assert!(stderr.contains("= help: "), "{stderr}");
}

#[test]
fn a_full_disk_is_told() {
    let (code, stdout, stderr) = run(&[], &["--quiet", "--steps", "1", "--trace-output", "/dev/full"]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stdout.contains("you spent "), "the run itself went well: {stdout}");
    assert!(stderr.contains("error: the trace is not complete") && stderr.contains("/dev/full: "), "{stderr}");
}

#[test]
fn verbosity_goes_from_info_to_debug() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trace = folder.path().join("t.txt");
    let trace = trace.to_str().expect("a temporary path is UTF-8");
    let stderr = |flags: &[&str]| {
        run(&[], &[flags, &["--steps", "1", "--trace-output", trace, "--trace-format", "text"]].concat()).2
    };
    assert_eq!(stderr(&[]), "", "with a file, standard error is silent");
    let (info, debug) = (stderr(&["-v"]), stderr(&["-vv"]));
    assert!(info.contains(" INFO ") && !info.contains(" DEBUG "), "{info}");
    assert!(debug.contains(" DEBUG ") && debug.contains("allocated a tensor"), "{debug}");
    assert!(
        std::fs::read_to_string(trace).is_ok_and(|text| text.contains("] step completed in ")),
        "text is the default"
    );
}

#[test]
fn a_wrong_command_line_is_refused_with_2() {
    for arguments in [
        &["--steps", "0"][..],
        &["--level", "fast"],
        &["--trace-output", "t.jsonl", "--trace-format", "otlp"],
        &["--module-id", "abc123"],
        &["--quiet", "-v"],
        &["--no-such-flag"],
    ] {
        let (code, _, stderr) = run(&[], arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {stderr}");
    }
}

#[test]
fn cargo_run_knows_which_program_is_the_example() {
    // The README runs this package by its name, and it has two programs.
    assert!(include_str!("../Cargo.toml").lines().any(|line| line == r#"default-run = "transformer-block""#));
}
