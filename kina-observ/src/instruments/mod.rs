//! Counters and gauges: lock-free numbers that any thread may change and read.
//! Invariant: no update is lost, and a peak is never below a value that was seen (`no_update_is_lost`).
//!
//! Each is a `static` or a field: `new` is a `const fn`. Updates are relaxed, so two instruments that are read one after the
//! other may stand at different moments.

use core::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

/// A sum that only grows. It wraps at 2^64.
///
/// ```
/// use kina_observ::instruments::Counter;
/// static LAUNCHES: Counter = Counter::new();
/// LAUNCHES.add(2);
/// assert_eq!(LAUNCHES.value(), 2);
/// ```
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Starts at zero.
    pub const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Counts `amount` more.
    #[inline]
    pub fn add(&self, amount: u64) {
        self.0.fetch_add(amount, Relaxed);
    }

    /// The same for a counter that only this thread adds to, without the cost of an atomic addition.
    /// Additions of two threads at once may lose one of them; readers are welcome at any time.
    #[inline]
    pub(crate) fn add_alone(&self, amount: u64) {
        self.0.store(self.0.load(Relaxed).wrapping_add(amount), Relaxed);
    }

    /// The sum so far.
    #[inline]
    pub fn value(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// A number that goes up and down.
///
/// ```
/// use kina_observ::instruments::Gauge;
/// static WAITING: Gauge = Gauge::new();
/// WAITING.add(3);
/// WAITING.sub(1);
/// assert_eq!(WAITING.value(), 2);
/// ```
#[derive(Debug, Default)]
pub struct Gauge(AtomicI64);

impl Gauge {
    /// Starts at zero.
    pub const fn new() -> Self {
        Self(AtomicI64::new(0))
    }

    /// Adds, and gives back the sum.
    #[inline]
    pub fn add(&self, amount: i64) -> i64 {
        self.0.fetch_add(amount, Relaxed).wrapping_add(amount)
    }

    /// Subtracts, and gives back the difference.
    #[inline]
    pub fn sub(&self, amount: i64) -> i64 {
        self.0.fetch_sub(amount, Relaxed).wrapping_sub(amount)
    }

    /// Replaces the value.
    #[inline]
    pub fn set(&self, value: i64) {
        self.0.store(value, Relaxed);
    }

    /// The value now.
    #[inline]
    pub fn value(&self) -> i64 {
        self.0.load(Relaxed)
    }
}

/// A gauge that remembers the highest value it ever had, also between two readings.
///
/// ```
/// use kina_observ::instruments::Peak;
/// static LIVE: Peak = Peak::new();
/// LIVE.add(8);
/// LIVE.sub(8);
/// assert_eq!((LIVE.value(), LIVE.peak()), (0, 8));
/// ```
#[derive(Debug, Default)]
pub struct Peak {
    gauge: Gauge,
    highest: AtomicI64,
}

impl Peak {
    /// Starts at zero, and so does the peak.
    pub const fn new() -> Self {
        Self { gauge: Gauge::new(), highest: AtomicI64::new(0) }
    }

    /// Adds, and gives back the sum.
    #[inline]
    pub fn add(&self, amount: i64) -> i64 {
        let value = self.gauge.add(amount);
        // In the steady state a load: the peak moves seldom.
        if value > self.highest.load(Relaxed) {
            self.highest.fetch_max(value, Relaxed);
        }
        value
    }

    /// Subtracts, and gives back the difference.
    #[inline]
    pub fn sub(&self, amount: i64) -> i64 {
        self.gauge.sub(amount)
    }

    /// Replaces the value.
    #[inline]
    pub fn set(&self, value: i64) {
        self.gauge.set(value);
        self.highest.fetch_max(value, Relaxed);
    }

    /// The value now.
    #[inline]
    pub fn value(&self) -> i64 {
        self.gauge.value()
    }

    /// The highest value so far; zero if it was never above.
    #[inline]
    pub fn peak(&self) -> i64 {
        self.highest.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_update_is_lost() {
        static COUNTER: Counter = Counter::new();
        static PEAK: Peak = Peak::new();
        const THREADS: u64 = 4;
        const UPDATES: u64 = 10_000;
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    for _ in 0..UPDATES {
                        COUNTER.add(1);
                        let seen = PEAK.add(2);
                        assert!(PEAK.peak() >= seen);
                        PEAK.sub(2);
                    }
                });
            }
        });
        assert_eq!(COUNTER.value(), THREADS * UPDATES);
        assert_eq!(PEAK.value(), 0);
        assert!((2..=2 * THREADS as i64).contains(&PEAK.peak()));
    }

    #[test]
    fn a_gauge_may_be_negative_and_its_peak_is_not() {
        let peak = Peak::new();
        assert_eq!(peak.sub(5), -5);
        assert_eq!(peak.add(3), -2);
        assert_eq!(peak.peak(), 0);
        peak.set(7);
        peak.set(1);
        assert_eq!((peak.value(), peak.peak()), (1, 7));
    }
}
