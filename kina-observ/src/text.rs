//! Text of a fixed size: no allocation, no destructor, always ends in a NUL for C.

use core::fmt;

/// At most `N - 1` bytes; what does not fit is cut at a character and marked with `…`.
#[derive(Clone, Copy)]
pub(crate) struct FixedText<const N: usize> {
    bytes: [u8; N],
    length: usize,
    full: bool,
}

const MARK: &str = "…";

impl<const N: usize> FixedText<N> {
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; N], length: 0, full: false }
    }

    pub(crate) fn clear(&mut self) {
        self.length = 0;
        self.full = false;
        self.bytes[0] = 0;
    }

    pub(crate) fn as_str(&self) -> &str {
        // Only whole characters are ever written.
        core::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }

    /// The same without a look at each character.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// For C: `as_str` and a NUL. A NUL inside the text ends it early, as C would read it.
    pub(crate) fn as_ptr(&self) -> *const core::ffi::c_char {
        self.bytes.as_ptr().cast()
    }

    fn append(&mut self, text: &str) {
        let end = self.length + text.len();
        self.bytes[self.length..end].copy_from_slice(text.as_bytes());
        self.length = end;
        self.bytes[end] = 0;
    }
}

/// Fills the placeholders of a template; `value` writes the one of a key. `false`: there is none, and `into` is of no use.
pub(crate) fn fill<W: fmt::Write>(template: &str, into: &mut W, mut value: impl FnMut(&str, &mut W) -> bool) -> bool {
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((key, tail)) = after.split_once('}') else { break };
        // Neither of the texts that we write to ever fails.
        let _ = into.write_str(before);
        if !value(key, into) {
            return false;
        }
        rest = tail;
    }
    let _ = into.write_str(rest);
    true
}

impl<const N: usize> fmt::Write for FixedText<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = N - 1 - self.length;
        if self.full || text.len() <= room {
            if !self.full {
                self.append(text);
            }
            return Ok(());
        }
        self.full = true;
        // Room for the mark, taken from what is already there if need be.
        let want = N - 1 - MARK.len();
        if self.length > want {
            let mut end = want;
            while !self.as_str().is_char_boundary(end) {
                end -= 1;
            }
            self.length = end;
        } else {
            self.append(crate::words::cut(text, want - self.length));
        }
        self.append(MARK);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::fmt::Write;

    fn check(parts: &[&str], expected: &str) {
        let mut text = FixedText::<12>::new();
        for part in parts {
            text.write_str(part).expect("never fails");
        }
        assert_eq!(text.as_str(), expected);
    }

    #[test]
    fn cuts_between_characters_and_says_so() {
        check(&["short"], "short");
        check(&["eleven byte"], "eleven byte");
        check(&["twelve bytes"], "twelve b…");
        check(&["eleven byte", "!", "?"], "eleven b…");
        check(&["äöüäöü"], "äöüä…");
    }
}
