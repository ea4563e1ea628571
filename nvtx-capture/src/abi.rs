//! What NVTX 3 and a tool agree on, as its headers lay it out (`nvtxTypes.h`, `nvToolsExt.h`).

use core::ffi::c_void;

/// Gives the tables that a tool fills or calls.
pub type ExportTable = unsafe extern "C" fn(u32) -> *const c_void;

/// `NVTX_ETID_CALLBACKS`
pub(crate) const CALLBACKS: u32 = 1;
/// `NVTX_ETID_VERSIONINFO`
pub(crate) const VERSION_INFO: u32 = 3;
/// The version of the interface that we speak.
pub(crate) const VERSION: u32 = 3;

/// `NVTX_CB_MODULE_*`
pub(crate) const CORE: i32 = 1;
pub(crate) const CUDA: i32 = 2;
pub(crate) const CORE2: i32 = 5;

/// A function of the program that a tool may replace: the place where its pointer stands.
pub(crate) type Slot = *mut *const c_void;

#[repr(C)]
pub(crate) struct Callbacks {
    pub(crate) struct_size: usize,
    pub(crate) module_functions: Option<unsafe extern "C" fn(i32, *mut *mut Slot, *mut u32) -> i32>,
}

#[repr(C)]
pub(crate) struct VersionInfo {
    pub(crate) struct_size: usize,
    pub(crate) version: u32,
    pub(crate) reserved: u32,
    pub(crate) set_injection_version: Option<unsafe extern "C" fn(u32)>,
}

/// `nvtxEventAttributes_t`
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct EventAttributes {
    pub(crate) version: u16,
    pub(crate) size: u16,
    pub(crate) category: u32,
    pub(crate) color_type: i32,
    pub(crate) color: u32,
    pub(crate) payload_type: i32,
    pub(crate) reserved: i32,
    pub(crate) payload: u64,
    pub(crate) message_type: i32,
    pub(crate) message: *const c_void,
}

/// `nvtxResourceAttributes_t`
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct ResourceAttributes {
    pub(crate) version: u16,
    pub(crate) size: u16,
    pub(crate) identifier_type: i32,
    pub(crate) identifier: u64,
    pub(crate) message_type: i32,
    pub(crate) message: *const c_void,
}

/// `NVTX_MESSAGE_TYPE_*`
pub(crate) const ASCII: i32 = 1;
pub(crate) const UNICODE: i32 = 2;
pub(crate) const REGISTERED: i32 = 3;
