//! Functions that take one kind of value each: references, slices, texts, enums, handles, callbacks.

use core::ffi::c_void;

use kina_observ::ffi::{self, Handle, HandleTable, Handled};
use kina_observ::{FfiEnum, ffi_span};

use crate::errors::Failure;

/// A `struct` of C's.
#[derive(Debug)]
#[repr(C)]
pub struct Point {
    /// To the right.
    pub x: i64,
    /// Upwards.
    pub y: i64,
}

/// An `enum` of C's.
#[derive(Debug, Clone, Copy, FfiEnum)]
#[repr(i32)]
pub enum Colour {
    /// As blood.
    Red = 1,
    /// As the sea.
    Blue = 4,
}

/// What a handle stands for.
#[derive(Debug)]
pub struct Probe(i64);

impl Handled for Probe {
    const NAME: &'static str = "probe";

    fn table() -> &'static HandleTable<Self> {
        static TABLE: HandleTable<Probe> = HandleTable::new(5);
        &TABLE
    }
}

/// The sum of both coordinates.
#[ffi_span(export = "traps_point_sum")]
pub fn point_sum(point: &Point) -> Result<i64, Failure> {
    Ok(point.x + point.y)
}

/// Moves a point.
#[ffi_span(export = "traps_point_move")]
pub fn point_move(point: &mut Point, by: i64) -> Result<(), Failure> {
    point.x += by;
    Ok(())
}

/// The sum, or 0 for no point.
#[ffi_span(export = "traps_point_maybe")]
pub fn point_maybe(point: Option<&Point>) -> Result<i64, Failure> {
    Ok(point.map_or(0, |point| point.x + point.y))
}

/// The sum of all values.
#[ffi_span(export = "traps_sum")]
pub fn sum(values: &[i64]) -> Result<i64, Failure> {
    Ok(values.iter().sum())
}

/// Sets all values.
#[ffi_span(export = "traps_fill")]
pub fn fill(values: &mut [i64], value: i64) -> Result<(), Failure> {
    values.fill(value);
    Ok(())
}

/// Bytes of a text.
#[ffi_span(export = "traps_length")]
pub fn length(text: &str) -> Result<u64, Failure> {
    Ok(text.len() as u64)
}

/// The number of a colour.
#[ffi_span(export = "traps_colour")]
pub fn colour(colour: Colour) -> Result<i32, Failure> {
    Ok(colour as i32)
}

/// Makes a probe, which the caller frees.
#[ffi_span(export = "traps_probe_new")]
pub fn probe_new(value: i64) -> Result<Handle<Probe>, Failure> {
    Ok(Probe::table().insert(Probe(value)))
}

/// What the probe was made with.
#[ffi_span(export = "traps_probe_value")]
pub fn probe_value(probe: Handle<Probe>) -> Result<i64, Failure> {
    Ok(probe.0)
}

/// Frees a probe.
#[ffi_span(export = "traps_probe_free")]
pub fn probe_free(probe: Handle<Probe>) -> Result<(), Failure> {
    Ok(probe.destroy("probe")?)
}

/// Called for each index; a code other than 0 ends the walk.
pub type Visit = Option<unsafe extern "C-unwind" fn(user: *mut c_void, index: i64) -> i32>;

/// Calls `visit` with 0, 1, .. below `count`, and gives its first code that is not 0, with what it said.
///
/// # Safety
/// `visit` takes `user`, and does not throw.
#[ffi_span]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn traps_walk(count: i64, visit: Visit, user: *mut c_void) -> i32 {
    let Some(visit) = visit else {
        return ffi::fail(301, "`visit` is null");
    };
    for index in 0..count {
        // SAFETY: the caller promises that it takes `user`, and does not throw.
        let code = unsafe { visit(user, index) };
        if code != 0 {
            // What failed in the callback is the cause, if it was one of ours.
            let cause = ffi::last_error().filter(|cause| cause.code() == code);
            let cause = cause.as_ref().map_or("a callback's own code", |cause| cause.message());
            return ffi::fail(code, &format!("`visit` failed at {index}: {cause}"));
        }
    }
    0
}
