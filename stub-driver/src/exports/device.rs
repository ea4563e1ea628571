//! Start, devices, contexts, errors.

use std::ffi::{CStr, c_char};

use crate::abi::{Out, write_text};
use crate::codes::{Code, words};
use crate::driver::{answer, context, driver, set_context};

/// The first context's handle; device n has this plus n.
const CONTEXTS: u64 = 0xC000;

fn device(ordinal: i32) -> Result<u64, Code> {
    match u32::try_from(ordinal) {
        Ok(known) if known < driver().devices => Ok(u64::from(known)),
        _ => Err(Code::INVALID_DEVICE),
    }
}

#[unsafe(no_mangle)]
extern "C" fn cuInit(flags: u32) -> u32 {
    answer("cuInit", |_| if flags == 0 { driver().initialize() } else { Err(Code::INVALID_VALUE) })
}

#[unsafe(no_mangle)]
extern "C" fn cuDriverGetVersion(out: Out<i32>) -> u32 {
    // May be asked before `cuInit`.
    answer("cuDriverGetVersion", |_| out.set(driver().version))
}

#[unsafe(no_mangle)]
extern "C" fn cuDeviceGetCount(out: Out<i32>) -> u32 {
    answer("cuDeviceGetCount", |_| {
        driver().usable()?;
        out.set(driver().devices as i32)
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuDeviceGet(out: Out<i32>, ordinal: i32) -> u32 {
    answer("cuDeviceGet", |_| {
        driver().usable()?;
        device(ordinal)?;
        out.set(ordinal)
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuDeviceGetName(out: *mut c_char, length: i32, ordinal: i32) -> u32 {
    answer("cuDeviceGetName", |_| {
        device(ordinal)?;
        write_text(out, usize::try_from(length).map_err(|_| Code::INVALID_VALUE)?, c"Stub driver on CPU threads")
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuDeviceTotalMem_v2(out: Out<usize>, ordinal: i32) -> u32 {
    answer("cuDeviceTotalMem_v2", |_| {
        device(ordinal)?;
        out.set(driver().memory.info().1 as usize)
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuDeviceGetAttribute(out: Out<i32>, attribute: u32, ordinal: i32) -> u32 {
    answer("cuDeviceGetAttribute", |_| {
        device(ordinal)?;
        out.set(match attribute {
            1 => 1024,  // threads a block
            10 => 32,   // a warp
            16 => 4,    // multiprocessors
            39 => 2048, // threads a multiprocessor
            75 => 8,    // compute capability 8.0
            115 => 1,   // memory pools; with 0 cudarc allocates synchronously
            _ => 0,
        })
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuDevicePrimaryCtxRetain(out: Out<u64>, ordinal: i32) -> u32 {
    answer("cuDevicePrimaryCtxRetain", |_| {
        driver().usable()?;
        out.set(CONTEXTS + device(ordinal)?)
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuDevicePrimaryCtxRelease_v2(ordinal: i32) -> u32 {
    answer("cuDevicePrimaryCtxRelease_v2", |_| device(ordinal).map(|_| ()))
}

#[unsafe(no_mangle)]
extern "C" fn cuCtxGetCurrent(out: Out<u64>) -> u32 {
    answer("cuCtxGetCurrent", |_| {
        driver().usable()?;
        out.set(context())
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuCtxSetCurrent(handle: u64) -> u32 {
    answer("cuCtxSetCurrent", |_| {
        driver().usable()?;
        if handle != 0 && !(CONTEXTS..CONTEXTS + u64::from(driver().devices)).contains(&handle) {
            return Err(Code::INVALID_CONTEXT);
        }
        set_context(handle);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuCtxSynchronize() -> u32 {
    answer("cuCtxSynchronize", |_| {
        driver().ready()?;
        for stream in driver().every_stream() {
            stream.refuse_capture()?;
            stream.synchronize();
        }
        driver().usable()
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuGetErrorName(number: u32, out: Out<*const c_char>) -> u32 {
    answer("cuGetErrorName", |_| tell(out, words(number).map(|(name, _)| name)))
}

#[unsafe(no_mangle)]
extern "C" fn cuGetErrorString(number: u32, out: Out<*const c_char>) -> u32 {
    answer("cuGetErrorString", |_| tell(out, words(number).map(|(_, text)| text)))
}

fn tell(out: Out<*const c_char>, text: Option<&'static CStr>) -> Result<(), Code> {
    out.set(text.ok_or(Code::INVALID_VALUE)?.as_ptr())
}
