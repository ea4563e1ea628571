//! The 17 entry points and the last error, as a C host sees them. Those that take no pointer are safe: any number is welcome.

use core::ffi::{CStr, c_char};

// So that the library is linked also where nothing else names it.
use kina_runtime as _;

unsafe extern "C" {
    pub(crate) fn runtime_device_count(out: *mut i32) -> i32;
    pub(crate) safe fn runtime_device_synchronize() -> i32;
    pub(crate) fn runtime_stream_create(out: *mut u64) -> i32;
    pub(crate) safe fn runtime_stream_destroy(stream: u64) -> i32;
    pub(crate) safe fn runtime_stream_synchronize(stream: u64) -> i32;
    pub(crate) safe fn runtime_stream_wait_event(stream: u64, event: u64) -> i32;
    pub(crate) fn runtime_event_record(stream: u64, out: *mut u64) -> i32;
    pub(crate) fn runtime_tensor_alloc(
        dtype: i32,
        shape: *const i64,
        shape_len: usize,
        label: *const c_char,
        out: *mut u64,
    ) -> i32;
    pub(crate) safe fn runtime_tensor_free(tensor: u64) -> i32;
    pub(crate) fn runtime_copy_h2d(dst: u64, bytes: *const u8, bytes_len: usize, stream: u64) -> i32;
    pub(crate) fn runtime_copy_d2h(src: u64, bytes: *mut u8, bytes_len: usize, stream: u64) -> i32;
    pub(crate) safe fn runtime_gpu_matmul(
        out: u64,
        a: u64,
        b: u64,
        batch: i64,
        m: i64,
        k: i64,
        n: i64,
        dtype_code: i32,
    ) -> i32;
    pub(crate) safe fn runtime_gpu_add(stream: u64, out: u64, a: u64, b: u64, n: i64) -> i32;
    pub(crate) safe fn runtime_gpu_softmax(stream: u64, out: u64, a: u64, m: i64, n: i64) -> i32;
    pub(crate) safe fn runtime_gpu_layernorm(
        stream: u64,
        out: u64,
        a: u64,
        gamma: u64,
        beta: u64,
        m: i64,
        n: i64,
        epsilon: f32,
    ) -> i32;
    pub(crate) safe fn runtime_gpu_gelu(stream: u64, out: u64, a: u64, n: i64) -> i32;
    pub(crate) safe fn runtime_gpu_transpose(stream: u64, out: u64, a: u64, batch: i64, m: i64, n: i64) -> i32;
    safe fn kina_last_error_code() -> i32;
    safe fn kina_last_error_message() -> *const c_char;
}

/// Code and message of this thread's last failing call.
pub(crate) fn last_error() -> (i32, String) {
    // SAFETY: the text is never null and lives until this thread's next failing call.
    let message = unsafe { CStr::from_ptr(kina_last_error_message()) };
    (kina_last_error_code(), message.to_string_lossy().into_owned())
}
