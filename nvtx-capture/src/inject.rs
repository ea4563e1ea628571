//! How NVTX and the capture find each other.

use core::ffi::c_void;
use core::ptr;

use crate::abi::{CALLBACKS, CORE, CORE2, CUDA, Callbacks, ExportTable, Slot, VERSION, VERSION_INFO, VersionInfo};
use crate::{capture, handlers};

/// NVTX calls it once for each library that contains NVTX. 1: attached.
///
/// # Safety
/// `table` is NVTX's own, of version 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn InitializeInjectionNvtx2(table: ExportTable) -> i32 {
    if std::env::var_os("NVTX_INJECTION64_PATH").is_none() {
        // The program brought us itself.
        capture::keep_in_memory();
    }
    // SAFETY: NVTX answers every number, an unknown one with null.
    let version = unsafe { table(VERSION_INFO) };
    // SAFETY: it is null or the table that the number stands for.
    let version = unsafe { version.cast::<VersionInfo>().as_ref() };
    if let Some(set) = version.and_then(|version| version.set_injection_version) {
        // SAFETY: NVTX's own function, with a version that it knows.
        unsafe { set(VERSION) };
    }
    // SAFETY: NVTX answers every number, an unknown one with null.
    let callbacks = unsafe { table(CALLBACKS) };
    // SAFETY: it is null or the table that the number stands for.
    let callbacks = unsafe { callbacks.cast::<Callbacks>().as_ref() };
    let Some(functions) = callbacks.and_then(|callbacks| callbacks.module_functions) else { return 0 };
    for module in [CORE, CORE2, CUDA] {
        let (mut slots, mut size): (*mut Slot, u32) = (ptr::null_mut(), 0);
        // SAFETY: NVTX's own function; both places are ours.
        if unsafe { functions(module, &raw mut slots, &raw mut size) } == 0 {
            continue;
        }
        for (number, handler) in handlers::of(module) {
            if *number < size as usize {
                // SAFETY: `number` is below the size that NVTX gave for its table.
                unsafe { attach(slots, *number, handler.0) };
            }
        }
    }
    1
}

/// # Safety
/// `slots` has more than `number` entries.
unsafe fn attach(slots: *mut Slot, number: usize, handler: *const c_void) {
    // SAFETY: the caller promises the entry.
    let entry = unsafe { slots.add(number) };
    // SAFETY: the same.
    let slot = unsafe { entry.read() };
    if !slot.is_null() {
        // SAFETY: NVTX lets a tool write to its slots while it is being initialised.
        unsafe { slot.write(handler) };
    }
}
