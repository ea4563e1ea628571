//! The transformer block on the device: its result, its memory, its launches.

use std::collections::BTreeMap;
use std::path::Path;
#[cfg(feature = "nvtx")]
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::{Bench, Found, Outcome};

const STEPS: &str = "4";

#[cfg(not(feature = "nvtx"))]
pub(crate) const NO_RANGES: &str = "this was built without the feature `nvtx`";

/// One run of the example, and what it left.
pub(crate) struct Run {
    success: bool,
    stdout: String,
    stderr: String,
    trace: Vec<Value>,
    /// Where the NVTX tool of the tests writes down what it was told.
    #[cfg(feature = "nvtx")]
    told: PathBuf,
}

impl Run {
    pub(crate) fn of(bench: &Bench) -> Result<Self, String> {
        let trace = bench.scratch.join("example.jsonl");
        let mut command = command(&bench.folder, &trace);
        #[cfg(feature = "nvtx")]
        let told = bench.scratch.join("ranges.jsonl");
        #[cfg(feature = "nvtx")]
        command.env("NVTX_INJECTION64_PATH", tool(&bench.folder)?).env("NVTX_CAPTURE_OUTPUT", &told);
        let output = command.output().map_err(|error| format!("the example does not start: {error}"))?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        let trace = lines(&trace).map_err(|error| format!("{error}\n{stderr}"))?;
        let success = output.status.success();
        Ok(Self {
            success,
            stdout,
            stderr,
            trace,
            #[cfg(feature = "nvtx")]
            told,
        })
    }

    /// The example compares itself with scalar loops on the CPU and fails where they differ.
    pub(crate) fn result(&self) -> Outcome {
        let line = self.stdout.lines().find(|line| line.contains("largest error")).unwrap_or_default();
        if self.success { Ok(Found::Holds(line.to_owned())) } else { Err(self.stderr.trim().to_owned()) }
    }

    pub(crate) fn memory(&self) -> Outcome {
        let line = self.stdout.lines().find(|line| line.starts_with("memory of tensors: ")).unwrap_or_default();
        if line.ends_with(", 0 at the end") { Ok(Found::Holds(line.to_owned())) } else { Err(format!("`{line}`")) }
    }

    /// Each launch has its time on the device.
    pub(crate) fn launches(&self) -> Outcome {
        let of = |span_type: &str| self.trace.iter().filter(|line| line["type"] == span_type).collect::<Vec<_>>();
        let (launched, measured) = (of("runtime.kernel.launch"), of("runtime.kernel.device"));
        let mut untimed: BTreeMap<&str, &Value> =
            launched.iter().map(|line| (line["span_id"].as_str().unwrap_or_default(), *line)).collect();
        for line in &measured {
            untimed.remove(line["parent_span_id"].as_str().unwrap_or_default());
        }
        match untimed.values().next() {
            None if !launched.is_empty() => Ok(Found::Holds(format!("{} launched, all timed", launched.len()))),
            None => Err("the trace has no launch".to_owned()),
            Some(line) => Err(format!("{} of {} are not timed, such as {line}", untimed.len(), launched.len())),
        }
    }
}

#[cfg(feature = "nvtx")]
impl Run {
    pub(crate) fn ranges(&self) -> Outcome {
        let calls = nvtx_capture::read_file(&self.told)
            .map_err(|error| format!("the tool was told nothing: `{}`: {error}", self.told.display()))?;
        crate::ranges::verdict(&calls, &self.trace).map(Found::Holds)
    }
}

#[cfg(not(feature = "nvtx"))]
impl Run {
    pub(crate) fn ranges(&self) -> Outcome {
        Ok(Found::Skipped(NO_RANGES))
    }
}

/// Beside this program, or where cargo leaves it.
#[cfg(feature = "nvtx")]
fn tool(folder: &Path) -> Result<PathBuf, String> {
    let places = [folder.join("libnvtx_capture.so"), folder.join("deps/libnvtx_capture.so")];
    let none = || format!("`libnvtx_capture.so` is not beside this program in `{}`", folder.display());
    places.into_iter().find(|place| place.is_file()).ok_or_else(none)
}

/// The example with its usual arguments, and a trace of everything.
pub(crate) fn command(folder: &Path, trace: &Path) -> Command {
    let mut command = Command::new(folder.join("transformer-block"));
    for name in
        ["RUST_LOG", "KINA_RUNTIME_BACKEND", "KINA_OBSERV_LEVEL", "KINA_OBSERV_TRACE_OUTPUT", "KINA_OBSERV_NVTX"]
    {
        command.env_remove(name);
    }
    command.args(["--quiet", "--backend", "cuda", "--steps", STEPS, "--level", "kernel", "--trace-format", "json"]);
    command.arg("--trace-output").arg(trace);
    command
}

/// The lines of a trace.
pub(crate) fn lines(trace: &Path) -> Result<Vec<Value>, String> {
    let text = std::fs::read_to_string(trace).map_err(|error| format!("cannot read `{}`: {error}", trace.display()))?;
    text.lines().map(|line| serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))).collect()
}
