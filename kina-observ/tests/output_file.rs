//! The file and standard error when things go wrong: a loss is counted, and a line is whole or absent.

mod common;
#[path = "common/records.rs"]
mod records;

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use kina_observ::config::{Builder, ColorChoice, Format, Rotation};
use kina_observ::record::{Output, Record, SpanRecord, Tally};
use kina_observ::{Severity, SpanId};
use records::{MATMUL, context, span};
use serde_json::Value;

/// What a child of a test has to do, and with which file.
const ROLE: &str = "KINA_OBSERV_TEST_ROLE";
const FILE: &str = "KINA_OBSERV_TEST_FILE";

/// Spans of one process; more than one buffer in every role.
const SPANS: u64 = 20_000;

/// The other process of a test: this program again, with a role. Without one it is a test that does nothing.
#[test]
fn child() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let builder = match std::env::var_os(FILE) {
        Some(path) => Builder::new().trace_output(path).rotation(Rotation::NEVER),
        None => Builder::new(),
    };
    let tally = match role.as_str() {
        "share" => write(builder, 200),
        "rotate" => {
            write(builder.rotation(Rotation { max_bytes: Some(64 << 10), daily: false, max_files: 1_000 }), 200)
        }
        "limited" => write(builder, SPANS),
        "text" => write(builder.color(ColorChoice::Auto), SPANS),
        "colored" => write(builder.color(ColorChoice::Always), SPANS),
        "errors only" => write(builder.stderr(Some(Severity::Error)), SPANS),
        "reader gone" => {
            // The parent says when.
            let _ = std::io::stdin().read(&mut [0]).unwrap();
            write(builder, SPANS)
        }
        "closed" => {
            use std::os::fd::{FromRawFd as _, OwnedFd};
            // SAFETY: nothing in this process holds descriptor 2; `std` borrows it for the time of a write only.
            drop(unsafe { OwnedFd::from_raw_fd(2) });
            write(builder, SPANS)
        }
        _ => panic!("no role `{role}`"),
    };
    println!("\nwritten {} lost {} because {:?}", tally.written, tally.lost, tally.last_error);
}

/// Writes `SPANS` spans, one of them failed, flushing after each `batch`.
fn write(builder: Builder, batch: u64) -> Tally {
    let mut outputs = builder.open_outputs(&builder.header("tsc")).unwrap();
    let output: &mut dyn Output = outputs[0].as_mut();
    for number in 1..=SPANS {
        let context = context(std::process::id().into(), number);
        output.write(&Record::Span(SpanRecord { context, failed: number == 7, ..span(&MATMUL) }));
        if number % batch == 0 {
            output.flush();
        }
    }
    output.flush();
    output.tally()
}

fn child_with(role: &str, shell: &str) -> Command {
    let mut command = Command::new("sh");
    let script = format!("{shell} exec \"$0\" child --exact --nocapture");
    command.args(["-c", &script]).arg(std::env::current_exe().unwrap()).env(ROLE, role).stdout(Stdio::piped());
    command
}

/// Standard output and standard error of a child.
fn run(mut command: Command) -> (String, String) {
    let output = command.stderr(Stdio::piped()).output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{out}\n{err}");
    (out, err)
}

fn tally(out: &str) -> (u64, u64, String) {
    let line = out.lines().find_map(|line| line.strip_prefix("written ")).unwrap_or_else(|| panic!("{out}"));
    let (written, rest) = line.split_once(" lost ").unwrap();
    let (lost, why) = rest.split_once(" because ").unwrap();
    (written.parse().unwrap(), lost.parse().unwrap(), why.to_owned())
}

fn share(path: &Path, role: &str, processes: usize) {
    let children = (0..processes).map(|_| child_with(role, "").env(FILE, path).spawn().unwrap());
    for child in children.collect::<Vec<_>>() {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        assert_eq!(tally(&String::from_utf8(output.stdout).unwrap()), (SPANS, 0, "None".to_owned()));
    }
}

/// Whether each process's spans are all there and in order.
fn assert_complete(lines: &[Value], processes: usize) {
    let mut next = std::collections::HashMap::<&str, u64>::new();
    for line in common::of_kind(lines, "span") {
        let number = next.entry(line["trace_id"].as_str().unwrap()).or_default();
        *number += 1;
        assert_eq!(line["span_id"], SpanId::new(*number).unwrap().to_string());
    }
    assert_eq!(next.into_values().collect::<Vec<_>>(), vec![SPANS; processes]);
}

#[test]
fn two_processes_append_to_one_file() {
    let (_folder, path) = common::trace_file();
    share(&path, "share", 2);
    let lines = common::lines(&path);
    assert_eq!(lines[0]["kind"], "header");
    assert_eq!(common::of_kind(&lines, "header").len(), 2);
    assert_complete(&lines, 2);
}

#[test]
fn processes_rotate_one_file_without_loss() {
    let (folder, path) = common::trace_file();
    share(&path, "rotate", 3);
    let mut files = vec![path];
    files.extend((1..).map(|age| folder.path().join(format!("t.{age}.jsonl"))).take_while(|path| path.exists()));
    // Nothing else lies about.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), files.len());
    assert!(files.len() > 3, "{}", files.len());
    let mut lines = Vec::new();
    for file in files.iter().rev() {
        let of_file = common::lines(file);
        assert_eq!(of_file[0]["kind"], "header", "{file:?}");
        lines.extend(of_file);
    }
    let spans = common::of_kind(&lines, "span").len() as u64;
    assert_eq!(spans, 3 * SPANS);
}

#[test]
fn a_full_disk_is_counted() {
    let builder = Builder::new().trace_output("/dev/full");
    let tally = write(builder, 100);
    assert_eq!((tally.written, tally.lost), (0, SPANS));
    assert_eq!(tally.target, "/dev/full");
    assert!(tally.last_error.unwrap().starts_with("No space left on device"));
}

#[test]
fn a_file_that_may_not_grow_ends_with_a_whole_line() {
    let (_folder, path) = common::trace_file();
    let (out, _) = run({
        let mut command = child_with("limited", "trap '' XFSZ; ulimit -f 700;");
        command.env(FILE, &path);
        command
    });
    let (written, lost, why) = tally(&out);
    assert_eq!(written + lost, SPANS);
    assert!(written > 0 && lost > 0, "{out}");
    assert!(why.contains("File too large"), "{why}");
    assert!(std::fs::read_to_string(&path).unwrap().ends_with('\n'));
    assert_eq!(common::of_kind(&common::lines(&path), "span").len() as u64, written);
}

#[test]
fn a_closed_stderr_is_counted() {
    let (out, _) = run(child_with("closed", ""));
    let (written, lost, why) = tally(&out);
    assert_eq!((written, lost), (0, SPANS));
    assert!(why.contains("Bad file descriptor"), "{why}");
}

#[test]
fn a_stderr_that_nobody_reads_is_counted() {
    let mut child = child_with("reader gone", "").stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    child.stdin.take().unwrap().write_all(b"\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let (written, lost, why) = tally(&String::from_utf8(output.stdout).unwrap());
    assert_eq!((written, lost), (0, SPANS));
    assert!(why.contains("Broken pipe"), "{why}");
}

#[test]
fn stderr_has_text_down_to_a_severity_and_colours_only_when_told() {
    let (_, plain) = run(child_with("text", ""));
    assert_eq!(plain.matches(" INFO  kina_runtime] runtime.gpu.matmul completed in 2.8ms\n").count() as u64, SPANS - 1);
    assert_eq!(plain.matches(" ERROR kina_runtime] runtime.gpu.matmul failed after 2.8ms\n").count(), 1);
    assert!(!plain.contains('\x1b'));
    let (_, colored) = run(child_with("colored", ""));
    assert!(colored.contains(" \x1b[31mERROR\x1b[0m kina_runtime] runtime.gpu.matmul failed"));
    let (out, errors) = run(child_with("errors only", ""));
    assert_eq!(errors.lines().count(), 1);
    assert_eq!(tally(&out), (1, 0, "None".to_owned()));
}

#[test]
fn a_dash_means_stderr() {
    let (_, err) = run({
        let mut command = child_with("share", "");
        command.env(FILE, "-");
        command
    });
    let (folder, path) = common::trace_file();
    std::fs::write(&path, err).unwrap();
    assert_complete(&common::lines(&path), 1);
    drop(folder);
}

#[test]
fn an_unwritable_path_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let check = |path: &Path, what: &str, help: &str| {
        let builder = Builder::new().trace_output(path).trace_format(Format::Json);
        let error = builder.open_outputs(&builder.header("tsc")).map(|_| ()).unwrap_err();
        assert!(error.what().starts_with("the trace file cannot be opened: "), "{error}");
        assert!(error.what().contains(what), "{error}");
        assert_eq!(error.place(), format!("trace output `{}`", path.display()));
        assert_eq!(error.help(), help);
    };
    let missing = folder.path().join("no/such");
    let create = format!("create the folder `{}` first", missing.display());
    check(&missing.join("t.jsonl"), "No such file or directory", &create);
    check(folder.path(), "Is a directory", "name a file in it");
    std::fs::write(folder.path().join("file"), "").unwrap();
    check(&folder.path().join("file/t.jsonl"), "Not a directory", "choose another path, or `-` for standard error");
}
