//! Tells Rust code from comments, strings and tests, so that a rule never trips over a sentence.

/// The text with comments, strings and characters blanked; every line keeps its number.
pub(crate) fn code_only(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    let mut previous = ' ';
    while let Some(first) = rest.chars().next() {
        let length = not_code(rest, previous);
        if length == 0 {
            code.push(first);
            previous = first;
            rest = &rest[first.len_utf8()..];
        } else {
            blank(&rest[..length], &mut code);
            previous = ' ';
            rest = &rest[length..];
        }
    }
    code
}

/// The code with its `#[cfg(test)] mod name { .. }` blanked, which may use anything.
pub(crate) fn without_tests(code: &str) -> String {
    let mut kept = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find(TEST_MARK) {
        let (before, marked) = rest.split_at(at);
        let (tests, after) = marked.split_at(test_module(marked));
        kept.push_str(before);
        blank(tests, &mut kept);
        rest = after;
    }
    kept + rest
}

const TEST_MARK: &str = "#[cfg(test)]";

/// How many bytes at the start of `marked` are the mark and the module behind it; only the mark where no module follows.
fn test_module(marked: &str) -> usize {
    let item = marked[TEST_MARK.len()..].trim_start();
    let body = marked.find(['{', ';']).filter(|at| item.starts_with("mod ") && marked[*at..].starts_with('{'));
    let Some(open) = body else {
        return TEST_MARK.len();
    };
    let mut depth = 0_usize;
    let close = marked[open..].find(|c| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    close.map_or(marked.len(), |at| open + at + 1)
}

/// Line number of a byte.
pub(crate) fn line_at(text: &str, byte: usize) -> usize {
    text[..byte].matches('\n').count() + 1
}

/// Where a whole word stands.
pub(crate) fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    code.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let before = code[..*at].chars().next_back();
        let after = code[at + word.len()..].chars().next();
        !before.is_some_and(is_name) && !after.is_some_and(is_name)
    })
}

pub(crate) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Appends as many spaces as `text` has characters; line ends stay.
fn blank(text: &str, out: &mut String) {
    out.extend(text.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
}

/// How many bytes at the start of `rest` are a comment, a string or a character; 0 for code.
fn not_code(rest: &str, previous: char) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return block_comment(rest);
    }
    if rest.starts_with('"') {
        return string(rest);
    }
    if rest.starts_with('\'') {
        return character(rest);
    }
    let starts_name = !is_name(previous);
    match rest.strip_prefix('r') {
        Some(raw) if starts_name || previous == 'b' || previous == 'c' => raw_string(raw),
        _ => 0,
    }
}

fn block_comment(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

fn string(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// `raw` follows the `r`; the result counts the `r` too.
fn raw_string(raw: &str) -> usize {
    let hashes = raw.len() - raw.trim_start_matches('#').len();
    let Some(body) = raw[hashes..].strip_prefix('"') else {
        return 0;
    };
    let close = format!("\"{}", "#".repeat(hashes));
    let end = body.find(&close).map_or(body.len(), |at| at + close.len());
    1 + hashes + 1 + end
}

/// A lifetime is code: its name is not closed by a second `'`.
fn character(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    match chars.next() {
        Some((_, '\\')) => {
            chars.next();
            chars.find(|(_, c)| *c == '\'').map_or(0, |(at, _)| at + 1)
        }
        Some(_) => match chars.next() {
            Some((at, '\'')) => at + 1,
            _ => 0,
        },
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{code_only, without_tests, words};

    fn check(text: &str, expected: &str) {
        assert_eq!(code_only(text), expected, "{text}");
    }

    #[test]
    fn what_is_not_code_is_blank() {
        check("a // b\nc", "a     \nc");
        check("a /* b /* c */ d */ e", "a                   e");
        check(r#"a("b \" c") + d"#, "a(        ) + d");
        check(r##"a(r#"b " c"#) + d"##, "a(          ) + d");
        check("br\"x\" + for_r\"y\"", "b     + for_r   ");
        check("x = '\"'; y = '\\''; z", "x =    ; y =     ; z");
        check("fn f<'a>(x: &'a str)", "fn f<'a>(x: &'a str)");
    }

    #[test]
    fn tests_are_blank() {
        let check = |code: &str, expected: &str| assert_eq!(without_tests(code), expected);
        check("#[cfg(test)]\nuse a;\nfn f() {}", "            \nuse a;\nfn f() {}");
        check("a;\n#[cfg(test)]\nmod t { b { c } }\nd { e }", "a;\n            \n                 \nd { e }");
        check("#[cfg(test)]\nmod t;\nd { e }", "            \nmod t;\nd { e }");
    }

    #[test]
    fn only_whole_words_count() {
        let found: Vec<usize> = words("ab a_b a(ab) ba", "a").collect();
        assert_eq!(found, [7]);
    }
}
