//! `lint` finds each planted fault and nothing else, and says what it cannot read.

use std::collections::BTreeSet;
use std::path::Path;

use crate::program::{Done, root, run, same};

const EXPORTS: &str = "tests/fixtures/exports";
const TWO: &str = "tests/fixtures/two_crates";

/// Runs and compares standard output with `tests/golden/NAME.txt`.
fn check(name: &str, arguments: &[&str]) {
    let done = run(&[&["lint"], arguments].concat());
    assert_eq!((done.code, done.err.as_str()), (1, ""), "{name}");
    same(&format!("tests/golden/{name}.txt"), &done.out);
}

/// Values of `key` in the lines of `--format json`.
fn values(key: &str, arguments: &[&str]) -> Vec<String> {
    let done = run(&[&["lint", "--format", "json"], arguments].concat());
    let lines =
        done.out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("one object a line"));
    lines.map(|line| line[key].as_str().expect("a text").to_owned()).collect()
}

/// A crate of these files.
fn crate_of(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    };
    write("Cargo.toml", "[package]\nname = \"made\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n");
    files.iter().for_each(|(name, text)| write(name, text));
    folder
}

fn lint(folder: &Path) -> Done {
    run(&["lint", folder.to_str().expect("UTF-8")])
}

#[test]
fn of_ten_exports_the_three_bare_ones_are_found() {
    assert_eq!(values("id", &[EXPORTS]), ["bare-export"; 3]);
    check("lint_exports", &[EXPORTS]);
}

#[test]
fn the_example_runtime_is_clean() {
    let done = run(&["lint", "../examples/runtime", "../examples/transformer-block/Cargo.toml"]);
    assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (0, "", ""));
}

#[test]
fn a_workspace_in_every_format() {
    check("lint_workspace", &["--workspace", TWO]);
    check("lint_json", &["--workspace", TWO, "--format", "json"]);
    check("lint_github", &["--workspace", TWO, "--format", "github"]);
}

#[test]
fn names_of_two_crates_need_no_workspace() {
    let (first, second) = (format!("{TWO}/first"), format!("{TWO}/second/Cargo.toml"));
    let shared = |ids: Vec<String>| ids.iter().filter(|id| *id == "shared-name").count();
    assert_eq!(shared(values("id", &[&first])), 0);
    assert_eq!(shared(values("id", &[&first, &second])), 3);
}

#[test]
fn one_file_that_two_crates_list_is_one_registry() {
    let lists = "registries = [\"../names.yaml\"]\n";
    let names = "file_format: definition/2\nattributes:\n  \
                 - {key: acme.size, type: int, stability: development, brief: Size., examples: [1]}\n";
    let package = |name: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n");
    let folder = crate_of(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"3\"\n"),
        ("names.yaml", names),
        ("a/Cargo.toml", &package("a")),
        ("a/kina-observ.toml", lists),
        ("a/src/lib.rs", ""),
        ("b/Cargo.toml", &package("b")),
        ("b/kina-observ.toml", lists),
        ("b/src/main.rs", "fn main() {}"),
    ]);
    let done = run(&["lint", "--workspace", folder.path().to_str().expect("UTF-8")]);
    assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (0, "", ""));
}

/// Symbols without a boundary in a crate of these files, in their order.
#[track_caller]
fn bare(files: &[(&str, &str)], expected: &[&str]) {
    let folder = crate_of(files);
    let done = lint(folder.path());
    let found: Vec<&str> =
        done.out.lines().filter_map(|l| l.strip_prefix("error[bare-export]: `")?.split('`').next()).collect();
    assert_eq!((found.as_slice(), done.err.as_str()), (expected, ""), "{files:?}");
}

#[test]
fn every_module_is_found() {
    let leaf = "#[no_mangle] extern fn leaf() {}";
    for (root, file) in [
        ("mod a { mod b { mod c; } }", "src/a/b/c.rs"),
        ("mod a { mod b; }", "src/a/b/mod.rs"),
        ("#[path = \"x\"] mod a { mod b; }", "src/x/b.rs"),
        ("mod a { #[path = \"y.rs\"] mod b; }", "src/a/y.rs"),
        ("#[path = \"x/y.rs\"] mod a;", "src/x/y.rs"),
        ("#[cfg_attr(any(), path = \"x.rs\")] #[cfg_attr(all(), path = \"x.rs\")] mod a;", "src/x.rs"),
        ("mod r#fn;", "src/fn.rs"),
        ("fn f() { mod a; }", "src/a.rs"),
        ("include!(\"a.rs\");", "src/a.rs"),
    ] {
        bare(&[("src/lib.rs", root), (file, leaf)], &["leaf"]);
    }
    // Below a file that `#[path]` names, modules are beside it; below another, in a folder of its name.
    bare(&[("src/lib.rs", "#[path = \"x/y.rs\"] mod a;"), ("src/x/y.rs", "mod b;"), ("src/x/b.rs", leaf)], &["leaf"]);
    bare(&[("src/lib.rs", "mod a;"), ("src/a.rs", "mod b;"), ("src/a/b.rs", leaf)], &["leaf"]);
    // A library and a program that share a module; a program without a library; a circle.
    let shared = [("src/lib.rs", "mod a;"), ("src/main.rs", "mod a; fn main() {}"), ("src/a.rs", leaf)];
    bare(&shared, &["leaf"]);
    bare(&[("src/bin/one.rs", leaf)], &["leaf"]);
    bare(&[("src/lib.rs", "#[path = \"lib.rs\"] mod a; #[no_mangle] extern fn leaf() {}")], &["leaf"]);
    bare(&[("src/lib.rs", "#[cfg(all(test, unix))] mod gone;")], &[]);
}

#[test]
fn every_spelling_of_an_export_is_seen() {
    for (attributes, expected) in [
        ("#[no_mangle]", &["f"][..]),
        ("#[unsafe(no_mangle)]", &["f"]),
        ("#[export_name = \"g\"]", &["g"]),
        ("#[unsafe(export_name = \"g\")]", &["g"]),
        ("#[export_name = concat!(\"a\", \"b\")]", &["f"]),
        ("#[cfg_attr(all(unix, not(x)), inline, unsafe(export_name = \"g\"))]", &["g"]),
        ("#[cfg_attr(unix, cfg_attr(x, no_mangle))]", &["f"]),
        ("#[no_mangle] #[other::ffi_spam]", &["f"]),
        ("#[no_mangle] #[ffi_span]", &[]),
        ("#[::kina_observ::ffi_span(a.b)] #[unsafe(no_mangle)]", &[]),
        ("#[cfg_attr(unix, ffi_span)] #[cfg_attr(unix, cfg_attr(x, no_mangle))]", &[]),
        ("#[cfg_attr(unix, ffi_span)] #[cfg_attr(x, no_mangle)]", &["f"]),
        ("#[cfg(test)] #[no_mangle]", &[]),
        ("", &[]),
    ] {
        let function = format!("{attributes} pub extern \"C\" fn f() {{}}");
        bare(&[("src/lib.rs", &function)], expected);
        // In the arguments of a macro only whole configurations are out of sight.
        if !attributes.contains("cfg") && !attributes.contains("\"g\"") {
            bare(&[("src/lib.rs", &format!("cfg_if::cfg_if! {{ if #[cfg(unix)] {{ {function} }} }}"))], expected);
        }
    }
    let entry = "#[entry] #[no_mangle] extern \"C\" fn f() {}";
    bare(&[("src/lib.rs", entry)], &["f"]);
    bare(&[("src/lib.rs", &format!("use kina_observ::{{ffi_span as entry, span}}; {entry}"))], &[]);
    bare(&[("src/lib.rs", "mod a; use kina_observ::ffi_span as entry;"), ("src/a.rs", entry)], &[]);
    bare(&[("src/lib.rs", &format!("use kina_observ::ffi_span as entry; once! {{ {entry} }}"))], &[]);
    // `span` is an attribute of ours that makes no boundary, so that name holds in its own file only.
    let span = entry.replace("entry", "span");
    let renamed = format!("mod a; use kina_observ::ffi_span as span; {span}");
    bare(&[("src/lib.rs", &renamed), ("src/a.rs", &span.replace("fn f", "fn g"))], &["g"]);
    bare(&[("src/lib.rs", "fn f() { quote! { #[no_mangle] extern \"C\" fn #name() {} }; }")], &[]);
    bare(&[("src/lib.rs", "unsafe extern \"C\" { #[no_mangle] fn imported(); }")], &[]);
}

#[test]
fn a_header_that_lags_behind_is_found() {
    let source =
        "/// Adds.\n#[ffi_span]\n#[unsafe(no_mangle)]\npub extern \"C\" fn made_add(n: i64) -> i32 {\n    0\n}\n";
    let folder = crate_of(&[("src/lib.rs", source), ("kina-observ.toml", "component = \"made\"\n"), ("c/.keep", "")]);
    let path = folder.path().to_str().expect("UTF-8");
    let written = run(&["header", "--crate", path]);
    assert_eq!((written.code, written.err.as_str()), (0, ""));
    assert_eq!((lint(folder.path()).code, lint(folder.path()).out.as_str()), (0, ""));
    std::fs::write(folder.path().join("src/lib.rs"), source.replace("n: i64", "n: i64, m: i64")).expect("written");
    let done = lint(folder.path());
    assert!(done.code == 1 && done.out.starts_with("error[header-drift]"), "{}", done.out);
    std::fs::remove_file(folder.path().join("kina-observ.toml")).expect("removed");
    let refused = lint(folder.path());
    assert!(
        refused.code == 1 && refused.out.contains("the header cannot be written again: no registry"),
        "{}",
        refused.out
    );
    assert!(done.out.contains("c/made.h:") && done.out.ends_with("1 finding in 1 crate\n"), "{}", done.out);
}

#[test]
fn what_does_not_parse_is_named_and_the_rest_is_linted() {
    let bare = "#[unsafe(no_mangle)] pub extern \"C\" fn bare() {}";
    let folder = crate_of(&[
        ("src/lib.rs", "mod broken; mod missing; mod good; include!(\"more.rs\");"),
        ("src/broken.rs", "fn f() {\n    let = ;\n}\n"),
        ("src/good.rs", bare),
        ("src/more.rs", &bare.replace("bare", "more")),
    ]);
    let done = lint(folder.path());
    assert_eq!(done.code, 2, "{}", done.out);
    assert!(done.out.contains("`bare` is exported") && done.out.contains("`more` is exported"), "{}", done.out);
    assert!(done.err.contains("src/broken.rs:2:9` cannot be read: not Rust"), "{}", done.err);
    assert!(done.err.contains("src/missing.rs` cannot be read"), "{}", done.err);
}

#[test]
fn what_cannot_be_read_is_code_2() {
    let toml = crate_of(&[("src/lib.rs", ""), ("kina-observ.toml", "component = \"made\"\nregistry = 1\n")]);
    let toml = toml.path().to_str().expect("UTF-8");
    for (arguments, words) in [
        (&["lint", "nothing"][..], "`nothing` cannot be read: there is no such folder"),
        (&["lint", "tests"], "`tests/Cargo.toml` cannot be read: "),
        (&["lint", "Cargo.lock", TWO], "without a crate"),
        (&["lint", "src/main.rs"], "it is no crate"),
        (&["lint", toml], "kina-observ.toml:2:1` cannot be read"),
    ] {
        let done = run(arguments);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{arguments:?}");
        assert!(done.err.contains(words) && done.err.contains("help: "), "{arguments:?}: {}", done.err);
    }
    assert_eq!(run(&["lint"]).code, 2);
}

#[test]
fn the_guide_lists_every_rule() {
    let guide = std::fs::read_to_string(root().join("../docs/cli.md")).expect("the guide is there");
    let (_, lint) = guide.split_once("\n## lint\n").expect("its section");
    let lint = lint.split("\n## ").next().unwrap_or_default();
    let listed: BTreeSet<&str> = lint.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    let found = values("id", &["--workspace", TWO]);
    assert_eq!(listed, found.iter().map(String::as_str).collect());
}
