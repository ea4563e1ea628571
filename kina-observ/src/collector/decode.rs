//! Reads the words of a record back, as `words` lays them out.

use std::borrow::Cow;

use crate::ids::{SpanContext, SpanId, TraceId};
use crate::listed::{self, name_of};
use crate::record::AttrValue;
use crate::site::{Attr, Shape};
use crate::text;

/// The words of one record, read from the front.
pub(super) struct Reader<'a>(pub(super) &'a [u64]);

impl Reader<'_> {
    /// 0 past the end: a record never ends early, and a wrong number is better than a dead collector.
    pub(super) fn word(&mut self) -> u64 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn text(&mut self) -> String {
        let mut text = String::new();
        self.text_into(&mut text);
        text
    }

    /// Replaces `text`, and keeps its memory.
    pub(super) fn text_into(&mut self, text: &mut String) {
        let length = self.word() as usize;
        let words = length.div_ceil(8).min(self.0.len());
        let (own, rest) = self.0.split_at(words);
        self.0 = rest;
        let mut bytes = core::mem::take(text).into_bytes();
        bytes.clear();
        bytes.extend(own.iter().flat_map(|word| word.to_le_bytes()));
        bytes.truncate(length);
        *text = String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    }

    /// A text that lives as long as the library: its address and its length.
    pub(super) fn static_text(&mut self) -> &'static str {
        let (address, length) = (self.word() as usize as *const u8, self.word() as usize);
        // SAFETY: the producer wrote the address and length of a `&'static str` of a library that stays loaded.
        let bytes = unsafe { core::slice::from_raw_parts(address, length) };
        // SAFETY: the same `&'static str`.
        unsafe { core::str::from_utf8_unchecked(bytes) }
    }

    pub(super) fn ids(&mut self) -> Option<SpanContext> {
        let (low, high, span) = (self.word(), self.word(), self.word());
        Some(SpanContext {
            trace_id: TraceId::new(u128::from(high) << 64 | u128::from(low))?,
            span_id: SpanId::new(span)?,
        })
    }

    /// The values that `mask` marks, in the order of `attributes`.
    pub(super) fn values(&mut self, attributes: &[Attr], mask: u64, into: &mut Vec<(&'static str, AttrValue)>) {
        for (index, attribute) in attributes.iter().enumerate() {
            if mask & 1 << index != 0 {
                into.push((attribute.key, self.value(attribute.shape)));
            }
        }
    }

    fn value(&mut self, shape: Shape) -> AttrValue {
        match shape {
            Shape::Int => AttrValue::Int(self.word() as i64),
            Shape::Double => AttrValue::Double(f64::from_bits(self.word())),
            Shape::Boolean => AttrValue::Boolean(self.word() != 0),
            Shape::Enum(members) => AttrValue::Str(Cow::Borrowed(name_of(self.word() as i32, members))),
            Shape::Str => AttrValue::Str(Cow::Owned(self.text())),
            Shape::Ints => {
                let length = self.word() as usize;
                AttrValue::Ints((0..length.min(self.0.len())).map(|_| self.word() as i64).collect())
            }
        }
    }
}

/// Fills the placeholders of a display name. `false`: an attribute is not there, and `into` is of no use.
pub(super) fn fill_name(template: &str, attributes: &[(&'static str, AttrValue)], into: &mut String) -> bool {
    use core::fmt::Write;
    into.clear();
    text::fill(template, into, |key, into| {
        let Some((_, value)) = attributes.iter().find(|(known, _)| *known == key) else { return false };
        // Writing to a `String` never fails.
        let _ = match value {
            // OpenTelemetry's word for "none of the listed ones" is no name.
            AttrValue::Str(text) if text == listed::OTHER => return false,
            AttrValue::Str(text) => into.write_str(text),
            AttrValue::Int(number) => write!(into, "{number}"),
            AttrValue::Double(number) => write!(into, "{number}"),
            AttrValue::Boolean(truth) => write!(into, "{truth}"),
            AttrValue::Ints(list) => write!(into, "{list:?}"),
        };
        true
    })
}
