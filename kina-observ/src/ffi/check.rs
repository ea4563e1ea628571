//! Turns what C passes into Rust values, or refuses it by name. Nothing is dereferenced before it is checked.

use core::ffi::{CStr, c_char};
use core::mem::MaybeUninit;
use core::ptr::NonNull;

use super::fault::{Fault, FaultKind};
use super::handle::{Handle, Handled};
use super::value::{FfiEnum, Out};

/// Not null and aligned.
#[inline(always)]
pub(super) fn pointer<T>(pointer: *const T, parameter: &'static str) -> Result<NonNull<T>, Fault> {
    let Some(checked) = NonNull::new(pointer.cast_mut()) else {
        return Err(Fault::new(parameter, FaultKind::Null));
    };
    if !checked.is_aligned() {
        return Err(Fault::new(parameter, FaultKind::Misaligned { align: align_of::<T>() }));
    }
    Ok(checked)
}

/// An out pointer.
///
/// # Safety
/// Unless it is null or misaligned, `out` is valid for one write while the call lasts.
#[inline(always)]
pub unsafe fn check_out<T>(out: *mut T, parameter: &'static str) -> Result<Out<T>, Fault> {
    let out = pointer(out, parameter)?;
    // SAFETY: checked above; the caller promises that it may be written to.
    Ok(unsafe { Out::new(out) })
}

/// An out pointer that Rust already types as a reference.
#[inline(always)]
pub fn check_out_opt<T>(out: Option<&mut MaybeUninit<T>>, parameter: &'static str) -> Result<Out<T>, Fault> {
    match out {
        // SAFETY: a mutable reference is valid for writes; the `Out` is used before the call returns.
        Some(out) => Ok(unsafe { Out::new(NonNull::from(out).cast()) }),
        None => Err(Fault::new(parameter, FaultKind::Null)),
    }
}

/// For functions without an out pointer.
#[inline(always)]
pub fn no_out() -> Out<()> {
    Out::NONE
}

/// # Safety
/// Unless it is null or misaligned, `value` points to a `T` that nobody writes to while `'a` lasts.
#[inline(always)]
pub unsafe fn check_ref<'a, T>(value: *const T, parameter: &'static str) -> Result<&'a T, Fault> {
    let value = pointer(value, parameter)?;
    // SAFETY: not null, aligned; the caller promises the rest.
    Ok(unsafe { value.as_ref() })
}

/// # Safety
/// Unless it is null or misaligned, `value` points to a `T` that nobody else uses while `'a` lasts.
#[inline(always)]
pub unsafe fn check_mut<'a, T>(value: *mut T, parameter: &'static str) -> Result<&'a mut T, Fault> {
    let mut value = pointer(value, parameter)?;
    // SAFETY: not null, aligned; the caller promises the rest.
    Ok(unsafe { value.as_mut() })
}

/// # Safety
/// As `check_ref`; null is `None`.
#[inline(always)]
pub unsafe fn check_opt_ref<'a, T>(value: *const T, parameter: &'static str) -> Result<Option<&'a T>, Fault> {
    if value.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller promises what `check_ref` asks for.
    unsafe { check_ref(value, parameter) }.map(Some)
}

/// # Safety
/// As `check_mut`; null is `None`.
#[inline(always)]
pub unsafe fn check_opt_mut<'a, T>(value: *mut T, parameter: &'static str) -> Result<Option<&'a mut T>, Fault> {
    if value.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller promises what `check_mut` asks for.
    unsafe { check_mut(value, parameter) }.map(Some)
}

/// The first element of a slice; dangling when there is none, so that null and 0 are welcome.
#[inline(always)]
fn elements<T>(first: *const T, length: usize, parameter: &'static str) -> Result<NonNull<T>, Fault> {
    if length == 0 {
        return Ok(NonNull::dangling());
    }
    let first = pointer(first, parameter)?;
    if length.checked_mul(size_of::<T>()).is_none_or(|bytes| bytes > isize::MAX as usize) {
        return Err(Fault::new(parameter, FaultKind::TooLong));
    }
    Ok(first)
}

/// # Safety
/// Unless it is refused, `first` points to `length` values of `T` that nobody writes to while `'a` lasts.
#[inline(always)]
pub unsafe fn check_slice<'a, T>(first: *const T, length: usize, parameter: &'static str) -> Result<&'a [T], Fault> {
    let first = elements(first, length, parameter)?;
    // SAFETY: not null, aligned, not longer than the address space; the caller promises the rest.
    Ok(unsafe { core::slice::from_raw_parts(first.as_ptr(), length) })
}

/// # Safety
/// Unless it is refused, `first` points to `length` values of `T` that nobody else uses while `'a` lasts.
#[inline(always)]
pub unsafe fn check_slice_mut<'a, T>(
    first: *mut T,
    length: usize,
    parameter: &'static str,
) -> Result<&'a mut [T], Fault> {
    let first = elements(first, length, parameter)?;
    // SAFETY: not null, aligned, not longer than the address space; the caller promises the rest.
    Ok(unsafe { core::slice::from_raw_parts_mut(first.as_ptr(), length) })
}

/// # Safety
/// Unless it is null, `text` ends in a NUL and nobody writes to it while `'a` lasts.
#[inline(always)]
pub unsafe fn check_str<'a>(text: *const c_char, parameter: &'static str) -> Result<&'a str, Fault> {
    let text = pointer(text, parameter)?;
    // SAFETY: not null; the caller promises the NUL and that it stays.
    let text = unsafe { CStr::from_ptr(text.as_ptr()) };
    text.to_str().map_err(|error| Fault::new(parameter, FaultKind::NotUtf8 { valid: error.valid_up_to() }))
}

/// A slice; null is `None`, whatever the length.
///
/// # Safety
/// As `check_slice`.
#[inline(always)]
pub unsafe fn check_opt_slice<'a, T>(
    first: *const T,
    length: usize,
    parameter: &'static str,
) -> Result<Option<&'a [T]>, Fault> {
    if first.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller promises what `check_slice` asks for.
    unsafe { check_slice(first, length, parameter) }.map(Some)
}

/// A slice; null is `None`, whatever the length.
///
/// # Safety
/// As `check_slice_mut`.
#[inline(always)]
pub unsafe fn check_opt_slice_mut<'a, T>(
    first: *mut T,
    length: usize,
    parameter: &'static str,
) -> Result<Option<&'a mut [T]>, Fault> {
    if first.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller promises what `check_slice_mut` asks for.
    unsafe { check_slice_mut(first, length, parameter) }.map(Some)
}

/// # Safety
/// As `check_str`; null is `None`.
#[inline(always)]
pub unsafe fn check_opt_str<'a>(text: *const c_char, parameter: &'static str) -> Result<Option<&'a str>, Fault> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller promises what `check_str` asks for.
    unsafe { check_str(text, parameter) }.map(Some)
}

/// The length of a slice, from a parameter of any integer type.
#[inline(always)]
pub fn check_len<N: Copy + TryInto<usize> + TryInto<i64>>(length: N, parameter: &'static str) -> Result<usize, Fault> {
    length.try_into().map_err(|_| too_long_or_negative(length.try_into().unwrap_or(i64::MAX), parameter))
}

/// What is no `usize`.
#[cold]
fn too_long_or_negative(value: i64, parameter: &'static str) -> Fault {
    let kind = if value < 0 { FaultKind::Negative { value } } else { FaultKind::TooLong };
    Fault::new(parameter, kind)
}

/// A callback that must be there.
#[inline(always)]
pub fn check_function<F>(function: Option<F>, parameter: &'static str) -> Result<F, Fault> {
    function.ok_or(Fault::new(parameter, FaultKind::NoFunction))
}

/// An enum, from any integer.
#[inline(always)]
pub fn check_enum<T: FfiEnum>(value: i32, parameter: &'static str) -> Result<T, Fault> {
    T::from_code(value).ok_or(Fault::new(parameter, FaultKind::NotAMember { value, members: T::MEMBERS }))
}

/// A live handle.
pub fn check_handle<T: Handled>(raw: u64, parameter: &'static str) -> Result<Handle<T>, Fault> {
    Handle::lookup(raw, parameter)
}

/// A live handle; 0 is `None`.
pub fn check_opt_handle<T: Handled>(raw: u64, parameter: &'static str) -> Result<Option<Handle<T>>, Fault> {
    if raw == 0 { Ok(None) } else { Handle::lookup(raw, parameter).map(Some) }
}
