//! Lines for people: `[2026-05-08T20:45:12.183456Z INFO  kina_runtime] message key=value`.

use kina_observ_conventions::Severity;

use super::lines::Format;
use super::number;
use super::time::Timestamps;
use super::word;
use crate::record::{AttrValue, ErrorText, EventRecord, Record, SpanRecord};

/// Turns records into text.
pub(crate) struct Text {
    timestamps: Timestamps,
    /// The least important severity that is written.
    up_to: Severity,
    color: Color,
}

/// Whether the word of the severity is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Color {
    Plain,
    Ansi,
}

/// What a line says of its span.
#[derive(Clone, Copy)]
enum Phase {
    Started,
    Ended,
    Unfinished,
}

impl Text {
    pub(crate) fn new(up_to: Severity, color: Color) -> Self {
        Self { timestamps: Timestamps::new(), up_to, color }
    }

    /// `[ts LEVEL target] `, unless the severity is below the threshold.
    fn begin(&mut self, out: &mut Vec<u8>, unix_ns: u64, severity: Severity, target: &str) -> bool {
        if severity > self.up_to {
            return false;
        }
        out.push(b'[');
        self.timestamps.microseconds(out, unix_ns);
        out.push(b' ');
        let word = word(severity);
        if self.color == Color::Ansi {
            out.extend_from_slice(match severity {
                Severity::Error => b"\x1b[31m",
                Severity::Warn => b"\x1b[33m",
                Severity::Info => b"\x1b[32m",
                Severity::Debug => b"\x1b[34m",
                Severity::Trace => b"\x1b[35m",
            });
            out.extend_from_slice(word.as_bytes());
            out.extend_from_slice(b"\x1b[0m");
        } else {
            out.extend_from_slice(word.as_bytes());
        }
        // The longest words have five letters.
        out.extend_from_slice(&b"      "[..6 - word.len()]);
        plain(out, target);
        out.extend_from_slice(b"] ");
        true
    }

    fn span(&mut self, out: &mut Vec<u8>, phase: Phase, span: &SpanRecord<'_>) {
        let severity = match phase {
            _ if span.failed => Severity::Error,
            Phase::Unfinished => span.facts.severity.min(Severity::Warn),
            Phase::Started | Phase::Ended => span.facts.severity,
        };
        // Its end, so that the lines stand in the order of time.
        let time = span.start_ns.saturating_add(span.duration_ns);
        if !self.begin(out, time, severity, span.facts.module) {
            return;
        }
        plain(out, span.name);
        match phase {
            Phase::Started => out.extend_from_slice(b" started"),
            Phase::Unfinished => out.extend_from_slice(b" did not finish"),
            Phase::Ended => {
                out.extend_from_slice(if span.failed { b" failed after " } else { b" completed in " });
                number::duration(out, span.duration_ns);
            }
        }
        pairs(out, span.attributes, span.module.map(|id| *id.as_bytes()));
        out.push(b'\n');
        if let Some(failure) = span.error {
            error(out, failure);
        }
    }

    fn event(&mut self, out: &mut Vec<u8>, event: &EventRecord<'_>) {
        if self.begin(out, event.time_ns, event.severity, event.target) {
            block(out, event.message);
            pairs(out, event.fields, event.module.map(|id| *id.as_bytes()));
            out.push(b'\n');
        }
    }
}

impl Format for Text {
    fn record(&mut self, out: &mut Vec<u8>, record: &Record<'_>) {
        match record {
            Record::Span(span) => self.span(out, Phase::Ended, span),
            Record::Start(span) => self.span(out, Phase::Started, span),
            Record::Unfinished(span) => self.span(out, Phase::Unfinished, span),
            Record::Event(event) => self.event(out, event),
            Record::Dropped(dropped) => {
                if self.begin(out, dropped.time_ns, Severity::Warn, "kina_observ") {
                    number::unsigned(out, dropped.count);
                    out.extend_from_slice(b" records were lost thread=");
                    quoted(out, dropped.thread);
                    out.extend_from_slice(b" reason=");
                    quoted(out, dropped.reason);
                    out.push(b'\n');
                }
            }
        }
    }

    fn header(&mut self, _out: &mut Vec<u8>) {}
}

/// The form of every error that a person reads: what, where, what to do.
fn error(out: &mut Vec<u8>, error: &ErrorText) {
    out.extend_from_slice(b"error[");
    plain(out, &error.error_type);
    out.extend_from_slice(b"]: ");
    block(out, &error.message);
    for (name, text) in [("trace context", &error.span_path), ("help", &error.help)] {
        if !text.is_empty() {
            out.extend_from_slice(b"\n  = ");
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b": ");
            block(out, text);
        }
    }
    out.push(b'\n');
}

fn pairs(out: &mut Vec<u8>, attributes: &[(&'static str, AttrValue)], module: Option<[u8; 16]>) {
    for (key, value) in attributes {
        out.push(b' ');
        plain(out, key);
        out.push(b'=');
        match value {
            AttrValue::Int(number) => number::signed(out, *number),
            AttrValue::Double(number) => number::double(out, *number),
            AttrValue::Boolean(truth) => out.extend_from_slice(if *truth { b"true" } else { b"false" }),
            AttrValue::Str(text) => quoted(out, text),
            AttrValue::Ints(numbers) => {
                out.push(b'[');
                for (index, number) in numbers.iter().enumerate() {
                    if index > 0 {
                        out.push(b',');
                    }
                    number::signed(out, *number);
                }
                out.push(b']');
            }
        }
    }
    if let Some(id) = module {
        out.extend_from_slice(b" module_id=");
        number::uuid(out, id);
    }
}

/// A value: in quotes if it is empty or has spaces, quotes, `=` or anything that cannot be seen.
fn quoted(out: &mut Vec<u8>, text: &str) {
    let simple = |c: char| !c.is_whitespace() && !matches!(c, '"' | '\\' | '=') && !is_hidden(c);
    if !text.is_empty() && text.chars().all(simple) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    out.push(b'"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend_from_slice(&[b'\\', c as u8]),
            _ => character(out, c, "\\n"),
        }
    }
    out.push(b'"');
}

/// A text inside a line.
fn plain(out: &mut Vec<u8>, text: &str) {
    filtered(out, text, "\\n");
}

/// A text that may have several lines: those after the first are set in, so that none can pass for a line of ours.
fn block(out: &mut Vec<u8>, text: &str) {
    filtered(out, text, "\n    ");
}

fn filtered(out: &mut Vec<u8>, text: &str, line_break: &str) {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    for c in text.chars() {
        character(out, c, line_break);
    }
}

/// A character, or its number if a terminal would act on it instead of showing it.
fn character(out: &mut Vec<u8>, c: char, line_break: &str) {
    match c {
        '\n' => out.extend_from_slice(line_break.as_bytes()),
        '\t' => out.push(b'\t'),
        _ if is_hidden(c) => {
            for escape in c.escape_unicode() {
                out.push(escape as u8);
            }
        }
        _ => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

/// Control characters, escape sequences among them, and those that change the direction of the text.
fn is_hidden(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
