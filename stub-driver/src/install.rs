//! Puts the driver into a folder of its own.

use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

/// The names by which cudarc looks for the driver on Linux, and by which the system's loader does.
const NAMES: [&str; 2] = ["libcuda.so", "libcuda.so.1"];

/// Copies this driver into `folder`, as `libcuda.so` and `libcuda.so.1`. For `LD_LIBRARY_PATH` of a process that is to be started.
///
/// # Errors
///
/// When the library is not beside the running program, or cannot be copied.
pub fn install(folder: &Path) -> Result<()> {
    let library = library()?;
    for name in NAMES {
        std::fs::copy(&library, folder.join(name))?;
    }
    Ok(())
}

/// Where cargo left the library, which it builds with everything that depends on this crate.
fn library() -> Result<PathBuf> {
    const NAME: &str = "libstub_driver.so";
    let program = std::env::current_exe()?;
    let beside = program.parent().into_iter().flat_map(|folder| [folder.join(NAME), folder.join("deps").join(NAME)]);
    let above = program.parent().and_then(Path::parent).map(|folder| folder.join("deps").join(NAME));
    beside
        .chain(above)
        .find(|path| path.is_file())
        .ok_or_else(|| Error::new(ErrorKind::NotFound, format!("`{NAME}` is not beside `{}`", program.display())))
}
