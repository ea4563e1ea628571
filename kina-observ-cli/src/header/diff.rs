//! What differs between two texts, line by line, as `diff` shows it.

/// Removed lines with `-`, added ones with `+`, and where they stand. Empty if nothing differs.
pub(super) fn lines(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    // Length of the longest common part of the rests.
    let mut common = vec![vec![0_u32; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] =
                if old[i] == new[j] { common[i + 1][j + 1] + 1 } else { common[i + 1][j].max(common[i][j + 1]) };
        }
    }
    let (mut i, mut j, mut together) = (0, 0, true);
    let mut shown = String::new();
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            (i, j, together) = (i + 1, j + 1, true);
            continue;
        }
        if together {
            shown += &format!("@@ line {}\n", i + 1);
            together = false;
        }
        if j == new.len() || (i < old.len() && common[i + 1][j] >= common[i][j + 1]) {
            shown += &format!("-{}\n", old[i]);
            i += 1;
        } else {
            shown += &format!("+{}\n", new[j]);
            j += 1;
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[track_caller]
    fn check(old: &str, new: &str, expected: &str) {
        assert_eq!(lines(old, new), expected);
    }

    #[test]
    fn what_differs() {
        check("a\nb\n", "a\nb\n", "");
        check("a\nb\nc\n", "a\nx\nc\n", "@@ line 2\n-b\n+x\n");
        check("", "a\n", "@@ line 1\n+a\n");
        check("a\nb\nc\nd\n", "a\nc\n", "@@ line 2\n-b\n@@ line 4\n-d\n");
    }
}
