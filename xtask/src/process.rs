//! Runs other programs in the repository and turns a bad end into a sentence.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// `cargo` with these words, the same cargo that runs us.
pub(crate) fn cargo(words: &[&str]) -> Command {
    let program = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    command(&program, words)
}

/// Any program, started in the root of the repository.
pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>, words: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(words).current_dir(root());
    command
}

/// Waits for the end; the program writes to our own stdout and stderr.
pub(crate) fn run(mut command: Command) -> Result<(), String> {
    let shown = show(&command);
    let status = command.status().map_err(|error| cannot_start(&shown, &error))?;
    if status.success() {
        return Ok(());
    }
    Err(format!("`{shown}` failed ({status}); its own words are above"))
}

/// Waits for the end and gives back what the program wrote to stdout; `quiet` keeps its stderr for the error.
pub(crate) fn capture(mut command: Command) -> Result<String, String> {
    let shown = show(&command);
    let output = command.stdin(Stdio::null()).output().map_err(|error| cannot_start(&shown, &error))?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("`{shown}` failed ({}):\n{stderr}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("`{shown}` did not write UTF-8"))
}

/// Whether a program of that name can be started.
pub(crate) fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

fn show(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let mut shown = program.file_name().unwrap_or(command.get_program()).to_string_lossy().into_owned();
    for word in command.get_args() {
        shown.push(' ');
        shown.push_str(&word.to_string_lossy());
    }
    shown
}

fn cannot_start(shown: &str, error: &std::io::Error) -> String {
    format!("`{shown}` did not start: {error}; install the program or put it on PATH")
}
