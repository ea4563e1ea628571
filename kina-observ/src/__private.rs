//! Everything that generated code may name, and nothing else.
//! No promise of stability: `kina-observ-macros` is pinned to the same version.

pub use crate::context::Context;
pub use crate::ffi::boundary::{boundary, note_code, reject};
pub use crate::ffi::c_api;
pub use crate::ffi::check::{
    check_enum, check_handle, check_mut, check_opt_handle, check_opt_mut, check_opt_ref, check_out, check_out_opt,
    check_ref, check_slice, check_slice_mut, check_str, no_out,
};
pub use crate::ffi::value::{Coded, NotCoded, deliver_nested, deliver_result};
pub use crate::ffi::{Fault, FfiEnum, FfiError, FfiReturn, FfiStatus, FfiValue, Handle, Handled, Out};
pub use crate::late::{Late, TaskLate};
pub use crate::outcome::{Outcome, Probe};

/// The ladder of traits that [`Probe`] climbs.
pub mod outcome {
    pub use crate::outcome::*;
}
pub use crate::site::{Attr, Facts, Shape, Site};
pub use crate::span::{Entered, PanicGuard, exit_code, exit_code_late, exit_outcome, exit_outcome_late};
pub use crate::task::{Task, TaskSpan};
pub use crate::value::{BooleanValue, DoubleValue, EnumValue, IntValue, IntsValue, StrValue, Value};
pub use kina_observ_conventions::{Level, Severity, SpanKind};

use crate::{config, gate, span};

/// Whether to leave the direct way: something listens, and the site's filter is not known to be against it.
/// At Off it is one relaxed load. It calls nothing, so the arguments stay in their registers.
#[inline(always)]
pub fn is_on(site: &'static Site) -> bool {
    gate::is_on() && site.known() != Some(false)
}

/// The first call configures the process; then the site's answer is remembered.
#[inline]
fn wants(site: &'static Site) -> bool {
    match site.known() {
        Some(wanted) => wanted,
        None => ask(site),
    }
}

#[cold]
#[inline(never)]
fn ask(site: &'static Site) -> bool {
    if gate::GLOBAL.has(gate::UNCONFIGURED) {
        config::init::configure_from_environment();
    }
    gate::is_on() && site.resolve()
}

/// Opens a span whose values take one word each. They are asked for only if it is recorded.
#[inline(always)]
pub fn enter<const N: usize>(site: &'static Site, values: impl FnOnce() -> [u64; N]) -> Entered {
    if wants(site) { span::enter(site, &values()) } else { Entered::NOWHERE }
}

/// Opens a span with texts, lists or absent values among its attributes.
#[inline(always)]
pub fn enter_values<'a, const N: usize>(site: &'static Site, values: impl FnOnce() -> [Value<'a>; N]) -> Entered {
    if wants(site) { span::enter_values(site, &values()) } else { Entered::NOWHERE }
}

/// Opens a span whose parent is another context's span.
#[inline(always)]
pub fn enter_child_of<'a, const N: usize>(
    site: &'static Site,
    parent: &Context,
    values: impl FnOnce() -> [Value<'a>; N],
) -> Entered {
    if wants(site) { span::enter_child_of(site, parent, &values()) } else { Entered::NOWHERE }
}

impl TaskSpan {
    /// Starts the span of a task, if something listens. The values are asked for only then.
    #[inline]
    pub fn begin<'a, const N: usize>(site: &'static Site, values: impl FnOnce() -> [Value<'a>; N]) -> Self {
        if is_on(site) && wants(site) { Self::start(site, None, &values()) } else { Self::INERT }
    }

    /// The same, with a parent elsewhere.
    #[inline]
    pub fn begin_child_of<'a, const N: usize>(
        site: &'static Site,
        parent: &Context,
        values: impl FnOnce() -> [Value<'a>; N],
    ) -> Self {
        if is_on(site) && wants(site) { Self::start(site, Some(parent), &values()) } else { Self::INERT }
    }
}

/// Calls a closure; the bound lets borrows of the arguments leave with the result.
#[inline(always)]
pub fn call_once<R, F: FnOnce() -> R>(body: F) -> R {
    body()
}

/// The word of an `int` attribute.
#[inline(always)]
pub fn int<T: IntValue + ?Sized>(value: &T) -> u64 {
    value.int()
}

/// The word of a `double` attribute.
#[inline(always)]
pub fn double<T: DoubleValue + ?Sized>(value: &T) -> u64 {
    value.double()
}

/// The word of a `boolean` attribute.
#[inline(always)]
pub fn boolean<T: BooleanValue + ?Sized>(value: &T) -> u64 {
    value.boolean()
}

/// The word of an enum attribute.
#[inline(always)]
pub fn enumeration<T: EnumValue>(value: &T) -> u64 {
    value.enumeration()
}

/// The text of a `string` attribute.
#[inline(always)]
pub fn text<T: StrValue + ?Sized>(value: &T) -> &str {
    value.text()
}

/// The integers of an `int[]` attribute.
#[inline(always)]
pub fn ints<T: IntsValue + ?Sized>(value: &T) -> &[i64] {
    value.ints()
}

/// A status as a code.
#[inline(always)]
pub fn status_to_code<S: FfiStatus>(status: &S) -> i32 {
    status.code()
}

/// A code as the status that the function declares.
#[inline(always)]
pub fn status_from_code<S: FfiStatus>(code: i32) -> S {
    S::from_code(code)
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
