//! What `view` and `stats` show of a real trace, and how all commands read and end.

use std::process::Stdio;

use crate::program::{command, root, run, run_with, same};

/// A real one; made with
/// `cargo run --release -p transformer-block -- --quiet --steps 1 --trace-format json --trace-output FILE`.
const BLOCK: &str = "tests/traces/transformer-block.jsonl";
const BROKEN: &str = "tests/traces/failures.jsonl";

/// Runs and compares standard output with `tests/golden/NAME.txt`.
fn check(name: &str, arguments: &[&str]) {
    let done = run(arguments);
    assert_eq!(done.code, 0, "{name}: {}", done.err);
    same(&format!("tests/golden/{name}.txt"), &done.out);
}

#[test]
fn views_of_a_trace() {
    check("view", &["view", BLOCK]);
    check("view_min", &["view", BLOCK, "--min", "500us"]);
    check("view_depth", &["view", BLOCK, "--depth", "2"]);
    check("view_name", &["view", BLOCK, "--name", "add*"]);
    check("view_failures", &["view", BROKEN]);
    check("view_errors", &["view", BROKEN, "--errors"]);
}

#[test]
fn a_view_can_be_narrowed_to_a_trace_and_a_module() {
    let all = run(&["view", BLOCK]).out;
    let id = all.strip_prefix("trace ").expect("the head of the trace").get(..8).expect("its id");
    assert_eq!(run(&["view", BLOCK, "--module", "5b1d6a0c"]).out, all);
    assert_eq!(run(&["view", BLOCK, "--trace", id]).out, all);
    for other in [["--module", "6f1c"], ["--trace", "ffff"]] {
        let done = run(&[&["view", BLOCK], &other[..]].concat());
        assert_eq!((done.code, done.out.as_str()), (0, ""));
        assert!(done.err.contains("no span fits the filters"), "{}", done.err);
    }
}

#[test]
fn sums_of_a_trace() {
    check("stats", &["stats", BLOCK]);
    check("stats_type", &["stats", BLOCK, "--by", "type", "--sort", "count", "--top", "5"]);
    check("stats_module", &["stats", BLOCK, "--by", "module"]);
    check("stats_json", &["stats", BLOCK, "--format", "json", "--sort", "p99"]);
    check("stats_csv", &["stats", BLOCK, "--format", "csv", "--sort", "total"]);
    check("stats_failures", &["stats", BROKEN]);
}

#[test]
fn standard_input_is_as_good_as_a_file() {
    let text = std::fs::read(root().join(BLOCK)).expect("the trace is there");
    for name in ["view", "stats", "check"] {
        let (file, piped) = (run(&[name, BLOCK]), run_with(&[name, "-"], &text));
        assert_eq!((piped.code, piped.out), (file.code, file.out.replace(BLOCK, "<stdin>")), "{name}");
    }
}

#[test]
fn rotated_files_are_read_oldest_first_in_any_order_and_as_a_folder() {
    let text = std::fs::read_to_string(root().join(BLOCK)).expect("the trace is there");
    let folder = tempfile::tempdir().expect("a folder");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (old, new) = lines.split_at(60);
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    std::fs::write(path("t.1.jsonl"), old.concat()).expect("written");
    std::fs::write(path("t.jsonl"), lines[0].to_owned() + &new.concat()).expect("written");
    for (name, whole) in [("view", run(&["view", BLOCK])), ("stats", run(&["stats", BLOCK]))] {
        assert_eq!(run(&[name, &path("t.jsonl"), &path("t.1.jsonl")]).out, whole.out);
        assert_eq!(run(&[name, &path("")]).out, whole.out);
    }
    let both = run(&["check", &path("t.jsonl"), &path("t.1.jsonl")]);
    assert_eq!(both.code, 0, "{}", both.out);
    let other = run(&["check", &path("t.1.jsonl")]);
    assert!(other.code == 1 && other.out.contains("error[orphan-span]"), "{}", other.out);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    for arguments in [&["view", BLOCK][..], &["check", "--format", "json", BLOCK], &["stats", "--format", "csv", BLOCK]]
    {
        // Nobody reads from the start, so that the first write fails.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let child = command(arguments).stdout(writer).stderr(Stdio::piped()).spawn().expect("it starts");
        let done = child.wait_with_output().expect("it ends");
        assert_eq!(done.status.code(), Some(0), "{arguments:?}");
        assert!(done.stderr.is_empty(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    }
}

#[test]
fn what_cannot_be_read_is_code_2() {
    let missing = run(&["stats", "nothing.jsonl"]);
    assert_eq!((missing.code, missing.out.as_str()), (2, ""));
    assert!(missing.err.contains("`nothing.jsonl` cannot be read") && missing.err.contains("help:"), "{}", missing.err);
    let registry = run(&["check", BLOCK, "--registry", "tests/traces/wrong.yaml"]);
    assert_eq!(registry.code, 2);
    assert!(registry.err.contains("tests/traces/wrong.yaml:4:"), "{}", registry.err);
    assert_eq!(run(&["check"]).code, 2);
    assert_eq!(run(&["view", BLOCK, "--min", "soon"]).code, 2);
    assert_eq!(run_with(&["check", "-"], b"").code, 0);
}

#[test]
fn broken_lines_are_said_beside_the_result() {
    let done = run(&["stats", "tests/faults/broken-line.jsonl"]);
    assert_eq!(done.code, 0);
    assert!(done.err.contains("1 line left out, the first is tests/faults/broken-line.jsonl:3"), "{}", done.err);
}

#[test]
fn no_escape_of_a_trace_reaches_the_terminal() {
    let text = std::fs::read_to_string(root().join("tests/traces/small.jsonl")).expect("the trace is there");
    let evil = text.replace("job 7", "job \\u001b[2J\\u202e7");
    for name in ["view", "stats", "check"] {
        let mut child = command(&[name, "-"]);
        child.env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR");
        let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), evil.as_bytes()).expect("it reads");
        let out = String::from_utf8(child.wait_with_output().expect("it ends").stdout).expect("UTF-8");
        assert!(!out.contains("\x1b[2J") && !out.contains('\u{202e}'), "{name}: {out:?}");
        assert!(out.contains("\x1b["), "{name} has colours: {out:?}");
    }
}

#[test]
fn help_has_examples() {
    for arguments in
        [&["--help"][..], &["check", "--help"], &["view", "--help"], &["stats", "--help"], &["lint", "--help"]]
    {
        let done = run(arguments);
        assert_eq!(done.code, 0);
        assert!(done.out.contains("Examples:\n  kina-observ "), "{}", done.out);
    }
}
