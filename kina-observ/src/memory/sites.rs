//! The spans of allocations and frees: at severity `trace`, since a program allocates a hundred times in a step.

use core::fmt::Display;

use kina_observ_conventions::Severity;

use super::error::{AllocError, FreeError};
use crate::device::Stream;
use crate::outcome::{Message, Outcome};
use crate::site::{Attr, Facts, Site};
use crate::span::{self, Entered, PanicGuard};
use crate::value::Value;

const VALUES: &[Attr] = &[
    Attr::text("runtime.device"),
    Attr::int("runtime.alloc.size"),
    Attr::text("runtime.alloc.resource"),
    Attr::int("runtime.stream.id"),
];

const fn facts(span_type: &'static str, symbol: &'static str) -> Facts {
    Facts { severity: Severity::Trace, module: MODULE, start: VALUES, ..Facts::of(span_type, symbol) }
}

/// What `RUST_LOG` calls it.
pub(super) const MODULE: &str = "kina_observ::memory";

static ALLOCATE: Site = Site::new(&const { facts("runtime.alloc", "allocate") });
static FREE: Site = Site::new(&const { facts("runtime.free", "deallocate") });

/// Whether somebody may want a span of an allocation.
#[inline(always)]
pub(super) fn wants_allocations() -> bool {
    ALLOCATE.known() != Some(false)
}

/// Whether somebody may want a span of a free.
#[inline(always)]
pub(super) fn wants_frees() -> bool {
    FREE.known() != Some(false)
}

/// Allocates, in a span if somebody wants one.
#[inline(always)]
pub(super) fn allocation<T>(
    resource: &str,
    size: usize,
    stream: &Stream,
    body: impl FnOnce() -> Result<T, AllocError>,
) -> Result<T, AllocError> {
    if !wants_allocations() {
        return body();
    }
    in_span(&ALLOCATE, resource, size, stream, body, |error, entered| {
        fail(entered, error.error_type(), &error.summary(), error.help());
    })
}

/// Frees, in a span if somebody wants one.
#[inline(always)]
pub(super) fn free<T>(
    resource: &str,
    size: usize,
    stream: &Stream,
    body: impl FnOnce() -> Result<T, FreeError>,
) -> Result<T, FreeError> {
    if !wants_frees() {
        return body();
    }
    in_span(&FREE, resource, size, stream, body, |error, entered| {
        fail(entered, "invalid_free", &error.summary(), error.help());
    })
}

#[cold]
#[inline(never)]
fn in_span<T, E>(
    site: &'static Site,
    resource: &str,
    size: usize,
    stream: &Stream,
    body: impl FnOnce() -> Result<T, E>,
    exit_failed: impl FnOnce(&E, Entered),
) -> Result<T, E> {
    if !site.known().unwrap_or_else(|| site.resolve()) {
        return body();
    }
    let device = stream.device().name();
    let values = [Value::Str(&device), Value::Word(size as u64), Value::Str(resource), Value::Word(stream.id() as u64)];
    let entered: Entered = span::enter_values(site, &values);
    let guard = PanicGuard::new(entered);
    let result = body();
    guard.defuse();
    match &result {
        Ok(_) => span::exit_outcome(entered, Outcome::Success),
        Err(error) => exit_failed(error, entered),
    }
    result
}

fn fail(entered: Entered, error_type: &'static str, summary: &dyn Display, help: &str) {
    span::exit_outcome(entered, Outcome::failure(error_type, Message::Display(summary), help));
}
