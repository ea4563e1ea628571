//! Captures under way, and the calls that they forbid.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::codes::Code;
use crate::log::thread;
use crate::operation::Operation;

/// `CUstreamCaptureMode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Global,
    ThreadLocal,
    Relaxed,
}

impl Mode {
    pub(crate) fn of(number: u32) -> Result<Self, Code> {
        match number {
            0 => Ok(Self::Global),
            1 => Ok(Self::ThreadLocal),
            2 => Ok(Self::Relaxed),
            _ => Err(Code::INVALID_VALUE),
        }
    }
}

thread_local! {
    /// What `cuThreadExchangeStreamCaptureMode` changes.
    static OWN: Cell<Mode> = const { Cell::new(Mode::Global) };
}

pub(crate) fn exchange(mode: Mode) -> Mode {
    OWN.replace(mode)
}

/// One capture, from begin to end.
pub(crate) struct Capture {
    mode: Mode,
    thread: u64,
    /// The stream that must end it.
    pub(crate) origin: u64,
    invalid: AtomicBool,
    operations: Mutex<Vec<Operation>>,
}

impl Capture {
    pub(crate) fn push(&self, operation: Operation) {
        self.operations().push(operation);
    }

    pub(crate) fn is_invalid(&self) -> bool {
        self.invalid.load(Ordering::Acquire)
    }

    pub(crate) fn invalidate(&self) {
        self.invalid.store(true, Ordering::Release);
    }

    fn operations(&self) -> MutexGuard<'_, Vec<Operation>> {
        self.operations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) struct Captures(Mutex<Vec<Arc<Capture>>>);

impl Captures {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    pub(crate) fn begin(&self, origin: u64, mode: Mode) -> Arc<Capture> {
        let capture =
            Capture { mode, thread: thread(), origin, invalid: AtomicBool::new(false), operations: Mutex::default() };
        let capture = Arc::new(capture);
        self.lock().push(Arc::clone(&capture));
        capture
    }

    /// What was captured.
    pub(crate) fn end(&self, capture: &Arc<Capture>) -> Result<Vec<Operation>, Code> {
        if capture.mode != Mode::Relaxed && capture.thread != thread() {
            return Err(Code::CAPTURE_WRONG_THREAD);
        }
        self.lock().retain(|known| !Arc::ptr_eq(known, capture));
        if capture.is_invalid() {
            return Err(Code::CAPTURE_INVALIDATED);
        }
        Ok(std::mem::take(&mut *capture.operations()))
    }

    /// For calls that the manual names potentially unsafe while something captures: they fail, and spoil what they disturb.
    pub(crate) fn permit_unsafe_call(&self) -> Result<(), Code> {
        let own = OWN.get();
        let captures = self.lock();
        let disturbed = captures.iter().filter(|capture| match (own, capture.mode) {
            (Mode::Relaxed, _) | (_, Mode::Relaxed) => false,
            (Mode::Global, Mode::Global) => true,
            _ => capture.thread == thread(),
        });
        let mut disturbs = false;
        for capture in disturbed {
            capture.invalidate();
            disturbs = true;
        }
        if disturbs { Err(Code::CAPTURE_UNSUPPORTED) } else { Ok(()) }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Capture>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
