//! The text files of the repository, as the rules see them: a path and a text each.

use std::fs;
use std::path::Path;

/// One file; its path is relative to the root and written with `/`.
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl File {
    /// An expected output of a test that happens to be Rust.
    pub(crate) fn is_golden(&self) -> bool {
        ["/golden/", "/goldens/", "/expand/"].iter().any(|folder| self.path.contains(folder))
    }
}

/// Every text file that belongs to the repository, sorted by path.
pub(crate) struct Tree(Vec<File>);

impl Tree {
    pub(crate) fn files(&self) -> impl Iterator<Item = &File> {
        self.0.iter()
    }

    /// Every Rust source.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &File> {
        self.files().filter(|file| file.path.ends_with(".rs"))
    }

    pub(crate) fn find(&self, path: &str) -> Option<&File> {
        self.files().find(|file| file.path == path)
    }
}

#[cfg(test)]
impl From<&[(&str, &str)]> for Tree {
    fn from(files: &[(&str, &str)]) -> Self {
        let file = |&(path, text): &(&str, &str)| File { path: path.to_owned(), text: text.to_owned() };
        Self(files.iter().map(file).collect())
    }
}

/// Reads the directory, without what `.gitignore` names: git itself may be missing where the tests run.
pub(crate) fn read(root: &Path) -> Result<Tree, String> {
    let ignored = fs::read_to_string(root.join(".gitignore")).unwrap_or_default();
    let ignored: Vec<&str> = ignored.lines().filter(|line| !line.is_empty()).collect();
    let mut files = Vec::new();
    walk(root, "", &ignored, &mut files)?;
    files.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(Tree(files))
}

fn walk(directory: &Path, prefix: &str, ignored: &[&str], files: &mut Vec<File>) -> Result<(), String> {
    let cannot_read = |error| format!("cannot read `{}`: {error}", directory.display());
    for entry in fs::read_dir(directory).map_err(cannot_read)? {
        let entry = entry.map_err(cannot_read)?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        if name == ".git" || ignored.iter().any(|pattern| matches(pattern, &name)) {
            continue;
        }
        let path = format!("{prefix}{name}");
        if entry.path().is_dir() {
            walk(&entry.path(), &format!("{path}/"), ignored, files)?;
        } else if let Ok(text) = fs::read_to_string(entry.path()) {
            files.push(File { path, text });
        }
    }
    Ok(())
}

/// The part of git's patterns that our `.gitignore` uses: a name, perhaps with one `*`.
fn matches(pattern: &str, name: &str) -> bool {
    let pattern = pattern.trim_matches('/');
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, end)) => name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end),
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_of_gitignore() {
        for (pattern, name, expected) in [
            ("target", "target", true),
            ("/target/", "target", true),
            ("target", "targets", false),
            ("*.jsonl", "t.jsonl", true),
            ("*.jsonl", "t.json", false),
            ("callgrind.out.*", "callgrind.out.1", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
