//! Compiles each mistake and compares the errors with the text beside it.

/// A message offers three names at most.
#[test]
fn no_message_is_a_wall_of_names() {
    let folders = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ui")).expect("the folder");
    let files = folders.flat_map(|folder| std::fs::read_dir(folder.expect("a folder").path()).expect("a folder"));
    let texts = files
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|end| end == "stderr"));
    let mut count = 0;
    for path in texts {
        let text = std::fs::read_to_string(&path).expect("its text");
        count += 1;
        assert!(!text.contains("$N others"), "{}", path.display());
        for line in text.lines().filter(|line| line.contains("did you mean")) {
            assert!(line.matches('`').count() <= 6, "{}: {line}", path.display());
        }
    }
    assert!(count >= 60, "{count} mistakes");
}

#[test]
fn mistakes() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*/*.rs");
}
