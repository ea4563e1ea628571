//! JSON strings: nearly every one is plain, and is copied as it is.
//! Invariant: whatever the text, a reader gets the same text back (`any_text_comes_back` in `tests/json_line.rs`).

/// A JSON string, quotes included.
pub(crate) fn text(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    let bytes = text.as_bytes();
    if is_plain(bytes) {
        out.extend_from_slice(bytes)
    } else {
        escaped(out, bytes)
    }
    out.push(b'"');
}

/// Whether no byte needs an escape: nearly every text, so eight bytes are looked at in one step.
fn is_plain(bytes: &[u8]) -> bool {
    const fn all(byte: u8) -> u64 {
        u64::from_ne_bytes([byte; 8])
    }
    // The high bit of a byte of the result says that this byte of `word` is below `than`, which is at most 128.
    let below = |word: u64, than: u8| word.wrapping_sub(all(than)) & !word & all(0x80);
    let special = |chunk: [u8; 8]| {
        let word = u64::from_ne_bytes(chunk);
        below(word, 0x20) | below(word ^ all(b'"'), 1) | below(word ^ all(b'\\'), 1)
    };
    let (chunks, rest) = bytes.as_chunks::<8>();
    let found = chunks.iter().fold(0, |found, &chunk| found | special(chunk));
    let mut last = [b' '; 8];
    last[..rest.len()].copy_from_slice(rest);
    found | special(last) == 0
}

#[cold]
fn escaped(out: &mut Vec<u8>, bytes: &[u8]) {
    for &byte in bytes {
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0..0x20 => {
                out.extend_from_slice(b"\\u00");
                out.extend_from_slice(&[b'0' + (byte >> 4), b"0123456789abcdef"[byte as usize & 15]]);
            }
            _ => out.push(byte),
        }
    }
}
