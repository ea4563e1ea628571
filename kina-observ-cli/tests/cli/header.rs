//! `header` writes what C can call, sees a changed signature, and refuses what C could not tell apart.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{Done, root, run, same};

const FIXTURE: &str = "tests/fixtures/header";

#[test]
fn header_of_the_fixture() {
    let done = run(&["header", "--crate", FIXTURE, "--output", "-"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    same("tests/fixtures/header/c/header_fixture.h", &done.out);
}

/// A compiler checks the asserted layout against its own.
#[test]
fn header_of_the_fixture_compiles() {
    for (compiler, language, standard) in
        [("gcc", "c", "c99"), ("gcc", "c", "c11"), ("gcc", "c", "c2x"), ("g++", "c++", "c++17")]
    {
        let is_there = Command::new(compiler).arg("--version").output().is_ok_and(|output| output.status.success());
        if !is_there {
            assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "`{compiler}` is not installed");
            println!("skipped, because `{compiler}` is not installed");
            continue;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let output = Command::new(compiler)
            .args(["-pedantic", "-Wall", "-Wextra", "-Werror", "-DHEADER_FIXTURE_EXTRA", "-x", language, "-c", "-o"])
            .arg(folder.path().join("header.o"))
            .arg(format!("-std={standard}"))
            .arg(root().join(FIXTURE).join("c/header_fixture.h"))
            .output()
            .expect("the compiler runs");
        assert!(output.status.success(), "{standard}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn the_runtimes_header_is_current() {
    let done = run(&["header", "--crate", "../examples/runtime", "--check"]);
    assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (0, "", ""));
}

#[test]
fn a_changed_signature_fails_the_check() {
    let folder = tempfile::tempdir().expect("a folder");
    copy(&root().join(FIXTURE), folder.path());
    let check = || on(folder.path(), &["--check"]);
    assert_eq!(check().code, 0);
    let source = folder.path().join("src/lib.rs");
    let text = std::fs::read_to_string(&source).expect("read").replace("r#int: i64", "r#int: i32");
    std::fs::write(&source, text).expect("written");
    let done = check();
    assert_eq!((done.code, done.err.as_str()), (1, ""));
    let (path, out) = (folder.path().display().to_string(), done.out);
    assert!(out.contains("-int32_t fixture_colour(int64_t int_, int32_t *out);\n"), "{out}");
    assert!(out.contains("+int32_t fixture_colour(int32_t int_, int32_t *out);\n"), "{out}");
    assert!(out.contains(&format!("run `kina-observ header --crate {path}`")), "{out}");
    assert_eq!(on(folder.path(), &[]).code, 0);
    assert_eq!(check().code, 0);
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            std::fs::create_dir(&to).expect("made");
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).expect("copied");
        }
    }
}

fn on(folder: &Path, more: &[&str]) -> Done {
    run(&[&["header", "--crate", folder.to_str().expect("UTF-8")], more].concat())
}

/// A crate of this source is refused with these words, and nothing is written.
#[track_caller]
fn refused(source: &str, words: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path: PathBuf = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    };
    write("Cargo.toml", "[package]\nname = \"made\"\n");
    write("kina-observ.toml", "component = \"made\"\n");
    write("src/lib.rs", source);
    let done = on(folder.path(), &["--output", "-"]);
    assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.err);
    for word in words {
        assert!(done.err.contains(word), "`{word}` is not in\n{}", done.err);
    }
}

#[test]
fn two_types_of_one_name() {
    refused(
        "mod a { #[repr(C)] pub struct P { pub x: u32 } }\n\
         mod b {\n#[repr(C)] pub struct P { pub y: u8 } }\n\
         #[unsafe(no_mangle)] pub extern \"C\" fn made_f(p: *const a::P) -> i32 { 0 }\n",
        &["two types are called `P`; the other is at src/lib.rs:3", "--> src/lib.rs:1", "rename one of the two"],
    );
}

#[test]
fn a_renamed_import() {
    refused(
        "mod a { #[repr(C)] pub struct P { pub x: u32 } }\n\
         use a::P as Q;\n\
         #[ffi_span(export = \"made_f\")] pub fn f(p: &Q) -> Result<(), E> { Ok(()) }\n",
        &["`Q` is `P` under another name, which src/lib.rs:2 gave it", "--> src/lib.rs:3", "write `P`"],
    );
}

#[test]
fn a_type_of_another_crate() {
    refused(
        "#[unsafe(no_mangle)] pub extern \"C\" fn made_f(p: *const other::P) -> i32 { 0 }\n",
        &["`P` is not defined in this crate", "--> src/lib.rs:1"],
    );
}

#[test]
fn a_cfg_without_a_name_in_c() {
    refused(
        "#[cfg(all(unix, feature = \"fast\"))]\n#[unsafe(no_mangle)] pub extern \"C\" fn made_f() -> i32 { 0 }\n",
        &["`cfg(unix)` has no name in C", "`\"feature = fast\" = \"FEATURE_FAST\"`", "--> src/lib.rs:1"],
    );
}

#[test]
fn one_name_for_two_codes() {
    refused(
        "mod a { #[derive(FfiEnum)] pub enum A { Red = 1 } }\nmod b { #[derive(FfiEnum)] pub enum A { Red = 2 } }\n\
         #[unsafe(no_mangle)] pub extern \"C\" fn made_f() -> i32 { 0 }\n",
        &["`MADE_RED` would be two codes in C; the other is at src/lib.rs:1", "--> src/lib.rs:2"],
    );
}

#[test]
fn a_type_that_is_called_like_a_handle() {
    refused(
        "pub struct Pool;\npub struct PoolHandle;\n\
         #[ffi_span(export = \"made_f\")] pub fn f(pool: Handle<Pool>) -> Result<(), E> { Ok(()) }\n",
        &["`PoolHandle` is what C calls a handle of a `Pool`", "--> src/lib.rs:2"],
    );
}

#[test]
fn an_error_without_a_c_api() {
    refused(
        "\n#[ffi_span(export = \"made_f\", error = out)] pub fn f() -> Result<(), E> { Ok(()) }\n",
        &["`made_f` hands over its error", "--> src/lib.rs:2", "export_c_api!"],
    );
}

#[test]
fn what_the_macro_refuses() {
    refused(
        "\n#[ffi_span(export = \"made_f\")] pub fn f(text: String) -> Result<(), E> { Ok(()) }\n",
        &["`String` cannot come from C", "--> src/lib.rs:2", "take `&str`"],
    );
}

#[test]
fn nothing_to_call() {
    refused("pub fn f() {}\n", &["the crate exports nothing to C"]);
}
