//! The layout of the records in a ring, for the thread that writes them and the collector that reads them.
//!
//! Every record starts with a header word: kind (4 bits), length in words (12), the rest by kind:
//!
//! | kind | rest of the header | further words |
//! |---|---|---|
//! | START | site pointer (48) | clock · context word · \[trace low, trace high, parent\] · values |
//! | END | flags (8), late mask (8), code (32) | clock · \[error type pointer, length\] · late values |
//! | ERROR | - | message, help, span path: each a length word and bytes |
//! | LINK | - | trace low, trace high, span |
//! | EVENT | metadata pointer (48) | clock · context word · message · fields |
//! | ABANDON | depth | - |
//! | ENTER | site pointer (48) | context word · trace low, trace high, span |
//! | LEAVE | - | - |
//! | TASK | site pointer (48) | start · end · context word · trace low, trace high, span · parent or 0 · flags and late mask · \[error type pointer, length\] · \[message, help, span path\] · values · late values |
//!
//! ENTER and LEAVE surround one poll of a task, whose span is the parent of what stands between. ABANDON says that the spans at this
//! depth and deeper will never end. The context word of START, EVENT, ENTER and TASK: module (16 bits), device (8), flags (4), depth (12), mask of the values present (24).
//! An implicit START has no id and no parent: the collector counts the STARTs of a thread and knows what is open.

use crate::site::Site;

pub(crate) const START: u64 = 1;
pub(crate) const END: u64 = 2;
pub(crate) const ERROR: u64 = 3;
pub(crate) const LINK: u64 = 4;
pub(crate) const EVENT: u64 = 5;
pub(crate) const ABANDON: u64 = 6;
pub(crate) const ENTER: u64 = 7;
pub(crate) const LEAVE: u64 = 8;
pub(crate) const TASK: u64 = 9;

/// END: the span failed.
pub(crate) const FAILED: u64 = 1;
/// END: two words name the error type.
pub(crate) const ERROR_TYPE: u64 = 2;
/// TASK: three texts tell the error.
pub(crate) const TOLD: u64 = 4;
/// TASK: it was dropped before it ended.
pub(crate) const UNFINISHED: u64 = 8;

/// Context word: number of the module.
pub(crate) const MODULE_BITS: u64 = 0xffff;
/// Context word: number of the device.
pub(crate) const DEVICE_BITS: u64 = 0xff_0000;
/// Context word: what a thread that takes over work takes along.
pub(crate) const CARRIED: u64 = MODULE_BITS | DEVICE_BITS;
/// Context word: the parent stands in the record.
pub(crate) const EXPLICIT: u64 = 1 << 24;
/// Context word: a span between this one and its parent was dropped.
pub(crate) const PARENT_DROPPED: u64 = 1 << 25;
/// Context word of a thread, not of a record's meaning: the clock must be called.
pub(crate) const SLOW_CLOCK: u64 = 1 << 26;

/// Bytes of an error's message, help and path that are kept, each.
pub(crate) const ERROR_TEXT_BYTES: usize = 512;

pub(crate) const DEPTH_SHIFT: u32 = 28;
pub(crate) const MASK_SHIFT: u32 = 40;

/// Header of a START.
#[inline(always)]
pub(crate) fn start_header(site: &'static Site, length: usize) -> u64 {
    // User addresses have 47 bits on the platforms that we know; the mask keeps a surprise from touching the length.
    START | (length as u64) << 4 | (core::ptr::from_ref(site) as u64) << 16
}

/// Header of an END.
#[inline(always)]
pub(crate) fn end_header(length: usize, flags: u64, late_mask: u64, code: i32) -> u64 {
    END | (length as u64) << 4 | flags << 16 | late_mask << 24 | u64::from(code as u32) << 32
}

/// Address of a site, for the header of ENTER and TASK.
pub(crate) fn address(site: &'static Site) -> u64 {
    core::ptr::from_ref(site) as u64
}

/// Header of any other kind.
pub(crate) fn header(kind: u64, length: usize, rest: u64) -> u64 {
    kind | (length as u64) << 4 | rest << 16
}

/// The longest prefix of `text` within `bytes`, cut between characters.
pub(crate) fn cut(text: &str, bytes: usize) -> &str {
    if text.len() <= bytes {
        return text;
    }
    let mut end = bytes;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
