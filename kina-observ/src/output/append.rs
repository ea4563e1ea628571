//! One write for many records, and what happens when the system takes only a part of it.
//! Invariant: a record is in the file whole or not at all (`tests/output_file.rs`).

use std::io::{Error, ErrorKind, Result};
use std::thread;
use std::time::Duration;

/// A descriptor that does not block (a terminal or pipe shared with such a program) gets this long to take more.
const PATIENCE: (u32, Duration) = (50, Duration::from_millis(1));

/// How many records are in the file, and why not all of them.
#[derive(Debug)]
pub(crate) struct Appended {
    pub(crate) records: usize,
    pub(crate) error: Option<Error>,
}

/// The end of a file that other processes may append to as well.
pub(crate) trait Tail {
    /// One system call.
    fn write(&mut self, bytes: &[u8]) -> Result<usize>;
    /// Nobody has written behind our last byte.
    fn is_ours(&mut self) -> bool;
    /// Takes the last `bytes` away again.
    fn cut(&mut self, bytes: u64) -> Result<()>;
}

/// Appends `bytes`, whose records end at `ends`.
pub(crate) fn append(tail: &mut impl Tail, bytes: &[u8], ends: &[usize]) -> Appended {
    let mut done = 0;
    let mut waits = 0;
    let error = loop {
        if done == bytes.len() {
            return Appended { records: ends.len(), error: None };
        }
        match tail.write(&bytes[done..]) {
            Ok(0) => break Error::from(ErrorKind::WriteZero),
            Ok(taken) => {
                done += taken;
                let whole = ends.partition_point(|&end| end <= done);
                let begin = start_of(whole, ends);
                // Behind our half record stands somebody else's: ours starts again, whole.
                if done > begin && done < bytes.len() && !tail.is_ours() {
                    done = begin;
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock && waits < PATIENCE.0 => {
                waits += 1;
                thread::sleep(PATIENCE.1);
            }
            Err(error) => break error,
        }
    };
    let records = ends.partition_point(|&end| end <= done);
    let torn = done - start_of(records, ends);
    if torn > 0 && (!tail.is_ours() || tail.cut(torn as u64).is_err()) {
        // It cannot be taken back, so the next line at least begins on its own. If this is refused too, then so is that.
        let _ = tail.write(b"\n");
    }
    Appended { records, error: Some(error) }
}

/// Where the record after the first `whole` ones begins.
fn start_of(whole: usize, ends: &[usize]) -> usize {
    whole.checked_sub(1).map_or(0, |last| ends[last])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file in memory; `script` says what each write does: how much is taken, or which error.
    struct Script {
        file: Vec<u8>,
        ours: usize,
        script: Vec<std::result::Result<usize, ErrorKind>>,
        /// Another process's line, appended after the first write.
        other: &'static [u8],
    }

    impl Tail for Script {
        fn write(&mut self, bytes: &[u8]) -> Result<usize> {
            let step = if self.script.is_empty() { Ok(usize::MAX) } else { self.script.remove(0) };
            let taken = step.map_err(Error::from)?.min(bytes.len());
            self.file.extend_from_slice(&bytes[..taken]);
            self.ours = self.file.len();
            self.file.extend_from_slice(std::mem::take(&mut self.other));
            Ok(taken)
        }

        fn is_ours(&mut self) -> bool {
            self.ours == self.file.len()
        }

        fn cut(&mut self, bytes: u64) -> Result<()> {
            self.file.truncate(self.file.len() - bytes as usize);
            Ok(())
        }
    }

    fn check(script: &[std::result::Result<usize, ErrorKind>], other: &'static [u8], records: usize, expected: &str) {
        let mut tail = Script { file: Vec::new(), ours: 0, script: script.to_vec(), other };
        let appended = append(&mut tail, b"aaa\nbbb\nccc\n", &[4, 8, 12]);
        assert_eq!(String::from_utf8(tail.file).unwrap(), expected);
        assert_eq!(appended.records, records);
        assert_eq!(appended.error.is_none(), records == 3);
    }

    #[test]
    fn a_record_is_whole_or_absent() {
        const FULL: std::result::Result<usize, ErrorKind> = Err(ErrorKind::StorageFull);
        check(&[], b"", 3, "aaa\nbbb\nccc\n");
        check(&[FULL], b"", 0, "");
        check(&[Ok(0)], b"", 0, "");
        check(&[Ok(4), FULL], b"", 1, "aaa\n");
        check(&[Ok(6), FULL], b"", 1, "aaa\n");
        check(&[Ok(2), Ok(3), Ok(1), FULL], b"", 1, "aaa\n");
        check(&[Ok(11), FULL], b"", 2, "aaa\nbbb\n");
        check(&[Err(ErrorKind::Interrupted), Ok(5), Err(ErrorKind::Interrupted)], b"", 3, "aaa\nbbb\nccc\n");
        check(&[Err(ErrorKind::WouldBlock), Ok(5), Err(ErrorKind::WouldBlock)], b"", 3, "aaa\nbbb\nccc\n");
        check(&[Err(ErrorKind::WouldBlock); 51], b"", 0, "");
    }

    #[test]
    fn anothers_line_is_never_cut() {
        const FULL: std::result::Result<usize, ErrorKind> = Err(ErrorKind::StorageFull);
        check(&[Ok(4)], b"xxx\n", 3, "aaa\nxxx\nbbb\nccc\n");
        check(&[Ok(6)], b"xxx\n", 3, "aaa\nbbxxx\nbbb\nccc\n");
        check(&[Ok(6), FULL], b"xxx\n", 1, "aaa\nbbxxx\n");
        check(&[Ok(6), Ok(2), FULL], b"xxx\n", 1, "aaa\nbbxxx\n");
    }
}
