//! The one gate: a word whose zero means Off.
//! Invariant: off reads no clock, allocates nothing, writes nothing (`tests/off.rs`).

use core::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

use kina_observ_conventions::Level;

/// Stands beside every other bit, so that it alone answers `is_on`, and may be an index.
const ON: u32 = 1;
/// A consumer listens to the rings.
pub(crate) const RING: u32 = 1 << 1;
/// The kernels of this step have their time on the device measured.
pub(crate) const ARMED: u32 = 1 << 2;
/// An NVTX tool is attached and takes ranges.
pub(crate) const NVTX: u32 = 1 << 3;
/// Nobody has configured this process yet: the next call does it, from the environment.
pub(crate) const UNCONFIGURED: u32 = 1 << 7;

/// A bit for each kind of listener; zero is Off. A word, because x86-64 needs an instruction more to index with a byte.
#[derive(Debug)]
pub(crate) struct Gate(AtomicU32);

/// The gate that the macros test.
pub(crate) static GLOBAL: Gate = Gate(AtomicU32::new(with_on(UNCONFIGURED)));

/// The level behind the gate's bits; read on cold paths only.
static LEVEL: AtomicU8 = AtomicU8::new(Level::Off as u8);

/// The level up to which spans get ranges while a tool is attached; read on cold paths only.
static RANGE_LEVEL: AtomicU8 = AtomicU8::new(Level::Off as u8);

impl Gate {
    /// Opens it to these listeners; to none of them: closes it.
    pub(crate) fn set(&self, bits: u32) {
        self.0.store(with_on(bits), Relaxed);
    }

    /// Nobody else has configured it since the process began: closes it, but for ranges.
    pub(crate) fn close_if_unconfigured(&self) {
        self.change(UNCONFIGURED, UNCONFIGURED, 0);
    }

    /// Clears and sets single bits, if it is open to all of `needed`; the bits of other listeners stay.
    fn change(&self, needed: u32, clear: u32, set: u32) {
        let change = |bits: u32| (bits & needed == needed).then_some(with_on(bits & !clear | set));
        // Not open to them: nothing to change.
        let _ = self.0.fetch_update(Relaxed, Relaxed, change);
    }

    #[inline(always)]
    pub(crate) fn has(&self, bits: u32) -> bool {
        self.0.load(Relaxed) & bits != 0
    }
}

/// These listeners' bits as the gate holds them; whoever changes the gate passes through here.
const fn with_on(bits: u32) -> u32 {
    match bits & !ON {
        0 => 0,
        others => others | ON,
    }
}

/// Whether anything listens: one relaxed load.
#[inline(always)]
pub(crate) fn is_on() -> bool {
    GLOBAL.0.load(Relaxed) != 0
}

/// The same for a table of two: 1 if anything listens.
#[inline(always)]
pub(crate) fn index() -> usize {
    (GLOBAL.0.load(Relaxed) & ON) as usize
}

/// Whether spans are recorded, and not only shown to somebody.
pub(crate) fn records() -> bool {
    GLOBAL.has(RING)
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
    GLOBAL.change(0, NVTX, if level == Level::Off { 0 } else { NVTX });
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
    GLOBAL.change(0, RING | ARMED | UNCONFIGURED, bits);
}

/// A step begins; whether it is armed.
pub(crate) fn next_step() -> bool {
    if !records() || level() < Level::Kernel {
        return false;
    }
    let every = EVERY.load(Relaxed);
    let armed = STEPS.fetch_add(1, Relaxed).is_multiple_of(every);
    // A level that was switched off meanwhile stays off.
    GLOBAL.change(RING, ARMED, if armed { ARMED } else { 0 });
    armed
}

#[cfg(test)]
mod tests {
    use super::{Gate, NVTX, ON, RING, UNCONFIGURED, with_on};
    use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

    #[test]
    fn the_lowest_bit_says_whether_any_other_is_set() {
        let gate = Gate(AtomicU32::new(0));
        for (listeners, held) in [(RING, RING | ON), (UNCONFIGURED, UNCONFIGURED | ON), (0, 0), (ON, 0)] {
            gate.set(listeners);
            assert_eq!(gate.0.load(Relaxed), held, "{listeners:b}");
        }
        gate.change(0, RING, NVTX);
        assert_eq!(gate.0.load(Relaxed), NVTX | ON);
        gate.change(0, NVTX | UNCONFIGURED, 0);
        assert_eq!(gate.0.load(Relaxed), 0);
        assert_eq!(super::GLOBAL.0.load(Relaxed), with_on(super::GLOBAL.0.load(Relaxed)));
    }
}
