//! Everything that the driver of one process has, behind numbers that stand for it outside.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::capture::Captures;
use crate::codes::Code;
use crate::event::Event;
use crate::log::{Call, Log};
use crate::memory::Memory;
use crate::module::{Function, Module};
use crate::operation::Graph;
use crate::stream::Stream;

pub(crate) struct Driver {
    pub(crate) version: i32,
    pub(crate) devices: u32,
    pub(crate) log: Log,
    pub(crate) memory: Memory,
    pub(crate) captures: Captures,
    pub(crate) streams: Table<Stream>,
    pub(crate) events: Table<Event>,
    pub(crate) modules: Table<Module>,
    pub(crate) functions: Table<Function>,
    /// Captured and instantiated graphs alike: nothing is changed in between.
    pub(crate) graphs: Table<Graph>,
    pub(crate) launches: AtomicU64,
    initialized: AtomicBool,
    /// What a kernel did wrong stays the answer of every later call, as in CUDA.
    sticky: AtomicU32,
    default_stream: OnceLock<Arc<Stream>>,
}

pub(crate) fn driver() -> &'static Driver {
    static DRIVER: OnceLock<Driver> = OnceLock::new();
    DRIVER.get_or_init(|| Driver {
        version: number("STUB_DRIVER_VERSION", 12_080),
        devices: number("STUB_DRIVER_DEVICES", 1),
        log: Log::open(),
        memory: Memory::new(number("STUB_DRIVER_MEMORY", 1 << 30)),
        captures: Captures::new(),
        streams: Table::new(),
        events: Table::new(),
        modules: Table::new(),
        functions: Table::new(),
        graphs: Table::new(),
        launches: AtomicU64::new(0),
        initialized: AtomicBool::new(false),
        sticky: AtomicU32::new(0),
        default_stream: OnceLock::new(),
    })
}

fn number<T: std::str::FromStr>(variable: &str, default: T) -> T {
    let Ok(text) = std::env::var(variable) else { return default };
    text.parse().unwrap_or_else(|_| panic!("`{variable}` is `{text}`, which is no number"))
}

thread_local! {
    static CONTEXT: Cell<u64> = const { Cell::new(0) };
}

/// The context that is current in this thread, 0 for none.
pub(crate) fn context() -> u64 {
    CONTEXT.get()
}

pub(crate) fn set_context(context: u64) {
    CONTEXT.set(context);
}

impl Driver {
    pub(crate) fn initialize(&self) -> Result<(), Code> {
        if self.devices == 0 {
            return Err(Code::NO_DEVICE);
        }
        self.initialized.store(true, Ordering::Release);
        Ok(())
    }

    /// For calls that need a context.
    pub(crate) fn ready(&self) -> Result<(), Code> {
        self.usable()?;
        if context() == 0 { Err(Code::INVALID_CONTEXT) } else { Ok(()) }
    }

    /// For calls that need none.
    pub(crate) fn usable(&self) -> Result<(), Code> {
        if !self.initialized.load(Ordering::Acquire) {
            return Err(Code::NOT_INITIALIZED);
        }
        match self.sticky.load(Ordering::Acquire) {
            0 => Ok(()),
            code => Err(Code(code)),
        }
    }

    pub(crate) fn fail(&self, code: Code) {
        self.sticky.store(code.0, Ordering::Release);
    }

    /// 0, 1 and 2 are the default streams, which are one here.
    pub(crate) fn stream(&self, handle: u64) -> Result<Arc<Stream>, Code> {
        if handle <= 2 {
            return Ok(Arc::clone(self.default_stream.get_or_init(|| Stream::start(0))));
        }
        self.streams.find(handle)
    }

    pub(crate) fn every_stream(&self) -> Vec<Arc<Stream>> {
        self.default_stream.get().cloned().into_iter().chain(self.streams.all()).collect()
    }
}

/// Things by their handle. A handle of another kind, or of something destroyed, is none.
pub(crate) struct Table<T>(Mutex<BTreeMap<u64, Arc<T>>>);

impl<T> Table<T> {
    const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    pub(crate) fn insert(&self, make: impl FnOnce(u64) -> Arc<T>) -> u64 {
        // Above the numbers that stand for the default streams, and the same counter for all kinds.
        static NEXT: AtomicU64 = AtomicU64::new(0x100);
        let handle = NEXT.fetch_add(1, Ordering::Relaxed);
        self.lock().insert(handle, make(handle));
        handle
    }

    pub(crate) fn find(&self, handle: u64) -> Result<Arc<T>, Code> {
        self.lock().get(&handle).cloned().ok_or(Code::INVALID_HANDLE)
    }

    pub(crate) fn remove(&self, handle: u64) -> Result<Arc<T>, Code> {
        self.lock().remove(&handle).ok_or(Code::INVALID_HANDLE)
    }

    fn all(&self) -> Vec<Arc<T>> {
        self.lock().values().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Answers one call of the driver: runs it, writes it down, and keeps a panic inside.
pub(crate) fn answer(name: &'static str, body: impl FnOnce(&mut Call) -> Result<(), Code>) -> u32 {
    let mut call = Call::new(name);
    let answered = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| body(&mut call)));
    let result = match answered {
        Ok(Ok(())) => Code::SUCCESS,
        Ok(Err(code)) => code,
        Err(_) => Code::UNKNOWN,
    };
    // A panic about a variable that is wrong comes back here, before there is a driver.
    let _ = std::panic::catch_unwind(|| driver().log.call(&call, result.0));
    result.0
}
