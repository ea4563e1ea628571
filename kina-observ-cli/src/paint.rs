//! Colours, and text that comes from a trace made harmless for a terminal.

use std::fmt::{self, Write};

// `anstream` removes them where no colour belongs.
pub(crate) const RED: &str = "\x1b[1;31m";
pub(crate) const YELLOW: &str = "\x1b[1;33m";
pub(crate) const BLUE: &str = "\x1b[1;34m";
pub(crate) const BOLD: &str = "\x1b[1m";
pub(crate) const DIM: &str = "\x1b[2m";
pub(crate) const RESET: &str = "\x1b[0m";

/// A text on one line, in which nothing can move the cursor, change a colour or the direction of writing.
pub(crate) struct Plain<'a>(pub(crate) &'a str);

impl fmt::Display for Plain<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '\n' | '\t' => out.write_char(' '),
            c if c.is_control() || is_direction(c) => out.write_char('\u{fffd}'),
            c => out.write_char(c),
        })
    }
}

/// Marks that make right-to-left text; they can make a line look like another one.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::Plain;

    #[test]
    fn escapes_and_directions_do_not_reach_the_terminal() {
        assert_eq!(Plain("a\x1b[31mb\nc\u{202e}d é").to_string(), "a\u{fffd}[31mb c\u{fffd}d é");
    }
}
