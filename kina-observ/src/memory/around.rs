//! What `#[alloc_traced]` runs around a body: the ledger learns of a block after it is allocated, and before it is freed.

use super::book::{Book, Removed};
use super::failure;
use super::ledger::{Address, Allocation, Deallocation, Ledger, recording};
use super::state::{Detail, State};
use crate::device::Stream;

/// The ledger of all functions that name none.
pub static FUNCTIONS: Ledger = Ledger::new("functions");

/// An allocation under way.
#[derive(Debug)]
pub struct Allocating(Option<Begun>);

#[derive(Debug)]
struct Begun {
    book: &'static Book,
    state: State,
    size: u64,
    /// A body may take the parameter with it.
    stream: Option<Stream>,
}

impl Allocating {
    /// Before the body, which allocates `size` bytes.
    pub fn begin(ledger: &'static Ledger, size: u64, stream: Option<&Stream>) -> Self {
        Self(recording().map(|state| Begun { book: ledger.listed_book(), state, size, stream: stream.cloned() }))
    }

    /// After the body, with what it gave back.
    pub fn end<R: Allocation + ?Sized>(self, result: &R) {
        let Some(Begun { book, state, size, stream }) = self.0 else { return };
        match result.address() {
            Some(address) => book.allocated(state, address, size, stream.as_ref()),
            None => failure::tell(book, state, size, stream.as_ref()),
        }
    }
}

/// A block that is being freed: the ledger has it no more.
#[derive(Debug)]
pub struct Freeing(Option<(&'static Book, State, Taken)>);

/// What the ledger has no more.
#[derive(Debug)]
enum Taken {
    Bytes(u64),
    Block(Removed),
}

impl Freeing {
    /// Before the body: another thread may get the same block as soon as it is freed.
    pub fn begin<A: Address + ?Sized>(
        ledger: &'static Ledger,
        pointer: &A,
        size: u64,
        stream: Option<&Stream>,
    ) -> Self {
        Self(recording().and_then(|state| {
            let book = ledger.listed_book();
            let address = pointer.address();
            let taken = match state.detail() {
                Some(Detail::Spans) => Taken::Block(book.freeing(state, address, size, stream)?),
                _ => book.freeing_total(state, address, size, stream).then_some(Taken::Bytes(size))?,
            };
            Some((book, state, taken))
        }))
    }

    /// After the body, with what it gave back: a block that was not freed is still out.
    pub fn end<R: Deallocation + ?Sized>(self, result: &R) {
        if result.is_freed() {
            return;
        }
        match self.0 {
            Some((book, _, Taken::Bytes(size))) => book.put_total_back(size),
            Some((book, state, Taken::Block(removed))) => book.put_back(state, removed),
            None => {}
        }
    }
}
