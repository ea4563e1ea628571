//! Which of a thread's frames have a range, so that each is closed once.

use super::Local;
use super::frame::{ADOPTED, EXPLICIT_FRAME};
use crate::ids::{SpanId, own_ids};

impl Local {
    /// The span of a frame, if it was recorded.
    pub(crate) fn span_id_at(&self, depth: usize) -> Option<SpanId> {
        match self.sequence_at(depth) {
            0 => None,
            ADOPTED => self.explicit_parent(depth).map(|span| span.span_id),
            sequence => Some(own_ids(self.thread.get(), sequence & !EXPLICIT_FRAME).span_id),
        }
    }

    /// Remembers that a frame has a range.
    pub(crate) fn mark_range(&self, depth: usize) {
        self.frames[depth].set(self.frames[depth].get().with_range());
    }

    /// How many of the frames from `first` on have a range. They have none from now on.
    pub(crate) fn take_ranges(&self, first: usize) -> usize {
        let open = self.depth.get();
        let marked = self.frames[first.min(open)..open].iter().filter(|frame| frame.get().has_range());
        marked.inspect(|frame| frame.set(frame.get().without_range())).count()
    }
}
