//! Which spans are shown: those that fit, and the spans around them.

use crate::cli::View;
use crate::trace::{Span, Trace};

/// What a span must fulfil.
pub(super) struct Filter<'o> {
    options: &'o View,
    min_ns: u64,
}

impl<'o> Filter<'o> {
    pub(super) fn new(options: &'o View) -> Self {
        let min_ns = options.min.map_or(0, |min| u64::try_from(min.as_nanos()).unwrap_or(u64::MAX));
        Self { options, min_ns }
    }

    /// By index of the span.
    pub(super) fn shown(&self, trace: &Trace) -> Vec<bool> {
        let mut shown = vec![false; trace.spans.len()];
        for (index, _) in trace.each().filter(|(_, span)| self.fits(trace, span)) {
            let mut next = Some(index);
            // Ends at the root, or at a span whose ancestors are marked already.
            while let Some(index) = next.filter(|&index| !shown[index as usize]) {
                shown[index as usize] = true;
                next = trace.parent(&trace.spans[index as usize]);
            }
        }
        shown
    }

    fn fits(&self, trace: &Trace, span: &Span) -> bool {
        let options = self.options;
        let starts =
            |wanted: &Option<String>, id: &str| wanted.as_ref().is_none_or(|wanted| id.starts_with(wanted.as_str()));
        let text = |word| trace.words.text(word);
        (!options.errors || span.facts.failed)
            // What has not ended may take for ever.
            && span.duration().is_none_or(|duration| duration >= self.min_ns)
            && options.name.as_ref().is_none_or(|glob| glob_fits(glob, text(span.name)))
            && starts(&options.module, text(span.module))
            && (options.trace.is_none() || starts(&options.trace, &format!("{:032x}", span.facts.trace_id)))
    }
}

/// Whether `text` fits `glob`: `*` is any text, `?` one character, all others are themselves.
fn glob_fits(glob: &str, text: &str) -> bool {
    let (glob, text): (Vec<char>, Vec<char>) = (glob.chars().collect(), text.chars().collect());
    let (mut at, mut next) = (0, 0);
    // Where to go on if the last star has to take one character more.
    let mut star: Option<(usize, usize)> = None;
    while next < text.len() {
        if glob.get(at) == Some(&'*') {
            star = Some((at, next));
            at += 1;
        } else if glob.get(at).is_some_and(|&c| c == '?' || c == text[next]) {
            (at, next) = (at + 1, next + 1);
        } else if let Some((place, taken)) = star {
            star = Some((place, taken + 1));
            (at, next) = (place + 1, taken + 1);
        } else {
            return false;
        }
    }
    glob[at..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::glob_fits;

    #[test]
    fn globs() {
        for (glob, text) in
            [("*", ""), ("a*c", "abbc"), ("a?c", "abc"), ("*.gpu.*", "runtime.gpu.add"), ("**a", "ba"), ("ü?", "üß")]
        {
            assert!(glob_fits(glob, text), "{glob} {text}");
        }
        for (glob, text) in [("", "a"), ("a?c", "ac"), ("a*c", "abcd"), ("gpu", "runtime.gpu"), ("*b?", "ab")] {
            assert!(!glob_fits(glob, text), "{glob} {text}");
        }
    }
}
