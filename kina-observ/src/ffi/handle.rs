//! Handles: numbers that C holds instead of pointers. A stale, freed or foreign one is refused, never followed.
//! Invariant: a number is never given out twice (`handles_are_never_reused`).

use core::ops::Deref;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::fault::{Fault, FaultKind};
use super::tables;
use super::value::KnownInC;
use crate::errno::KeepErrno;

/// A type whose values C knows by handle.
pub trait Handled: Send + Sync + Sized + 'static {
    /// What messages call it: `tensor`.
    const NAME: &'static str;

    /// The table of all live ones.
    fn table() -> &'static HandleTable<Self>;
}

const INDEX_BITS: u32 = 32;
const GENERATION_BITS: u32 = 24;
const LAST_GENERATION: u32 = (1 << GENERATION_BITS) - 1;

/// All live values of a type. Tag (8 bits), generation (24) and slot (32) make the number.
/// A `static`: a fork waits until no thread is at it, so that the child can use it.
#[derive(Debug)]
pub struct HandleTable<T> {
    tag: u8,
    /// Forks know of it.
    known: AtomicBool,
    slots: Mutex<Slots<T>>,
}

#[derive(Debug)]
struct Slots<T> {
    all: Vec<Slot<T>>,
    free: Vec<u32>,
}

#[derive(Debug)]
struct Slot<T> {
    generation: u32,
    value: Option<Arc<T>>,
}

/// A live value and its number. The value stays while a `Handle` does, also after another thread destroyed it.
#[derive(Debug)]
pub struct Handle<T> {
    raw: u64,
    value: Arc<T>,
}

impl<T> HandleTable<T> {
    /// `tag` tells the types of one library apart: give each its own.
    pub const fn new(tag: u8) -> Self {
        Self { tag, known: AtomicBool::new(false), slots: Mutex::new(Slots { all: Vec::new(), free: Vec::new() }) }
    }
}

impl<T: Send + Sync + 'static> tables::Table for HandleTable<T> {
    fn try_freeze(&'static self) -> Option<Box<dyn tables::Held>> {
        tables::try_lock(&self.slots).map(|slots| Box::new(slots) as _)
    }
}

impl<T: Send + Sync + 'static> HandleTable<T> {
    fn slots(&'static self) -> MutexGuard<'static, Slots<T>> {
        if self.known.load(Relaxed)
            && let Some(slots) = tables::try_lock(&self.slots)
        {
            return slots;
        }
        self.wait_for_slots()
    }

    /// Waiting is a system call, and so is what the first use does.
    #[cold]
    #[inline(never)]
    fn wait_for_slots(&'static self) -> MutexGuard<'static, Slots<T>> {
        let _errno = KeepErrno::new();
        tables::add(self, &self.known);
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn raw(&self, slot: u32, generation: u32) -> u64 {
        u64::from(self.tag) << (INDEX_BITS + GENERATION_BITS)
            | u64::from(generation) << INDEX_BITS
            | u64::from(slot + 1)
    }

    /// Slot and generation of a number of this table.
    fn place(&self, raw: u64) -> Option<(usize, u32)> {
        let slot = (raw as u32).checked_sub(1)? as usize;
        let tag = (raw >> (INDEX_BITS + GENERATION_BITS)) as u8;
        (tag == self.tag).then_some((slot, (raw >> INDEX_BITS) as u32 & LAST_GENERATION))
    }

    /// Takes a value in.
    ///
    /// # Panics
    /// When four thousand million values are live at once.
    pub fn insert(&'static self, value: T) -> Handle<T> {
        let value = Arc::new(value);
        let mut slots = self.slots();
        let slot = slots.free.pop().unwrap_or_else(|| {
            let slot = u32::try_from(slots.all.len()).ok().filter(|slot| *slot < u32::MAX);
            slots.all.push(Slot { generation: 0, value: None });
            slot.expect("fewer than four thousand million handles")
        });
        let entry = &mut slots.all[slot as usize];
        entry.generation += 1;
        entry.value = Some(value.clone());
        Handle { raw: self.raw(slot, entry.generation), value }
    }

    /// The value behind a number.
    pub fn find(&'static self, raw: u64) -> Option<Handle<T>> {
        let (slot, generation) = self.place(raw)?;
        let slots = self.slots();
        let entry = slots.all.get(slot).filter(|entry| entry.generation == generation)?;
        entry.value.clone().map(|value| Handle { raw, value })
    }

    /// Takes a value out; its number is dead from now on.
    pub fn remove(&'static self, raw: u64) -> Option<Arc<T>> {
        let (slot, generation) = self.place(raw)?;
        let mut slots = self.slots();
        let entry = slots.all.get_mut(slot).filter(|entry| entry.generation == generation)?;
        let value = entry.value.take()?;
        // A slot whose generations are used up is never used again.
        if generation < LAST_GENERATION {
            slots.free.push(slot as u32);
        }
        Some(value)
    }

    /// How many are live.
    pub fn live(&'static self) -> usize {
        self.slots().all.iter().filter(|slot| slot.value.is_some()).count()
    }
}

impl<T: Handled> Handle<T> {
    /// The value behind a number from C.
    ///
    /// # Errors
    /// A [`Fault`] with code -7 that names `parameter`.
    pub fn lookup(raw: u64, parameter: &'static str) -> Result<Self, Fault> {
        T::table().find(raw).ok_or(Fault::new(parameter, FaultKind::DeadHandle { what: T::NAME }))
    }

    /// Makes the number dead. The value itself goes with its last user.
    ///
    /// # Errors
    /// A [`Fault`] with code -7 when another thread was first.
    pub fn destroy(self, parameter: &'static str) -> Result<(), Fault> {
        match T::table().remove(self.raw) {
            Some(_) => Ok(()),
            None => Err(Fault::new(parameter, FaultKind::DeadHandle { what: T::NAME })),
        }
    }
}

impl<T> Handle<T> {
    /// The number that C holds; never 0.
    pub fn raw(&self) -> u64 {
        self.raw
    }

    /// The value, to keep beyond the call.
    pub fn shared(&self) -> Arc<T> {
        self.value.clone()
    }
}

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        Self { raw: self.raw, value: self.value.clone() }
    }
}

impl<T> Deref for Handle<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> KnownInC for Handle<T> {
    type C = u64;

    fn into_c(self) -> u64 {
        self.raw
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_never_reused() {
        static TABLE: HandleTable<u64> = HandleTable::new(7);
        let table = &TABLE;
        let mut seen = std::collections::HashSet::new();
        let mut last = 0;
        for value in 0..1_000 {
            let handle = table.insert(value);
            assert!(handle.raw() != 0 && seen.insert(handle.raw()));
            assert!(table.find(last).is_none());
            assert_eq!(table.find(handle.raw()).as_deref(), Some(&value));
            assert!(table.remove(handle.raw()).is_some());
            assert!(table.remove(handle.raw()).is_none());
            last = handle.raw();
        }
        assert_eq!(table.live(), 0);
    }

    #[test]
    fn a_used_up_slot_is_left_alone() {
        static TABLE: HandleTable<u64> = HandleTable::new(1);
        let table = &TABLE;
        let handle = table.insert(1);
        table.slots().all[0].generation = LAST_GENERATION;
        let raw = table.raw(0, LAST_GENERATION);
        assert!(table.remove(raw).is_some());
        assert_ne!(table.insert(2).raw() as u32, handle.raw() as u32);
    }

    #[test]
    fn a_foreign_handle_is_unknown() {
        static TENSORS: HandleTable<u64> = HandleTable::new(1);
        static STREAMS: HandleTable<u64> = HandleTable::new(2);
        let (tensors, streams) = (&TENSORS, &STREAMS);
        let tensor = tensors.insert(1);
        streams.insert(2);
        assert!(streams.find(tensor.raw()).is_none());
        for raw in [0, 1, u64::MAX, u64::MAX >> 8] {
            assert!(tensors.find(raw).is_none(), "{raw:#x}");
        }
    }
}
