//! Two of our libraries in one process: shared ones stay apart, whatever is linked first; static ones share one runtime.

#[path = "../../examples/runtime/tests/host/mod.rs"]
mod host;

use std::path::Path;
use std::process::Command;

use host::{build_with, library_folder, spans};

/// What the program says, without panics' places, and the types of the spans in either trace.
fn run(linked: &[&str]) -> Option<(String, [Vec<String>; 2])> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let include = format!("-I{}", root.join("other/c").display());
    let flags = ["-std=c11", "-pedantic", &include];
    let program = build_with("gcc", &flags, &root.join("c/apart.c"), folder.path(), &library_folder(), linked)?;
    let traces = ["traps.jsonl", "other.jsonl"].map(|name| folder.path().join(name));
    let output = Command::new(program)
        .args(&traces)
        .env_remove("KINA_OBSERV_LEVEL")
        .env_remove("RUST_LOG")
        // Cargo's, which would come before the folder that the program names.
        .env_remove("LD_LIBRARY_PATH")
        .output()
        .expect("the host runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    let lines = lines.lines().map(|line| match line.split_once("` at host-tests/other/src/lib.rs:") {
        Some((before, after)) => format!("{before}`, there: {}\n", after.split_once(": ").expect("a text").1),
        None => format!("{line}\n"),
    });
    let types = traces.map(|trace| {
        let spans = if trace.exists() { spans(&trace) } else { Vec::new() };
        spans.iter().map(|span| span["type"].as_str().expect("a type").to_owned()).collect()
    });
    Some((lines.collect(), types))
}

const SHARED: &str = "\
nothing records: 201 -4 -1
traps -1 `visit` failed at 0: a callback's own code | traps.walk
other -1 panic in `other_size`: an unlucky size | other.size
init 0
traps records: 201 -4 -1
traps -1 `visit` failed at 0: a callback's own code | traps.walk
other -1 panic in `other_size`: an unlucky size | other.size
levels 0 1
flush 0 1
init 0
both record: 201 -4 -1
traps -1 `visit` failed at 0: a callback's own code | traps.walk
other -1 panic in `other_size`, there: an unlucky size | other.size
shutdown 0
other records: 201 -4 -1
traps -1 `visit` failed at 0: a callback's own code | traps.walk
other -1 panic in `other_size`, there: an unlucky size | other.size
levels 1 0
cleared 0 -1
shutdown 0
";

#[test]
fn two_shared_libraries_stay_apart_in_either_order() {
    for linked in [["-ltraps", "-lother"], ["-lother", "-ltraps"]] {
        let Some((told, [traps, other])) = run(&linked) else { return };
        assert_eq!(told, SHARED);
        // Each records what was called while it recorded, and nothing of the other's.
        assert_eq!(traps, ["traps.fail", "traps.walk", "traps.fail", "traps.walk"]);
        assert_eq!(other, ["other.size"; 4]);
    }
}

/// Two archives of one build have one runtime between them: one level, one trace, one last error a thread.
#[test]
fn two_static_libraries_of_one_build_share_one_runtime() {
    let archives = ["libtraps.a", "libother.a"].map(|name| library_folder().join(name).display().to_string());
    for linked in [[&*archives[0], &archives[1]], [&archives[1], &archives[0]]] {
        let Some((told, [traps, other])) = run(&linked) else { return };
        assert!(told.contains("init 0\n") && told.contains("init 1\nboth record"), "{told}");
        assert!(told.contains("levels 0 0\nflush 0 0\n") && told.contains("cleared 0 0\n"), "{told}");
        let both = ["traps.fail", "other.size", "other.size", "traps.walk"];
        assert_eq!(traps, [both, both].concat());
        assert_eq!(other, [""; 0]);
    }
}
