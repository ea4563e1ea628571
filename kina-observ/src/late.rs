//! Values that are known only inside the body: they travel in the span's END, whose room is held back.

use core::cell::Cell;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::ring::Writer;
use crate::site::LATE_TEXT_BYTES;
use crate::value::Word;
use crate::words::cut;

#[derive(Clone, Copy)]
enum Slot {
    Unset,
    Word(u64),
    Text { length: u8, bytes: [u8; LATE_TEXT_BYTES] },
}

/// The late values of one call, one slot for each of the site's late attributes.
pub struct Late<const N: usize>([Cell<Slot>; N]);

impl<const N: usize> core::fmt::Debug for Late<N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Late({:#b})", LateValues::mask(self))
    }
}

impl<const N: usize> Default for Late<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Late<N> {
    /// Nothing set.
    pub const fn new() -> Self {
        Self([const { Cell::new(Slot::Unset) }; N])
    }

    /// Sets an integer, a float's bits, a truth value or a code, or unsets it. The last value wins.
    pub fn set_word(&self, index: usize, word: Word) {
        self.0[index].set(if word.there { Slot::Word(word.bits) } else { Slot::Unset });
    }

    /// Sets a text, of which 56 bytes are kept, or unsets it.
    pub fn set_str(&self, index: usize, text: Option<&str>) {
        self.0[index].set(text.map_or(Slot::Unset, Slot::text));
    }
}

impl Slot {
    fn text(text: &str) -> Self {
        let kept = cut(text, LATE_TEXT_BYTES);
        let mut bytes = [0; LATE_TEXT_BYTES];
        bytes[..kept.len()].copy_from_slice(kept.as_bytes());
        Self::Text { length: kept.len() as u8, bytes }
    }

    fn words(self) -> usize {
        match self {
            Self::Unset => 0,
            Self::Word(_) => 1,
            Self::Text { length, .. } => crate::ring::text_words(length.into()),
        }
    }

    fn write(self, writer: &mut Writer<'_>) {
        match self {
            Self::Unset => {}
            Self::Word(word) => writer.word(word),
            Self::Text { length, bytes } => {
                writer.text(core::str::from_utf8(&bytes[..length.into()]).unwrap_or_default());
            }
        }
    }
}

/// The late values of a task, which may be polled by any thread.
#[derive(Debug)]
pub struct TaskLate<const N: usize>(Mutex<Late<N>>);

impl<const N: usize> Default for TaskLate<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> TaskLate<N> {
    /// Nothing set.
    pub const fn new() -> Self {
        Self(Mutex::new(Late::new()))
    }

    /// As [`Late::set_word`].
    pub fn set_word(&self, index: usize, word: Word) {
        self.values().set_word(index, word);
    }

    /// As [`Late::set_str`].
    pub fn set_str(&self, index: usize, text: Option<&str>) {
        self.values().set_str(index, text);
    }

    pub(crate) fn values(&self) -> MutexGuard<'_, Late<N>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `Late<N>` for every `N`, so that closing a span is compiled once.
pub(crate) trait LateValues {
    fn mask(&self) -> u64;
    fn words(&self) -> usize;
    fn write(&self, writer: &mut Writer<'_>);
}

impl<const N: usize> LateValues for Late<N> {
    fn mask(&self) -> u64 {
        let mut mask = 0;
        for (index, slot) in self.0.iter().enumerate() {
            if !matches!(slot.get(), Slot::Unset) {
                mask |= 1 << index;
            }
        }
        mask
    }

    fn words(&self) -> usize {
        self.0.iter().map(|slot| slot.get().words()).sum()
    }

    fn write(&self, writer: &mut Writer<'_>) {
        self.0.iter().for_each(|slot| slot.get().write(writer));
    }
}
