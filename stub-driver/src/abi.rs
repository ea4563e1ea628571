//! What C passes to the driver, as types: each can only come from a caller, who promised that it is what the CUDA manual says.

use std::ffi::{CStr, c_char, c_void};

use crate::codes::Code;

/// A place for one result.
#[repr(transparent)]
pub(crate) struct Out<T>(*mut T);

impl<T> Out<T> {
    pub(crate) fn set(self, value: T) -> Result<(), Code> {
        if self.0.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        // SAFETY: not null, and the caller of the driver's function promised that it is writable for one result.
        unsafe { self.0.write(value) };
        Ok(())
    }

    /// Replaces what is there by what `new` makes of it.
    pub(crate) fn replace_with(self, new: impl FnOnce(T) -> Result<T, Code>) -> Result<(), Code>
    where
        T: Copy,
    {
        if self.0.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        // SAFETY: not null, and the caller of the driver's function promised that it holds a value.
        let old = unsafe { self.0.read() };
        self.set(new(old)?)
    }
}

/// A text that ends in NUL.
#[repr(transparent)]
pub(crate) struct Text(*const c_char);

impl Text {
    pub(crate) fn as_str(&self) -> Result<&str, Code> {
        if self.0.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        // SAFETY: not null, and the caller of the driver's function promised that it ends in NUL and stays as it is meanwhile.
        let text = unsafe { CStr::from_ptr(self.0) };
        text.to_str().map_err(|_| Code::INVALID_VALUE)
    }
}

/// A place for `length` bytes of text.
pub(crate) fn write_text(out: *mut c_char, length: usize, text: &CStr) -> Result<(), Code> {
    let bytes = text.to_bytes_with_nul();
    if out.is_null() || length < bytes.len() {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: not null, and the caller of the driver's function promised that `length` bytes are writable, which is enough.
    unsafe { out.copy_from_nonoverlapping(bytes.as_ptr().cast(), bytes.len()) };
    Ok(())
}

/// Memory of the host, for a copy. The address crosses threads, as it does on the way to a real device.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Host(usize);

impl Host {
    pub(crate) fn read(self, length: usize) -> Result<Vec<u8>, Code> {
        if length == 0 {
            return Ok(Vec::new());
        }
        if self.0 == 0 {
            return Err(Code::INVALID_VALUE);
        }
        let source = self.0 as *const u8;
        // SAFETY: not null, and the caller of the copy promised `length` readable bytes until it is done.
        Ok(unsafe { std::slice::from_raw_parts(source, length) }.to_vec())
    }

    pub(crate) fn write(self, bytes: &[u8]) -> Result<(), Code> {
        if bytes.is_empty() {
            return Ok(());
        }
        if self.0 == 0 {
            return Err(Code::INVALID_VALUE);
        }
        let target = self.0 as *mut u8;
        // SAFETY: not null, and the caller of the copy promised that as many bytes are writable until it is done.
        unsafe { target.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        Ok(())
    }
}

/// The arguments of a launch: an array of pointers to values.
#[repr(transparent)]
pub(crate) struct Arguments(*const *const c_void);

impl Arguments {
    /// The argument at `index`, which the kernel knows to be a `T`.
    pub(crate) fn read<T: Copy>(&self, index: usize) -> Result<T, Code> {
        if self.0.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        // SAFETY: the caller of the launch promised one pointer for each parameter of the kernel, and `index` is below their number.
        let place = unsafe { self.0.add(index) };
        // SAFETY: as above.
        let argument = unsafe { place.read() };
        if argument.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        // SAFETY: not null, and the caller promised a value of the parameter's type there, at whatever alignment.
        Ok(unsafe { argument.cast::<T>().read_unaligned() })
    }
}

/// What `cuLaunchHostFunc` takes.
pub(crate) type HostFunction = unsafe extern "C" fn(*mut c_void);

/// A function of the host with its argument.
#[derive(Clone, Copy)]
pub(crate) struct Callback {
    pub(crate) function: HostFunction,
    pub(crate) data: usize,
}

impl Callback {
    pub(crate) fn call(self) {
        // SAFETY: whoever launched the callback promised that it may be called once with this argument, from any thread.
        unsafe { (self.function)(self.data as *mut c_void) };
    }
}
