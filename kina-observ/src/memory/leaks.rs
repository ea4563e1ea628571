//! What is still out: by resource and span path, the largest first.

use core::fmt;

use super::book::Book;
use super::failure::{Amount, Holder, holders};
use super::paths::SpanPath;
use super::{events, registry};

/// Span paths that a report lists.
const LISTED: usize = 100;

/// Blocks that were allocated while the level was not off and have not been freed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Leaks {
    /// All bytes.
    pub bytes: u64,
    /// All blocks.
    pub blocks: u64,
    /// By resource and span path, the largest first; at most 100.
    pub holders: Vec<Leak>,
    /// Holders that are not listed.
    pub unlisted: u64,
}

/// What one span path still holds of one resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Leak {
    /// Kind of the resource.
    pub resource: &'static str,
    /// The spans in which it was allocated.
    pub path: SpanPath,
    /// Bytes.
    pub bytes: u64,
    /// Blocks.
    pub blocks: u64,
}

/// What is out now, of every resource. After the level went to off: what was out then.
pub fn leaks() -> Leaks {
    let mut leaks = Leaks::default();
    registry::each(|book| leaks.add(book));
    leaks.ordered()
}

/// What is out of one resource.
pub(super) fn of(book: &Book) -> Leaks {
    let mut leaks = Leaks::default();
    leaks.add(book);
    leaks.ordered()
}

impl Leaks {
    fn add(&mut self, book: &Book) {
        let (bytes, _) = book.live();
        let blocks = book.live_count(book.sum());
        self.bytes += bytes;
        self.blocks += blocks;
        let resource = book.resource;
        let held = holders(book);
        if held.is_empty() && (bytes > 0 || blocks > 0) {
            self.holders.push(Leak { resource, path: SpanPath::UNKNOWN, bytes, blocks });
        }
        self.holders.extend(held.into_iter().map(|Holder { path, bytes, blocks }| Leak {
            resource,
            path,
            bytes,
            blocks,
        }));
    }

    fn ordered(mut self) -> Self {
        self.holders.sort_by_key(|leak| core::cmp::Reverse((leak.bytes, leak.blocks)));
        self.unlisted = self.holders.len().saturating_sub(LISTED) as u64;
        self.holders.truncate(LISTED);
        self
    }

    /// Whether nothing is out.
    pub fn is_empty(&self) -> bool {
        self.bytes == 0 && self.blocks == 0
    }

    /// Writes one event a holder into the trace. Shutting down does it once.
    pub fn write_to_trace(&self) {
        self.holders.iter().for_each(events::leak);
    }
}

impl fmt::Display for Leak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { resource, path, bytes, blocks } = self;
        write!(f, "{} of `{resource}` still out, allocated in `{path}`", Amount(*bytes, *blocks))
    }
}

impl fmt::Display for Leaks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("no memory is out");
        }
        write!(f, "{} still out", Amount(self.bytes, self.blocks))?;
        for leak in &self.holders {
            write!(f, "\n  {leak}")?;
        }
        if self.unlisted > 0 {
            write!(f, "\n  and {} span paths that hold less", self.unlisted)?;
        }
        Ok(())
    }
}
