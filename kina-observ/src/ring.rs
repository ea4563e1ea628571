//! A thread's buffer of records: one producer, one consumer, no locks.
//! Invariant: an END whose START was accepted always has room (`ring_keeps_room_for_every_end`).
//!
//! Positions count words since the ring was made and never wrap in practice; the index is the position modulo the
//! capacity. A record is contiguous: it may run past the capacity into a slack of one longest record.

use core::cell::{Cell, UnsafeCell};
use core::ptr;
use core::sync::atomic::{
    AtomicBool, AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

/// The longest record, in words: the length field has 12 bits.
pub(crate) const MAX_RECORD: usize = 1 << 12;

/// Keeps the producer's and the consumer's words on different cache lines (128: adjacent-line prefetch).
#[repr(align(128))]
struct Line<T>(T);

/// The buffer itself, shared by the thread that fills it and the collector.
pub(crate) struct Ring {
    head: Line<AtomicUsize>,
    tail: Line<AtomicUsize>,
    /// Spans and events that did not fit; written by the producer only.
    dropped: AtomicU64,
    /// Error texts and links that did not fit; written by the producer only.
    dropped_details: AtomicU64,
    /// The thread has ended: nothing more will come.
    pub(crate) ended: AtomicBool,
    /// Number of the thread, unique in this process.
    pub(crate) thread: u32,
    /// Name of the thread.
    pub(crate) name: String,
    words: Box<[UnsafeCell<u64>]>,
    mask: usize,
}

// SAFETY: `words` is written by the one `Producer` beyond `head` and read by the one consumer below it;
// `head` is published with Release and read with Acquire, `tail` the other way round.
unsafe impl Sync for Ring {}

impl Ring {
    /// `capacity` words, rounded up to a power of two. `None` when there is no memory.
    pub(crate) fn new(capacity: usize, thread: u32, name: String) -> Option<Self> {
        let capacity = capacity.max(2 * MAX_RECORD).next_power_of_two();
        let mut words = Vec::new();
        words.try_reserve_exact(capacity + MAX_RECORD).ok()?;
        words.resize_with(capacity + MAX_RECORD, || UnsafeCell::new(0));
        Some(Self {
            head: Line(AtomicUsize::new(0)),
            tail: Line(AtomicUsize::new(0)),
            dropped: AtomicU64::new(0),
            dropped_details: AtomicU64::new(0),
            ended: AtomicBool::new(false),
            thread,
            name,
            words: words.into_boxed_slice(),
            mask: capacity - 1,
        })
    }

    /// Spans and events lost, error texts and links lost.
    pub(crate) fn losses(&self) -> (u64, u64) {
        (self.dropped.load(Relaxed), self.dropped_details.load(Relaxed))
    }

    /// Counts a span or an event that did not fit. One writer, so no read-modify-write is needed.
    pub(crate) fn drop_one(&self) {
        self.dropped.store(self.dropped.load(Relaxed) + 1, Relaxed);
    }

    /// Counts an error text or a link that did not fit.
    pub(crate) fn drop_detail(&self) {
        self.dropped_details.store(self.dropped_details.load(Relaxed) + 1, Relaxed);
    }

    fn capacity(&self) -> usize {
        self.mask + 1
    }

    /// For the consumer: hands every complete record to `take`, then gives the room back.
    /// Returns how many words there were.
    pub(crate) fn drain(&self, mut take: impl FnMut(&[u64])) -> usize {
        let head = self.head.0.load(Acquire);
        let start = self.tail.0.load(Relaxed);
        let mut tail = start;
        while tail != head {
            let first = self.words[tail & self.mask].get();
            // SAFETY: `tail < head`, so the producer has published this word and will not touch it before `tail` moves.
            let header = unsafe { *first };
            let length = record_length(header);
            // SAFETY: a record is contiguous, `length` words long, within the allocation (slack) and published as a whole.
            let record = unsafe { core::slice::from_raw_parts(first.cast_const(), length) };
            take(record);
            tail += length;
            self.tail.0.store(tail, Release);
        }
        tail - start
    }
}

/// Bits 4 to 15 of a header word.
pub(crate) fn record_length(header: u64) -> usize {
    (header >> 4) as usize & (MAX_RECORD - 1)
}

/// The thread's end of its ring: plain cells, no destructor.
pub(crate) struct Producer {
    ring: Cell<*const Ring>,
    words: Cell<*mut u64>,
    mask: Cell<usize>,
    head: Cell<usize>,
    /// The consumer's position when last asked, plus the capacity.
    free_end: Cell<usize>,
    /// Room held back for the ENDs of open spans.
    reserved: Cell<usize>,
}

impl Producer {
    pub(crate) const fn new() -> Self {
        Self {
            ring: Cell::new(ptr::null()),
            words: Cell::new(ptr::null_mut()),
            mask: Cell::new(0),
            head: Cell::new(0),
            free_end: Cell::new(0),
            reserved: Cell::new(0),
        }
    }

    /// Takes over a fresh ring.
    ///
    /// # Safety
    /// `ring` must stay alive until `detach`, and no other producer may write to it.
    pub(crate) unsafe fn attach(&self, ring: &Ring) {
        self.ring.set(ring);
        self.words.set(ring.words.as_ptr().cast_mut().cast());
        self.mask.set(ring.mask);
        self.head.set(0);
        self.free_end.set(ring.capacity());
        self.reserved.set(0);
    }

    /// Lets the ring go; every later record is refused.
    pub(crate) fn detach(&self) {
        self.ring.set(ptr::null());
        self.head.set(0);
        self.free_end.set(0);
        self.reserved.set(0);
    }

    pub(crate) fn ring(&self) -> Option<&Ring> {
        // SAFETY: `attach`'s caller keeps the ring alive until `detach`, which clears the pointer.
        unsafe { self.ring.get().as_ref() }
    }

    /// Whether `words` fit beside the room held back for open ENDs, as far as is known without asking.
    #[inline(always)]
    pub(crate) fn has_room_at_hand(&self, words: usize) -> bool {
        self.head.get() + self.reserved.get() + words <= self.free_end.get()
    }

    /// The same, asking how far the consumer is if need be.
    pub(crate) fn has_room(&self, words: usize) -> bool {
        if self.has_room_at_hand(words) {
            return true;
        }
        let Some(ring) = self.ring() else { return false };
        self.free_end.set(ring.tail.0.load(Acquire) + ring.capacity());
        self.has_room_at_hand(words)
    }

    /// Holds room back for an END, or gives it back with a negative number.
    #[inline(always)]
    pub(crate) fn reserve(&self, end_words: isize) {
        self.reserved.set(self.reserved.get().wrapping_add_signed(end_words));
    }

    /// Starts a record.
    ///
    /// # Safety
    /// A ring is attached, and the record is no longer than the room that `has_room` granted or `reserve` held back.
    #[inline(always)]
    pub(crate) unsafe fn writer(&self) -> Writer<'_> {
        let head = self.head.get();
        // SAFETY: the index is within the capacity; a ring is attached, as the caller promises.
        let first = unsafe { self.words.get().add(head & self.mask.get()) };
        Writer { producer: self, head, first, next: first }
    }
}

/// A record being written; invisible to the consumer until `publish`.
pub(crate) struct Writer<'a> {
    producer: &'a Producer,
    head: usize,
    first: *mut u64,
    next: *mut u64,
}

impl Writer<'_> {
    #[inline(always)]
    pub(crate) fn word(&mut self, word: u64) {
        // SAFETY: the room was granted to `Producer::writer`'s caller, and the slack keeps a record contiguous.
        unsafe { self.next.write(word) };
        // SAFETY: one past a written word is within the allocation or just at its end.
        self.next = unsafe { self.next.add(1) };
    }

    /// A length word and the bytes, padded with zeros.
    pub(crate) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// The same, of what is known to be a text.
    pub(crate) fn bytes(&mut self, text: &[u8]) {
        self.word(text.len() as u64);
        let (words, rest) = text.as_chunks();
        words.iter().for_each(|word| self.word(u64::from_le_bytes(*word)));
        if !rest.is_empty() {
            let mut bytes = [0; 8];
            bytes[..rest.len()].copy_from_slice(rest);
            self.word(u64::from_le_bytes(bytes));
        }
    }

    /// Sets the first word once the length is known: texts are cut while they are written.
    pub(crate) fn header(&mut self, header: u64) {
        // SAFETY: the first word of the record, which was written and not yet published.
        unsafe { self.first.write(header) };
    }

    /// Words written so far.
    pub(crate) fn length(&self) -> usize {
        (self.next as usize - self.first as usize) / size_of::<u64>()
    }

    /// Shows the record to the consumer.
    #[inline(always)]
    pub(crate) fn publish(self) {
        let producer = self.producer;
        let head = self.head + self.length();
        producer.head.set(head);
        // SAFETY: `writer`'s caller promised an attached ring.
        let ring = unsafe { &*producer.ring.get() };
        ring.head.0.store(head, Release);
    }
}

/// Words that `Writer::text` takes for `bytes` bytes.
pub(crate) const fn text_words(bytes: usize) -> usize {
    1 + bytes.div_ceil(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(producer: &Producer, words: &[u64]) {
        // SAFETY: the callers below ask `has_room`, or hold room back, for exactly these words.
        let mut writer = unsafe { producer.writer() };
        for word in words {
            writer.word(*word);
        }
        writer.publish();
    }

    fn header(length: usize) -> u64 {
        (length as u64) << 4
    }

    #[test]
    fn records_come_out_as_they_went_in() {
        let ring = Ring::new(0, 1, String::new()).expect("memory");
        let producer = Producer::new();
        // SAFETY: the ring outlives the producer, which is its only one.
        unsafe { producer.attach(&ring) };
        let mut next = 0;
        for round in 0..50_000_u64 {
            let length = 3 + (round % 7) as usize;
            if !producer.has_room(length) {
                ring.drain(|record| {
                    assert!(record[1..].iter().all(|word| *word == next));
                    next += 1;
                });
            }
            assert!(producer.has_room(length));
            let mut record = vec![round; length];
            record[0] = header(length);
            put(&producer, &record);
        }
        ring.drain(|_| next += 1);
        assert_eq!(next, 50_000);
    }

    #[test]
    fn ring_keeps_room_for_every_end() {
        let ring = Ring::new(0, 1, String::new()).expect("memory");
        let producer = Producer::new();
        // SAFETY: the ring outlives the producer, which is its only one.
        unsafe { producer.attach(&ring) };
        let mut open = 0;
        while producer.has_room(3 + 4) {
            put(&producer, &[header(3), 0, 0]);
            producer.reserve(4);
            open += 1;
        }
        assert!(open > 100);
        for _ in 0..open {
            put(&producer, &[header(4), 1, 1, 1]);
            producer.reserve(-4);
        }
        let mut seen = 0;
        ring.drain(|_| seen += 1);
        assert_eq!(seen, 2 * open);
    }
}
