//! `check` finds each planted fault and nothing else, and is silent on a clean trace.

use std::collections::BTreeSet;

use crate::program::{Done, root, run, same};

/// Names that the built-in registry does not have.
const OWN: &str = "tests/faults/acme.yaml";

const BLOCK: &str = "tests/traces/transformer-block.jsonl";

/// Its spans stand beside the example.
const BLOCK_NAMES: &str = "../examples/transformer-block/conventions/transformer.yaml";

/// Names of the files in `tests/faults`, each the id of the only finding in it.
fn faults() -> BTreeSet<String> {
    let files = std::fs::read_dir(root().join("tests/faults")).expect("the folder is there");
    files
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .map(|path| path.file_stem().expect("a name").to_str().expect("UTF-8").to_owned())
        .collect()
}

/// `check` on one fault.
fn check(id: &str, more: &[&str]) -> Done {
    let file = format!("tests/faults/{id}.jsonl");
    run(&[&["check", &file, "--registry", OWN], more].concat())
}

#[test]
fn each_planted_fault_is_found_and_nothing_else() {
    let faults = faults();
    assert!(faults.len() >= 25, "{} faults", faults.len());
    for id in &faults {
        let done = check(id, &["--format", "json"]);
        let findings: Vec<serde_json::Value> =
            done.out.lines().map(|line| serde_json::from_str(line).expect("one object a line")).collect();
        assert_eq!(findings.len(), 1, "{id}: {}", done.out);
        let finding = &findings[0];
        assert_eq!(finding["id"], id.as_str());
        for key in ["severity", "file", "line", "message", "help", "span_id", "trace_id"] {
            assert!(finding.get(key).is_some(), "{id} has no `{key}`");
        }
        assert!(finding["help"].as_str().is_some_and(|help| !help.is_empty()), "{id} does not say what to do");
        let is_error = finding["severity"] == "error";
        assert_eq!(done.code, i32::from(is_error), "{id}");
        assert_eq!(check(id, &["--deny", "warnings"]).code, 1, "{id}");
    }
}

#[test]
fn a_fault_looks_like_a_compiler_error() {
    for id in faults() {
        same(&format!("tests/faults/{id}.txt"), &check(&id, &[]).out);
    }
}

#[test]
fn the_guide_lists_every_finding() {
    let guide = std::fs::read_to_string(root().join("../docs/cli.md")).expect("the guide is there");
    let (_, check) = guide.split_once("\n## check\n").expect("its section");
    let rows = check
        .split("\n## ")
        .next()
        .unwrap_or_default()
        .lines()
        .filter_map(|line| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_owned()));
    let listed: BTreeSet<String> = rows.collect();
    assert_eq!(listed, faults());
}

#[test]
fn a_clean_trace_is_silent() {
    for arguments in
        [["check", "tests/traces/small.jsonl", "--registry", OWN], ["check", BLOCK, "--registry", BLOCK_NAMES]]
    {
        let done = run(&arguments);
        assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (0, "", ""), "{arguments:?}");
    }
}

#[test]
fn coverage_names_what_never_appeared() {
    let done = run(&["check", BLOCK, "--registry", BLOCK_NAMES, "--coverage"]);
    assert_eq!(done.code, 0);
    let never: Vec<&str> = done.out.lines().filter_map(|line| line.strip_prefix("  ")).collect();
    assert!(never.contains(&"compiler.elaborate"), "{}", done.out);
    for seen in ["runtime.gpu.matmul", "transformer.step"] {
        assert!(!never.contains(&seen), "{}", done.out);
    }
    let json = run(&["check", BLOCK, "--registry", BLOCK_NAMES, "--coverage", "--format", "json"]).out;
    assert!(json.contains("`compiler.elaborate` never appears") && json.contains("\"never-seen\""), "{json}");
}

/// A failed `acme.job`, whose errors are a closed list, with this error.
fn failed(error_type: &str, help: &str) -> String {
    format!(
        "{{\"ts\":\"2026-11-30T21:55:27.000000000Z\",\"kind\":\"header\",\"schema_version\":1}}\n\
         {{\"ts\":\"2026-11-30T21:55:27.000000000Z\",\"kind\":\"span\",\"span\":\"job 7\",\"type\":\"acme.job\",\
         \"trace_id\":\"4bf92f3577b34da6a3ce929d0e0e4736\",\"span_id\":\"00000000000000ff\",\"duration_ms\":1,\
         \"thread\":\"main\",\"status\":\"ERROR\",\"attributes\":{{\"acme.job.number\":7,\"error.type\":\"{error_type}\"}},\
         \"error\":{{\"type\":\"{error_type}\",\"message\":\"no\",\"help\":\"{help}\"}}}}\n"
    )
}

#[test]
fn errors_of_the_runtime_are_allowed_everywhere() {
    for (error_type, help) in [("timeout", "wait"), ("panic", ""), ("cancelled", ""), ("null_pointer", "pass one")] {
        let done = crate::program::run_with(&["check", "-", "--registry", OWN], failed(error_type, help).as_bytes());
        assert_eq!(done.out, "", "{error_type}");
    }
}

#[test]
fn many_findings_of_one_kind_are_one() {
    let line = |id: u32| {
        format!(
            "{{\"ts\":\"2026-11-30T21:55:27.000000000Z\",\"kind\":\"span\",\"span\":\"job 7\",\"type\":\"acme.job\",\
             \"trace_id\":\"4bf92f3577b34da6a3ce929d0e0e4736\",\"span_id\":\"{id:016x}\",\"duration_ms\":1,\
             \"thread\":\"main\",\"status\":\"ERROR\",\"attributes\":{{\"acme.job.number\":7}}}}\n"
        )
    };
    let trace: String = (1..=500).map(line).collect();
    let done = crate::program::run_with(&["check", "-", "--registry", OWN], trace.as_bytes());
    assert!(done.out.contains("499 more like this, the last at <stdin>:500"), "{}", done.out);
    assert!(done.out.ends_with("500 errors, 1 warning in 500 spans\n"), "{}", done.out);
}
