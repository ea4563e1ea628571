//! Timestamps in RFC 3339, UTC: the text of a second is made once and kept.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::number::padded;

const SECOND_NS: u64 = 1_000_000_000;

/// The length of a UTC day, which has no leap seconds in Unix time.
pub(crate) const DAY_NS: u64 = 86_400 * SECOND_NS;

/// Writes timestamps.
pub(crate) struct Timestamps {
    second: u64,
    /// `2026-05-08T20:45:12`
    text: String,
}

impl Timestamps {
    pub(crate) fn new() -> Self {
        let mut timestamps = Self { second: 0, text: String::with_capacity(32) };
        timestamps.render();
        timestamps
    }

    /// `2026-05-08T20:45:12.183456789Z`
    pub(crate) fn nanoseconds(&mut self, out: &mut Vec<u8>, unix_ns: u64) {
        let fraction = self.second(unix_ns);
        out.extend_from_slice(self.text.as_bytes());
        let mut tail = *b".000000000Z";
        tail[1..10].copy_from_slice(&padded::<9>(fraction));
        out.extend_from_slice(&tail);
    }

    /// `2026-05-08T20:45:12.183456Z`
    pub(crate) fn microseconds(&mut self, out: &mut Vec<u8>, unix_ns: u64) {
        let fraction = self.second(unix_ns) / 1_000;
        out.extend_from_slice(self.text.as_bytes());
        out.push(b'.');
        out.extend_from_slice(&padded::<6>(fraction));
        out.push(b'Z');
    }

    /// Makes `text` that of the second; gives the nanoseconds in it.
    fn second(&mut self, unix_ns: u64) -> u32 {
        let second = unix_ns / SECOND_NS;
        if second != self.second {
            self.second = second;
            self.render();
        }
        (unix_ns % SECOND_NS) as u32
    }

    #[cold]
    fn render(&mut self) {
        self.text.clear();
        let time = UNIX_EPOCH + Duration::from_secs(self.second);
        // It fails for the year 10,000 only; 64 bits of nanoseconds end in 2554.
        let _ = write!(self.text, "{}", humantime::format_rfc3339_seconds(time));
        self.text.truncate(self.text.trim_end_matches('Z').len());
    }
}

/// Nanoseconds since the Unix epoch; 0 for a clock that stands before it.
pub(crate) fn unix_ns(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(unix_ns: u64, expected: &str) {
        let (mut timestamps, mut out) = (Timestamps::new(), Vec::new());
        timestamps.nanoseconds(&mut out, unix_ns);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn all_nine_digits() {
        check(0, "1970-01-01T00:00:00.000000000Z");
        check(1_778_273_112_183_456_789, "2026-05-08T20:45:12.183456789Z");
        check(1_709_251_199_999_999_999, "2024-02-29T23:59:59.999999999Z");
        check(u64::MAX, "2554-07-21T23:34:33.709551615Z");
    }

    #[test]
    fn going_back_a_second_is_seen() {
        let (mut timestamps, mut out) = (Timestamps::new(), Vec::new());
        for unix_ns in [2_000_000_000, 1_000_000_001, 1_000_000_002] {
            timestamps.microseconds(&mut out, unix_ns);
        }
        let expected = "1970-01-01T00:00:02.000000Z1970-01-01T00:00:01.000000Z1970-01-01T00:00:01.000000Z";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
