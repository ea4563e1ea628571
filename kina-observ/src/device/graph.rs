//! A graph: work that a stream captured instead of running it.

use core::fmt;
use core::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::sync::Arc;

use super::backend::RawGraph;
use super::{Device, DeviceError, Launch, Stream};
use kina_observ_macros::span;

/// Work that can be launched as a whole, many times.
#[derive(Clone)]
pub struct Graph(Arc<Captured>);

struct Captured {
    device: Device,
    raw: RawGraph,
    id: i64,
}

impl Graph {
    pub(super) fn new(device: Device, raw: RawGraph) -> Self {
        static GRAPHS: AtomicI64 = AtomicI64::new(0);
        Self(Arc::new(Captured { device, raw, id: GRAPHS.fetch_add(1, Relaxed) + 1 }))
    }

    /// Number of the graph, from 1.
    pub fn id(&self) -> i64 {
        self.0.id
    }

    /// Enqueues the graph. Its span, and its device time, are those of the whole.
    ///
    /// # Errors
    /// The stream is another device's, or the driver refuses.
    #[span(runtime.graph.launch, fields(runtime.graph.id = self.id(), runtime.stream.id = stream.id()))]
    pub fn launch(&self, stream: &Stream) -> Result<(), DeviceError> {
        let _launch = Launch::graph(stream, self.id());
        self.0.device.backend().launch_graph(stream.raw(), self.0.raw)
    }
}

impl Drop for Captured {
    fn drop(&mut self) {
        self.device.backend().destroy_graph(self.raw);
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Graph({} on {})", self.0.id, self.0.device.name())
    }
}
