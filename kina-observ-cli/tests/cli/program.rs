//! Runs the program, and compares what it says with a stored file.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What the program did.
pub(crate) struct Done {
    /// Exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

/// Runs `kina-observ` in the crate's folder.
pub(crate) fn run(arguments: &[&str]) -> Done {
    done(command(arguments).stdin(Stdio::null()).output().expect("the program starts"))
}

/// The same, with `text` on standard input.
pub(crate) fn run_with(arguments: &[&str], text: &[u8]) -> Done {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(text).expect("the program reads");
    done(child.wait_with_output().expect("the program ends"))
}

/// The program, not started yet.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kina-observ"));
    command.current_dir(root()).args(arguments).env_remove("CLICOLOR_FORCE").env_remove("FORCE_COLOR");
    command
}

/// The crate's folder.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Compares with the file at `path`, relative to the crate; `KINA_BLESS=1` writes it.
pub(crate) fn same(path: &str, actual: &str) {
    let path: PathBuf = root().join(path);
    if std::env::var_os("KINA_BLESS").is_some() {
        return std::fs::write(&path, actual).expect("the golden can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(actual, expected, "{} differs; `KINA_BLESS=1` writes it", path.display());
}

fn done(output: Output) -> Done {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Done { code: output.status.code().expect("it ended by itself"), out: text(output.stdout), err: text(output.stderr) }
}
