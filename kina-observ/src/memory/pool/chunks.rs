//! What a pool took from below: which parts are out, and which are free on which stream.

use std::collections::{BTreeSet, HashMap};

use super::super::error::{FreeError, FreeReason};
use super::super::resource::PoolInfo;
use super::regions::Regions;
use crate::device::{DeviceError, DevicePtr, Stream};

#[derive(Debug, Default)]
pub(super) struct Chunks {
    chunks: Vec<Chunk>,
    /// Where chunks begin: nothing is joined across.
    borders: BTreeSet<u64>,
    free: Vec<Free>,
    out: HashMap<u64, Out>,
    reserved: u64,
    used: u64,
}

#[derive(Debug)]
struct Chunk {
    address: u64,
    size: u64,
    stream: Stream,
}

/// The free memory of one stream.
#[derive(Debug)]
struct Free {
    stream: Stream,
    regions: Regions,
}

#[derive(Debug)]
struct Out {
    size: u64,
    requested: u64,
    stream: Stream,
}

impl Chunks {
    pub(super) fn reserved(&self) -> u64 {
        self.reserved
    }

    /// Bytes that are free, on whatever stream.
    pub(super) fn free(&self) -> u64 {
        self.reserved - self.used
    }

    pub(super) fn add(&mut self, address: u64, size: u64, stream: &Stream) {
        self.chunks.push(Chunk { address, size, stream: stream.clone() });
        self.borders.insert(address);
        self.reserved += size;
        self.put(address, size, stream);
    }

    /// A block of `size` bytes: one that is free on this stream, or else on another, for which this one is made to wait.
    pub(super) fn take(&mut self, size: u64, requested: u64, stream: &Stream) -> Option<u64> {
        let own = self.free.iter().position(|free| free.stream.id() == stream.id());
        let address = own.and_then(|own| self.take_from(own, size)).or_else(|| self.take_of_others(size, stream))?;
        self.used += size;
        self.out.insert(address, Out { size, requested, stream: stream.clone() });
        Some(address)
    }

    fn take_from(&mut self, index: usize, size: u64) -> Option<u64> {
        let address = self.free[index].regions.take(size);
        if self.free[index].regions.is_empty() {
            self.free.swap_remove(index);
        }
        address
    }

    fn take_of_others(&mut self, size: u64, stream: &Stream) -> Option<u64> {
        let other = self.free.iter().position(|free| {
            free.stream.id() != stream.id() && free.regions.largest() >= size && wait(stream, &free.stream).is_ok()
        })?;
        self.take_from(other, size)
    }

    /// Makes everything that is free, free on this stream.
    pub(super) fn gather(&mut self, stream: &Stream) {
        for free in core::mem::take(&mut self.free) {
            if free.stream.id() == stream.id() || wait(stream, &free.stream).is_ok() {
                for (address, size) in free.regions.all() {
                    self.put(address, size, stream);
                }
            } else {
                self.free.push(free);
            }
        }
    }

    /// Takes a block back.
    pub(super) fn give(
        &mut self,
        resource: &'static str,
        pointer: DevicePtr,
        passed: u64,
        stream: &Stream,
    ) -> Result<(), FreeError> {
        let address = pointer.as_u64();
        let Some(out) = self.out.get(&address) else {
            return Err(FreeError::new(FreeReason::Unknown { resource, pointer }));
        };
        let (size, allocated) = (out.size, out.requested);
        if allocated != passed {
            return Err(FreeError::new(FreeReason::SizeMismatch { resource, pointer, allocated, passed }));
        }
        self.out.remove(&address);
        self.used -= size;
        self.put(address, size, stream);
        Ok(())
    }

    fn put(&mut self, address: u64, size: u64, stream: &Stream) {
        let index = self.free.iter().position(|free| free.stream.id() == stream.id()).unwrap_or_else(|| {
            self.free.push(Free { stream: stream.clone(), regions: Regions::default() });
            self.free.len() - 1
        });
        self.free[index].regions.give(address, size, |at| self.borders.contains(&at));
    }

    pub(super) fn info(&self) -> PoolInfo {
        let largest_free = self.free.iter().map(|free| free.regions.largest()).max().unwrap_or(0);
        PoolInfo { reserved: self.reserved, used: self.used, largest_free }
    }

    /// Makes the stream of each chunk wait for whoever used a part of it.
    pub(super) fn wait_for_all(&self) {
        let users = self.free.iter().map(|free| &free.stream).chain(self.out.values().map(|out| &out.stream));
        let users: HashMap<i64, &Stream> = users.map(|stream| (stream.id(), stream)).collect();
        let owners: HashMap<i64, &Stream> =
            self.chunks.iter().map(|chunk| (chunk.stream.id(), &chunk.stream)).collect();
        for owner in owners.values() {
            for user in users.values().filter(|user| user.id() != owner.id()) {
                if wait(owner, user).is_err() {
                    // In a capture nothing can be waited for but this; a failed stream has nothing left to do.
                    let _ = user.synchronize();
                }
            }
        }
    }

    pub(super) fn into_chunks(self) -> impl Iterator<Item = (DevicePtr, usize, Stream)> {
        // `grow` made them from a `usize`.
        self.chunks.into_iter().map(|chunk| (DevicePtr::new(chunk.address), chunk.size as usize, chunk.stream))
    }
}

/// What comes later on `stream` waits for what is enqueued on `other` so far.
fn wait(stream: &Stream, other: &Stream) -> Result<(), DeviceError> {
    // Not `Stream::wait`: it would link the allocating span to itself.
    let backend = other.device().backend();
    let event = backend.create_event()?;
    let waits = backend.record(other.raw(), event).and_then(|()| backend.wait(stream.raw(), event));
    backend.destroy_event(event);
    waits
}
