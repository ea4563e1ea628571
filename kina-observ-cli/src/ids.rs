//! Numbers out of the texts of a line: ids and times.

/// A trace id: 32 lower-case hexadecimal digits, not all zero.
pub(crate) fn trace_id(text: &str) -> Option<u128> {
    let fits = text.len() == 32 && is_lower_hex(text);
    u128::from_str_radix(text, 16).ok().filter(|&id| fits && id != 0)
}

/// A span id: 16 lower-case hexadecimal digits, not all zero.
pub(crate) fn span_id(text: &str) -> Option<u64> {
    let fits = text.len() == 16 && is_lower_hex(text);
    u64::from_str_radix(text, 16).ok().filter(|&id| fits && id != 0)
}

fn is_lower_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// `2026-11-30T21:55:27.050941939Z` in nanoseconds since 1970; all nine digits must be there.
pub(crate) fn unix_ns(text: &str) -> Option<u64> {
    const FORM: &[u8; 30] = b"0000-00-00T00:00:00.000000000Z";
    let bytes: &[u8; 30] = text.as_bytes().try_into().ok()?;
    let fits = |(&byte, &form): (&u8, &u8)| if form == b'0' { byte.is_ascii_digit() } else { byte == form };
    if !bytes.iter().zip(FORM).all(fits) {
        return None;
    }
    let number = |from: usize, to: usize| bytes[from..to].iter().fold(0, |sum, byte| sum * 10 + u64::from(byte - b'0'));
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    let (hour, minute, second) = (number(11, 13), number(14, 16), number(17, 19));
    // A leap second is 60.
    if year < 1970 || !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 23 || minute > 59 || second > 60
    {
        return None;
    }
    // Years that start in March have the leap day at their end.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    const DAYS_TO_1970: u64 = 719_468;
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1;
    let seconds = (days - DAYS_TO_1970) * 86_400 + hour * 3_600 + minute * 60 + second;
    seconds.checked_mul(1_000_000_000)?.checked_add(number(20, 29))
}

/// `duration_ms` in nanoseconds; the line has it to the nanosecond.
pub(crate) fn duration_ns(milliseconds: f64) -> Option<u64> {
    // Past a year the nanosecond would be lost in an `f64`, and nothing measures that.
    const LONGEST_MS: f64 = 366.0 * 86_400_000.0;
    (0.0..=LONGEST_MS).contains(&milliseconds).then(|| (milliseconds * 1e6).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::{duration_ns, span_id, trace_id, unix_ns};

    #[test]
    fn ids_and_times() {
        assert_eq!(span_id("00000000000000ff"), Some(255));
        for wrong in ["0000000000000000", "ff", "00000000000000FF", "+0000000000000ff", "00000000000000fg", ""] {
            assert_eq!(span_id(wrong), None, "{wrong}");
        }
        assert_eq!(trace_id("000000000000000000000000000000ff"), Some(255));
        assert_eq!(trace_id("00000000000000000000000000000000"), None);
        assert_eq!(unix_ns("1970-01-01T00:00:01.000000002Z"), Some(1_000_000_002));
        for wrong in ["1970-01-01T00:00:01Z", "1970-13-01T00:00:01.000000002Z", "now", "1969-01-01T00:00:01.000000002Z"]
        {
            assert_eq!(unix_ns(wrong), None, "{wrong}");
        }
        for day in 0..40_000 {
            let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(day * 86_400 + 86_399);
            let text = humantime::format_rfc3339_nanos(time).to_string();
            assert_eq!(unix_ns(&text), Some((day * 86_400 + 86_399) * 1_000_000_000), "{text}");
        }
        assert_eq!(duration_ns(13.943127), Some(13_943_127));
        for wrong in [-0.1, f64::NAN, f64::INFINITY, 1e300] {
            assert_eq!(duration_ns(wrong), None, "{wrong}");
        }
    }
}
