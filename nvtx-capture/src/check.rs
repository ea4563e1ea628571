//! What is wrong with a capture: ranges that do not pair, names that nobody registered or knows, ranges of the wrong kind.

use core::fmt;
use std::collections::BTreeMap;

use crate::calls::{Call, Message, What};

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// A thread has ranges open at the end.
    LeftOpen {
        /// The thread.
        thread: u32,
        /// The names of the ranges, the outermost first.
        names: Vec<String>,
    },
    /// A thread closed a range that it had not opened.
    PopBelowZero {
        /// The thread.
        thread: u32,
    },
    /// One thread opened ranges, and as many were closed by threads that had none open.
    OtherThread {
        /// The thread that opened.
        opened: u32,
        /// The thread that closed.
        closed: u32,
    },
    /// A range's name came as a text and not as a registered one, or not at all.
    NotRegistered(Message),
    /// A text was registered twice.
    RegisteredAgain(String),
    /// A name that is not in the registry.
    UnknownName(String),
    /// A range of the process, which tools do not attribute kernels to.
    StartEnd,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LeftOpen { thread, names } => {
                write!(f, "thread {thread} has left open: {}", names.join(" > "))
            }
            Self::PopBelowZero { thread } => write!(f, "thread {thread} closed a range that it had not opened"),
            Self::OtherThread { opened, closed } => {
                write!(f, "a range of thread {opened} was closed by thread {closed}")
            }
            Self::NotRegistered(message) => write!(f, "the name of a range is not registered: {message:?}"),
            Self::RegisteredAgain(text) => write!(f, "`{text}` was registered twice"),
            Self::UnknownName(name) => write!(f, "`{name}` is not in the registry"),
            Self::StartEnd => f.write_str("a range with start and end instead of push and pop"),
        }
    }
}

/// The names that ranges may have.
#[derive(Debug, Default, Clone)]
pub struct Names {
    templates: Vec<String>,
    values: BTreeMap<String, Vec<String>>,
}

impl Names {
    /// Templates: texts with `{key}` in them. A placeholder stands for a word without spaces, unless [`value`](Self::value) says more; a
    /// template without a letter outside its placeholders, such as `{key}`, matches only where the values are known.
    pub fn new<T: Into<String>>(templates: impl IntoIterator<Item = T>) -> Self {
        Self { templates: templates.into_iter().map(Into::into).collect(), values: BTreeMap::new() }
    }

    /// All values that a placeholder may stand for.
    pub fn value<T: Into<String>>(mut self, key: &str, values: impl IntoIterator<Item = T>) -> Self {
        self.values.insert(key.to_owned(), values.into_iter().map(Into::into).collect());
        self
    }

    fn knows(&self, name: &str) -> bool {
        self.templates.iter().any(|template| self.matches(template, name, self.says_something(template)))
    }

    /// Whether a template has text of its own, so that a placeholder may stand for any word.
    fn says_something(&self, template: &str) -> bool {
        let outside = template.split('{').flat_map(|part| part.rsplit('}').next());
        outside.flat_map(str::chars).any(char::is_alphabetic)
    }

    fn matches(&self, template: &str, name: &str, free: bool) -> bool {
        let Some((before, after)) = template.split_once('{') else { return template == name };
        let (Some(name), Some((key, rest))) = (name.strip_prefix(before), after.split_once('}')) else {
            return false;
        };
        match self.values.get(key) {
            Some(values) => values
                .iter()
                .any(|value| name.strip_prefix(value.as_str()).is_some_and(|name| self.matches(rest, name, free))),
            None if free => {
                let word = name.find(char::is_whitespace).unwrap_or(name.len());
                (1..=word).filter(|end| name.is_char_boundary(*end)).any(|end| self.matches(rest, &name[end..], free))
            }
            None => false,
        }
    }
}

/// Everything that is wrong with the calls of one domain; empty: nothing.
pub fn check(calls: &[Call], domain: &str, names: &Names) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut open: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    let mut below = Vec::new();
    let mut registered: Vec<&str> = Vec::new();
    for call in calls {
        match &call.what {
            What::Register { domain: of, text } if of == domain => {
                if registered.contains(&text.as_str()) {
                    findings.push(Finding::RegisteredAgain(text.clone()));
                }
                registered.push(text);
            }
            What::Push { domain: of, message, .. } if of == domain => {
                if !matches!(message, Message::Registered(_)) {
                    findings.push(Finding::NotRegistered(message.clone()));
                }
                let name = message.text().unwrap_or_default();
                if !names.knows(name) {
                    findings.push(Finding::UnknownName(name.to_owned()));
                }
                open.entry(call.thread).or_default().push(name.to_owned());
            }
            What::Pop { domain: of } if of == domain => {
                let closed = open.get_mut(&call.thread).and_then(Vec::pop);
                below.extend(closed.is_none().then_some(call.thread));
            }
            What::Start { domain: of, .. } if of == domain => findings.push(Finding::StartEnd),
            _ => {}
        }
    }
    for (thread, mut names) in open {
        while !names.is_empty()
            && let Some(other) = below.iter().position(|closed| *closed != thread)
        {
            names.pop();
            findings.push(Finding::OtherThread { opened: thread, closed: below.remove(other) });
        }
        if !names.is_empty() {
            findings.push(Finding::LeftOpen { thread, names });
        }
    }
    findings.extend(below.into_iter().map(|thread| Finding::PopBelowZero { thread }));
    findings
}

#[cfg(test)]
mod tests;
