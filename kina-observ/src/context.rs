//! What a thread that takes over work takes along: the span, the module, the device.

use core::marker::PhantomData;

use crate::ids::{ModuleId, SpanContext};
use crate::local;
use crate::module_id;
use crate::words::CARRIED;

/// The innermost open span of a thread, its module and its device.
///
/// ```
/// let context = kina_observ::Context::current();
/// let worker = std::thread::spawn(move || {
///     let _module = context.adopt_module();
///     // spans here carry the module id of the thread that started this one
/// });
/// worker.join().expect("no panic");
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Context {
    span: Option<SpanContext>,
    word: u64,
}

impl Context {
    /// The context of this thread, now. Without a recorded span, as at Off, it has none.
    pub fn current() -> Self {
        local::with(|local| Self { span: local.current(), word: local.word.get() & CARRIED })
    }

    /// The innermost span that is open.
    pub fn span(&self) -> Option<SpanContext> {
        self.span
    }

    /// The module that the work belongs to.
    pub fn module(&self) -> Option<ModuleId> {
        module_id::module_of(self.word)
    }

    /// Makes the context's module and device this thread's, until the guard goes.
    #[must_use = "the module goes with the guard"]
    pub fn adopt_module(&self) -> AdoptedModule {
        local::with(|local| {
            let before = local.word.get();
            local.carry(self.word);
            AdoptedModule { before, not_send: PhantomData }
        })
    }

    pub(crate) fn word(&self) -> u64 {
        self.word
    }
}

/// Returns to the thread's own module and device when dropped.
#[derive(Debug)]
pub struct AdoptedModule {
    before: u64,
    not_send: PhantomData<*const ()>,
}

impl Drop for AdoptedModule {
    fn drop(&mut self) {
        local::with(|local| local.carry(self.before));
    }
}
