//! JSON lines, one object for each record, as `docs/trace-line.schema.json` says.
//! Invariant: whatever the texts hold, a line is one valid JSON object (`tests/json_line.rs`).

use std::time::SystemTime;

use kina_observ_conventions::{REGISTRY_HASH, SCHEMA_URL, SpanKind};

use super::lines::Format;
use super::number;
use super::string::text;
use super::time::{Timestamps, unix_ns};
use super::word;
use crate::record::{AttrValue, DroppedRecord, ErrorText, EventRecord, Header, Record, SpanRecord};

/// Raised when a key changes its meaning or goes away, not when one is added.
const SCHEMA_VERSION: u64 = 1;

/// Turns records into JSON lines.
pub(crate) struct Json {
    timestamps: Timestamps,
    module: ModuleText,
    header: Header,
}

impl Json {
    pub(crate) fn new(header: Header) -> Self {
        Self { timestamps: Timestamps::new(), module: ModuleText::default(), header }
    }

    fn begin(&mut self, out: &mut Vec<u8>, unix_ns: u64, kind: &str) {
        out.extend_from_slice(b"{\"ts\":\"");
        self.timestamps.nanoseconds(out, unix_ns);
        out.extend_from_slice(b"\",\"kind\":\"");
        out.extend_from_slice(kind.as_bytes());
    }

    fn span(&mut self, out: &mut Vec<u8>, kind: &str, span: &SpanRecord<'_>) {
        self.begin(out, span.start_ns, kind);
        out.extend_from_slice(b"\",\"level\":\"");
        out.extend_from_slice(word(span.facts.severity).as_bytes());
        out.extend_from_slice(b"\",\"span\":");
        text(out, span.name);
        out.extend_from_slice(b",\"type\":");
        text(out, span.facts.span_type);
        out.extend_from_slice(match span.facts.kind {
            SpanKind::Internal => b"",
            SpanKind::Server => b",\"span_kind\":\"server\"",
            SpanKind::Client => b",\"span_kind\":\"client\"",
            SpanKind::Producer => b",\"span_kind\":\"producer\"",
            SpanKind::Consumer => b",\"span_kind\":\"consumer\"",
        });
        out.push(b',');
        ids(out, span.context.trace_id.as_u128(), span.context.span_id.as_u64());
        if let Some(parent) = span.parent {
            out.extend_from_slice(b",\"parent_span_id\":\"");
            number::hex_u64(out, parent.as_u64());
            out.push(b'"');
        }
        self.module.set(span.module.map(|id| *id.as_bytes()));
        out.extend_from_slice(self.module.key());
        if kind == "span" {
            out.extend_from_slice(b",\"duration_ms\":");
            number::milliseconds(out, span.duration_ns);
        }
        if span.failed {
            out.extend_from_slice(b",\"status\":\"ERROR\"");
        }
        out.extend_from_slice(b",\"thread\":");
        text(out, span.thread);
        attributes(out, span.attributes.iter(), &self.module);
        if kind == "span" {
            out.extend_from_slice(b",\"event\":\"complete\"");
        }
        for (index, link) in span.links.iter().enumerate() {
            out.extend_from_slice(if index == 0 { b",\"links\":[{" } else { b",{" });
            ids(out, link.trace_id.as_u128(), link.span_id.as_u64());
            out.push(b'}');
        }
        if !span.links.is_empty() {
            out.push(b']');
        }
        if let Some(failure) = span.error {
            error(out, failure);
        }
    }

    fn event(&mut self, out: &mut Vec<u8>, event: &EventRecord<'_>) {
        self.begin(out, event.time_ns, "event");
        out.extend_from_slice(b"\",\"level\":\"");
        out.extend_from_slice(word(event.severity).as_bytes());
        out.push(b'"');
        if let Some(context) = &event.context {
            out.push(b',');
            ids(out, context.trace_id.as_u128(), context.span_id.as_u64());
        }
        self.module.set(event.module.map(|id| *id.as_bytes()));
        out.extend_from_slice(self.module.key());
        let service = self.header.resource.iter().find(|(key, _)| key == "service.name");
        if let Some((_, service)) = service {
            out.extend_from_slice(b",\"service\":");
            value(out, service);
        }
        out.extend_from_slice(b",\"target\":");
        text(out, event.target);
        out.extend_from_slice(b",\"thread\":");
        text(out, event.thread);
        // A `tracing` event may name a field twice, and readers refuse such an object: the first one stays.
        let is_new = |&(index, (key, _)): &(usize, &(&'static str, AttrValue))| {
            let ours = event.module.is_some() && matches!(*key, "module_id" | "runtime.module.id");
            !ours && !event.fields[..index].iter().any(|(earlier, _)| earlier == key)
        };
        let fields = event.fields.iter().enumerate().filter(is_new).map(|(_, field)| field);
        attributes(out, fields, &self.module);
        out.extend_from_slice(b",\"msg\":");
        text(out, event.message);
    }

    fn dropped(&mut self, out: &mut Vec<u8>, dropped: &DroppedRecord<'_>) {
        self.begin(out, dropped.time_ns, "dropped");
        out.extend_from_slice(b"\",\"level\":\"WARN\",\"thread\":");
        text(out, dropped.thread);
        out.extend_from_slice(b",\"count\":");
        number::unsigned(out, dropped.count);
        out.extend_from_slice(b",\"reason\":");
        text(out, dropped.reason);
    }
}

/// What a line says of its module, made once for the lines that follow each other with the same one.
#[derive(Default)]
struct ModuleText {
    id: Option<[u8; 16]>,
    /// `,"runtime.module.id":"..","module_id":".."`, or nothing.
    text: Vec<u8>,
}

impl ModuleText {
    /// `,"module_id":""` and an id between the quotes.
    const KEY_BYTES: usize = 15 + 36;

    fn set(&mut self, id: Option<[u8; 16]>) {
        if self.id == id {
            return;
        }
        self.id = id;
        self.text.clear();
        if let Some(id) = id {
            for key in ["runtime.module.id", "module_id"] {
                self.text.extend_from_slice(b",\"");
                self.text.extend_from_slice(key.as_bytes());
                self.text.extend_from_slice(b"\":\"");
                number::uuid(&mut self.text, id);
                self.text.push(b'"');
            }
        }
    }

    /// For the line itself.
    fn key(&self) -> &[u8] {
        &self.text[self.text.len().saturating_sub(Self::KEY_BYTES)..]
    }

    /// For its attributes.
    fn pairs(&self) -> &[u8] {
        &self.text
    }
}

impl Format for Json {
    fn record(&mut self, out: &mut Vec<u8>, record: &Record<'_>) {
        match record {
            Record::Span(span) => self.span(out, "span", span),
            Record::Start(span) => self.span(out, "start", span),
            Record::Unfinished(span) => self.span(out, "unfinished", span),
            Record::Event(event) => self.event(out, event),
            Record::Dropped(dropped) => self.dropped(out, dropped),
        }
        out.extend_from_slice(b"}\n");
    }

    fn header(&mut self, out: &mut Vec<u8>) {
        self.begin(out, unix_ns(SystemTime::now()), "header");
        out.extend_from_slice(b"\",\"schema_version\":");
        number::unsigned(out, SCHEMA_VERSION);
        out.extend_from_slice(b",\"resource\":{");
        for (index, (key, attribute)) in self.header.resource.iter().enumerate() {
            pair(out, index == 0, key, attribute);
        }
        out.extend_from_slice(b"},\"schema_url\":");
        text(out, SCHEMA_URL);
        out.extend_from_slice(b",\"registry_hash\":");
        text(out, REGISTRY_HASH);
        out.extend_from_slice(b",\"clock\":");
        text(out, self.header.clock);
        out.extend_from_slice(b"}\n");
    }
}

fn ids(out: &mut Vec<u8>, trace_id: u128, span_id: u64) {
    out.extend_from_slice(b"\"trace_id\":\"");
    number::hex_u128(out, trace_id);
    out.extend_from_slice(b"\",\"span_id\":\"");
    number::hex_u64(out, span_id);
    out.push(b'"');
}

/// `"attributes":{..}`, open at its end.
fn attributes<'a>(
    out: &mut Vec<u8>,
    attributes: impl Iterator<Item = &'a (&'static str, AttrValue)>,
    module: &ModuleText,
) {
    out.extend_from_slice(b",\"attributes\":{");
    let start = out.len();
    for (key, attribute) in attributes {
        pair(out, out.len() == start, key, attribute);
    }
    let module = module.pairs();
    out.extend_from_slice(if out.len() == start { module.get(1..).unwrap_or_default() } else { module });
    out.push(b'}');
}

fn pair(out: &mut Vec<u8>, first: bool, key: &str, attribute: &AttrValue) {
    if !first {
        out.push(b',');
    }
    text(out, key);
    out.push(b':');
    value(out, attribute);
}

fn value(out: &mut Vec<u8>, value: &AttrValue) {
    match value {
        AttrValue::Int(number) => number::signed(out, *number),
        AttrValue::Double(number) if number.is_finite() => number::double(out, *number),
        // JSON has no such numbers; `null` would look like a value that is missing.
        AttrValue::Double(number) => {
            out.push(b'"');
            number::double(out, *number);
            out.push(b'"');
        }
        AttrValue::Boolean(true) => out.extend_from_slice(b"true"),
        AttrValue::Boolean(false) => out.extend_from_slice(b"false"),
        AttrValue::Str(string) => text(out, string),
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

fn error(out: &mut Vec<u8>, error: &ErrorText) {
    out.extend_from_slice(b",\"error\":{\"type\":");
    text(out, &error.error_type);
    out.extend_from_slice(b",\"message\":");
    text(out, &error.message);
    out.extend_from_slice(b",\"help\":");
    text(out, &error.help);
    out.extend_from_slice(b",\"span_path\":");
    text(out, &error.span_path);
    out.push(b'}');
}
