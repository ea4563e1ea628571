//! Reads the fields of a map strictly: unknown keys and wrong types are errors at their place.

use kina_observ_conventions::nearest;

use super::error::{Errors, did_you_mean};
use super::yaml::{Mark, Node, Value, Word};

/// An open map; `what` names it in messages, with its article.
pub(super) struct Fields<'node> {
    what: &'static str,
    at: Mark,
    entries: &'node [(Word, Node)],
}

impl<'node> Fields<'node> {
    /// Opens a map and reports the keys that are not in `known`.
    pub(super) fn open(
        node: &'node Node,
        what: &'static str,
        known: &'static [&'static str],
        errors: &mut Errors,
    ) -> Option<Self> {
        let Value::Map(entries) = &node.value else {
            errors.at(node.at, format!("{what} must be a map"), format!("its keys: {}", listed(known)));
            return None;
        };
        for (key, _) in entries.iter().filter(|(key, _)| !known.contains(&key.text)) {
            let near = nearest(key.text, known.iter().copied());
            let help = did_you_mean(near.as_slice(), format!("its keys: {}", listed(known)));
            errors.at(key.at, format!("{what} has no key `{}`", key.text), help);
        }
        Some(Self { what, at: node.at, entries })
    }

    pub(super) fn find(&self, key: &str) -> Option<&'node Node> {
        self.entries.iter().find(|(held, _)| held.text == key).map(|(_, node)| node)
    }

    pub(super) fn required(&self, key: &str, errors: &mut Errors) -> Option<&'node Node> {
        let found = self.find(key);
        if found.is_none() {
            errors.at(self.at, format!("{} needs `{key}`", self.what), format!("add a line `{key}: ..`"));
        }
        found
    }

    /// A text that must be there.
    pub(super) fn text(&self, key: &str, errors: &mut Errors) -> Option<Word> {
        self.required(key, errors)?.text(errors)
    }

    /// A text that may be absent.
    pub(super) fn maybe_text(&self, key: &str, errors: &mut Errors) -> Option<Word> {
        self.find(key)?.text(errors)
    }

    /// A list, empty when absent.
    pub(super) fn list(&self, key: &str, errors: &mut Errors) -> &'node [Node] {
        let Some(node) = self.find(key) else { return &[] };
        let Value::List(items) = &node.value else {
            errors.at(node.at, format!("`{key}` must be a list"), "write one `- ` line for each entry");
            return &[];
        };
        items
    }

    /// Texts: one, or a list of them; empty when absent.
    pub(super) fn texts(&self, key: &str, errors: &mut Errors) -> Vec<Word> {
        match self.find(key) {
            None => Vec::new(),
            Some(Node { value: Value::List(items), .. }) => items.iter().filter_map(|item| item.text(errors)).collect(),
            Some(node) => node.text(errors).into_iter().collect(),
        }
    }

    /// One of a closed set of words, when the key is there.
    pub(super) fn choice<T: Copy>(&self, key: &str, options: &[(&'static str, T)], errors: &mut Errors) -> Option<T> {
        let word = self.maybe_text(key, errors)?;
        choose(word, key, options, errors)
    }
}

impl Node {
    /// The text of a scalar that YAML reads as a text.
    pub(super) fn text(&self, errors: &mut Errors) -> Option<Word> {
        match self.value {
            Value::Quoted(text) => Some(Word { text, at: self.at }),
            Value::Plain(text) if is_text(text) => Some(Word { text, at: self.at }),
            Value::Plain(text) => {
                errors.at(
                    self.at,
                    format!("`{text}` is not a text"),
                    format!("write a text, in quotes if it must be this one: \"{text}\""),
                );
                None
            }
            Value::List(_) | Value::Map(_) => {
                errors.at(self.at, "expected a text", "write one word or a text in quotes");
                None
            }
        }
    }

    /// A whole number that fits a C `int32_t`.
    pub(super) fn code(&self, errors: &mut Errors) -> Option<i32> {
        let parsed = if let Value::Plain(text) = self.value { text.parse().ok() } else { None };
        if parsed.is_none() {
            errors.at(self.at, "a code must be a whole number of 32 bits", "write `code: 3`");
        }
        parsed
    }

    pub(super) fn boolean(&self, errors: &mut Errors) -> Option<bool> {
        match self.value {
            Value::Plain("true") => Some(true),
            Value::Plain("false") => Some(false),
            _ => {
                errors.at(self.at, "expected `true` or `false`", "write one of the two, without quotes");
                None
            }
        }
    }
}

/// The value that stands for `word` in `options`.
pub(super) fn choose<T: Copy>(word: Word, what: &str, options: &[(&'static str, T)], errors: &mut Errors) -> Option<T> {
    let found = options.iter().find(|(name, _)| *name == word.text).map(|&(_, value)| value);
    if found.is_none() {
        let names: Vec<&str> = options.iter().map(|&(name, _)| name).collect();
        errors.at(word.at, format!("`{}` is not a value of `{what}`", word.text), format!("one of {}", listed(&names)));
    }
    found
}

/// "`a`, `b`, `c`".
pub(super) fn listed(names: &[&str]) -> String {
    format!("`{}`", names.join("`, `"))
}

/// Whether YAML 1.2 reads an unquoted scalar as a text.
fn is_text(plain: &str) -> bool {
    let word =
        !matches!(plain, "" | "~" | "null" | "Null" | "NULL" | "true" | "True" | "TRUE" | "false" | "False" | "FALSE");
    // `inf` and `nan` are numbers to Rust and texts to YAML.
    let number = plain.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) && plain.parse::<f64>().is_ok();
    word && !number
}
