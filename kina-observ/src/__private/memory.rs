//! What `#[alloc_traced]` reads from its parameters, and what it runs around a body.

use super::device::StreamOrNone;
use crate::gate;
use crate::memory::{self, Address, Allocation, Deallocation, Ledger};
use crate::value::Word;

pub use memory::FUNCTIONS;

/// Whether anything listens. A ledger counts what the filter keeps out of the trace, so it asks the gate alone.
#[inline(always)]
pub fn is_gate_open() -> bool {
    gate::is_on()
}

/// `runtime.alloc.resource`.
pub fn ledger_resource(ledger: &'static Ledger) -> &'static str {
    ledger.resource()
}

/// An allocation around a body.
#[derive(Debug)]
pub struct Allocating(memory::Allocating);

impl Allocating {
    /// Before the body.
    pub fn begin<S: StreamOrNone + ?Sized>(ledger: &'static Ledger, size: Word, on: &S) -> Self {
        Self(memory::Allocating::begin(ledger, size.bits, on.stream_or_none()))
    }

    /// After the body.
    pub fn end<R: Allocation + ?Sized>(self, result: &R) {
        self.0.end(result);
    }
}

/// A free around a body.
#[derive(Debug)]
pub struct Freeing(memory::Freeing);

impl Freeing {
    /// Before the body.
    pub fn begin<A: Address + ?Sized, S: StreamOrNone + ?Sized>(
        ledger: &'static Ledger,
        pointer: &A,
        size: Word,
        on: &S,
    ) -> Self {
        Self(memory::Freeing::begin(ledger, pointer, size.bits, on.stream_or_none()))
    }

    /// After the body.
    pub fn end<R: Deallocation + ?Sized>(self, result: &R) {
        self.0.end(result);
    }
}
