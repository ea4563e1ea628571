//! Numbers, ids and durations as text, straight into a line's buffer.

/// Two hexadecimal digits for each byte.
const HEX: [[u8; 2]; 256] = {
    let digits = b"0123456789abcdef";
    let mut table = [[0; 2]; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = [digits[byte >> 4], digits[byte & 15]];
        byte += 1;
    }
    table
};

/// `128`
pub(crate) fn unsigned(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// `-128`
pub(crate) fn signed(out: &mut Vec<u8>, number: i64) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// `0.5`, the shortest text that reads back as the same number; the three that have no digits are `NaN`, `Infinity` and
/// `-Infinity`, which the caller quotes.
pub(crate) fn double(out: &mut Vec<u8>, number: f64) {
    if number.is_finite() {
        out.extend_from_slice(ryu::Buffer::new().format_finite(number).as_bytes());
    } else if number.is_nan() {
        out.extend_from_slice(b"NaN");
    } else if number > 0.0 {
        out.extend_from_slice(b"Infinity");
    } else {
        out.extend_from_slice(b"-Infinity");
    }
}

/// 16 hexadecimal digits.
pub(crate) fn hex_u64(out: &mut Vec<u8>, number: u64) {
    let mut text = [[0; 2]; 8];
    for (pair, byte) in text.iter_mut().zip(number.to_be_bytes()) {
        *pair = HEX[byte as usize];
    }
    out.extend_from_slice(text.as_flattened());
}

/// 32 hexadecimal digits.
pub(crate) fn hex_u128(out: &mut Vec<u8>, number: u128) {
    let mut text = [[0; 2]; 16];
    for (pair, byte) in text.iter_mut().zip(number.to_be_bytes()) {
        *pair = HEX[byte as usize];
    }
    out.extend_from_slice(text.as_flattened());
}

/// `6f1c9c1e-2b1f-4d0e-9a5b-0a6d2c1c7e11`
pub(crate) fn uuid(out: &mut Vec<u8>, id: [u8; 16]) {
    let mut text = [0; uuid::fmt::Hyphenated::LENGTH];
    let text = uuid::Uuid::from_bytes(id).hyphenated().encode_lower(&mut text);
    out.extend_from_slice(text.as_bytes());
}

/// `number` in exactly `N` decimal digits; higher ones are cut.
pub(crate) fn padded<const N: usize>(mut number: u32) -> [u8; N] {
    let mut text = [b'0'; N];
    for digit in text.iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
    text
}

/// Milliseconds to the nanosecond, with at least one decimal so that every reader takes it for a float: `2.8`, `3.0`.
pub(crate) fn milliseconds(out: &mut Vec<u8>, nanoseconds: u64) {
    unsigned(out, nanoseconds / 1_000_000);
    let fraction = padded::<6>((nanoseconds % 1_000_000) as u32);
    out.push(b'.');
    out.extend_from_slice(&fraction[..significant(&fraction).max(1)]);
}

/// For people, cut to three decimals: `820ns`, `45.2µs`, `2.8ms`, `1.25s`.
pub(crate) fn duration(out: &mut Vec<u8>, nanoseconds: u64) {
    let (thousandths, unit) = match nanoseconds {
        0..1_000 => (nanoseconds * 1_000, "ns"),
        1_000..1_000_000 => (nanoseconds, "µs"),
        1_000_000..1_000_000_000 => (nanoseconds / 1_000, "ms"),
        _ => (nanoseconds / 1_000_000, "s"),
    };
    unsigned(out, thousandths / 1_000);
    let fraction = padded::<3>((thousandths % 1_000) as u32);
    let length = significant(&fraction);
    if length > 0 {
        out.push(b'.');
        out.extend_from_slice(&fraction[..length]);
    }
    out.extend_from_slice(unit.as_bytes());
}

/// How many digits remain without the zeros at the end.
fn significant(digits: &[u8]) -> usize {
    digits.iter().rposition(|&digit| digit != b'0').map_or(0, |last| last + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(write: impl FnOnce(&mut Vec<u8>), expected: &str) {
        let mut out = Vec::new();
        write(&mut out);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn milliseconds_keep_every_nanosecond() {
        check(|out| milliseconds(out, 0), "0.0");
        check(|out| milliseconds(out, 1), "0.000001");
        check(|out| milliseconds(out, 2_800_000), "2.8");
        check(|out| milliseconds(out, 3_000_000), "3.0");
        check(|out| milliseconds(out, 1_234_567_890), "1234.56789");
        check(|out| milliseconds(out, u64::MAX), "18446744073709.551615");
    }

    #[test]
    fn durations_have_a_unit_that_fits() {
        check(|out| duration(out, 0), "0ns");
        check(|out| duration(out, 999), "999ns");
        check(|out| duration(out, 45_200), "45.2µs");
        check(|out| duration(out, 2_800_000), "2.8ms");
        check(|out| duration(out, 2_834_567), "2.834ms");
        check(|out| duration(out, 61_000_000_000), "61s");
    }

    #[test]
    fn ids_have_all_their_zeros() {
        check(|out| hex_u64(out, 0x1f), "000000000000001f");
        check(|out| hex_u128(out, 0xabc), "00000000000000000000000000000abc");
    }

    #[test]
    fn doubles_read_back() {
        for number in [0.1, -0.0, 1.0, 1e300, f64::MIN_POSITIVE, f64::MAX, 123_456_789.123_456_79] {
            let mut out = Vec::new();
            double(&mut out, number);
            let text = String::from_utf8(out).unwrap();
            assert_eq!(serde_json::from_str::<f64>(&text).unwrap().to_bits(), number.to_bits(), "{text}");
        }
        check(|out| double(out, f64::NAN), "NaN");
        check(|out| double(out, f64::INFINITY), "Infinity");
        check(|out| double(out, f64::NEG_INFINITY), "-Infinity");
    }
}
