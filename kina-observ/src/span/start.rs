//! Opens spans.

use core::fmt::Write;

use super::{Entered, entered, write_ids};
use crate::clock;
use crate::context::Context;
use crate::gate;
use crate::local::{self, DEEPEST, Local};
use crate::nvtx;
use crate::ring::{Writer, text_words};
use crate::site::Site;
use crate::text::FixedText;
use crate::value::{LIST_WORDS, TEXT_BYTES, Value};
use crate::words::{self, DEPTH_SHIFT, EXPLICIT, MASK_SHIFT, SLOW_CLOCK};

/// Opens a span whose values take one word each. Compiled once for each number of values, not for each site.
#[inline(never)]
pub(crate) fn enter<const N: usize>(site: &'static Site, values: &[u64; N]) -> Entered {
    local::with(|local| {
        if gate::takes_ranges() {
            return enter_with_range(local, site, values);
        }
        let depth = local.depth.get();
        let end = site.end_words as usize;
        if depth >= DEEPEST || local.word.get() & SLOW_CLOCK != 0 || !local.producer.has_room_at_hand(3 + N + end) {
            // The only call, and the last thing: nothing needs to be saved on the way.
            return enter_slowly(local, site, values);
        }
        start_words(local, site, depth, end, values, clock::counter)
    })
}

/// The same when room must be found first, or the clock is not the counter.
#[cold]
#[inline(never)]
fn enter_slowly(local: &Local, site: &'static Site, values: &[u64]) -> Entered {
    let depth = local.depth.get();
    match room_for_start(local, site, depth, 3 + values.len()) {
        Some(refused) => refused,
        None => start_words(local, site, depth, site.end_words as usize, values, clock::ticks),
    }
}

/// The same while a tool takes ranges.
#[cold]
#[inline(never)]
fn enter_with_range(local: &Local, site: &'static Site, values: &[u64]) -> Entered {
    let value = |index: usize| values.get(index).map_or(Value::Absent, |&word| Value::Word(word));
    with_range(local, site, &value, || enter_slowly(local, site, values))
}

/// Opens a frame, records its span if the level is for it, and opens its range.
fn with_range<'a>(
    local: &Local,
    site: &'static Site,
    value: &dyn Fn(usize) -> Value<'a>,
    record: impl FnOnce() -> Entered,
) -> Entered {
    let entered = match site.is_recorded() {
        true => record(),
        false => silent(local, site),
    };
    let depth = entered.depth as usize;
    if depth < local.depth.get() {
        nvtx::open(local, site, depth, value);
    }
    entered
}

/// Opens a frame for a range only.
fn silent(local: &Local, site: &'static Site) -> Entered {
    let depth = local.depth.get();
    if site.facts.nvtx.is_some() && local.push_silent(depth, site) { entered(depth) } else { Entered::NOWHERE }
}

/// Makes room for a START, and for its END; `Some`: there is none, and the loss is counted.
fn room_for_start(local: &Local, site: &'static Site, depth: usize, length: usize) -> Option<Entered> {
    let words = length + site.end_words as usize;
    if (depth < DEEPEST && local.producer.has_room(words)) || local.refuse(site, depth, words) {
        return None;
    }
    Some(if depth < DEEPEST { entered(depth) } else { Entered::NOWHERE })
}

#[inline(always)]
fn start_words(
    local: &Local,
    site: &'static Site,
    depth: usize,
    end: usize,
    values: &[u64],
    now: impl FnOnce() -> u64,
) -> Entered {
    let sequence = local.sequence.get() + 1;
    local.sequence.set(sequence);
    local.push(depth, site, sequence);
    local.producer.reserve(end as isize);
    let mask = (1 << values.len()) - 1;
    // SAFETY: a ring is attached (there was room) and the words were granted.
    let mut writer = unsafe { local.producer.writer() };
    writer.word(words::start_header(site, 3 + values.len()));
    writer.word(now());
    writer.word(local.word.get() | (depth as u64) << DEPTH_SHIFT | mask << MASK_SHIFT);
    for value in values {
        writer.word(*value);
    }
    writer.publish();
    entered(depth)
}

/// Opens a span with texts, lists or absent values among its attributes.
#[inline(never)]
pub(crate) fn enter_values(site: &'static Site, values: &[Value<'_>]) -> Entered {
    local::with(|local| start(local, site, None, values))
}

/// Opens a span whose parent is another context's span, with that context's module and device.
/// Without a span there it becomes a child of this thread's innermost span.
#[inline(never)]
pub(crate) fn enter_child_of(site: &'static Site, parent: &Context, values: &[Value<'_>]) -> Entered {
    local::with(|local| start(local, site, Some(parent), values))
}

fn start(local: &Local, site: &'static Site, parent: Option<&Context>, values: &[Value<'_>]) -> Entered {
    if gate::takes_ranges() {
        let value = |index: usize| values.get(index).copied().unwrap_or(Value::Absent);
        return with_range(local, site, &value, || record(local, site, parent, values));
    }
    record(local, site, parent, values)
}

fn record(local: &Local, site: &'static Site, parent: Option<&Context>, values: &[Value<'_>]) -> Entered {
    let depth = local.depth.get();
    let length = 3 + if parent.is_some() { 3 } else { 0 } + value_words(values);
    if let Some(refused) = room_for_start(local, site, depth, length) {
        return refused;
    }
    let explicit = parent.and_then(|context| {
        let span = context.span()?;
        local.open_explicit(depth, span, context.word()).then_some(span)
    });
    let sequence = local.sequence.get() + 1;
    local.sequence.set(sequence);
    local.push(depth, site, if explicit.is_some() { local::explicit_sequence(sequence) } else { sequence });
    local.producer.reserve(site.end_words as isize);
    let mask = mask_of(values);
    // SAFETY: a ring is attached (there was room) and at least `length` words were granted.
    let mut writer = unsafe { local.producer.writer() };
    writer.word(words::START);
    writer.word(clock::ticks());
    let flags = if explicit.is_some() { EXPLICIT } else { 0 };
    writer.word(local.word.get() | flags | (depth as u64) << DEPTH_SHIFT | mask << MASK_SHIFT);
    if let Some(parent) = explicit {
        write_ids(&mut writer, parent);
    }
    write_values(&mut writer, values);
    writer.header(words::start_header(site, writer.length()));
    writer.publish();
    entered(depth)
}

/// One bit for each value that is there.
pub(crate) fn mask_of(values: &[Value<'_>]) -> u64 {
    let there = values.iter().enumerate().filter(|(_, value)| !matches!(value, Value::Absent));
    there.fold(0, |mask, (index, _)| mask | 1 << index)
}

pub(crate) fn write_values(writer: &mut Writer<'_>, values: &[Value<'_>]) {
    for value in values {
        match value {
            Value::Absent => {}
            Value::Word(word) => writer.word(*word),
            Value::Str(text) => write_cut(writer, text),
            Value::Ints(list) => {
                let list = &list[..list.len().min(LIST_WORDS)];
                writer.word(list.len() as u64);
                list.iter().for_each(|item| writer.word(*item as u64));
            }
        }
    }
}

/// A text that is too long is cut and marked.
fn write_cut(writer: &mut Writer<'_>, text: &str) {
    if text.len() <= TEXT_BYTES {
        return writer.text(text);
    }
    let mut kept = FixedText::<TEXT_BYTES>::new();
    // A `FixedText` takes what fits and marks the cut; it never fails.
    let _ = kept.write_str(text);
    writer.text(kept.as_str());
}

pub(crate) fn value_words(values: &[Value<'_>]) -> usize {
    let words = |value: &Value<'_>| match value {
        Value::Absent => 0,
        Value::Word(_) => 1,
        Value::Str(text) => text_words(text.len().min(TEXT_BYTES)),
        Value::Ints(list) => 1 + list.len().min(LIST_WORDS),
    };
    values.iter().map(words).sum()
}
