//! Puts rotated files into the order in which they were written.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

/// `t.2.jsonl`, `t.1.jsonl`, `t.jsonl`: what was rotated last has the lowest number. Other files keep their order.
pub(crate) fn oldest_first(files: &mut Vec<PathBuf>) {
    let series: Vec<(PathBuf, u64)> = files.iter().map(|path| series(path)).collect();
    let first = |of: &PathBuf| series.iter().position(|(other, _)| other == of);
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by_key(|&index| (first(&series[index].0), Reverse(series[index].1)));
    *files = order.into_iter().map(|index| files[index].clone()).collect();
    files.dedup();
}

/// The newest file's path, and the number of this one; 0 for the newest.
fn series(path: &Path) -> (PathBuf, u64) {
    let parts = || {
        let stem = path.file_stem()?.to_str()?;
        let (name, number) = stem.rsplit_once('.')?;
        let mut newest = path.with_file_name(name).into_os_string();
        if let Some(extension) = path.extension() {
            newest.push(".");
            newest.push(extension);
        }
        Some((newest.into(), number.parse().ok()?))
    };
    parts().unwrap_or_else(|| (path.to_owned(), 0))
}

#[cfg(test)]
mod tests {
    use super::oldest_first;

    fn check(given: &[&str], expected: &[&str]) {
        let mut files = given.iter().map(Into::into).collect();
        oldest_first(&mut files);
        assert_eq!(files, expected.iter().map(std::path::PathBuf::from).collect::<Vec<_>>());
    }

    #[test]
    fn rotated_files() {
        check(
            &["t.jsonl", "t.1.jsonl", "t.10.jsonl", "t.2.jsonl"],
            &["t.10.jsonl", "t.2.jsonl", "t.1.jsonl", "t.jsonl"],
        );
        check(&["b.jsonl", "-", "a.jsonl", "b.1.jsonl"], &["b.1.jsonl", "b.jsonl", "-", "a.jsonl"]);
        check(&["t.jsonl", "t.jsonl"], &["t.jsonl"]);
    }
}
