//! One launch, from the open span to its end: what `#[kernel]` calls.

use core::sync::atomic::Ordering::Relaxed;

use super::counts::COUNTS;
use super::{Event, OnStream, Stream};
use crate::site::Site;
use crate::value::Word;

/// A launch under way. Made after its span is open; ended, or dropped, before the span is.
#[derive(Debug)]
pub struct Launch {
    captured: bool,
}

impl Launch {
    /// Begins the launch of the kernel `name` on the parameter that has a stream.
    pub fn begin(_site: &'static Site, on: &(impl OnStream + ?Sized), name: &str) -> Self {
        Self::on(on.stream(), name)
    }

    fn on(stream: &Stream, _name: &str) -> Self {
        let captured = stream.is_capturing();
        COUNTS.launched.fetch_add(1, Relaxed);
        Self { captured }
    }

    /// `runtime.kernel.captured`: true, or absent.
    pub fn captured(&self) -> Word {
        if self.captured { Word::new(1) } else { Word::ABSENT }
    }

    /// `runtime.kernel.registers` of the kernel that was launched inside, or absent.
    pub fn registers(&self) -> Word {
        Word::ABSENT
    }

    /// `runtime.kernel.static_shared_memory` of the kernel that was launched inside, or absent.
    pub fn static_shared_memory(&self) -> Word {
        Word::ABSENT
    }

    /// `runtime.kernel.occupancy` of the kernel that was launched inside, or absent.
    pub fn occupancy(&self) -> Word {
        Word::ABSENT
    }

    /// The launch is enqueued.
    pub fn end(self) {}
}

impl Drop for Launch {
    fn drop(&mut self) {
        let counter = if self.captured { &COUNTS.captured } else { &COUNTS.untimed };
        counter.fetch_add(1, Relaxed);
    }
}

/// The stream has caught up: what is complete can be told.
pub fn synchronized(on: &(impl OnStream + ?Sized)) {
    let _ = on.stream();
}

/// The innermost open span waits for the event: it refers to the span that recorded it.
pub fn waits_for(event: &Event) {
    event.link();
}

/// Launches a kernel for which there is no function to annotate.
pub fn launch_kernel<R>(_name: &str, launch: impl FnOnce() -> R) -> R {
    launch()
}
