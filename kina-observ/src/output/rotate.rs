//! Rotation: `trace.jsonl` becomes `trace.1.jsonl`, that one `trace.2.jsonl`, and the oldest goes.
//! Invariant: of several processes that share the file, one rotates (`processes_rotate_one_file_without_loss`).

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Rotation takes microseconds, so a lock this old was left by a process that died in it.
const STALE: Duration = Duration::from_secs(10);

/// When a trace file makes room for the next one, and how many older ones are kept.
///
/// ```
/// use kina_observ::config::Rotation;
/// let rotation = Rotation { max_bytes: Some(64 << 20), ..Rotation::default() };
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rotation {
    /// Before the file grows beyond this; `None`: whatever its size. A single record that is larger still goes in, and so
    /// does what other processes write while one of them rotates.
    pub max_bytes: Option<u64>,
    /// At midnight, UTC.
    pub daily: bool,
    /// How many older files are kept beside the current one.
    pub max_files: u32,
}

impl Rotation {
    /// Without rotation.
    pub const NEVER: Self = Self { max_bytes: None, daily: false, max_files: 0 };

    /// 1 GiB, about two million spans, and a week.
    pub const DEFAULT: Self = Self { max_bytes: Some(1 << 30), daily: true, max_files: 7 };
}

impl Default for Rotation {
    /// [`Rotation::DEFAULT`].
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// What became of a rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rotated {
    /// The path is free.
    Here,
    /// Another process does it at this moment.
    Elsewhere,
}

/// Moves the file at `path` out of the way, unless another process is doing so, or `still_due` no longer holds once it is
/// certain that none is. Keeps `kept` older files.
pub(crate) fn rotate(path: &Path, kept: u32, still_due: impl FnOnce() -> bool) -> Result<Rotated> {
    let lock = lock_path(path);
    if let Err(error) = OpenOptions::new().write(true).create_new(true).open(&lock) {
        if error.kind() != ErrorKind::AlreadyExists {
            return Err(error);
        }
        let written = fs::metadata(&lock).and_then(|lock| lock.modified());
        let stale = written.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > STALE));
        if stale {
            fs::remove_file(&lock)?;
        }
        return Ok(Rotated::Elsewhere);
    }
    let moved = if still_due() { shift(path, kept).map(|()| Rotated::Here) } else { Ok(Rotated::Elsewhere) };
    fs::remove_file(&lock)?;
    moved
}

fn shift(path: &Path, kept: u32) -> Result<()> {
    // Left by a run with a larger bound.
    let mut beyond = kept + 1;
    while fs::remove_file(older(path, beyond)).is_ok() {
        beyond += 1;
    }
    let free = (1..kept).find(|&number| !older(path, number).exists()).unwrap_or(kept);
    for number in (1..free).rev() {
        fs::rename(older(path, number), older(path, number + 1))?;
    }
    if kept == 0 { fs::remove_file(path) } else { fs::rename(path, older(path, 1)) }
}

/// `trace.2.jsonl` for 2; the number stands before the extension, so that tools still know the kind of file.
pub(crate) fn older(path: &Path, number: u32) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!(".{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

fn lock_path(path: &Path) -> PathBuf {
    let mut name: OsString = path.file_name().unwrap_or_default().to_owned();
    name.push(".rotating");
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_stands_before_the_extension() {
        for (path, expected) in [
            ("a/trace.jsonl", "a/trace.3.jsonl"),
            ("trace", "trace.3"),
            ("a.b/.hidden", "a.b/.hidden.3"),
            ("my.trace.jsonl", "my.trace.3.jsonl"),
        ] {
            assert_eq!(older(Path::new(path), 3), Path::new(expected));
        }
    }

    #[test]
    fn keeps_as_many_as_asked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jsonl");
        for (number, kept) in [(0, 3), (1, 3), (2, 3), (3, 3), (4, 3), (5, 1), (6, 0)] {
            fs::write(&path, number.to_string()).unwrap();
            assert_eq!(rotate(&path, kept, || true).unwrap(), Rotated::Here);
            assert!(!path.exists());
            let older: Vec<_> = (1..9).map_while(|age| fs::read_to_string(older(&path, age)).ok()).collect();
            let expected: Vec<_> = (0..=number).rev().take(kept as usize).map(|n| n.to_string()).collect();
            assert_eq!(older, expected);
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    }

    #[test]
    fn does_nothing_while_another_process_rotates() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jsonl");
        fs::write(&path, "lines").unwrap();
        fs::write(lock_path(&path), "").unwrap();
        assert_eq!(rotate(&path, 3, || true).unwrap(), Rotated::Elsewhere);
        assert_eq!(fs::read_to_string(&path).unwrap(), "lines");
        // Its owner died a minute ago.
        let lock = fs::File::options().write(true).open(lock_path(&path)).unwrap();
        lock.set_modified(std::time::SystemTime::now() - Duration::from_secs(60)).unwrap();
        assert_eq!(rotate(&path, 3, || true).unwrap(), Rotated::Elsewhere);
        assert_eq!(rotate(&path, 3, || true).unwrap(), Rotated::Here);
    }
}
