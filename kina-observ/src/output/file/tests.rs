//! What happens to a trace file over its life: days, bounds, and what other processes do to it.

use std::time::{SystemTime, UNIX_EPOCH};

use super::*;
use crate::output::rotate::older;

const DAY: u64 = 20_000;

fn target(path: &Path, max_bytes: Option<u64>, daily: bool, max_files: u32) -> FileTarget {
    FileTarget::open(path, Rotation { max_bytes, daily, max_files }).unwrap()
}

/// One line, after a header `#` where one is due.
fn write(target: &mut FileTarget, line: &str, day: u64) {
    let line = format!("{line}\n");
    if target.prepare(line.len(), day) == Start::Fresh {
        assert!(target.append(b"#\n", &[2]).error.is_none());
    }
    let appended = target.append(line.as_bytes(), &[line.len()]);
    assert_eq!(appended.records, 1, "{:?}", appended.error);
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.jsonl");
    (folder, path)
}

/// The current file and the older ones, lines joined by spaces.
fn files(path: &Path) -> Vec<String> {
    let paths = std::iter::once(path.to_owned()).chain((1..).map(|age| older(path, age)));
    let texts = paths.map_while(|path| fs::read_to_string(path).ok());
    texts.map(|text| text.trim_end().replace('\n', " ")).collect()
}

#[test]
fn no_file_grows_beyond_the_bound() {
    let (_folder, path) = folder();
    let mut target = target(&path, Some(10), false, 2);
    for number in 1..=9 {
        write(&mut target, &format!("l{number}"), DAY);
    }
    assert_eq!(files(&path), ["# l9", "# l7 l8", "# l5 l6"]);
}

#[test]
fn each_day_has_its_file() {
    let (_folder, path) = folder();
    let mut target = target(&path, None, true, 2);
    for (line, day) in [("a", DAY), ("b", DAY), ("c", DAY + 1), ("late", DAY), ("d", DAY + 3)] {
        write(&mut target, line, day);
    }
    assert_eq!(files(&path), ["# d", "# c late", "# a b"]);
}

#[test]
fn the_file_of_an_earlier_run_is_continued_until_its_day_is_over() {
    let (_folder, path) = folder();
    fs::write(&path, "# a\n").unwrap();
    let written = UNIX_EPOCH + Duration::from_secs(86_400 * DAY + 1);
    File::options().append(true).open(&path).unwrap().set_modified(written).unwrap();
    let mut target = target(&path, None, true, 2);
    write(&mut target, "b", DAY);
    write(&mut target, "c", DAY + 1);
    assert_eq!(files(&path), ["# c", "# a # b"]);
}

#[test]
fn a_line_that_a_dead_process_left_is_ended() {
    let (_folder, path) = folder();
    fs::write(&path, "torn").unwrap();
    let long_ago = SystemTime::now() - Duration::from_secs(60);
    File::options().append(true).open(&path).unwrap().set_modified(long_ago).unwrap();
    write(&mut target(&path, None, false, 0), "a", DAY);
    assert_eq!(files(&path), ["torn # a"]);
}

#[test]
fn a_file_moved_or_deleted_by_others_is_made_again() {
    let (_folder, path) = folder();
    let mut target = target(&path, None, false, 2);
    write(&mut target, "a", DAY);
    fs::rename(&path, older(&path, 1)).unwrap();
    write(&mut target, "b", DAY);
    fs::remove_file(&path).unwrap();
    write(&mut target, "c", DAY);
    assert_eq!(files(&path), ["# c", "# a"]);
}

#[test]
fn a_descriptor_that_the_program_took_over_is_left_alone() {
    let (_folder, path) = folder();
    let mut target = target(&path, None, false, 2);
    write(&mut target, "a", DAY);
    target.open.as_mut().unwrap().id.inode += 1;
    write(&mut target, "b", DAY);
    assert_eq!(files(&path), ["# a # b"]);
}

#[test]
fn without_a_place_to_write_every_line_is_refused() {
    let (folder, path) = folder();
    let mut target = target(&path, None, false, 2);
    write(&mut target, "a", DAY);
    fs::remove_dir_all(folder.path()).unwrap();
    assert_eq!(target.prepare(2, DAY), Start::Continued);
    assert!(target.problem().unwrap().starts_with("cannot be opened again: No such file"));
    assert_eq!(target.append(b"b\n", &[2]).records, 0);
}

#[test]
fn a_rotation_that_fails_loses_nothing() {
    let (_folder, path) = folder();
    fs::create_dir(older(&path, 1)).unwrap();
    let mut target = target(&path, Some(10), true, 1);
    for (line, day) in [("a", DAY), ("b", DAY + 1), ("c", DAY + 1)] {
        write(&mut target, line, day);
    }
    assert!(target.problem().unwrap().starts_with("cannot be rotated: "));
    assert_eq!(fs::read_to_string(&path).unwrap(), "#\na\nb\nc\n");
    fs::remove_dir(older(&path, 1)).unwrap();
    write(&mut target, "a line beyond the bound", DAY + 1);
    write(&mut target, "d", DAY + 1);
    assert_eq!(files(&path), ["# d", "# a b c a line beyond the bound"]);
}

#[test]
fn behind_a_link_the_file_rotates_and_the_link_stays() {
    let (folder, path) = folder();
    let link = folder.path().join("link");
    fs::write(&path, "").unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let mut target = target(&link, None, true, 1);
    write(&mut target, "a", DAY);
    write(&mut target, "b", DAY + 1);
    assert_eq!(files(&path), ["# b", "# a"]);
    assert!(link.is_symlink());
}
