//! The hardware check holds with the stub driver, says so where there is no device, and fails where something is wrong.

use std::path::Path;
use std::process::Command;

fn gpu_check(drivers: &Path, variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_gpu-check"))
        .env("LD_LIBRARY_PATH", drivers)
        .envs(variables.iter().copied())
        .output()
        .expect("the program starts");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

fn stub() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder for the driver");
    stub_driver::install(folder.path()).expect("cargo builds the stub driver with its tests");
    folder
}

#[test]
fn every_check_holds_with_the_stub_driver() {
    let (code, told) = gpu_check(stub().path(), &[]);
    assert_eq!(code, Some(0), "{told}");
    let ranges = if cfg!(feature = "nvtx") { &["ranges"][..] } else { &[] };
    for check in ["device", "result", "memory", "launches", "times"].iter().chain(ranges) {
        assert!(told.lines().any(|line| line.starts_with(&format!("ok       {check}: "))), "{check}\n{told}");
    }
    assert!(!told.contains("failed"), "{told}");
}

#[test]
fn without_a_device_it_is_skipped() {
    let (code, told) = gpu_check(stub().path(), &[("STUB_DRIVER_DEVICES", "0")]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.starts_with("skipped: no device ") && told.lines().count() == 1, "{told}");
}

#[test]
fn what_is_wrong_fails() {
    let (code, told) = gpu_check(stub().path(), &[("STUB_DRIVER_MEMORY", "1000000")]);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.lines().any(|line| line.starts_with("failed   result: ") && line.contains("out of memory")), "{told}");
}
