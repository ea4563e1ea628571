//! `cargo xtask bless`: writes every expected output anew, so that the diff can be read.

use crate::codegen;
use crate::process::{cargo, command, run};

/// Packages whose tests compare with a stored file.
const PACKAGES: [&str; 4] = ["host-tests", "kina-observ-cli", "kina-observ-codegen", "ui-tests"];

/// Tables first: a new name changes what the errors say.
pub(crate) fn run_all() -> Result<(), String> {
    codegen::run(false)?;
    for package in PACKAGES {
        let mut tests = cargo(&["test", "--locked", "--package", package]);
        tests.env("TRYBUILD", "overwrite").env("KINA_BLESS", "1");
        run(tests)?;
    }
    run(command("git", &["--no-pager", "diff", "--stat"]))?;
    println!("read the diff before you commit it: `git diff`");
    Ok(())
}
