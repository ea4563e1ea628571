//! Replays one thread: which spans are open, whose child is whose, which id each has.

use core::mem::take;
use std::borrow::Cow;
use std::sync::Arc;

use super::decode::{Reader, fill_name};
use super::sink::Sink;
use crate::ids::{SpanContext, SpanId, own_ids};
use crate::module_id;
use crate::record::{AttrValue, ErrorText, EventRecord, Record, SpanRecord};
use crate::ring::Ring;
use crate::site::{Facts, Site};
use crate::words::{
    ABANDON, DEPTH_SHIFT, END, ENTER, ERROR, ERROR_TYPE, EVENT, EXPLICIT, FAILED, LEAVE, LINK, MASK_SHIFT,
    PARENT_DROPPED, START, TASK, TOLD, UNFINISHED,
};

/// Set on a span that hangs under its nearest recorded ancestor because the real parent was dropped.
const PARENT_DROPPED_KEY: &str = kina_observ_conventions::names::attributes::RUNTIME_TRACE_PARENT_DROPPED;
const DEVICE_KEY: &str = kina_observ_conventions::names::attributes::RUNTIME_DEVICE;
const ERROR_TYPE_KEY: &str = kina_observ_conventions::names::attributes::ERROR_TYPE;

/// What is known about one thread.
pub(super) struct Replay {
    pub(super) ring: Arc<Ring>,
    open: Vec<Open>,
    /// Finished `Open`s, kept for their buffers.
    spare: Vec<Open>,
    sequence: u64,
    /// Losses that a line has told already.
    pub(super) told: u64,
    pub(super) details_lost: u64,
    name: String,
}

struct Open {
    facts: &'static Facts,
    context: SpanContext,
    parent: Option<SpanId>,
    start: u64,
    word: u64,
    attributes: Vec<(&'static str, AttrValue)>,
    links: Vec<SpanContext>,
    /// Kept for its buffers even where `has_error` is false.
    error: ErrorText,
    has_error: bool,
    children_ns: u64,
    /// Written as unfinished; its end is not written again.
    given_up: bool,
}

impl Open {
    fn depth(&self) -> u64 {
        self.word >> DEPTH_SHIFT & 0xfff
    }
}

impl Replay {
    pub(super) fn new(ring: Arc<Ring>) -> Self {
        Self { ring, open: Vec::new(), spare: Vec::new(), sequence: 0, told: 0, details_lost: 0, name: String::new() }
    }

    /// Reads everything that the thread has written. Returns the number of words.
    pub(super) fn drain(&mut self, sink: &mut Sink) -> usize {
        let ring = self.ring.clone();
        ring.drain(|record| self.take(record, sink))
    }

    fn take(&mut self, record: &[u64], sink: &mut Sink) {
        let header = record[0];
        let body = Reader(&record[1..]);
        match header & 0xf {
            START => self.start(header, body, sink),
            END => self.end(header, body, sink),
            ERROR => self.error(body),
            LINK => self.link(body),
            EVENT => self.event(header, body, sink),
            ABANDON => self.abandon(header >> 16, sink),
            ENTER => self.enter(header, body, sink),
            LEAVE => self.leave(),
            TASK => self.task(header, body, sink),
            _ => {}
        }
    }

    fn start(&mut self, header: u64, mut body: Reader<'_>, sink: &mut Sink) {
        let facts = facts(header);
        let (start, word) = (body.word(), body.word());
        // Spans at this depth or deeper can no longer end: `longjmp` went over them.
        self.abandon(word >> DEPTH_SHIFT & 0xfff, sink);
        self.sequence += 1;
        let mut context = own_ids(self.ring.thread, self.sequence);
        let parent = if word & EXPLICIT != 0 { body.ids() } else { self.open.last().map(|open| open.context) };
        if let Some(parent) = parent {
            context.trace_id = parent.trace_id;
        }
        let mut open = self.opened(facts, context);
        open.parent = parent.map(|parent| parent.span_id);
        open.start = start;
        open.word = word;
        body.values(facts.start, word >> MASK_SHIFT, &mut open.attributes);
        open.add_device();
        if word & PARENT_DROPPED != 0 {
            open.attributes.push((PARENT_DROPPED_KEY, AttrValue::Boolean(true)));
        }
        sink.counts.spans += 1;
        if sink.start_lines {
            self.name(&open);
            sink.write(&Record::Start(record(&open, &self.name, &self.ring.name, sink, 0, false)));
        }
        self.open.push(open);
    }

    fn end(&mut self, header: u64, mut body: Reader<'_>, sink: &mut Sink) {
        let Some(mut open) = self.open.pop() else { return };
        let end = body.word();
        let flags = header >> 16 & 0xff;
        let code = (header >> 32) as i32;
        let failed = flags & FAILED != 0;
        // A runtime may name its device in the body of the first call.
        open.add_device();
        if let Some(key) = open.facts.code_key {
            open.attributes.push((key, AttrValue::Int(code.into())));
        }
        open.fail((flags & ERROR_TYPE != 0).then(|| body.static_text()));
        body.values(open.facts.late, header >> 24 & 0xff, &mut open.attributes);
        let duration_ns = sink.scale.duration_ns(open.start, end);
        if let Some(parent) = self.open.last_mut() {
            parent.children_ns += duration_ns;
        }
        self.finish(open, duration_ns, failed, sink);
    }

    fn error(&mut self, mut body: Reader<'_>) {
        if let Some(open) = self.open.last_mut() {
            open.tell(&mut body);
        }
    }

    fn link(&mut self, mut body: Reader<'_>) {
        if let (Some(open), Some(link)) = (self.open.last_mut(), body.ids()) {
            // The attribute and the call inside may both say it.
            if !open.links.contains(&link) {
                open.links.push(link);
            }
        }
    }

    fn event(&mut self, header: u64, mut body: Reader<'_>, sink: &mut Sink) {
        let metadata = (header >> 16) as usize as *const tracing_core::Metadata<'static>;
        // SAFETY: the bridge wrote the address of a callsite's `&'static Metadata` of a library that stays loaded.
        let metadata = unsafe { &*metadata };
        let (time, word) = (body.word(), body.word());
        let message = body.text();
        let mut fields = Vec::new();
        while !body.is_empty() {
            let key = body.static_text();
            fields.push((
                key,
                match body.word() {
                    0 => AttrValue::Int(body.word() as i64),
                    1 => AttrValue::Double(f64::from_bits(body.word())),
                    2 => AttrValue::Boolean(body.word() != 0),
                    _ => AttrValue::Str(Cow::Owned(body.text())),
                },
            ));
        }
        sink.counts.events += 1;
        let event = EventRecord {
            time_ns: sink.scale.unix_ns(time),
            severity: crate::bridge::severity(*metadata.level()),
            target: metadata.target(),
            message: &message,
            fields: &fields,
            context: self.open.last().map(|open| open.context),
            module: module_id::module_of(word),
            thread: &self.ring.name,
        };
        sink.write(&Record::Event(event));
    }

    /// Spans at `depth` and deeper will never end.
    fn abandon(&mut self, depth: u64, sink: &mut Sink) {
        while self.open.last().is_some_and(|open| open.depth() >= depth) {
            self.give_up(sink);
        }
    }

    /// A fresh entry, from a used one if there is one.
    fn opened(&mut self, facts: &'static Facts, context: SpanContext) -> Open {
        let mut open = self.spare.pop().unwrap_or_else(|| Open::new(facts, context));
        open.facts = facts;
        open.context = context;
        open
    }

    /// One poll of a task begins: its span is written elsewhere, but it is the parent of what follows.
    fn enter(&mut self, header: u64, mut body: Reader<'_>, sink: &mut Sink) {
        let word = body.word();
        self.abandon(word >> DEPTH_SHIFT & 0xfff, sink);
        if let Some(context) = body.ids() {
            let mut open = self.opened(facts(header), context);
            open.word = word;
            open.given_up = true;
            self.open.push(open);
        }
    }

    fn leave(&mut self) {
        if let Some(open) = self.open.pop() {
            self.spare.push(open.emptied());
        }
    }

    /// A task's span, whole.
    fn task(&mut self, header: u64, mut body: Reader<'_>, sink: &mut Sink) {
        let (start, end, word) = (body.word(), body.word(), body.word());
        let (Some(context), parent, flags) = (body.ids(), body.word(), body.word()) else { return };
        let mut open = self.opened(facts(header), context);
        (open.start, open.word, open.parent) = (start, word, SpanId::new(parent));
        let error_type = (flags & ERROR_TYPE != 0).then(|| body.static_text());
        if flags & TOLD != 0 {
            open.tell(&mut body);
        }
        body.values(open.facts.start, word >> MASK_SHIFT, &mut open.attributes);
        open.add_device();
        open.fail(error_type);
        body.values(open.facts.late, flags >> 8 & 0xff, &mut open.attributes);
        sink.counts.spans += 1;
        if flags & UNFINISHED != 0 {
            self.write_unfinished(&open, sink);
            self.spare.push(open.emptied());
        } else {
            self.finish(open, sink.scale.duration_ns(start, end), flags & FAILED != 0, sink);
        }
    }

    /// Counts and writes a span that ended.
    fn finish(&mut self, open: Open, duration_ns: u64, failed: bool, sink: &mut Sink) {
        self.name(&open);
        if !open.given_up {
            let own_ns = duration_ns.saturating_sub(open.children_ns);
            sink.rollup.add(open.facts, &self.name, duration_ns, own_ns, failed);
            sink.write(&Record::Span(record(&open, &self.name, &self.ring.name, sink, duration_ns, failed)));
        }
        self.spare.push(open.emptied());
    }

    /// Writes the innermost open span as unfinished.
    fn give_up(&mut self, sink: &mut Sink) {
        if let Some(open) = self.open.pop() {
            self.write_unfinished(&open, sink);
            self.spare.push(open.emptied());
        }
    }

    /// At shutdown: writes what is still open, and remembers that it did.
    pub(super) fn give_up_all(&mut self, sink: &mut Sink) {
        let mut open = take(&mut self.open);
        for one in open.iter_mut().rev() {
            self.write_unfinished(one, sink);
            one.given_up = true;
        }
        self.open = open;
    }

    fn write_unfinished(&mut self, open: &Open, sink: &mut Sink) {
        if !open.given_up {
            self.name(open);
            sink.counts.unfinished += 1;
            sink.write(&Record::Unfinished(record(open, &self.name, &self.ring.name, sink, 0, false)));
        }
    }

    fn name(&mut self, open: &Open) {
        let facts = open.facts;
        let fallbacks =
            || kina_observ_conventions::span(facts.span_type).into_iter().flat_map(|def| def.fallback_names);
        let filled = fill_name(facts.name, &open.attributes, &mut self.name)
            || fallbacks().any(|name| fill_name(name, &open.attributes, &mut self.name));
        if !filled {
            // A type is always a name, and a name must not hold a placeholder.
            facts.span_type.clone_into(&mut self.name);
        }
    }
}

impl Open {
    fn new(facts: &'static Facts, context: SpanContext) -> Self {
        Self {
            facts,
            context,
            parent: None,
            start: 0,
            word: 0,
            attributes: Vec::new(),
            links: Vec::new(),
            error: ErrorText::default(),
            has_error: false,
            children_ns: 0,
            given_up: false,
        }
    }

    fn add_device(&mut self) {
        let Some(default) = self.facts.device else { return };
        let device = module_id::device_of(self.word).unwrap_or(default);
        if !device.is_empty() && self.attributes.iter().all(|(key, _)| *key != DEVICE_KEY) {
            self.attributes.push((DEVICE_KEY, AttrValue::Str(Cow::Borrowed(device))));
        }
    }

    fn fail(&mut self, error_type: Option<&'static str>) {
        let Some(error_type) = error_type else { return };
        self.attributes.push((ERROR_TYPE_KEY, AttrValue::Str(Cow::Borrowed(error_type))));
        error_type.clone_into(&mut self.error.error_type);
    }

    fn tell(&mut self, body: &mut Reader<'_>) {
        let error = &mut self.error;
        error.error_type.clear();
        for text in [&mut error.message, &mut error.help, &mut error.span_path] {
            body.text_into(text);
        }
        self.has_error = true;
    }

    fn emptied(mut self) -> Self {
        self.attributes.clear();
        self.links.clear();
        self.has_error = false;
        self.children_ns = 0;
        self.given_up = false;
        self
    }
}

fn facts(header: u64) -> &'static Facts {
    let site = (header >> 16) as usize as *const Site;
    // SAFETY: the producer wrote the address of a `&'static Site` of a library that stays loaded.
    unsafe { &*site }.facts
}

fn record<'a>(
    open: &'a Open,
    name: &'a str,
    thread: &'a str,
    sink: &Sink,
    duration_ns: u64,
    failed: bool,
) -> SpanRecord<'a> {
    SpanRecord {
        facts: open.facts,
        name,
        context: open.context,
        parent: open.parent,
        module: module_id::module_of(open.word),
        thread,
        start_ns: sink.scale.unix_ns(open.start),
        duration_ns,
        failed,
        attributes: &open.attributes,
        links: &open.links,
        error: open.has_error.then_some(&open.error),
    }
}
