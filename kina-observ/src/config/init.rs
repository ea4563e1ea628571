//! Starts and stops recording: the one place that opens the gate.
//! Invariant: libraries install nothing; only `init` and a host's environment do (`tests/off.rs`).

use core::fmt;
use core::time::Duration;
use std::io;
use std::sync::{Mutex, MutexGuard, Once, PoisonError, TryLockError};

use kina_observ_conventions::Level;
use tracing_subscriber::layer::SubscriberExt;

use super::forked::FORK_PATIENCE;
use super::report::Report;
use super::{Builder, ConfigError, host};
use crate::bridge;
use crate::clock::{self, Clock, Scale};
use crate::collector::{Collector, Settings};
use crate::filter::Filter;
use crate::first::{First, Turn};
use crate::memory::Leaks;
use crate::output::callback::HostLog;
use crate::{device, gate, ids, local, memory, module_id, nvtx, rings, site};

/// Why recording could not start.
#[derive(Debug)]
pub enum InitError {
    /// A setting is wrong, or an output cannot be opened.
    Config(ConfigError),
    /// This process is recording already.
    AlreadyRunning,
    /// The collector's thread could not be started.
    Thread(io::Error),
}

impl From<ConfigError> for InitError {
    fn from(error: ConfigError) -> Self {
        Self::Config(error)
    }
}

impl fmt::Display for InitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(error) => error.fmt(f),
            Self::AlreadyRunning => {
                f.write_str("this process is recording already\n  = help: keep the first guard, or shut it down before the next `init`")
            }
            Self::Thread(error) => {
                write!(f, "the collector's thread did not start: {error}\n  = help: raise the limit on threads (`ulimit -u`)")
            }
        }
    }
}

impl std::error::Error for InitError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Config(error) => Some(error),
            Self::AlreadyRunning => None,
            Self::Thread(error) => Some(error),
        }
    }
}

/// Recording, until it is dropped or shut down.
#[derive(Debug)]
#[must_use = "recording stops when the guard is dropped"]
pub struct Guard {
    running: bool,
}

/// How long the end of a guard waits for the outputs.
const PATIENCE: Duration = Duration::from_secs(30);

impl Guard {
    /// Waits until everything recorded so far has reached the operating system. `false`: not within `timeout`.
    pub fn flush(&self, timeout: Duration) -> bool {
        flush(timeout)
    }

    /// Stops recording, writes what is left and says what came of it. Open spans are written as unfinished.
    pub fn shutdown(mut self) -> Report {
        self.running = false;
        shutdown(PATIENCE).unwrap_or_else(Report::lost)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if self.running {
            shutdown(PATIENCE);
        }
    }
}

/// Starts recording with the settings of the environment, at `basic` unless `KINA_OBSERV_LEVEL` says otherwise.
///
/// # Errors
/// A setting is wrong, an output cannot be opened, or this process is recording already.
///
/// ```no_run
/// let guard = kina_observ::init()?;
/// // ..
/// println!("{}", guard.shutdown());
/// # Ok::<(), kina_observ::InitError>(())
/// ```
pub fn init() -> Result<Guard, InitError> {
    Builder::from_env()?.init()
}

/// The collector of this process.
static RUNNING: Mutex<Option<Collector>> = Mutex::new(None);

/// The launches of earlier recordings.
fn launched_before() -> MutexGuard<'static, device::LaunchCounts> {
    static BEFORE: Mutex<device::LaunchCounts> = Mutex::new(device::LaunchCounts::NONE);
    BEFORE.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn running() -> MutexGuard<'static, Option<Collector>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn try_running() -> Option<MutexGuard<'static, Option<Collector>>> {
    match RUNNING.try_lock() {
        Ok(running) => Some(running),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

impl Builder {
    /// Starts recording.
    ///
    /// # Errors
    /// A setting is wrong, an output cannot be opened, or this process is recording already.
    pub fn init(self) -> Result<Guard, InitError> {
        start(self)?;
        Ok(Guard { running: true })
    }
}

pub(super) fn start(builder: Builder) -> Result<(), InitError> {
    watch_forks_once();
    let mut running = running();
    if running.is_some() {
        return Err(InitError::AlreadyRunning);
    }
    let filter = builder.parsed_filter()?;
    clock::install(|| builder.clock.clone().unwrap_or_else(Clock::fast));
    let scale = Scale::now();
    let header = builder.header(scale.source());
    let outputs = builder.open_outputs(&header)?;
    let host_log = HostLog::new(header);
    rings::set_bytes(builder.ring_bytes);
    if let Some(id) = builder.module_id {
        module_id::set_default_module(id);
    }
    local::prepare();
    ids::prepare();
    let settings = Settings { outputs, host_log, start_lines: builder.start_lines, poll: builder.poll_interval, scale };
    settle_once();
    // Without a subscriber of the program's own, `tracing` events come to us.
    let subscriber = tracing_subscriber::registry().with(bridge::layer());
    let _ = tracing::subscriber::set_global_default(subscriber);
    let collector = Collector::start(settings).map_err(InitError::Thread)?;
    *running = Some(collector);
    gate::sample_kernels(builder.kernel_sample);
    memory::choose(builder.memory_detail);
    *launched_before() = device::launches();
    nvtx::attach(builder.range_level);
    open_gate(builder.level, Some(filter));
    Ok(())
}

/// Before any lock of ours is taken: a fork may come while recording starts.
pub(super) fn watch_forks_once() {
    static WATCHED: First = First::new();
    if let Turn::Mine(_watching) = WATCHED.turn(FORK_PATIENCE) {
        host::watch_forks();
    }
}

pub(super) fn settle_once() {
    static SETTLED: Once = Once::new();
    SETTLED.call_once(host::settle);
}

fn open_gate(level: Level, filter: Option<Filter>) {
    gate::remember(level);
    site::refresh(filter);
    if level == Level::Off {
        gate::open(level);
        memory::follow(level);
    } else {
        // First: an allocation that finds the gate open is in the ledger.
        memory::follow(level);
        gate::open(level);
    }
}

/// Changes the level while recording. `false`: nothing is running, so there is nothing to change.
pub fn set_level(level: Level) -> bool {
    let running = running();
    if running.is_some() {
        open_gate(level, None);
    }
    running.is_some()
}

/// Changes the filter: `RUST_LOG` directives such as `info,kina_runtime=debug`.
///
/// # Errors
/// A directive is not understood; the filter stays as it was.
pub fn set_filter(directives: &str) -> Result<(), ConfigError> {
    site::refresh(Some(Filter::parse(directives)?));
    Ok(())
}

/// Waits until everything recorded so far has reached the operating system.
/// `false`: not within `timeout`, or nothing is running.
pub fn flush(timeout: Duration) -> bool {
    running().as_ref().is_some_and(|collector| collector.flush(timeout))
}

/// Stops recording. `None`: nothing was running, or the outputs did not end within `timeout`.
pub fn shutdown(timeout: Duration) -> Option<Report> {
    let running = running();
    let leaks = if running.is_some() { last_leaks() } else { Leaks::default() };
    Some(Report { leaks, ..stop(running, timeout)? })
}

/// What is out before the gate closes, told in the trace too.
fn last_leaks() -> Leaks {
    if !gate::GLOBAL.has(gate::RING) {
        return Leaks::default();
    }
    let leaks = memory::leaks();
    leaks.write_to_trace();
    leaks
}

/// The same from a place that must not wait for who starts or stops recording right now.
pub(super) fn try_shutdown(timeout: Duration) -> Option<Report> {
    stop(try_running()?, timeout)
}

fn stop(mut running: MutexGuard<'_, Option<Collector>>, timeout: Duration) -> Option<Report> {
    let collector = running.take()?;
    gate::open(Level::Off);
    gate::remember(Level::Off);
    memory::follow(Level::Off);
    // The last device times still belong to this recording.
    device::finish();
    let launches = device::launches().since(*launched_before());
    collector.stop(timeout).map(|finished| Report { launches, ..finished.into() })
}
