//! The lines that a tree is drawn with.

/// Deeper than this the drawing would be wider than the names.
const DEEPEST: usize = 40;

/// In front of a span; for each level below the root `last` says whether the span there is the last one.
pub(super) fn before(last: &[bool]) -> String {
    match last {
        [] => String::new(),
        [above @ .., own] => below(above) + if *own { "└─ " } else { "├─ " },
    }
}

/// In front of what is said about a span under its line.
pub(super) fn below(last: &[bool]) -> String {
    let cut = last.len().saturating_sub(DEEPEST);
    let mut text = if cut > 0 { format!("…{cut} ") } else { String::new() };
    text.extend(last[cut..].iter().map(|last| if *last { "   " } else { "│  " }));
    text
}

#[cfg(test)]
mod tests {
    use super::{before, below};

    #[test]
    fn drawing() {
        assert_eq!(before(&[]), "");
        assert_eq!(before(&[false]), "├─ ");
        assert_eq!(before(&[false, true]), "│  └─ ");
        assert_eq!(below(&[true, false]), "   │  ");
        assert!(below(&[false; 1000]).starts_with("…960 │  "));
    }
}
