//! The time that launches take on the device: a fixed pool of events and one queue of launches a stream.
//! Invariant: measuring adds no synchronisation (`tests/device_time.rs`).
//!
//! Around a launch two events of the pool are recorded. Later launches, and whoever waits for the stream anyway, look at
//! the oldest pair, without waiting, and tell those that are complete. The queue is the stream's own, so that a long
//! kernel elsewhere holds nothing up.

use core::fmt::Write;
use core::time::Duration;
use std::collections::VecDeque;

use super::backend::{KernelBackend, RawEvent, RawStream};
use super::counts::COUNTS;
use super::live::epoch;
use super::sites::{GRAPH, KERNEL};
use crate::clock;
use crate::ids::SpanContext;
use crate::task::write_measured;
use crate::text::FixedText;
use crate::value::{TEXT_BYTES, Value};

/// Launches of one stream under way at a time. Each holds two events, of which a driver has many thousands.
const PAIRS: usize = 32;

/// Beyond it the time from the base loses its nanoseconds: CUDA gives milliseconds in 24 bits.
const LONGEST_FROM_BASE: Duration = Duration::from_secs(1);

/// What is launched.
#[derive(Debug, Clone, Copy)]
pub(super) enum Launched<'a> {
    Kernel(&'a str),
    Graph(i64),
}

/// Where a launch stands among the spans.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) parent: Option<SpanContext>,
    /// Module and device.
    pub(super) word: u64,
}

/// A launch that is measured.
pub(super) struct Pair {
    start: RawEvent,
    end: RawEvent,
    kernel: FixedText<TEXT_BYTES>,
    /// Not a kernel but this graph.
    graph: Option<i64>,
    place: Place,
    /// On the host's clock, before `start` was recorded.
    recorded: u64,
    epoch: u32,
}

/// A stream's events and launches.
#[derive(Default)]
pub(super) struct Timing {
    free: Vec<Pair>,
    pending: VecDeque<Pair>,
    base: Option<Base>,
    events: Vec<RawEvent>,
    ready: bool,
}

/// An event whose time on the host's clock is known.
struct Base {
    event: RawEvent,
    at: u64,
    complete: bool,
}

/// A stream, as its driver knows it.
#[derive(Clone, Copy)]
pub(super) struct Driven<'a> {
    pub(super) backend: &'a dyn KernelBackend,
    pub(super) stream: RawStream,
    /// `runtime.stream.id`.
    pub(super) id: i64,
}

impl Timing {
    /// Records the start of a launch; `None`: the pool is empty, or the driver refuses.
    pub(super) fn begin(&mut self, on: Driven<'_>, launched: Launched<'_>, place: Place) -> Option<Pair> {
        if !self.ready {
            self.prepare(on);
        }
        let mut pair = self.free.pop()?;
        pair.kernel.clear();
        pair.graph = match launched {
            Launched::Kernel(name) => {
                // A `FixedText` takes what fits and marks the cut; it never fails.
                let _ = pair.kernel.write_str(name);
                None
            }
            Launched::Graph(id) => Some(id),
        };
        pair.place = place;
        pair.epoch = epoch();
        pair.recorded = clock::ticks();
        if on.backend.record(on.stream, pair.start).is_err() {
            self.free.push(pair);
            return None;
        }
        Some(pair)
    }

    /// Records the end of a launch.
    pub(super) fn end(&mut self, on: Driven<'_>, pair: Pair) {
        let recorded = !on.backend.is_capturing(on.stream).unwrap_or(true)
            && on.backend.record(on.stream, pair.end).is_ok()
            && pair.epoch == epoch();
        if recorded {
            self.pending.push_back(pair);
        } else {
            self.free.push(pair);
            COUNTS.untimed();
        }
    }

    /// Tells the launches that are complete. Never waits.
    pub(super) fn drain(&mut self, on: Driven<'_>) {
        if self.pending.is_empty() {
            return;
        }
        self.look_at_base(on);
        while let Some(pair) = self.pending.front() {
            // An error is one of the stream's own, and sticks: the launch has no time.
            let time = match on.backend.is_complete(pair.end) {
                Ok(false) => return,
                Ok(true) => on.backend.elapsed(pair.start, pair.end).ok(),
                Err(_) => None,
            };
            let Some(mut pair) = self.pending.pop_front() else { return };
            match time.filter(|_| pair.epoch == epoch()) {
                Some(time) => self.tell(on, &mut pair, time),
                None => COUNTS.untimed(),
            }
            self.free.push(pair);
        }
    }

    /// Drains once, and gives up on the rest.
    pub(super) fn give_up(&mut self, on: Driven<'_>) {
        self.drain(on);
        while let Some(pair) = self.pending.pop_front() {
            // Its events may be recorded again: that forgets what they stood for.
            self.free.push(pair);
            COUNTS.untimed();
        }
    }

    /// Gives up, and gives the events back.
    pub(super) fn close(mut self, on: Driven<'_>) {
        self.give_up(on);
        self.events.drain(..).for_each(|event| on.backend.destroy_event(event));
    }

    /// Makes the pool, once. With fewer events than wanted more launches are untimed.
    fn prepare(&mut self, on: Driven<'_>) {
        self.ready = true;
        self.free.reserve_exact(PAIRS);
        self.pending.reserve_exact(PAIRS);
        self.events.reserve_exact(2 * PAIRS + 1);
        let Some(event) = self.event(on) else { return };
        let at = clock::ticks();
        if on.backend.record(on.stream, event).is_err() {
            return;
        }
        self.base = Some(Base { event, at, complete: false });
        while self.free.len() < PAIRS {
            let (Some(start), Some(end)) = (self.event(on), self.event(on)) else { return };
            let (kernel, place) = (FixedText::new(), Place::default());
            self.free.push(Pair { start, end, kernel, graph: None, place, recorded: 0, epoch: 0 });
        }
    }

    fn event(&mut self, on: Driven<'_>) -> Option<RawEvent> {
        let event = on.backend.create_event().ok()?;
        self.events.push(event);
        Some(event)
    }

    /// While the base is not complete, its time is not before now.
    fn look_at_base(&mut self, on: Driven<'_>) {
        if let Some(base) = self.base.as_mut().filter(|base| !base.complete) {
            let now = clock::ticks();
            match on.backend.is_complete(base.event) {
                Ok(false) => base.at = now,
                _ => base.complete = true,
            }
        }
    }

    /// Writes the span of a launch that is complete.
    fn tell(&mut self, on: Driven<'_>, pair: &mut Pair, time: Duration) {
        let length = clock::ticks_in(time);
        let start = self.placed(on, pair, time, length);
        let (site, first) = match pair.graph {
            None => (&KERNEL, Value::Str(pair.kernel.as_str())),
            Some(id) => (&GRAPH, Value::Word(id as u64)),
        };
        let Place { parent, word } = pair.place;
        write_measured(site, parent, (start, start + length), word, &[first, Value::Word(on.id as u64)]);
        COUNTS.timed();
    }

    /// When the launch began, on the host's clock: not before it was enqueued, and not so late that it would still run.
    fn placed(&mut self, on: Driven<'_>, pair: &mut Pair, time: Duration, length: u64) -> u64 {
        let since_base = self.base.as_ref().map(|base| on.backend.elapsed(base.event, pair.start));
        let (Some(base), Some(Ok(since))) = (&mut self.base, since_base) else { return pair.recorded };
        let latest = clock::ticks().saturating_sub(length).max(pair.recorded);
        let measured = base.at.saturating_add(clock::ticks_in(since));
        let start = measured.clamp(pair.recorded, latest);
        // What this launch taught holds for the next ones.
        base.at = base.at.wrapping_add(start).wrapping_sub(measured);
        if since + time > LONGEST_FROM_BASE {
            base.at = start + length;
            core::mem::swap(&mut base.event, &mut pair.end);
        }
        start
    }
}
