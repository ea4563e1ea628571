//! Opens and closes spans: the functions that the macros call when something listens.
//! Invariant: no lock, no allocation, no system call after a thread's first span (`cargo xtask cost`).

mod end;
mod start;

pub(crate) use end::end_all;
pub use end::{PanicGuard, exit_code, exit_code_late, exit_outcome, exit_outcome_late, link};
pub(crate) use end::{abandon, say};
pub(crate) use start::{enter, enter_child_of, enter_values, mask_of, value_words, write_values};

use crate::ids::SpanContext;
use crate::ring::Writer;

/// An open span of this thread: the index of its frame.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct Entered {
    depth: u32,
    // A span belongs to its thread.
    not_send: core::marker::PhantomData<*const ()>,
}

impl Entered {
    /// Nothing was opened: the filter is against it, or the nesting is deeper than we keep.
    pub(crate) const NOWHERE: Self = Self { depth: u32::MAX, not_send: core::marker::PhantomData };

    /// Whether a span was opened.
    pub(crate) fn is_somewhere(self) -> bool {
        self.depth != Self::NOWHERE.depth
    }
}

fn entered(depth: usize) -> Entered {
    Entered { depth: depth as u32, not_send: core::marker::PhantomData }
}

/// A trace and a span id take three words.
pub(crate) fn write_ids(writer: &mut Writer<'_>, ids: SpanContext) {
    let trace = ids.trace_id.as_u128();
    writer.word(trace as u64);
    writer.word((trace >> 64) as u64);
    writer.word(ids.span_id.as_u64());
}
