//! The spans of a trace in memory, as few bytes each as the commands can do with.

mod children;
mod words;

use std::collections::HashMap;
use std::path::PathBuf;

use crate::failure::Failure;
use crate::input::Files;
use crate::line::{Facts, Flaw, Kind, Line, OPEN, parse};
use crate::units::counted;
pub(crate) use children::Children;
pub(crate) use words::{Word, Words};

/// One span; texts are numbers of [`Words`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub(crate) facts: Facts,
    pub(crate) name: Word,
    pub(crate) span_type: Word,
    pub(crate) thread: Word,
    pub(crate) module: Word,
    pub(crate) state: State,
    /// Its real parent was dropped.
    pub(crate) parent_dropped: bool,
}

/// How much is known of a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// It ended.
    Ended,
    /// Only its start was seen.
    Started,
    /// It can no longer end.
    Unfinished,
    /// Another line says more, or the same: not to be counted.
    Repeated,
}

/// What a failed span says.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) error_type: String,
    pub(crate) message: String,
    pub(crate) help: String,
}

/// Everything that was read.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    pub(crate) spans: Vec<Span>,
    pub(crate) words: Words,
    /// By index of the span.
    pub(crate) errors: HashMap<u32, Told>,
    /// Records lost, and why.
    pub(crate) dropped: Vec<(u64, String)>,
    /// Two lines about the end of one span, by index: the first, the second.
    pub(crate) duplicates: Vec<(u32, u32)>,
    by_id: HashMap<u64, u32>,
}

impl Trace {
    /// Reads `paths`; what cannot be used is counted in the sentence that comes with it.
    pub(crate) fn read(paths: &[PathBuf]) -> Result<(Self, Option<String>), Failure> {
        let files = Files::new(paths)?;
        let mut trace = Self::default();
        let mut useless = 0;
        let mut first = None;
        files.lines(|read| {
            if let Err(flaw) = trace.take(read.bytes, read.whole) {
                useless += 1;
                first
                    .get_or_insert_with(|| format!("{}:{}: {}", files.name(read.place), read.place.line, flaw.message));
            }
            Ok(())
        })?;
        let note = first.map(|first| {
            format!("{} left out, the first is {first}; `kina-observ check` says more", counted(useless, "line"))
        });
        Ok((trace, note))
    }

    fn take(&mut self, bytes: &[u8], whole: bool) -> Result<(), Flaw> {
        let line = parse(bytes, whole)?;
        match line.kind()? {
            kind @ (Kind::Span | Kind::Start | Kind::Unfinished) => {
                let facts = line.facts(kind)?;
                self.add(&line, kind, facts);
            }
            Kind::Dropped => self.drop_record(&line),
            Kind::Header | Kind::Event | Kind::Other => {}
        }
        Ok(())
    }

    pub(crate) fn drop_record(&mut self, line: &Line<'_>) {
        let reason = line.reason.as_deref().unwrap_or("no reason given");
        self.dropped.push((line.count.unwrap_or(1), reason.to_owned()));
    }

    /// Adds the span of `line` and returns its index.
    pub(crate) fn add(&mut self, line: &Line<'_>, kind: Kind, facts: Facts) -> u32 {
        let index = u32::try_from(self.spans.len()).expect("fewer than four thousand million spans fit into memory");
        // Lines that follow each other are often alike, and comparing is cheaper than hashing.
        let before = self.spans.last().copied();
        let mut word = |text: Option<&str>, of: fn(&Span) -> Word| {
            let text = text.unwrap_or_default();
            let again = before.as_ref().map(of).filter(|&word| self.words.text(word) == text);
            again.unwrap_or_else(|| self.words.number(text))
        };
        let mut span = Span {
            facts,
            name: word(line.span.as_deref(), |span| span.name),
            span_type: word(line.span_type.as_deref(), |span| span.span_type),
            thread: word(line.thread.as_deref(), |span| span.thread),
            module: word(line.module_id.as_deref(), |span| span.module),
            state: match kind {
                Kind::Start => State::Started,
                Kind::Unfinished => State::Unfinished,
                _ => State::Ended,
            },
            // The key is so rare that looking for it in the text is cheaper than to take every line apart.
            parent_dropped: line
                .attributes
                .is_some_and(|raw| raw.get().contains("\"runtime.trace.parent_dropped\":true")),
        };
        match self.by_id.get(&facts.span_id).copied() {
            None => _ = self.by_id.insert(facts.span_id, index),
            Some(first) if self.spans[first as usize].state == State::Started => {
                self.spans[first as usize].state = State::Repeated;
                self.by_id.insert(facts.span_id, index);
            }
            Some(first) => {
                if kind != Kind::Start {
                    self.duplicates.push((first, index));
                }
                span.state = State::Repeated;
            }
        }
        if let Some(error) = &line.error {
            let text = |text: &str| text.to_owned();
            let (error_type, message, help) = (text(&error.error_type), text(&error.message), text(&error.help));
            self.errors.insert(index, Told { error_type, message, help });
        }
        self.spans.push(span);
        index
    }

    /// The index of the span with this id.
    pub(crate) fn find(&self, span_id: u64) -> Option<u32> {
        self.by_id.get(&span_id).copied()
    }

    /// The index of the parent of `span`, if it is in the trace.
    pub(crate) fn parent(&self, span: &Span) -> Option<u32> {
        if span.facts.parent == 0 { None } else { self.find(span.facts.parent) }
    }

    /// Each span once, with its index.
    pub(crate) fn each(&self) -> impl Iterator<Item = (u32, &Span)> {
        (0..).zip(&self.spans).filter(|(_, span)| span.state != State::Repeated)
    }
}

impl Span {
    /// `None` while it has not ended.
    pub(crate) fn duration(&self) -> Option<u64> {
        Some(self.facts.duration_ns).filter(|&duration| duration != OPEN)
    }

    /// When it ended.
    pub(crate) fn end(&self) -> Option<u64> {
        Some(self.facts.start_ns.saturating_add(self.duration()?))
    }
}
