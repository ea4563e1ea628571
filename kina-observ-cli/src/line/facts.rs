//! What every command needs of a line, checked; a line without it is no part of a trace.

use serde_json::error::Category;

use super::Line;
use crate::ids;

/// The `duration_ns` of a span that has not ended.
pub(crate) const OPEN: u64 = u64::MAX;

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Header,
    Span,
    Start,
    Unfinished,
    Event,
    Dropped,
    /// One that a later version added.
    Other,
}

/// The numbers of a span's line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) trace_id: u128,
    pub(crate) span_id: u64,
    /// 0 at a root.
    pub(crate) parent: u64,
    pub(crate) start_ns: u64,
    /// [`OPEN`] unless it ended.
    pub(crate) duration_ns: u64,
    pub(crate) failed: bool,
}

/// Why a line cannot be used.
#[derive(Debug)]
pub(crate) struct Flaw {
    pub(crate) id: &'static str,
    pub(crate) message: String,
    pub(crate) help: &'static str,
}

/// The line in `bytes`; `whole` if its line end was there.
pub(crate) fn parse(bytes: &[u8], whole: bool) -> Result<Line<'_>, Flaw> {
    let flaw = |id, message, help| Err(Flaw { id, message, help });
    let Ok(text) = str::from_utf8(bytes) else {
        return flaw(
            "broken-line",
            "the line is not UTF-8".to_owned(),
            "look for another program that writes to the file",
        );
    };
    match serde_json::from_str(text) {
        Ok(line) => Ok(line),
        Err(error) if error.classify() == Category::Eof && !whole => flaw(
            "torn-line",
            "the last line is cut off".to_owned(),
            "the program was killed while it wrote, or still writes; the lines before are good",
        ),
        Err(error) if error.classify() == Category::Data => flaw(
            "wrong-line",
            format!("the line does not have the form of a trace line: {}", without_place(&error)),
            "see `docs/trace-line.schema.json`",
        ),
        Err(error) => flaw(
            "broken-line",
            format!("the line is not JSON: {}", without_place(&error)),
            "look for another program that writes to the file, or a crash in the middle of a line",
        ),
    }
}

/// `serde_json` counts lines in what it was given, which is always one.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}

impl Line<'_> {
    pub(crate) fn kind(&self) -> Result<Kind, Flaw> {
        Ok(match self.kind.as_deref() {
            Some("header") => Kind::Header,
            Some("span") => Kind::Span,
            Some("start") => Kind::Start,
            Some("unfinished") => Kind::Unfinished,
            Some("event") => Kind::Event,
            Some("dropped") => Kind::Dropped,
            Some(_) => Kind::Other,
            None => return Err(missing("kind")),
        })
    }

    /// Of a line about a span.
    pub(crate) fn facts(&self, kind: Kind) -> Result<Facts, Flaw> {
        for (key, there) in [
            ("span", self.span.is_some()),
            ("type", self.span_type.is_some()),
            ("thread", self.thread.is_some()),
            ("attributes", self.attributes.is_some()),
            ("duration_ms", self.duration_ms.is_some() || kind != Kind::Span),
        ] {
            if !there {
                return Err(missing(key));
            }
        }
        let failed = match self.status.as_deref() {
            None => false,
            Some("ERROR") => true,
            Some(other) => {
                return Err(wrong("status", other, "write `ERROR` on a span that failed, and nothing on the others"));
            }
        };
        Ok(Facts {
            trace_id: id("trace_id", self.trace_id.as_deref(), ids::trace_id)?,
            span_id: id("span_id", self.span_id.as_deref(), ids::span_id)?,
            parent: match self.parent_span_id.as_deref() {
                None => 0,
                parent => id("parent_span_id", parent, ids::span_id)?,
            },
            start_ns: {
                let ts = self.ts.as_deref().ok_or_else(|| missing("ts"))?;
                ids::unix_ns(ts).ok_or_else(|| wrong("ts", ts, "write UTC with nine decimals and a `Z`"))?
            },
            duration_ns: match self.duration_ms {
                Some(ms) if kind == Kind::Span => ids::duration_ns(ms)
                    .ok_or_else(|| wrong("duration_ms", &ms.to_string(), "write milliseconds, 0 or more"))?,
                _ => OPEN,
            },
            failed,
        })
    }
}

fn id<T>(key: &'static str, text: Option<&str>, read: fn(&str) -> Option<T>) -> Result<T, Flaw> {
    let text = text.ok_or_else(|| missing(key))?;
    let digits = if key == "trace_id" { 32 } else { 16 };
    read(text).ok_or_else(|| Flaw {
        id: "wrong-id",
        message: format!("`{text}` is no `{key}`"),
        help: if digits == 32 {
            "write 32 lower-case hexadecimal digits, not all 0"
        } else {
            "write 16 lower-case hexadecimal digits, not all 0; leave `parent_span_id` out at a root"
        },
    })
}

fn missing(key: &str) -> Flaw {
    Flaw {
        id: "missing-key",
        message: format!("the line has no `{key}`"),
        help: "see `docs/outputs.md` for the keys of each kind of line",
    }
}

fn wrong(key: &str, text: &str, help: &'static str) -> Flaw {
    Flaw { id: "wrong-line", message: format!("`{text}` is no `{key}`"), help }
}
