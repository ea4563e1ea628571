//! The one gate: a byte whose zero means Off.
//! Invariant: off reads no clock, allocates nothing, writes nothing (`tests/off.rs`).

use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

use kina_observ_conventions::Level;

/// A consumer listens to the rings.
pub(crate) const RING: u8 = 1;
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

    /// Closes it, unless somebody has set it since the process began.
    pub(crate) fn close_if_unconfigured(&self) {
        let _ = self.0.compare_exchange(UNCONFIGURED, 0, Relaxed, Relaxed);
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
