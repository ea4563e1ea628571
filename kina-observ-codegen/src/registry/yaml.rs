//! Reads YAML into nodes that know their line and column.

use yaml_rust2::parser::{Event, Parser};
use yaml_rust2::scanner::{Marker, TScalarStyle};

use super::error::Errors;

/// A registry nests about eight deep; more is a mistake, and we recurse over the nodes.
const DEEPEST: usize = 32;

/// A place in a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mark {
    /// The number that `Errors::file` gave.
    pub(super) file: usize,
    pub(super) line: usize,
    pub(super) column: usize,
}

/// A text and its place. Texts are leaked: definitions live as long as the process.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    pub(super) text: &'static str,
    pub(super) at: Mark,
}

#[derive(Debug)]
pub(super) struct Node {
    pub(super) at: Mark,
    pub(super) value: Value,
}

#[derive(Debug)]
pub(super) enum Value {
    /// Written without quotes, so it may be a number or a truth value.
    Plain(&'static str),
    Quoted(&'static str),
    List(Vec<Node>),
    Map(Vec<(Word, Node)>),
}

/// The document in `text`; `None` after an error.
pub(super) fn parse(text: &str, file: usize, errors: &mut Errors) -> Option<Node> {
    let mut parser = Parser::new_from_str(text);
    let mut builder = Builder { file, open: Vec::new(), root: None };
    loop {
        let (event, marker) = match parser.next_token() {
            Ok(next) => next,
            Err(error) => {
                let help = "a YAML file: two spaces a level, `key: value`, quotes around texts with `: ` or `#`";
                errors.at(mark(file, error.marker()), format!("not valid YAML: {}", error.info()), help);
                return None;
            }
        };
        if event == Event::StreamEnd {
            break;
        }
        if let Err((message, help)) = builder.take(event, mark(file, &marker)) {
            errors.at(mark(file, &marker), message, help);
            return None;
        }
    }
    if builder.root.is_none() {
        errors.at(Mark { file, line: 1, column: 1 }, "the file is empty", "start it with `file_format: definition/2`");
    }
    builder.root
}

fn mark(file: usize, marker: &Marker) -> Mark {
    Mark { file, line: marker.line(), column: marker.col() + 1 }
}

struct Builder {
    file: usize,
    open: Vec<Frame>,
    root: Option<Node>,
}

/// A list or map whose end has not come yet.
struct Frame {
    node: Node,
    /// The key that waits for its value.
    key: Option<Word>,
}

type Refusal = (String, &'static str);

impl Builder {
    fn take(&mut self, event: Event, at: Mark) -> Result<(), Refusal> {
        debug_assert_eq!(at.file, self.file);
        match event {
            Event::Scalar(text, style, ..) => {
                let text = text.leak();
                let value = if style == TScalarStyle::Plain { Value::Plain(text) } else { Value::Quoted(text) };
                self.add(Node { at, value })
            }
            Event::SequenceStart(..) => self.open(Node { at, value: Value::List(Vec::new()) }),
            Event::MappingStart(..) => self.open(Node { at, value: Value::Map(Vec::new()) }),
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(frame) => self.add(frame.node),
                None => Ok(()),
            },
            Event::Alias(_) => {
                Err(("a YAML alias is not read here".into(), "write the value out, or use an `attribute_groups` entry"))
            }
            Event::DocumentStart if self.root.is_some() => {
                Err(("a second document in one file".into(), "move it into a file of its own"))
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart | Event::DocumentEnd => {
                Ok(())
            }
        }
    }

    fn open(&mut self, node: Node) -> Result<(), Refusal> {
        if self.open.len() == DEEPEST {
            return Err((format!("nested more than {DEEPEST} deep"), "a registry needs about eight levels"));
        }
        self.open.push(Frame { node, key: None });
        Ok(())
    }

    fn add(&mut self, node: Node) -> Result<(), Refusal> {
        let Some(Frame { node: parent, key }) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        match (&mut parent.value, key.take()) {
            (Value::Map(entries), Some(key)) => entries.push((key, node)),
            (Value::Map(entries), None) => match node.value {
                Value::Plain(text) | Value::Quoted(text) => {
                    if entries.iter().any(|(held, _)| held.text == text) {
                        return Err((format!("`{text}` stands here twice"), "keep one of the two"));
                    }
                    // The parser marks a map without braces behind its first key.
                    if entries.is_empty() {
                        parent.at = parent.at.min(node.at);
                    }
                    *key = Some(Word { text, at: node.at });
                }
                Value::List(_) | Value::Map(_) => return Err(("a key must be a text".into(), "write `key: value`")),
            },
            (Value::List(items), _) => items.push(node),
            // A scalar never has children.
            (Value::Plain(_) | Value::Quoted(_), _) => {}
        }
        Ok(())
    }
}
