//! Runs the body of a test in a process that finds the driver it shall find, and reads back what the stub driver was asked.

#![allow(dead_code, reason = "no test uses all of it")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Set in the process that runs the body: the name of its test.
const INSIDE: &str = "KINA_TEST_INSIDE";

const TRACE: &str = "trace.jsonl";
/// Names the folder of the test, there.
const FOLDER: &str = "KINA_TEST_FOLDER";

/// Where the process looks for a driver.
pub(crate) struct Process<'a> {
    test: &'a str,
    variables: Vec<(&'a str, String)>,
    install: Box<dyn FnOnce(&Path) + 'a>,
    /// What it finds behind the driver: the machine's own libraries, or none that a variable names.
    libraries: Option<OsString>,
}

/// A process for the test `test` with the stub driver.
pub(crate) fn process(test: &str) -> Process<'_> {
    let install = |folder: &Path| stub_driver::install(folder).expect("cargo builds the stub driver with its tests");
    let libraries = std::env::var_os("LD_LIBRARY_PATH");
    Process { test, variables: Vec::new(), install: Box::new(install), libraries }
}

impl<'a> Process<'a> {
    pub(crate) fn set(mut self, variable: &'a str, value: impl ToString) -> Self {
        self.variables.push((variable, value.to_string()));
        self
    }

    /// With what `install` puts into the folder where the driver is looked for, and no other that a variable names.
    pub(crate) fn driver(self, install: impl FnOnce(&Path) + 'a) -> Self {
        Self { install: Box::new(install), libraries: None, ..self }
    }

    /// Runs `body` there. When it is done, the log of the stub driver.
    ///
    /// In that process itself, which runs the same test, there is no log, and the test ends there.
    pub(crate) fn run(self, body: impl FnOnce()) -> Option<Log> {
        if std::env::var(INSIDE).as_deref() == Ok(self.test) {
            body();
            return None;
        }
        let folder = tempfile::tempdir().expect("a folder for the driver");
        let log = folder.path().join("calls.jsonl");
        (self.install)(folder.path());
        let mut libraries = folder.path().as_os_str().to_owned();
        if let Some(others) = self.libraries {
            libraries.push(":");
            libraries.push(others);
        }
        let output = Command::new(std::env::current_exe().expect("a test knows where it is"))
            .args([self.test, "--exact", "--nocapture", "--test-threads=1"])
            .env(INSIDE, self.test)
            .env(FOLDER, folder.path())
            .env("LD_LIBRARY_PATH", libraries)
            .env("STUB_DRIVER_LOG", &log)
            .envs(self.variables)
            .output()
            .expect("a test can start itself");
        let told = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "`{}` failed in its process, {}\n{told}", self.test, output.status);
        assert!(told.contains("1 passed"), "`{}` is not the name of the test\n{told}", self.test);
        Some(Log::read(&log, folder))
    }
}

/// A library that has these functions and no other, under the driver's name. Each is Rust.
pub(crate) fn library(folder: &Path, functions: &str) {
    let source = folder.join("driver.rs");
    std::fs::write(&source, functions).expect("a source");
    let built: PathBuf = folder.join("libcuda.so");
    let status = Command::new("rustc")
        .args(["--edition=2024", "--crate-type=cdylib", "--crate-name=driver", "-o"])
        .arg(&built)
        .arg(&source)
        .status();
    assert!(status.expect("a test of Rust code has `rustc`").success());
}

/// Where the body leaves its trace.
pub(crate) fn trace() -> PathBuf {
    Path::new(&std::env::var_os(FOLDER).expect("inside a process of `run`")).join(TRACE)
}

/// What the stub driver was asked, and what it ran.
pub(crate) struct Log {
    lines: Vec<Value>,
    folder: tempfile::TempDir,
}

impl Log {
    fn read(path: &Path, folder: tempfile::TempDir) -> Self {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let lines = text.lines().map(|line| serde_json::from_str(line).expect("a line of the log is JSON")).collect();
        Self { lines, folder }
    }

    /// The trace that the body left.
    pub(crate) fn trace(&self) -> PathBuf {
        self.folder.path().join(TRACE)
    }

    /// The calls of this function.
    pub(crate) fn calls(&self, name: &str) -> Vec<&Value> {
        self.lines.iter().filter(|line| line["call"] == name).collect()
    }

    /// The names of all functions that were called.
    pub(crate) fn functions(&self) -> std::collections::BTreeSet<&str> {
        self.lines.iter().filter_map(|line| line["call"].as_str()).collect()
    }

    /// The kernels that ran.
    pub(crate) fn ran(&self) -> Vec<&Value> {
        self.lines.iter().filter(|line| line["ran"].is_string()).collect()
    }

    /// Every call that makes the host wait for the device.
    pub(crate) fn synchronisations(&self) -> usize {
        ["cuCtxSynchronize", "cuStreamSynchronize", "cuEventSynchronize", "cuMemFree_v2", "cuMemcpyDtoHAsync_v2"]
            .iter()
            .map(|name| self.calls(name).len())
            .sum()
    }
}
