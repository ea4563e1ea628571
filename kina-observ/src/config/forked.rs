//! What a fork needs: every lock of ours held while it happens, and a child that starts afresh.
//! Invariant: a child of a tracing process hangs on no lock of ours (`kina-observ/tests/host_fork.rs`).

use core::time::Duration;
use std::sync::MutexGuard;

use kina_observ_conventions::Level;

use super::init::try_running;
use crate::collector::{self, Collector};
use crate::output::callback;
use crate::{device, gate, ids, local, memory, module_id, nvtx, rings, site};

/// While the process forks: every lock of ours that the child will need.
pub(super) struct Frozen {
    running: Option<MutexGuard<'static, Option<Collector>>>,
    callback: Option<callback::Frozen>,
    memory: memory::Frozen,
    _sites: site::Frozen,
    rings: rings::Frozen,
    _modules: module_id::Frozen,
    streams: device::Frozen,
    _ranges: nvtx::Frozen,
}

/// A `shutdown` under way or a log callback may hold a lock for long; a fork does not wait that long. A child that comes
/// of it must not use us.
pub(super) const FORK_PATIENCE: Duration = Duration::from_secs(1);

/// Takes the locks, in the order in which everybody takes them.
pub(super) fn freeze() -> Frozen {
    let running = patiently(try_running);
    let callback = patiently(callback::try_freeze);
    let memory = memory::freeze();
    Frozen {
        running,
        callback,
        memory,
        _sites: site::freeze(),
        rings: rings::freeze(),
        _modules: module_id::freeze(),
        streams: device::freeze(),
        _ranges: nvtx::freeze(),
    }
}

fn patiently<T>(attempt: impl Fn() -> Option<T>) -> Option<T> {
    let began = std::time::Instant::now();
    loop {
        let got = attempt();
        if got.is_some() || began.elapsed() > FORK_PATIENCE {
            return got;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

impl Frozen {
    /// In the child: the collector's thread does not exist here, and what it knew is the parent's.
    pub(super) fn start_afresh(&mut self) {
        gate::GLOBAL.set(0);
        gate::remember(Level::Off);
        memory::follow(Level::Off);
        self.memory.forget_all();
        if let Some(running) = &mut self.running {
            core::mem::forget(running.take());
        }
        self.rings.forget_all();
        self.streams.forget_all();
        collector::after_fork();
        if let Some(callback) = &mut self.callback {
            callback.forget();
        }
        local::forget_early();
        ids::after_fork();
        local::with(local::Local::after_fork);
    }
}
