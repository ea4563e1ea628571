//! A file as a target: shared with other processes, rotated by size and by UTC day, and watched for being replaced.

use std::fs::{self, File, OpenOptions};
use std::io::{Error, ErrorKind, Read as _, Result, Seek as _, SeekFrom, Write as _};
use std::os::fd::IntoRawFd as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::append::{Appended, Tail, append};
use super::lines::{Start, Target};
use super::rotate::{Rotated, Rotation, rotate};
use super::time::{DAY_NS, unix_ns};

const SECOND: Duration = Duration::from_secs(1);
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// The path that lines go to.
pub(crate) struct FileTarget {
    /// As the user wrote it.
    name: String,
    path: PathBuf,
    rotation: Rotation,
    /// Absent when the program closed our descriptor and the path could not be opened again.
    open: Option<Open>,
    fresh: bool,
    /// After a failed rotation: the length at which it is tried again.
    retry_at: u64,
    problem: Option<String>,
}

/// An open file.
struct Open {
    file: File,
    id: Id,
    /// Only a regular file is rotated, cut and looked after.
    regular: bool,
    /// The UTC day of its newest line; `None` while there is none.
    day: Option<u64>,
    /// The last line has no end, because a process died in it.
    unended: bool,
}

/// A file, whatever its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Id {
    device: u64,
    inode: u64,
}

impl FileTarget {
    /// Opens or creates the file.
    pub(crate) fn open(path: &Path, rotation: Rotation) -> Result<Self> {
        let mut open = Open::new(path)?;
        // The program may change its directory, and `/dev/stdout` must not be renamed, but the file behind it may.
        let resolved = fs::canonicalize(path);
        open.regular &= resolved.is_ok();
        Ok(Self {
            name: path.display().to_string(),
            path: resolved.unwrap_or_else(|_| path.to_owned()),
            rotation,
            open: Some(open),
            fresh: true,
            retry_at: 0,
            problem: None,
        })
    }

    fn reopen(&mut self) {
        match Open::new(&self.path) {
            Ok(open) => {
                self.open = Some(open);
                self.fresh = true;
                self.retry_at = 0;
            }
            Err(error) => {
                // A file that was renamed still takes lines; one that was deleted loses them.
                let has_name = |open: &Open| open.file.metadata().is_ok_and(|data| data.nlink() > 0);
                self.open = self.open.take().filter(has_name);
                self.problem = Some(format!("cannot be opened again: {error}"));
            }
        }
    }

    /// Whether `bytes` more on `day` belong into the next file.
    fn is_due(&self, open: &Open, length: u64, bytes: usize, day: u64) -> bool {
        let too_large = |most| length.saturating_add(bytes as u64) > most && length >= self.retry_at;
        open.day
            .is_some_and(|newest| self.rotation.max_bytes.is_some_and(too_large) || self.rotation.daily && newest < day)
    }

    fn rotate(&mut self, id: Id, length: u64, day: u64) {
        let path = &self.path;
        match rotate(path, self.rotation.max_files, || Id::named(path) == Some(id)) {
            Ok(Rotated::Here) => self.reopen(),
            // If it is done by now, this finds the new file; otherwise the next write does.
            Ok(Rotated::Elsewhere) if Id::named(path) != Some(id) => self.reopen(),
            Ok(Rotated::Elsewhere) => {}
            Err(error) => {
                self.problem = Some(format!("cannot be rotated: {error}"));
                self.retry_at = length + self.rotation.max_bytes.unwrap_or(0);
                if let Some(open) = &mut self.open {
                    open.day = Some(day);
                }
            }
        }
    }
}

impl Target for FileTarget {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn buffer_bytes(&self) -> usize {
        // A quarter, so that a small bound still cuts the files near it.
        self.rotation.max_bytes.map_or(usize::MAX, |most| usize::try_from(most / 4).unwrap_or(usize::MAX))
    }

    fn prepare(&mut self, bytes: usize, day: u64) -> Start {
        // A program that closes all descriptors and opens its own gets our number: never write into its file, nor close it.
        if let Some(open) = self.open.take_if(|open| Id::of(&open.file).ok() != Some(open.id)) {
            let _ = open.file.into_raw_fd();
        }
        match &self.open {
            None => self.reopen(),
            Some(open) if open.regular && Id::named(&self.path) != Some(open.id) => self.reopen(),
            Some(_) => {}
        }
        if let Some(open) = self.open.as_ref().filter(|open| open.regular) {
            let (id, length) = (open.id, open.file.metadata().map_or(0, |data| data.len()));
            if self.is_due(open, length, bytes, day) {
                self.rotate(id, length, day);
            }
        }
        if let Some(open) = self.open.as_mut().filter(|_| bytes > 0) {
            open.day = open.day.max(Some(day));
        }
        if std::mem::take(&mut self.fresh) { Start::Fresh } else { Start::Continued }
    }

    fn append(&mut self, bytes: &[u8], ends: &[usize]) -> Appended {
        let Some(open) = &mut self.open else {
            return Appended { records: 0, error: Some(Error::from(ErrorKind::NotFound)) };
        };
        if std::mem::take(&mut open.unended)
            && let Err(error) = open.file.write(b"\n")
        {
            open.unended = true;
            return Appended { records: 0, error: Some(error) };
        }
        append(open, bytes, ends)
    }

    fn problem(&mut self) -> Option<String> {
        self.problem.take()
    }
}

impl Open {
    fn new(path: &Path) -> Result<Self> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        let data = file.metadata()?;
        let has_lines = data.is_file() && data.len() > 0;
        Ok(Self {
            id: Id::of(&file)?,
            regular: data.is_file(),
            day: if has_lines { Some(unix_ns(data.modified()?) / DAY_NS) } else { None },
            unended: has_lines && is_unended(path),
            file,
        })
    }
}

impl Tail for Open {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.file.write(bytes)
    }

    fn is_ours(&mut self) -> bool {
        // A write in append mode leaves the position behind the bytes that it wrote.
        let length = self.file.metadata().map(|data| data.len());
        !self.regular || self.file.stream_position().ok() == length.ok()
    }

    fn cut(&mut self, bytes: u64) -> Result<()> {
        if !self.regular {
            return Err(ErrorKind::Unsupported.into());
        }
        let length = self.file.metadata()?.len();
        self.file.set_len(length.saturating_sub(bytes))
    }
}

impl Id {
    fn of(file: &File) -> Result<Self> {
        let data = file.metadata()?;
        Ok(Self { device: data.dev(), inode: data.ino() })
    }

    /// The file that bears this name at the moment.
    fn named(path: &Path) -> Option<Self> {
        let data = fs::metadata(path).ok()?;
        Some(Self { device: data.dev(), inode: data.ino() })
    }
}

/// Whether the file ends inside a line that nobody is writing any more.
fn is_unended(path: &Path) -> bool {
    let look = || -> Result<(u64, u8, Duration)> {
        let mut file = File::open(path)?;
        let last = file.seek(SeekFrom::End(-1))?;
        let mut byte = [0];
        file.read_exact(&mut byte)?;
        Ok((last, byte[0], file.metadata()?.modified()?.elapsed().unwrap_or_default()))
    };
    let mut seen = None;
    // Another process's write may be half done, and that process off its core. A second is long enough for it.
    for _ in 0..SECOND.as_millis() / LOOK_AGAIN.as_millis() {
        match look() {
            Err(_) | Ok((_, b'\n', _)) => return false,
            Ok((last, ..)) if seen.is_some_and(|seen| seen != last) => return false,
            Ok((_, _, age)) if age > SECOND => return true,
            Ok((last, ..)) => seen = Some(last),
        }
        thread::sleep(LOOK_AGAIN);
    }
    true
}

#[cfg(test)]
mod tests;
