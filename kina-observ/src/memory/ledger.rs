//! The ledger that `#[alloc_traced]` puts into a `static`, and what it can read from a function's result.

use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::book::Book;
use super::state::{Detail, State};
use super::{failure, registry};
use crate::config;
use crate::device::{DevicePtr, OnStream, Stream};
use crate::errno::KeepErrno;
use crate::gate;

/// What is recorded now; `None`: nothing. At Off it is one relaxed load.
#[inline(always)]
pub(super) fn recording() -> Option<State> {
    if gate::is_on() { recorded_state() } else { None }
}

#[inline]
fn recorded_state() -> Option<State> {
    let state = State::now();
    let state = if state.epoch() == 0 { configured() } else { state };
    state.detail().map(|_| state)
}

/// The first call of a process that nobody configured, like the first span's.
#[cold]
#[inline(never)]
fn configured() -> State {
    let _errno = KeepErrno::new();
    config::hosted::configure();
    State::now()
}

/// The ledger of functions that allocate and free, for a `static`: [`alloc_traced`](macro@crate::alloc_traced) names it.
///
/// ```
/// use kina_observ::memory::Ledger;
///
/// static ARENA: Ledger = Ledger::new("arena");
/// assert_eq!(ARENA.resource(), "arena");
/// ```
#[derive(Debug)]
pub struct Ledger {
    book: Book,
    listed: AtomicBool,
}

impl Ledger {
    /// `resource` is its `runtime.alloc.resource`.
    pub const fn new(resource: &'static str) -> Self {
        // A `static` is there from the first instruction on, and the first epoch begins with the first call.
        Self { book: Book::new(resource, 1), listed: AtomicBool::new(false) }
    }

    /// Its name in traces: `runtime.alloc.resource`.
    pub fn resource(&self) -> &'static str {
        self.book.resource
    }

    /// Runs `inner`, which allocates `size` bytes, and records what came of it.
    #[inline]
    pub fn allocate<R: Allocation>(
        &'static self,
        size: usize,
        stream: &(impl OnStream + ?Sized),
        inner: impl FnOnce() -> R,
    ) -> R {
        let Some(state) = recording() else { return inner() };
        let book = self.listed_book();
        let result = inner();
        match result.address() {
            Some(address) => book.allocated(state, address, size as u64, Some(stream.stream())),
            None => failure::tell(book, state, size as u64, Some(stream.stream())),
        }
        result
    }

    /// Records that a block goes, and runs `inner`, which frees it.
    #[inline]
    pub fn deallocate<R: Deallocation>(
        &'static self,
        pointer: impl Address,
        size: usize,
        stream: &(impl OnStream + ?Sized),
        inner: impl FnOnce() -> R,
    ) -> R {
        let Some(state) = recording() else { return inner() };
        let book = self.listed_book();
        free(book, state, pointer.address(), size as u64, Some(stream.stream()), inner)
    }

    #[inline]
    pub(super) fn listed_book(&'static self) -> &'static Book {
        if !self.listed.load(Relaxed) {
            self.list();
        }
        &self.book
    }

    #[cold]
    fn list(&'static self) {
        if !self.listed.swap(true, Relaxed) {
            self.book.use_slot();
            registry::add_static(&self.book);
        }
    }
}

/// Takes a block out of the book, runs `inner`, and puts it back if that refused.
// Moving the closure through memory costs more than what is counted.
#[inline(always)]
pub(super) fn free<R: Deallocation>(
    book: &Book,
    state: State,
    address: u64,
    size: u64,
    stream: Option<&Stream>,
    inner: impl FnOnce() -> R,
) -> R {
    if state.detail() == Some(Detail::Totals) {
        let counted = book.freeing_total(state, address, size, stream);
        return inner().or_undo(|| {
            if counted {
                book.put_total_back(size);
            }
        });
    }
    let removed = book.freeing(state, address, size, stream);
    inner().or_undo(|| {
        if let Some(removed) = removed {
            book.put_back(state, removed);
        }
    })
}

/// A pointer, or a handle that is a number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no pointer that a ledger can keep",
    label = "a pointer to the block is expected here",
    note = "use a `DevicePtr`, a raw pointer, a `NonNull`, or a handle that is a `u64`"
)]
pub trait Address {
    /// The number of the block; zero is no block.
    fn address(&self) -> u64;
}

impl Address for DevicePtr {
    #[inline]
    fn address(&self) -> u64 {
        self.as_u64()
    }
}

impl<T> Address for *mut T {
    #[inline]
    fn address(&self) -> u64 {
        self.addr() as u64
    }
}

impl<T> Address for *const T {
    #[inline]
    fn address(&self) -> u64 {
        self.addr() as u64
    }
}

impl<T> Address for NonNull<T> {
    #[inline]
    fn address(&self) -> u64 {
        self.addr().get() as u64
    }
}

impl Address for u64 {
    #[inline]
    fn address(&self) -> u64 {
        *self
    }
}

impl Address for usize {
    #[inline]
    fn address(&self) -> u64 {
        *self as u64
    }
}

/// `None` is no block.
impl<T: Address> Address for Option<T> {
    #[inline]
    fn address(&self) -> u64 {
        self.as_ref().map_or(0, Address::address)
    }
}

impl<T: Address + ?Sized> Address for &T {
    #[inline]
    fn address(&self) -> u64 {
        (**self).address()
    }
}

/// What a function that allocates gives back.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say which block was allocated",
    label = "a pointer is expected here",
    note = "give back a `DevicePtr`, a raw pointer or a `NonNull`, or a `Result` or an `Option` of one"
)]
pub trait Allocation {
    /// The block; `None`: the allocation failed.
    fn address(&self) -> Option<u64>;
}

impl<T: Address, E> Allocation for Result<T, E> {
    #[inline]
    fn address(&self) -> Option<u64> {
        self.as_ref().ok().map(Address::address)
    }
}

impl<T: Address> Allocation for Option<T> {
    #[inline]
    fn address(&self) -> Option<u64> {
        self.as_ref().map(Address::address)
    }
}

impl Allocation for DevicePtr {
    #[inline]
    fn address(&self) -> Option<u64> {
        (!self.is_null()).then(|| self.as_u64())
    }
}

impl<T> Allocation for *mut T {
    #[inline]
    fn address(&self) -> Option<u64> {
        (!self.is_null()).then(|| self.addr() as u64)
    }
}

impl<T> Allocation for *const T {
    #[inline]
    fn address(&self) -> Option<u64> {
        (!self.is_null()).then(|| self.addr() as u64)
    }
}

impl<T> Allocation for NonNull<T> {
    #[inline]
    fn address(&self) -> Option<u64> {
        Some(Address::address(self))
    }
}

/// What a function that frees gives back.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say whether the block was freed",
    label = "`()` or a `Result` is expected here"
)]
pub trait Deallocation {
    /// Whether the block is gone.
    fn is_freed(&self) -> bool;

    /// Calls `undo` if the block is not gone.
    #[must_use]
    #[inline(always)]
    fn or_undo(self, undo: impl FnOnce()) -> Self
    where
        Self: Sized,
    {
        if !self.is_freed() {
            undo();
        }
        self
    }
}

impl Deallocation for () {
    #[inline]
    fn is_freed(&self) -> bool {
        true
    }
}

impl<T, E> Deallocation for Result<T, E> {
    #[inline]
    fn is_freed(&self) -> bool {
        self.is_ok()
    }

    #[inline(always)]
    fn or_undo(self, undo: impl FnOnce()) -> Self {
        match self {
            Ok(value) => Ok(value),
            Err(error) => refused(error, undo),
        }
    }
}

/// Away from the way of success, where otherwise the words of an error are moved that is not there.
#[cold]
#[inline(never)]
fn refused<T, E>(error: E, undo: impl FnOnce()) -> Result<T, E> {
    undo();
    Err(error)
}
