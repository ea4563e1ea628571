//! The workspace's `clippy.toml` forbids raw `tracing` spans, and does not see ours.

use std::path::Path;
use std::process::Command;

#[test]
fn clippy_sees_raw_spans_and_not_ours() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.parent().expect("the workspace");
    let clippy = Command::new(env!("CARGO")).args(["clippy", "--version"]).output();
    if !clippy.is_ok_and(|output| output.status.success()) {
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "clippy is not installed");
        println!("skipped, because clippy is not installed");
        return;
    }
    // The versions of the workspace, so that nothing is looked up; cargo writes the file anew.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("back_door");
    std::fs::create_dir_all(folder.join("src")).expect("a folder");
    for file in ["Cargo.toml", "src/lib.rs"] {
        let text = std::fs::read_to_string(here.join("tests/fixtures/back_door").join(file)).expect("the fixture");
        std::fs::write(folder.join(file), text.replace("../../../..", &root.to_string_lossy())).expect("a copy");
    }
    std::fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("the lock file");
    let output = Command::new(env!("CARGO"))
        .args(["clippy", "--offline", "--quiet", "--message-format=short"])
        .current_dir(&folder)
        .env("CLIPPY_CONF_DIR", root)
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("target"))
        .env_remove("RUSTFLAGS")
        .output()
        .expect("clippy");
    let said = String::from_utf8_lossy(&output.stderr);
    // What a raw macro expands to may be told as well, at the same place.
    let mut places: Vec<_> =
        said.lines().filter_map(|line| line.strip_prefix("src/lib.rs:")?.split(':').next()).collect();
    places.dedup();
    assert_eq!(places, ["4", "9", "10"], "{said}");
    for raw in ["tracing::instrument", "tracing::info_span", "tracing::span"] {
        assert!(said.contains(&format!("disallowed macro `{raw}`")), "{raw}: {said}");
    }
}
