//! Memory resources, and a ledger of what passes through them: live, peak, total, count and failures, by span path.
//! Invariant: tracing changes no answer of a resource (`kina-observ/tests/memory_ledger.rs`).

mod around;
mod asynchronous;
mod book;
#[cfg(feature = "cuda")]
mod cuda;
mod error;
mod events;
mod failure;
mod fault;
mod host;
mod leaks;
mod ledger;
mod lock;
mod pages;
mod paths;
mod pool;
mod registry;
mod resource;
mod sites;
mod slots;
mod state;
mod stats;
mod table;
mod traced;

#[doc(hidden)]
pub use around::{Allocating, FUNCTIONS, Freeing};
pub use asynchronous::AsyncMemoryResource;
#[cfg(feature = "cuda")]
pub use cuda::CudaAsyncMemoryResource;
pub use error::{AllocError, FreeError, FreeReason, Reason};
pub use failure::{AllocReport, Holder};
pub use fault::{FaultKind, FreeFault};
pub use host::HostMemoryResource;
pub use leaks::{Leak, Leaks, leaks};
pub use ledger::{Address, Allocation, Deallocation, Ledger};
pub use paths::SpanPath;
pub use pool::{PoolConfig, PoolMemoryResource};
pub(crate) use registry::{Frozen, freeze};
pub use resource::{MemoryResource, PoolInfo};
pub use state::Detail;
pub(crate) use state::{choose, follow};
pub use stats::{PathStats, ResourceStats, resources};
pub use traced::TracingMemoryResource;
