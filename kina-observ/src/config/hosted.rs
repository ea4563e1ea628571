//! A process whose host does not know us: the first call configures it, C starts and stops it, standard error tells what went wrong.
//! Invariant: whatever goes wrong leaves the process running at Off (`examples/runtime/tests/hosts.rs`).

use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use core::time::Duration;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsFd as _;

use kina_observ_conventions::Level;

use super::init::{InitError, running, set_level, settle_once, shutdown, start, try_running, watch_forks_once};
use super::{Builder, host, range_level_from_env};
use crate::first::{First, Turn};
use crate::{gate, local, memory, nvtx};

/// Nothing is recorded, but a tool that is attached gets its ranges.
fn open_gate_for_ranges(level: Level) {
    nvtx::attach(level);
    if gate::takes_ranges() {
        watch_forks_once();
        settle_once();
    }
}

/// What C calls: the environment's settings, but this level.
pub(crate) fn init_from_c(level: Level) -> i32 {
    if running().is_some() {
        set_level(level);
        return 1;
    }
    match Builder::from_env().map_err(InitError::from).and_then(|builder| start(builder.level(level))) {
        Ok(()) => {
            flush_at_exit_once();
            0
        }
        Err(error) => {
            complain(&error);
            -1
        }
    }
}

fn flush_at_exit_once() {
    static REGISTERED: AtomicBool = AtomicBool::new(false);
    if !REGISTERED.swap(true, Relaxed) {
        host::flush_at_exit();
    }
}

/// Opening a file takes no longer, unless somebody waits for the other end of it.
const FIRST_PATIENCE: Duration = Duration::from_secs(2);

/// The first call of a process that nobody has configured does it. `false`: it is under way, and this call cannot wait.
pub(crate) fn configure() -> bool {
    !gate::GLOBAL.has(gate::UNCONFIGURED) || configure_from_environment()
}

/// `KINA_OBSERV_LEVEL` decides; unset means Off and nothing installed. Other calls wait for the first one.
#[cold]
#[inline(never)]
fn configure_from_environment() -> bool {
    static FIRST: First = First::new();
    match FIRST.turn(FIRST_PATIENCE) {
        Turn::Mine(_configuring) => {
            let _configured = Configured;
            start_from_environment();
            true
        }
        Turn::Done => true,
        // Another thread's `init` may have opened the gate meanwhile.
        Turn::UnderWay => !gate::GLOBAL.has(gate::UNCONFIGURED),
    }
}

/// Whatever goes wrong, a panic too, leaves the process running at Off.
struct Configured;

impl Drop for Configured {
    fn drop(&mut self) {
        gate::GLOBAL.close_if_unconfigured();
        if !gate::records() {
            local::forget_early();
            // Who holds the lock tells the ledgers himself.
            if let Some(_running) = try_running() {
                memory::follow(gate::level());
            }
        }
    }
}

fn start_from_environment() {
    if std::env::var_os("KINA_OBSERV_LEVEL").is_none_or(|level| level.is_empty()) {
        if cfg!(feature = "nvtx") {
            match range_level_from_env() {
                Ok(level) => open_gate_for_ranges(level),
                Err(error) => complain(&InitError::Config(error)),
            }
        }
        return;
    }
    match Builder::from_env() {
        Ok(builder) if builder.level == Level::Off => open_gate_for_ranges(builder.range_level),
        Ok(builder) => match start(builder) {
            Ok(()) => flush_at_exit_once(),
            Err(InitError::AlreadyRunning) => {}
            Err(error) => complain(&error),
        },
        Err(error) => complain(&InitError::Config(error)),
    }
}

/// A host has no report to look at, so what was lost is told on standard error.
pub(crate) fn shutdown_for_host(timeout: Duration) -> bool {
    let report = shutdown(timeout);
    if let Some(report) = report.as_ref().filter(|report| !report.is_complete()) {
        say(format_args!("{report}"));
    }
    report.is_some()
}

/// Standard error may be closed; a host must not die of that.
fn complain(error: &InitError) {
    say(format_args!("recording is off: {error}"));
}

/// One line for whoever runs the host. Not through `std::io::Stderr`, whose lock a forked child may find taken for ever.
pub(super) fn say(what: fmt::Arguments<'_>) {
    if let Ok(stderr) = io::stderr().as_fd().try_clone_to_owned() {
        let _ = File::from(stderr).write_all(format!("kina-observ: {what}\n").as_bytes());
    }
}
