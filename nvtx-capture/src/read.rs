//! Reads what a program passes, and never further than it says.

use core::ffi::{c_char, c_void};

use crate::abi::{ASCII, EventAttributes, REGISTERED, ResourceAttributes, UNICODE};
use crate::calls::{Message, Payload};
use crate::capture;

/// Characters of a text that are read; a longer one has most likely lost its end.
const MOST: usize = 4096;

/// A text of ASCII characters or UTF-8.
///
/// # Safety
/// `text` is null or ends in a NUL.
pub(crate) unsafe fn ascii(text: *const c_char) -> String {
    // SAFETY: the caller's promise is the one that is asked for; a byte has any value.
    let bytes = unsafe { until_zero(text.cast::<u8>()) };
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A text of wide characters, 32 bits each.
///
/// # Safety
/// `text` is null or ends in a NUL.
pub(crate) unsafe fn wide(text: *const u32) -> String {
    // SAFETY: the caller's promise is the one that is asked for.
    let characters = unsafe { until_zero(text) };
    characters.into_iter().map(|c| char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// # Safety
/// `text` is null or readable until a zero, or for `MOST` values.
unsafe fn until_zero<T: Copy + Default + PartialEq>(text: *const T) -> Vec<T> {
    let mut read = Vec::new();
    if text.is_null() {
        return read;
    }
    for index in 0..MOST {
        // SAFETY: no zero came yet, so this value is still part of the text.
        let place = unsafe { text.add(index) };
        // SAFETY: the same.
        let value = unsafe { place.read() };
        if value == T::default() {
            break;
        }
        read.push(value);
    }
    read
}

/// The name and the number in an event's attributes; `None`: they are of another version or smaller than they must be.
///
/// # Safety
/// `attributes` is null or points to attributes that are as large as they say, with texts that end in a NUL.
pub(crate) unsafe fn event(domain: usize, attributes: *const EventAttributes) -> Option<(Message, Option<Payload>)> {
    if attributes.is_null() {
        return None;
    }
    // SAFETY: every version of the attributes starts with its own version and size.
    let [_, size] = unsafe { attributes.cast::<[u16; 2]>().read() };
    if usize::from(size) < size_of::<EventAttributes>() {
        return None;
    }
    // SAFETY: they are large enough, as they say.
    let attributes = unsafe { attributes.read() };
    // SAFETY: the caller promises the texts.
    let message = unsafe { message(domain, attributes.message_type, attributes.message) };
    let bits = attributes.payload;
    let payload = match attributes.payload_type {
        1 => Some(Payload::U64(bits)),
        2 => Some(Payload::Other(bits as i64 as f64)),
        3 => Some(Payload::Other(f64::from_bits(bits))),
        4 => Some(Payload::Other(f64::from(bits as u32))),
        5 => Some(Payload::Other(f64::from(bits as u32 as i32))),
        6 => Some(Payload::Other(f32::from_bits(bits as u32).into())),
        _ => None,
    };
    Some((message, payload))
}

/// What a resource is, its number and its name.
///
/// # Safety
/// As for `event`.
pub(crate) unsafe fn resource(domain: usize, attributes: *const ResourceAttributes) -> Option<(i32, u64, Message)> {
    if attributes.is_null() {
        return None;
    }
    // SAFETY: every version of the attributes starts with its own version and size.
    let [_, size] = unsafe { attributes.cast::<[u16; 2]>().read() };
    if usize::from(size) < size_of::<ResourceAttributes>() {
        return None;
    }
    // SAFETY: they are large enough, as they say.
    let attributes = unsafe { attributes.read() };
    // SAFETY: the caller promises the texts.
    let message = unsafe { message(domain, attributes.message_type, attributes.message) };
    Some((attributes.identifier_type, attributes.identifier, message))
}

/// # Safety
/// A text behind `value` ends in a NUL.
unsafe fn message(domain: usize, kind: i32, value: *const c_void) -> Message {
    match kind {
        // SAFETY: the caller promises the text.
        ASCII => Message::Text(unsafe { ascii(value.cast()) }),
        // SAFETY: the same.
        UNICODE => Message::Text(unsafe { wide(value.cast()) }),
        REGISTERED => match capture::registered(domain, value.addr()) {
            Some(text) => Message::Registered(text),
            None => Message::Unknown(value.addr() as u64),
        },
        _ => Message::None,
    }
}
