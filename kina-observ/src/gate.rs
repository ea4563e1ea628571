//! The one gate: a byte whose zero means Off.
//! Invariant: off reads no clock, allocates nothing, writes nothing (`tests/off.rs`).

use core::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

use kina_observ_conventions::Level;

/// A consumer listens to the rings.
pub(crate) const RING: u8 = 1;
/// The kernels of this step have their time on the device measured.
pub(crate) const ARMED: u8 = 1 << 2;
/// Nobody has configured this process yet: the next call does it, from the environment.
pub(crate) const UNCONFIGURED: u8 = 1 << 7;

/// A bit for each kind of listener; zero is Off.
#[derive(Debug)]
pub(crate) struct Gate(AtomicU8);

/// The gate that the macros test.
pub(crate) static GLOBAL: Gate = Gate(AtomicU8::new(UNCONFIGURED));

/// The level behind the gate's bits; read on cold paths only.
static LEVEL: AtomicU8 = AtomicU8::new(Level::Off as u8);

impl Gate {
    pub(crate) fn set(&self, bits: u8) {
        self.0.store(bits, Relaxed);
    }

    /// Sets or clears single bits, unless the gate is closed: what a listener asks for means nothing then.
    pub(crate) fn change(&self, clear: u8, set: u8) {
        let change = |bits: u8| (bits & RING != 0).then_some(bits & !clear | set);
        // Closed: nothing to change.
        let _ = self.0.fetch_update(Relaxed, Relaxed, change);
    }

    pub(crate) fn has(&self, bits: u8) -> bool {
        self.0.load(Relaxed) & bits != 0
    }
}

/// Whether anything listens: one relaxed load.
#[inline(always)]
pub(crate) fn is_on() -> bool {
    GLOBAL.0.load(Relaxed) != 0
}

/// Whether spans are recorded, and not only shown to somebody.
pub(crate) fn records() -> bool {
    GLOBAL.has(RING)
}

/// The level in force.
pub fn level() -> Level {
    match LEVEL.load(Relaxed) {
        0 => Level::Off,
        1 => Level::Basic,
        _ => Level::Kernel,
    }
}

/// Remembers the level; the caller opens or closes the gate.
pub(crate) fn remember(level: Level) {
    LEVEL.store(level as u8, Relaxed);
}

/// One step in this many is armed.
static EVERY: AtomicU32 = AtomicU32::new(1);
/// Steps since the recording began.
static STEPS: AtomicU32 = AtomicU32::new(0);

/// One step in `every` is armed; for 1 every launch is, in a step or not.
pub(crate) fn sample_kernels(every: u32) {
    EVERY.store(every.max(1), Relaxed);
    STEPS.store(0, Relaxed);
}

/// Opens the gate for the rings at `level`, or closes it. The bits of other listeners stay.
pub(crate) fn open(level: Level) {
    let bits = match level {
        Level::Off => 0,
        Level::Kernel if EVERY.load(Relaxed) == 1 => RING | ARMED,
        _ => RING,
    };
    let change = |before: u8| Some(before & !(RING | ARMED | UNCONFIGURED) | bits);
    let _ = GLOBAL.0.fetch_update(Relaxed, Relaxed, change);
}

/// A step begins; whether it is armed.
pub(crate) fn next_step() -> bool {
    if !records() || level() < Level::Kernel {
        return false;
    }
    let every = EVERY.load(Relaxed);
    let armed = STEPS.fetch_add(1, Relaxed).is_multiple_of(every);
    GLOBAL.change(ARMED, if armed { ARMED } else { 0 });
    armed
}
