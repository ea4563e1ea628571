//! Everything that generated code may name, and nothing else.
//! No promise of stability: `kina-observ-macros` is pinned to the same version.

pub use crate::__outcome_of as outcome_of;
pub use crate::context::Context;
pub use crate::ffi::boundary::{boundary, note_code, reject};
pub use crate::ffi::c_api;
pub use crate::ffi::check::{
    check_enum, check_function, check_handle, check_len, check_mut, check_opt_handle, check_opt_mut, check_opt_ref,
    check_opt_slice, check_opt_slice_mut, check_opt_str, check_out, check_out_opt, check_ref, check_slice,
    check_slice_mut, check_str, no_out,
};
pub use crate::ffi::error_copy::{ErrorCopy, boundary_telling, check_error};
pub use crate::ffi::value::{Coded, KnownInC, NotCoded, deliver_nested, deliver_result, field};
pub use crate::ffi::{Fault, FfiEnum, FfiError, FfiReturn, FfiStatus, FfiValue, Handle, Handled, Out};
pub use crate::late::{Late, TaskLate};
pub use crate::listed::{EnumValue, same_list};
pub use crate::memory::Ledger;
pub use crate::outcome::{Found, Outcome, Probe};

/// The ladders of traits that [`Probe`] climbs.
pub mod outcome {
    pub use crate::outcome::*;
}
pub use crate::site::{Attr, Facts, Shape, Site};
pub use crate::span::{Entered, PanicGuard, exit_code, exit_code_late, exit_outcome, exit_outcome_late};
pub use crate::task::{Task, TaskSpan};
pub use crate::value::{BooleanValue, DoubleValue, IntValue, IntsValue, StrValue, Value, Word};
pub use device::{
    Launch, Wait, event_stream, kernel_name, launch_block, launch_grid, launch_shared_memory, stream_device, stream_id,
    waits_for,
};
pub use kina_observ_conventions::values::{self, Coded as CodedList, Listed};
pub use kina_observ_conventions::{Level, Severity, SpanKind};
pub use memory::{Allocating, FUNCTIONS, Freeing, is_gate_open, ledger_resource};

mod device;
mod memory;

use crate::errno::KeepErrno;
use crate::{config, gate, local, span};

/// Whether to leave the direct way: something listens, and the site's filter is not known to be against it.
/// At Off it is one relaxed load. It calls nothing, so the arguments stay in their registers.
#[inline(always)]
pub fn is_on(site: &'static Site) -> bool {
    gate::is_on() && is_open(site)
}

/// The second half of [`is_on`]: the site's filter is not known to be against it.
#[inline(always)]
pub fn is_open(site: &'static Site) -> bool {
    site.known() != Some(false)
}

/// The first half of [`is_on`], without a branch: at Off the first function, else the second.
#[inline(always)]
pub fn choose<F: Copy>(functions: &'static [F; 2]) -> F {
    functions[gate::index()]
}

/// The first call configures the process; then the site's answer is remembered.
#[inline]
fn wants(site: &'static Site) -> bool {
    site.known_or(ask)
}

#[cold]
#[inline(never)]
fn ask(site: &'static Site) -> bool {
    let _errno = KeepErrno::new();
    if !config::hosted::configure() {
        local::count_early();
        return false; // the site is asked again
    }
    gate::is_on() && site.resolve()
}

/// Opens a span whose values take one word each. They are asked for only if it is recorded.
#[inline(always)]
pub fn enter<const N: usize>(site: &'static Site, values: impl FnOnce() -> [Word; N]) -> Entered {
    if !wants(site) {
        return Entered::NOWHERE;
    }
    let values = values();
    // For types that are always there the compiler knows it, and nothing is left of the choice.
    if values.iter().all(|word| word.there) {
        span::enter(site, &values.map(|word| word.bits))
    } else {
        enter_partly(site, values)
    }
}

#[cold]
#[inline(never)]
fn enter_partly<const N: usize>(site: &'static Site, values: [Word; N]) -> Entered {
    span::enter_values(site, &values.map(Value::of_word))
}

/// A span that is to start. It takes its values by reference, so that what an expression makes lives long enough.
#[derive(Debug)]
pub struct Start<'a> {
    site: &'static Site,
    parent: Option<&'a Context>,
}

impl Start<'_> {
    /// Opens the span on this thread.
    #[inline(always)]
    pub fn span(self, values: &[Value<'_>]) -> Entered {
        match self.parent {
            None => span::enter_values(self.site, values),
            Some(parent) => span::enter_child_of(self.site, parent, values),
        }
    }

    /// Starts the span of a task.
    #[inline(always)]
    pub fn task(self, values: &[Value<'_>]) -> TaskSpan {
        TaskSpan::start(self.site, self.parent, values)
    }
}

/// Opens a span with texts or lists among its attributes.
#[inline(always)]
pub fn enter_values(site: &'static Site, start: impl FnOnce(Start<'_>) -> Entered) -> Entered {
    if wants(site) { start(Start { site, parent: None }) } else { Entered::NOWHERE }
}

/// Opens a span whose parent is another context's span.
#[inline(always)]
pub fn enter_child_of(site: &'static Site, parent: &Context, start: impl FnOnce(Start<'_>) -> Entered) -> Entered {
    if wants(site) { start(Start { site, parent: Some(parent) }) } else { Entered::NOWHERE }
}

impl TaskSpan {
    /// Starts the span of a task, if something listens. The values are asked for only then.
    #[inline]
    pub fn begin(site: &'static Site, start: impl FnOnce(Start<'_>) -> Self) -> Self {
        if is_on(site) && wants(site) { start(Start { site, parent: None }) } else { Self::INERT }
    }

    /// The same, with a parent elsewhere.
    #[inline]
    pub fn begin_child_of(site: &'static Site, parent: &Context, start: impl FnOnce(Start<'_>) -> Self) -> Self {
        if is_on(site) && wants(site) { start(Start { site, parent: Some(parent) }) } else { Self::INERT }
    }
}

/// Calls a closure; the bound lets borrows of the arguments leave with the result.
#[inline(always)]
pub fn call_once<R, F: FnOnce() -> R>(body: F) -> R {
    body()
}

/// Short names, for generated code pays for every token.
pub mod names {
    pub use crate::site::{Attr as __KinaAttr, Facts as __KinaFacts, Site as __KinaSite};

    /// Found in place of what `conventions!()` leaves in the crate root; stops the compilation.
    #[track_caller]
    pub const fn __add_kina_observ_conventions_to_the_crate_root<T>(_: &'static T) -> &'static T {
        panic!(
            "this crate has a `kina-observ.toml`, and nothing reads it\n\
             help: write `kina_observ::conventions!();` in the crate root"
        )
    }
}

/// Says what an `async` block gives, in a `return` that never happens.
pub fn unreached<T>() -> T {
    unreachable!()
}

/// The word of an `int` attribute.
#[inline(always)]
pub fn int<T: IntValue + ?Sized>(value: &T) -> Word {
    value.int()
}

/// The word of a `double` attribute.
#[inline(always)]
pub fn double<T: DoubleValue + ?Sized>(value: &T) -> Word {
    value.double()
}

/// The word of a `boolean` attribute.
#[inline(always)]
pub fn boolean<T: BooleanValue + ?Sized>(value: &T) -> Word {
    value.boolean()
}

/// The word of an attribute whose values are listed as `A`.
#[inline(always)]
pub fn enumeration<A, T: EnumValue<A>>(value: &T) -> Word {
    value.enumeration()
}

/// The word of a code that C passed and nobody has checked yet.
#[inline(always)]
pub fn code(value: &i32) -> Word {
    Word::new(*value as u32 as u64)
}

/// The text of a `string` attribute.
#[inline(always)]
pub fn text<T: StrValue + ?Sized>(value: &T) -> Option<&str> {
    value.text()
}

/// The integers of an `int[]` attribute.
#[inline(always)]
pub fn ints<T: IntsValue + ?Sized>(value: &T) -> Option<&[i64]> {
    value.ints()
}

/// Writes the value behind the out pointer on success, the last error otherwise; returns the code.
#[inline(always)]
pub fn deliver<R: FfiReturn>(site: &'static Site, result: R, out: Out<R::C>) -> i32 {
    result.deliver(site, out)
}

/// Runs what stands inside a boundary; the first check that fails is the function's code.
#[inline(always)]
pub fn checked<F: FnOnce() -> Result<i32, Fault>>(site: &'static Site, inside: F) -> i32 {
    match inside() {
        Ok(code) => code,
        Err(fault) => reject(site, fault),
    }
}

/// The out pointer of a function whose value is `T`.
pub type RawOut<T> = *mut <T as FfiValue>::C;
