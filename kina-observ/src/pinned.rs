//! Keeps the library in memory: what runs in its threads, or is called when one of them ends, must not be unmapped.
//! Invariant: a library that was loaded, called and unloaded leaves no thread without code (`loading_and_unloading_leaves_the_memory_map_as_it_was`).

use core::ffi::c_void;
use core::ptr;

use crate::errno::KeepErrno;
use crate::gate;

/// Keeps the library mapped after `dlclose`; the executable itself cannot be unloaded anyway.
pub(crate) fn pin() {
    let _errno = KeepErrno::new();
    let mut info = core::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    let own: *const c_void = ptr::from_ref(&gate::GLOBAL).cast();
    // SAFETY: any address may be asked for; `info` is writable.
    if unsafe { libc::dladdr(own, info.as_mut_ptr()) } == 0 {
        return;
    }
    // SAFETY: `dladdr` has filled it, and zeros are a valid `Dl_info` too.
    let info = unsafe { info.assume_init() };
    // SAFETY: the name is a C string of the loader's; NOLOAD runs no constructor.
    unsafe { libc::dlopen(info.dli_fname, libc::RTLD_LAZY | libc::RTLD_NOLOAD | libc::RTLD_NODELETE) };
}
