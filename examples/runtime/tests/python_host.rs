//! A Python program calls every entry point through ctypes, rightly and wrongly, and leaves a true trace.

mod host;

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::Path;
use std::process::Command;

use host::{ENTRY_POINTS, have, library_folder, of, spans};

#[test]
fn python_calls_all_17() {
    if !have("python3") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    for level in ["off", "basic", "kernel"] {
        let trace = folder.path().join(format!("{level}.jsonl"));
        run(level, &trace);
        if level == "off" {
            continue;
        }
        let spans = spans(&trace);
        for symbol in ENTRY_POINTS {
            let calls = of(&spans, symbol);
            let failed = calls.iter().filter(|span| span.get("status").is_some()).count();
            assert!(failed < calls.len(), "{level}: `{symbol}` succeeded");
            // Synchronising the device takes nothing that could be wrong.
            assert!(failed > 0 || symbol == "runtime_device_synchronize", "{level}: `{symbol}` was refused");
        }
    }
}

fn run(level: &str, trace: &Path) {
    let output = Command::new("python3")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("python/host.py"))
        .arg(library_folder().join(format!("{DLL_PREFIX}kina_runtime{DLL_SUFFIX}")))
        .env("KINA_OBSERV_LEVEL", level)
        .env("KINA_OBSERV_TRACE_OUTPUT", trace)
        .env("KINA_OBSERV_TRACE_FORMAT", "json")
        .env("KINA_RUNTIME_MEMORY_LIMIT", "1048576")
        .env_remove("RUST_LOG")
        .output()
        .expect("python3 runs");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "level {level}: {out}{err}");
    assert!(out.starts_with("ok ") && out.ends_with(" checks\n"), "{out}");
}
