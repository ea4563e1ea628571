//! Finds the registered names nearest to a mistyped one, without allocating.

/// More names would be a list to read, not a hint.
const MOST: usize = 3;

/// One row of the distance table fits on the stack up to this length; longer names get no suggestion by distance.
const LONGEST: usize = 64;

/// At most three names, the nearest first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Suggestions {
    names: [&'static str; MOST],
    distances: [usize; MOST],
    count: usize,
    next: usize,
}

impl Suggestions {
    /// The names that are left, the nearest first.
    #[must_use]
    pub fn as_slice(&self) -> &[&'static str] {
        &self.names[self.next..self.count]
    }

    /// Whether nothing is near.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    fn offer(&mut self, name: &'static str, distance: usize) {
        if self.names[..self.count].contains(&name) {
            return;
        }
        let place = self.distances[..self.count].partition_point(|&held| held <= distance);
        if place == MOST {
            return;
        }
        self.count = (self.count + 1).min(MOST);
        self.names[place..self.count].rotate_right(1);
        self.distances[place..self.count].rotate_right(1);
        self.names[place] = name;
        self.distances[place] = distance;
    }
}

impl Iterator for Suggestions {
    type Item = &'static str;

    fn next(&mut self) -> Option<&'static str> {
        let name = *self.as_slice().first()?;
        self.next += 1;
        Some(name)
    }
}

/// The names among `known` that someone who wrote `name` may have meant.
///
/// A name counts when it is at most max(2, length / 4) edits away (a swap of neighbours is one edit) or
/// when its last segment is the same.
///
/// ```
/// use kina_observ_conventions::{ATTRIBUTES, nearest};
///
/// let mut near = nearest("eror.type", ATTRIBUTES.iter().map(|def| def.key));
/// assert_eq!(near.next(), Some("error.type"));
/// ```
pub fn nearest(name: &str, known: impl Iterator<Item = &'static str>) -> Suggestions {
    let limit = (name.len() / 4).max(2);
    let mut found = Suggestions::default();
    for candidate in known {
        match distance_within(name, candidate, limit) {
            Some(distance) => found.offer(candidate, distance),
            // Behind every near name, however short the difference.
            None if last_segment(name) == last_segment(candidate) => {
                found.offer(candidate, limit + name.len().abs_diff(candidate.len()) + 1);
            }
            None => {}
        }
    }
    found
}

fn last_segment(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Edits between two names, swaps of neighbours included, when there are at most `limit`.
fn distance_within(left: &str, right: &str, limit: usize) -> Option<usize> {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len().abs_diff(right.len()) > limit || right.len() > LONGEST {
        return None;
    }
    let mut before = [0; LONGEST + 1];
    let mut above = [0; LONGEST + 1];
    let mut row = [0; LONGEST + 1];
    for (column, cell) in above.iter_mut().enumerate() {
        *cell = column;
    }
    for (line, &l) in left.iter().enumerate() {
        row[0] = line + 1;
        for (column, &r) in right.iter().enumerate() {
            let mut best = (above[column] + usize::from(l != r)).min(above[column + 1] + 1).min(row[column] + 1);
            if line > 0 && column > 0 && l == right[column - 1] && left[line - 1] == r {
                best = best.min(before[column - 1] + 1);
            }
            row[column + 1] = best;
        }
        before = above;
        above = row;
    }
    Some(above[right.len()]).filter(|&distance| distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    const KNOWN: [&str; 6] =
        ["error.type", "runtime.dtype", "runtime.shape.m", "runtime.shape.n", "runtime.shape.k", "server.type"];

    fn check(name: &str, expected: &[&str]) {
        assert_eq!(nearest(name, KNOWN.into_iter()).as_slice(), expected, "for `{name}`");
    }

    #[test]
    fn nearest_names() {
        check("eror.type", &["error.type", "server.type"]);
        check("error.tpye", &["error.type"]);
        check("runtime.shape.x", &["runtime.shape.m", "runtime.shape.n", "runtime.shape.k"]);
        check("runtme.shape.k", &["runtime.shape.k", "runtime.shape.m", "runtime.shape.n"]);
        check("acme.dtype", &["runtime.dtype"]);
        check("nothing.like.it", &[]);
        check("", &[]);
    }

    #[test]
    fn a_name_of_any_length_is_harmless() {
        let long = "a.".repeat(400);
        assert!(nearest(&long, KNOWN.into_iter()).is_empty());
    }
}
