//! Frees that cannot be right: what a ledger says of each.

use super::Book;
use crate::memory::fault::{FaultKind, FreeFault};
use crate::memory::paths::SpanPath;
use crate::memory::state::State;
use crate::memory::table::{Block, Freed};

impl Book {
    #[cold]
    pub(super) fn stray(&self, state: State, address: u64, size: u64, stream: i64, path: u32, before: Option<Freed>) {
        let kind = match before {
            Some(_) => FaultKind::Double,
            None if self.sees_everything(state) => FaultKind::Unknown,
            None => return self.faults.unseen.add(1),
        };
        self.faults.add(FreeFault {
            kind,
            resource: self.resource,
            address,
            size,
            stream,
            path: SpanPath(path),
            allocated_size: before.map(|freed| freed.block.size),
            allocated_stream: before.map(|freed| freed.block.stream.into()),
            allocated_path: before.map(|freed| SpanPath(freed.block.path)),
            freed_path: before.map(|freed| SpanPath(freed.path)),
        });
    }

    #[cold]
    pub(super) fn differs(&self, block: Block, size: u64, stream: i64, path: u32) {
        let size_differs = (block.size != size).then_some(FaultKind::SizeMismatch);
        // Memory of the host is on no stream, and whoever frees it need not know that.
        let known = block.stream != 0 && stream != 0;
        let stream_differs = (known && block.stream != stream as u32).then_some(FaultKind::OtherStream);
        for kind in size_differs.into_iter().chain(stream_differs) {
            self.faults.add(FreeFault {
                kind,
                resource: self.resource,
                address: block.address,
                size,
                stream,
                path: SpanPath(path),
                allocated_size: Some(block.size),
                allocated_stream: Some(block.stream.into()),
                allocated_path: Some(SpanPath(block.path)),
                freed_path: None,
            });
        }
    }
}
