//! Who stands in whom.

use super::Trace;

/// The children of each span, by start.
pub(crate) struct Children(Vec<(u32, u32)>);

impl Children {
    pub(crate) fn of(trace: &Trace) -> Self {
        let child = |(index, span): (u32, &super::Span)| trace.parent(span).map(|parent| (parent, index));
        let mut pairs: Vec<(u32, u32)> =
            trace.each().filter_map(child).filter(|(parent, child)| parent != child).collect();
        pairs.sort_unstable_by_key(|&(parent, child)| (parent, trace.spans[child as usize].facts.start_ns, child));
        Self(pairs)
    }

    /// Indices of the children of the span with this index.
    pub(crate) fn children(&self, parent: u32) -> impl DoubleEndedIterator<Item = u32> + '_ {
        let from = self.0.partition_point(|pair| pair.0 < parent);
        let to = self.0.partition_point(|pair| pair.0 <= parent);
        self.0[from..to].iter().map(|&(_, child)| child)
    }
}
