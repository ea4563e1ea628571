//! The clock: raw ticks on the caller's side, nanoseconds in the collector.

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use core::time::Duration;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// Where time comes from. The first clock of a process stays.
#[derive(Debug, Clone)]
pub struct Clock(Source);

#[derive(Debug, Clone)]
enum Source {
    /// The TSC where it is invariant, the monotonic clock elsewhere.
    Fast(quanta::Clock),
    /// Nanoseconds since the Unix epoch, from a function.
    Function(fn() -> u64),
}

static CLOCK: OnceLock<Clock> = OnceLock::new();
/// The clock is the time stamp counter, so that reading it needs no call.
static COUNTER: AtomicBool = AtomicBool::new(false);

impl Clock {
    /// The processor's time stamp counter where the operating system trusts it, else the monotonic clock.
    /// Takes up to 200 ms, once, to calibrate.
    pub fn fast() -> Self {
        Self(Source::Fast(quanta::Clock::new()))
    }

    /// A clock of your own: nanoseconds since the Unix epoch. For tests.
    pub fn from_function(now: fn() -> u64) -> Self {
        Self(Source::Function(now))
    }
}

impl Clock {
    /// `quanta` does not say which source it chose, but readings of the monotonic clock are nanoseconds already.
    fn counts(&self) -> bool {
        matches!(&self.0, Source::Fast(clock) if clock.delta_as_nanos(1_000_000, 2_000_000) != 1_000_000)
    }
}

/// Makes `clock` the clock of this process, unless there is one.
pub(crate) fn install(clock: impl FnOnce() -> Clock) {
    let clock = CLOCK.get_or_init(clock);
    COUNTER.store(cfg!(target_arch = "x86_64") && clock.counts(), Relaxed);
}

/// Whether `counter` may stand for `ticks`.
#[inline(always)]
pub(crate) fn is_counter() -> bool {
    COUNTER.load(Relaxed)
}

/// Raw ticks, without a call; only after `is_counter`.
#[inline(always)]
pub(crate) fn counter() -> u64 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has the instruction.
    return unsafe { core::arch::x86_64::_rdtsc() };
    #[cfg(not(target_arch = "x86_64"))]
    ticks()
}

/// Raw ticks. Only meaningful to [`Scale`].
#[inline(never)]
pub(crate) fn ticks() -> u64 {
    match CLOCK.get() {
        Some(Clock(Source::Fast(clock))) => clock.raw(),
        Some(Clock(Source::Function(now))) => now(),
        // No level was ever set, so nobody will read this.
        None => 0,
    }
}

/// How many ticks a time takes that another clock has measured.
pub(crate) fn ticks_in(time: Duration) -> u64 {
    let ns = time.as_nanos() as u64;
    let Some(Clock(Source::Fast(clock))) = CLOCK.get() else { return ns };
    // Enough of them that rounding to a nanosecond is one part in a thousand million.
    const TICKS: u64 = 1 << 32;
    let of_them = u128::from(clock.delta_as_nanos(0, TICKS).max(1));
    (u128::from(ns) * u128::from(TICKS)).div_ceil(of_them) as u64
}

/// Turns ticks into nanoseconds since the Unix epoch.
#[derive(Debug)]
pub(crate) struct Scale {
    clock: Clock,
    ticks: u64,
    unix_ns: u64,
}

impl Scale {
    /// Reads both clocks once; both ends of a span are scaled by the same anchor.
    pub(crate) fn now() -> Self {
        let clock = CLOCK.get_or_init(Clock::fast).clone();
        let ticks = ticks();
        let unix_ns = match clock.0 {
            Source::Fast(_) => SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64),
            Source::Function(_) => ticks,
        };
        Self { clock, ticks, unix_ns }
    }

    pub(crate) fn duration_ns(&self, from: u64, to: u64) -> u64 {
        match &self.clock.0 {
            Source::Fast(clock) => clock.delta_as_nanos(from, to),
            Source::Function(_) => to.saturating_sub(from),
        }
    }

    pub(crate) fn unix_ns(&self, ticks: u64) -> u64 {
        if ticks >= self.ticks {
            self.unix_ns.saturating_add(self.duration_ns(self.ticks, ticks))
        } else {
            self.unix_ns.saturating_sub(self.duration_ns(ticks, self.ticks))
        }
    }

    /// Now, on the same scale as the records.
    pub(crate) fn unix_now(&self) -> u64 {
        self.unix_ns(ticks())
    }

    /// `tsc` or `system`, for the header line.
    pub(crate) fn source(&self) -> &'static str {
        if self.clock.counts() { "tsc" } else { "system" }
    }
}
