//! The collector's thread: looks at the rings, sleeps, answers `flush` and `stop`. Nobody wakes it to record.

use core::sync::atomic::Ordering::{Acquire, Relaxed};
use core::time::Duration;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use super::replay::Replay;
use super::rollup::{Rollup, SpanTotal};
use super::signals;
use super::sink::{Counts, Sink};
use crate::clock::Scale;
use crate::local::{self, EARLY, LOST};
use crate::output::callback::HostLog;
use crate::record::{DroppedRecord, Output, Record, Tally};
use crate::rings;

/// How long the collector sleeps while records come in: a full ring takes some eight milliseconds to fill.
pub(crate) const BUSY_POLL: Duration = Duration::from_micros(500);
/// Sleeping longer than this when idle would lose the first burst.
const IDLE_POLL: Duration = Duration::from_millis(4);

/// How the collector is to work.
pub(crate) struct Settings {
    pub(crate) outputs: Vec<Box<dyn Output>>,
    pub(crate) host_log: HostLog,
    pub(crate) start_lines: bool,
    /// `None`: between `BUSY_POLL` and `IDLE_POLL`.
    pub(crate) poll: Option<Duration>,
    pub(crate) scale: Scale,
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Finished {
    pub(crate) counts: Counts,
    pub(crate) dropped: u64,
    pub(crate) details_lost: u64,
    pub(crate) outputs: Vec<Tally>,
    pub(crate) totals: Vec<SpanTotal>,
}

/// The running collector.
pub(crate) struct Collector {
    control: Arc<Control>,
    thread: JoinHandle<Finished>,
}

#[derive(Default)]
struct Control {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    flushes_wanted: u64,
    flushes_done: u64,
    stop: bool,
    stopped: bool,
}

impl Control {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Collector {
    /// Starts the thread.
    pub(crate) fn start(settings: Settings) -> io::Result<Self> {
        let control = Arc::new(Control::default());
        let theirs = control.clone();
        let replays = REPLAYS.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().clone();
        let thread = std::thread::Builder::new()
            .name("kina-observ".to_owned())
            .spawn(move || run(settings, &theirs, &replays))?;
        Ok(Self { control, thread })
    }

    /// Asks for everything recorded so far to reach the operating system. `false`: not within `timeout`.
    pub(crate) fn flush(&self, timeout: Duration) -> bool {
        let mut state = self.control.state();
        state.flushes_wanted += 1;
        let wanted = state.flushes_wanted;
        self.control.changed.notify_all();
        self.wait(state, timeout, |state| state.flushes_done >= wanted || state.stopped)
    }

    /// Asks the thread to end, and waits for it. `None`: it did not within `timeout`, or it panicked.
    pub(crate) fn stop(self, timeout: Duration) -> Option<Finished> {
        let mut state = self.control.state();
        state.stop = true;
        self.control.changed.notify_all();
        if !self.wait(state, timeout, |state| state.stopped) {
            return None;
        }
        self.thread.join().ok()
    }

    fn wait(&self, state: MutexGuard<'_, State>, timeout: Duration, done: impl Fn(&State) -> bool) -> bool {
        let (state, _) = self
            .control
            .changed
            .wait_timeout_while(state, timeout, |state| !done(state))
            .unwrap_or_else(PoisonError::into_inner);
        done(&state)
    }
}

/// Says that the thread has stopped, also when an output panicked.
struct Stopped<'a>(&'a Control);

impl Drop for Stopped<'_> {
    fn drop(&mut self) {
        self.0.state().stopped = true;
        self.0.changed.notify_all();
    }
}

/// What earlier collectors of this process knew about the threads: a span may outlive a shutdown.
/// A running collector holds the inner lock: a ring has one consumer. A forked child leaves that lock to its parent.
static REPLAYS: Mutex<Option<Arc<Mutex<Vec<Replay>>>>> = Mutex::new(None);

/// In a forked child: forgets what the parent's collector knew. The caller lets no thread start a collector meanwhile.
pub(crate) fn after_fork() {
    if let Ok(mut replays) = REPLAYS.try_lock() {
        core::mem::forget(replays.take());
    }
}

fn run(settings: Settings, control: &Control, replays: &Mutex<Vec<Replay>>) -> Finished {
    let _stopped = Stopped(control);
    signals::block_all();
    local::with(local::Local::keep_quiet);
    let mut sink = Sink {
        outputs: settings.outputs,
        host_log: settings.host_log,
        start_lines: settings.start_lines,
        scale: settings.scale,
        rollup: Rollup::default(),
        counts: Counts::default(),
    };
    let mut replays = replays.lock().unwrap_or_else(PoisonError::into_inner);
    let mut losses = Losses::begin();
    let mut known = 0;
    let mut sleep = BUSY_POLL;
    loop {
        let (stop, wanted) = {
            let state = control.state();
            (state.stop, state.flushes_wanted)
        };
        let added = rings::added();
        if added != known {
            known = added;
            for ring in rings::list() {
                if replays.iter().all(|replay| replay.ring.thread != ring.thread) {
                    replays.push(Replay::new(ring));
                }
            }
        }
        let words = round(&mut replays, &mut sink, &mut losses);
        if stop {
            replays.iter_mut().for_each(|replay| replay.give_up_all(&mut sink));
        }
        // A full buffer flushes itself; a quiet moment is the time for the rest.
        if words < QUIET_WORDS {
            sink.flush();
        }
        let mut state = control.state();
        if state.flushes_done < wanted {
            drop(state);
            sink.flush();
            state = control.state();
            state.flushes_done = wanted;
            control.changed.notify_all();
        }
        if stop {
            break;
        }
        sleep = if words > 0 { BUSY_POLL } else { (sleep * 2).min(IDLE_POLL) };
        if state.flushes_wanted == wanted && !state.stop {
            let _ = control.changed.wait_timeout_while(state, settings.poll.unwrap_or(sleep), |state| {
                state.flushes_wanted == wanted && !state.stop
            });
        }
    }
    sink.flush();
    Finished {
        counts: sink.counts,
        dropped: losses.dropped,
        details_lost: losses.details,
        outputs: sink.outputs.iter().map(|output| output.tally()).collect(),
        totals: sink.rollup.totals(),
    }
}

/// Fewer words than this in one look at all rings: a quiet moment.
const QUIET_WORDS: usize = 4_096;

/// One look at every ring.
fn round(replays: &mut Vec<Replay>, sink: &mut Sink, losses: &mut Losses) -> usize {
    let mut words = 0;
    let mut ended = Vec::new();
    for replay in replays.iter_mut() {
        // Read before draining: what a thread wrote before it ended is seen.
        let over = replay.ring.ended.load(Acquire);
        words += replay.drain(sink);
        losses.look(replay, sink);
        if over {
            replay.give_up_all(sink);
            ended.push(replay.ring.thread);
        }
    }
    losses.look_elsewhere(sink);
    for thread in ended {
        rings::forget(thread);
        replays.retain(|replay| replay.ring.thread != thread);
    }
    words
}

/// Counts what was lost, and says so in the trace.
struct Losses {
    dropped: u64,
    details: u64,
    elsewhere: [u64; LOST.len()],
}

impl Losses {
    fn begin() -> Self {
        // Earlier losses are an earlier collector's, but for those that came before any.
        let elsewhere = core::array::from_fn(|index| if index == EARLY { 0 } else { LOST[index].0.load(Relaxed) });
        Self { dropped: 0, details: 0, elsewhere }
    }

    fn look(&mut self, replay: &mut Replay, sink: &mut Sink) {
        let (dropped, details) = replay.ring.losses();
        self.details += details - replay.details_lost;
        replay.details_lost = details;
        let new = dropped - replay.told;
        replay.told = dropped;
        if new > 0 {
            self.tell(new, &replay.ring.name, "ring full", sink);
        }
    }

    fn look_elsewhere(&mut self, sink: &mut Sink) {
        for (index, (lost, reason)) in LOST.iter().enumerate() {
            let lost = if index == EARLY { self.elsewhere[index] + lost.swap(0, Relaxed) } else { lost.load(Relaxed) };
            let new = lost - self.elsewhere[index];
            self.elsewhere[index] = lost;
            if new > 0 {
                self.tell(new, "", reason, sink);
            }
        }
    }

    fn tell(&mut self, count: u64, thread: &str, reason: &'static str, sink: &mut Sink) {
        self.dropped += count;
        let time_ns = sink.scale.unix_now();
        sink.write(&Record::Dropped(DroppedRecord { time_ns, count, thread, reason }));
    }
}
