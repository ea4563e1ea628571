//! One launch, from the open span to its end: what `#[kernel]` calls when the span is recorded.

use core::cell::Cell;
use core::marker::PhantomData;

use super::backend::KernelFacts;
use super::counts::COUNTS;
use super::timing::{Launched, Pair, Place};
use super::{Event, Function, LaunchConfig, OnStream, Stream};
use crate::site::Site;
use crate::value::Word;
use crate::words::MODULE_BITS;
use crate::{gate, local};

/// What this thread's innermost launch is.
#[derive(Clone, Copy)]
enum Inside {
    /// There is none.
    Nothing,
    /// One on a known stream, and what is known of the first kernel that was launched in it.
    Launch(Option<KernelFacts>),
    /// One by hand, whose kernel is still to come.
    ByHand,
}

thread_local! {
    static INSIDE: Cell<Inside> = const { Cell::new(Inside::Nothing) };
}

/// A launch under way. Made after its span is open; ended, or dropped, before the span is.
#[derive(Debug)]
pub struct Launch(Option<Begun>);

struct Begun {
    stream: Stream,
    pair: Option<Pair>,
    captured: bool,
    outside: Inside,
    // What is launched inside is looked up by the thread.
    not_send: PhantomData<*const ()>,
}

impl Launch {
    /// Begins the launch of the kernel `name`, if `site`'s span is recorded.
    pub fn begin(site: &'static Site, on: &(impl OnStream + ?Sized), name: &str) -> Self {
        Self(site.is_recorded().then(|| Begun::new(on.stream(), Launched::Kernel(name))))
    }

    pub(super) fn graph(on: &Stream, id: i64) -> Self {
        Self(gate::records().then(|| Begun::new(on, Launched::Graph(id))))
    }

    /// `runtime.kernel.captured`: true, or absent.
    pub fn captured(&self) -> Word {
        if self.0.as_ref().is_some_and(|begun| begun.captured) { Word::new(1) } else { Word::ABSENT }
    }

    /// `runtime.kernel.registers` of the kernel that was launched inside, or absent.
    pub fn registers(&self) -> Word {
        self.fact(|facts| facts.registers.map(u64::from))
    }

    /// `runtime.kernel.static_shared_memory` of the kernel that was launched inside, or absent.
    pub fn static_shared_memory(&self) -> Word {
        self.fact(|facts| facts.static_shared_memory.map(u64::from))
    }

    /// `runtime.kernel.occupancy` of the kernel that was launched inside, or absent.
    pub fn occupancy(&self) -> Word {
        self.fact(|facts| facts.occupancy.map(f64::to_bits))
    }

    /// The launch is enqueued.
    pub fn end(self) {}

    fn fact(&self, of: impl FnOnce(KernelFacts) -> Option<u64>) -> Word {
        let facts = match (&self.0, INSIDE.get()) {
            (Some(_), Inside::Launch(facts)) => facts,
            _ => None,
        };
        facts.and_then(of).map_or(Word::ABSENT, Word::new)
    }
}

impl Begun {
    fn new(stream: &Stream, launched: Launched<'_>) -> Self {
        COUNTS.launched(launched);
        let captured = stream.is_capturing();
        let pair = if captured { None } else { measure(stream, launched) };
        let outside = INSIDE.replace(Inside::Launch(None));
        Self { stream: stream.clone(), pair, captured, outside, not_send: PhantomData }
    }
}

/// Records the start, if this step is measured; what is complete is told on the way.
fn measure(stream: &Stream, launched: Launched<'_>) -> Option<Pair> {
    if gate::level() < kina_observ_conventions::Level::Kernel {
        return None;
    }
    stream.drain();
    let armed = gate::GLOBAL.has(gate::ARMED);
    armed.then(|| stream.timing().begin(stream.driven(), launched, place(stream))).flatten()
}

/// The innermost open span, which is the launch's.
fn place(stream: &Stream) -> Place {
    local::with(|local| Place { parent: local.current(), word: local.word.get() & MODULE_BITS | stream.device_bits() })
}

impl Drop for Begun {
    fn drop(&mut self) {
        INSIDE.set(self.outside);
        if self.captured {
            COUNTS.captured();
        } else {
            finish(&self.stream, self.pair.take());
        }
    }
}

fn finish(stream: &Stream, pair: Option<Pair>) {
    match pair {
        Some(pair) => stream.timing().end(stream.driven(), pair),
        None => COUNTS.untimed(),
    }
}

impl core::fmt::Debug for Begun {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Begun(on {:?})", self.stream)
    }
}

/// Runs the driver's call that launches `function`, and lets the launch around it know.
pub(super) fn enqueue<R>(stream: &Stream, function: &Function, config: &LaunchConfig, call: impl FnOnce() -> R) -> R {
    match INSIDE.get() {
        Inside::Nothing | Inside::Launch(Some(_)) => call(),
        Inside::Launch(None) => {
            // A driver that does not say is no reason to fail.
            INSIDE.set(Inside::Launch(function.facts(config).ok()));
            call()
        }
        Inside::ByHand => {
            INSIDE.set(Inside::Nothing);
            let captured = stream.is_capturing();
            let pair = if captured { None } else { measure(stream, Launched::Kernel(function.name())) };
            let result = call();
            if captured {
                COUNTS.captured()
            } else {
                finish(stream, pair)
            }
            result
        }
    }
}

/// A launch by hand: its first kernel, if there is one, is the one that is measured.
pub(super) struct ByHand {
    outside: Inside,
    not_send: PhantomData<*const ()>,
}

impl ByHand {
    pub(super) fn begin(name: &str) -> Self {
        COUNTS.launched(Launched::Kernel(name));
        Self { outside: INSIDE.replace(Inside::ByHand), not_send: PhantomData }
    }
}

impl Drop for ByHand {
    fn drop(&mut self) {
        if matches!(INSIDE.replace(self.outside), Inside::ByHand) {
            COUNTS.untimed();
        }
    }
}

/// The stream has caught up: what is complete can be told.
pub fn synchronized(on: &(impl OnStream + ?Sized)) {
    if gate::records() {
        on.stream().drain();
    }
}

/// The innermost open span waits for the event: it refers to the span that recorded it.
pub fn waits_for(event: &Event) {
    event.link();
}
