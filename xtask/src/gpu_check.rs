//! `cargo xtask gpu-check`: what only a GPU can show. Builds one folder that needs no Rust, and runs it here.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cost::target_directory;
use crate::features;
use crate::process::{cargo, command, root, run};

/// The programs, which cargo leaves beside each other.
const PROGRAMS: [&str; 2] = ["transformer-block", "gpu-check"];

/// The NVTX tool of the tests.
const TOOL: &str = "libnvtx_capture.so";

const SCRIPT: &str = "\
#!/bin/sh
# Runs the check in this folder: `run.sh`, or `run.sh --driver stub` with the driver of the tests, which needs no GPU.
set -eu
here=$(cd \"$(dirname \"$0\")\" && pwd)
if [ \"${1:-}\" = --driver ] && [ \"${2:-}\" = stub ]; then
    LD_LIBRARY_PATH=$here/stub${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LD_LIBRARY_PATH
elif [ $# -gt 0 ]; then
    echo \"usage: $0 [--driver stub]\" >&2
    exit 2
fi
exec \"$here/gpu-check\"
";

/// Builds the folder and runs its script with these words.
pub(crate) fn run_all(words: &[&str]) -> Result<(), String> {
    let folder = build()?;
    run(command(folder.join("run.sh"), words))
}

/// Builds the folder and says where it is.
pub(crate) fn build() -> Result<PathBuf, String> {
    let features = match features::refusal("nvtx")? {
        None => "cuda,nvtx",
        Some(reason) => {
            println!("ranges are left out, because {reason}");
            "cuda"
        }
    };
    run(cargo(&[
        "build",
        "--release",
        "--locked",
        "--package",
        "transformer-block",
        "--features",
        features,
        "--bins",
    ]))?;
    run(cargo(&["build", "--release", "--locked", "--package", "stub-driver", "--package", "nvtx-capture"]))?;
    let target = target_directory()?;
    let (built, folder) = (target.join("release"), target.join("gpu-check"));
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(cannot("remove", &folder, &error)),
        _ => {}
    }
    let stub = folder.join("stub");
    fs::create_dir_all(&stub).map_err(|error| cannot("make", &stub, &error))?;
    for program in PROGRAMS {
        copy(&built.join(program), &folder.join(program))?;
    }
    copy(&built.join(TOOL), &folder.join(TOOL))?;
    copy(&root().join("examples/runtime/src/kernels.ptx"), &folder.join("kernels.ptx"))?;
    for name in ["libcuda.so", "libcuda.so.1"] {
        copy(&built.join("libstub_driver.so"), &stub.join(name))?;
    }
    let script = folder.join("run.sh");
    fs::write(&script, SCRIPT).map_err(|error| cannot("write", &script, &error))?;
    make_executable(&script)?;
    println!("`{}` has everything: copy it to the machine with the GPU and run `run.sh` there", folder.display());
    Ok(folder)
}

#[cfg(unix)]
fn make_executable(script: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(script, mode).map_err(|error| cannot("make executable", script, &error))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<(), String> {
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(drop).map_err(|error| cannot("copy", from, &error))
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> String {
    format!("cannot {what} `{}`: {error}", path.display())
}
