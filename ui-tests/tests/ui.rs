//! Compiles each mistake and compares the errors with the text beside it.

#[test]
fn mistakes() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*/*.rs");
}
