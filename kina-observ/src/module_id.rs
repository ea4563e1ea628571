//! The module and the device that a thread's calls belong to: pushed and popped around calls, from C or by a guard.
//! Invariant: nested modules stack (`tests/modules.rs`).

use core::marker::PhantomData;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::MutexGuard;

use crate::ids::ModuleId;
use crate::intern::Interner;
use crate::local::{self, MODULES_OPEN};
use crate::words::{DEVICE_BITS, MODULE_BITS};

static MODULES: Interner<ModuleId> = Interner::new();
static DEVICES: Interner<&'static str> = Interner::new();
static DEFAULT_MODULE: AtomicU32 = AtomicU32::new(0);
static DEFAULT_DEVICE: AtomicU32 = AtomicU32::new(0);

/// Names the device that calls run on: `cuda:0`, `cpu`. It is `runtime.device` on every span that lists it, instead of
/// the `device` of the crate's `kina-observ.toml`.
pub fn set_default_device(name: &str) {
    let number = DEVICES.number(&name, (DEVICE_BITS >> 16) as usize, leak).unwrap_or(0);
    DEFAULT_DEVICE.store(number as u32, Relaxed);
}

/// The bits of a context word that name a device; 0 when 255 names are taken.
pub(crate) fn device_bits(name: &str) -> u64 {
    (DEVICES.number(&name, (DEVICE_BITS >> 16) as usize, leak).unwrap_or(0) as u64) << 16
}

/// A handful of names, for as long as the process runs.
fn leak(name: &&str) -> &'static str {
    (*name).to_owned().leak()
}

/// The module of calls that no `push` surrounds.
pub(crate) fn set_default_module(id: ModuleId) {
    let number = MODULES.number(&id, MODULE_BITS as usize, ModuleId::clone).unwrap_or(0);
    DEFAULT_MODULE.store(number as u32, Relaxed);
}

/// Makes `id` the module of this thread's calls until `pop`.
/// `false`: 32 are open already, or 65,535 modules were seen; nothing changed.
pub(crate) fn push(id: ModuleId) -> bool {
    local::with(|local| {
        let open = local.modules_open.get();
        if open == MODULES_OPEN {
            return false;
        }
        let Some(number) = MODULES.number(&id, MODULE_BITS as usize, ModuleId::clone) else { return false };
        local.modules[open].set((local.word.get() & MODULE_BITS) as u16);
        local.modules_open.set(open + 1);
        local.word.set(local.word.get() & !MODULE_BITS | number as u64);
        true
    })
}

/// Returns to the module before the last `push`. `false`: there was none.
pub(crate) fn pop() -> bool {
    local::with(|local| {
        let Some(open) = local.modules_open.get().checked_sub(1) else { return false };
        local.modules_open.set(open);
        local.word.set(local.word.get() & !MODULE_BITS | u64::from(local.modules[open].get()));
        true
    })
}

/// While the process forks.
pub(crate) struct Frozen {
    _modules: MutexGuard<'static, Vec<ModuleId>>,
    _devices: MutexGuard<'static, Vec<&'static str>>,
}

/// Waits until no thread is at the tables.
pub(crate) fn freeze() -> Frozen {
    Frozen { _modules: MODULES.freeze(), _devices: DEVICES.freeze() }
}

/// The module of a context word, or the default.
pub(crate) fn module_of(word: u64) -> Option<ModuleId> {
    MODULES.value(match word & MODULE_BITS {
        0 => DEFAULT_MODULE.load(Relaxed) as usize,
        number => number as usize,
    })
}

/// The device of a context word, or the default.
pub(crate) fn device_of(word: u64) -> Option<&'static str> {
    DEVICES.value(match (word & DEVICE_BITS) >> 16 {
        0 => DEFAULT_DEVICE.load(Relaxed) as usize,
        number => number as usize,
    })
}

/// Makes `id` the module of this thread's calls until the guard goes: what `kina_module_push` and `kina_module_pop` are in C.
///
/// ```
/// let id: kina_observ::ModuleId = "6f1c9c1e-2b1f-4d0e-9a5b-0a6d2c1c7e11".parse()?;
/// let _module = kina_observ::module_scope(id);
/// assert_eq!(kina_observ::Context::current().module(), Some(id));
/// # Ok::<(), kina_observ::InvalidModuleId>(())
/// ```
#[must_use = "the module is popped with the guard"]
pub fn module_scope(id: ModuleId) -> ModuleScope {
    ModuleScope { pushed: push(id), not_send: PhantomData }
}

/// Pops its module when dropped.
#[derive(Debug)]
pub struct ModuleScope {
    pushed: bool,
    not_send: PhantomData<*const ()>,
}

impl Drop for ModuleScope {
    fn drop(&mut self) {
        if self.pushed {
            pop();
        }
    }
}
