//! The one gate: a byte whose zero means Off.
//! Invariant: off reads no clock, allocates nothing, writes nothing (`tests/off.rs`).

use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

use kina_observ_conventions::Level;

/// A consumer listens to the rings.
pub(crate) const RING: u8 = 1;
/// An NVTX tool is attached and takes ranges.
pub(crate) const NVTX: u8 = 1 << 1;
/// Nobody has configured this process yet: the next call does it, from the environment.
pub(crate) const UNCONFIGURED: u8 = 1 << 7;

/// A bit for each kind of listener; zero is Off.
#[derive(Debug)]
pub(crate) struct Gate(AtomicU8);

/// The gate that the macros test.
pub(crate) static GLOBAL: Gate = Gate(AtomicU8::new(UNCONFIGURED));

/// The level behind the gate's bits; read on cold paths only.
static LEVEL: AtomicU8 = AtomicU8::new(Level::Off as u8);

/// The level up to which spans get ranges while a tool is attached; read on cold paths only.
static RANGE_LEVEL: AtomicU8 = AtomicU8::new(Level::Off as u8);

impl Gate {
    pub(crate) fn set(&self, bits: u8) {
        self.0.store(bits, Relaxed);
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

/// The level in force.
pub fn level() -> Level {
    level_in(&LEVEL)
}

fn level_in(place: &AtomicU8) -> Level {
    match place.load(Relaxed) {
        0 => Level::Off,
        1 => Level::Basic,
        _ => Level::Kernel,
    }
}

/// Whether a tool takes ranges. Without the feature the compiler knows that none does.
#[inline(always)]
pub(crate) fn takes_ranges() -> bool {
    cfg!(feature = "nvtx") && GLOBAL.has(NVTX)
}

/// The level up to which spans get ranges; Off without a tool.
pub(crate) fn range_level() -> Level {
    if takes_ranges() { level_in(&RANGE_LEVEL) } else { Level::Off }
}

/// Opens the gate for ranges of spans up to `level`; Off closes it.
#[cfg(feature = "nvtx")]
pub(crate) fn take_ranges(level: Level) {
    RANGE_LEVEL.store(level as u8, Relaxed);
    let bit = if level == Level::Off { 0 } else { NVTX };
    // The bits of other listeners stay.
    let _ = GLOBAL.0.fetch_update(Relaxed, Relaxed, |bits| Some(bits & !NVTX | bit));
}

/// Remembers the level; the caller opens or closes the gate.
pub(crate) fn remember(level: Level) {
    LEVEL.store(level as u8, Relaxed);
}

/// Opens the gate for the rings at `level`, or closes it. The bits of other listeners stay.
pub(crate) fn open(level: Level) {
    let bits = match level {
        Level::Off => 0,
        _ => RING,
    };
    let change = |before: u8| Some(before & !(RING | UNCONFIGURED) | bits);
    let _ = GLOBAL.0.fetch_update(Relaxed, Relaxed, change);
}
