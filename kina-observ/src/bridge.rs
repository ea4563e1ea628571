//! The in-bridge: `tracing` events land in the same ring, inside the span that is open.
//! Foreign `tracing` spans are not recorded; the out-bridge is another module's work.

use core::fmt::{self, Write};

use kina_observ_conventions::Severity;
use tracing_core::field::{Field, Visit};
use tracing_core::{Event, Level as TracingLevel, Subscriber};
use tracing_subscriber::layer::{Context, Layer};

use crate::ring::text_words;
use crate::text::FixedText;
use crate::words::{self, EVENT};
use crate::{clock, gate, local, site};

/// Bytes of an event's message that are kept.
pub(crate) const MESSAGE_BYTES: usize = 1_024;
/// Bytes of one text field that are kept.
const FIELD_BYTES: usize = 128;
/// Fields of one event that are kept.
const FIELDS: usize = 16;

/// Records `tracing` events with the open span as their parent.
///
/// [`init`](crate::init) installs it; add it to a subscriber of your own otherwise.
#[derive(Debug, Clone, Copy, Default)]
pub struct EventLayer(());

/// The layer for a subscriber of your own.
pub fn layer() -> EventLayer {
    EventLayer(())
}

/// `tracing`'s level as ours.
pub(crate) fn severity(level: TracingLevel) -> Severity {
    match level {
        TracingLevel::ERROR => Severity::Error,
        TracingLevel::WARN => Severity::Warn,
        TracingLevel::INFO => Severity::Info,
        TracingLevel::DEBUG => Severity::Debug,
        _ => Severity::Trace,
    }
}

impl<S: Subscriber> Layer<S> for EventLayer {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let metadata = event.metadata();
        if !gate::GLOBAL.has(gate::RING) || !site::event_allowed(metadata.target(), severity(*metadata.level())) {
            return;
        }
        let mut fields = Fields { message: FixedText::new(), fields: [None; FIELDS], count: 0 };
        event.record(&mut fields);
        fields.write(metadata);
    }
}

/// A value of an event of our own.
pub(crate) enum EventValue<'a> {
    Int(i64),
    Text(&'a str),
}

/// Writes an event of our own, past every subscriber, if the filter lets it through.
pub(crate) fn emit(
    metadata: &'static tracing_core::Metadata<'static>,
    message: &str,
    values: &[(&'static str, EventValue<'_>)],
) {
    if !gate::GLOBAL.has(gate::RING) || !site::event_allowed(metadata.target(), severity(*metadata.level())) {
        return;
    }
    let mut fields = Fields { message: FixedText::new(), fields: [None; FIELDS], count: 0 };
    // A `FixedText` takes what fits and marks the cut; it never fails.
    let _ = fields.message.write_str(message);
    for (name, value) in values {
        fields.add(
            name,
            match value {
                EventValue::Int(number) => FieldValue::Int(*number),
                EventValue::Text(value) => {
                    let mut text = FixedText::new();
                    let _ = text.write_str(value);
                    FieldValue::Text(text)
                }
            },
        );
    }
    fields.write(metadata);
}

#[derive(Clone, Copy)]
enum FieldValue {
    Int(i64),
    Double(f64),
    Boolean(bool),
    Text(FixedText<FIELD_BYTES>),
}

/// An event's values, copied before their borrow ends.
struct Fields {
    message: FixedText<MESSAGE_BYTES>,
    fields: [Option<(&'static str, FieldValue)>; FIELDS],
    count: usize,
}

impl Fields {
    fn add(&mut self, name: &'static str, value: FieldValue) {
        if let Some(slot) = self.fields.get_mut(self.count) {
            *slot = Some((name, value));
            self.count += 1;
        }
    }

    fn write(&self, metadata: &'static tracing_core::Metadata<'static>) {
        let words_of = |value: &FieldValue| match value {
            FieldValue::Text(text) => text_words(text.as_str().len()),
            _ => 1,
        };
        let fields = || self.fields.iter().flatten();
        let message = self.message.as_str();
        let length = 3 + text_words(message.len()) + fields().map(|(_, value)| 3 + words_of(value)).sum::<usize>();
        local::with(|local| {
            if !local.room_for_event(length) {
                return;
            }
            // SAFETY: a ring is attached (there was room) and `length` words were granted.
            let mut writer = unsafe { local.producer.writer() };
            writer.word(words::header(EVENT, length, core::ptr::from_ref(metadata) as u64));
            writer.word(clock::ticks());
            writer.word(local.word.get());
            writer.text(message);
            for (name, value) in fields() {
                writer.word(name.as_ptr() as u64);
                writer.word(name.len() as u64);
                match value {
                    FieldValue::Int(number) => {
                        writer.word(0);
                        writer.word(*number as u64);
                    }
                    FieldValue::Double(number) => {
                        writer.word(1);
                        writer.word(number.to_bits());
                    }
                    FieldValue::Boolean(truth) => {
                        writer.word(2);
                        writer.word(u64::from(*truth));
                    }
                    FieldValue::Text(text) => {
                        writer.word(3);
                        writer.text(text.as_str());
                    }
                }
            }
            writer.publish();
        });
    }
}

impl Visit for Fields {
    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field.name(), FieldValue::Int(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field.name(), FieldValue::Int(i64::try_from(value).unwrap_or(i64::MAX)));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.add(field.name(), FieldValue::Double(value));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field.name(), FieldValue::Boolean(value));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            // A `FixedText` takes what fits and marks the cut; it never fails.
            let _ = write!(self.message, "{value:?}");
        } else {
            let mut text = FixedText::new();
            let _ = write!(text, "{value:?}");
            self.add(field.name(), FieldValue::Text(text));
        }
    }
}
