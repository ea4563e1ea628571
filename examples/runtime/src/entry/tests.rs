//! A panic in any of the 17 never leaves the function: code -1, the out value as it was, and the next call works.

use core::ffi::{CStr, c_char};

use crate::fault::testing::{arm, device_alone};

unsafe extern "C" {
    fn runtime_device_count(out: *mut i32) -> i32;
    safe fn runtime_device_synchronize() -> i32;
    fn runtime_stream_create(out: *mut u64) -> i32;
    safe fn runtime_stream_destroy(stream: u64) -> i32;
    safe fn runtime_stream_synchronize(stream: u64) -> i32;
    safe fn runtime_stream_wait_event(stream: u64, event: u64) -> i32;
    fn runtime_event_record(stream: u64, out: *mut u64) -> i32;
    fn runtime_tensor_alloc(
        dtype: i32,
        shape: *const i64,
        shape_len: usize,
        label: *const c_char,
        out: *mut u64,
    ) -> i32;
    safe fn runtime_tensor_free(tensor: u64) -> i32;
    fn runtime_copy_h2d(dst: u64, bytes: *const u8, bytes_len: usize, stream: u64) -> i32;
    fn runtime_copy_d2h(src: u64, bytes: *mut u8, bytes_len: usize, stream: u64) -> i32;
    safe fn runtime_gpu_matmul(out: u64, a: u64, b: u64, batch: i64, m: i64, k: i64, n: i64, dtype_code: i32) -> i32;
    safe fn runtime_gpu_add(stream: u64, out: u64, a: u64, b: u64, n: i64) -> i32;
    safe fn runtime_gpu_softmax(stream: u64, out: u64, a: u64, m: i64, n: i64) -> i32;
    safe fn runtime_gpu_layernorm(stream: u64, out: u64, a: u64, g: u64, b: u64, m: i64, n: i64, epsilon: f32) -> i32;
    safe fn runtime_gpu_gelu(stream: u64, out: u64, a: u64, n: i64) -> i32;
    safe fn runtime_gpu_transpose(stream: u64, out: u64, a: u64, batch: i64, m: i64, n: i64) -> i32;
    safe fn kina_last_error_message() -> *const c_char;
}

const UNTOUCHED: u64 = 0x5a5a_5a5a_5a5a_5a5a;

fn tensor(out: &mut u64) -> i32 {
    // SAFETY: shape, label and out value live through the call.
    unsafe { runtime_tensor_alloc(3, [2, 2].as_ptr(), 2, c"t".as_ptr(), out) }
}

fn stream(out: &mut u64) -> i32 {
    // SAFETY: the out value lives through the call.
    unsafe { runtime_stream_create(out) }
}

fn event(out: &mut u64) -> i32 {
    // SAFETY: the out value lives through the call.
    unsafe { runtime_event_record(0, out) }
}

fn count(out: &mut u64) -> i32 {
    let mut devices = *out as i32;
    // SAFETY: the out value lives through the call.
    let code = unsafe { runtime_device_count(&raw mut devices) };
    if devices as u64 != *out & 0xffff_ffff {
        *out = devices as u64;
    }
    code
}

fn download(from: u64, out: &mut u64) -> i32 {
    let mut bytes = [0x5a; 16];
    // SAFETY: the buffer lives through the call and nothing else looks at it.
    let code = unsafe { runtime_copy_d2h(from, bytes.as_mut_ptr(), 16, 0) };
    if bytes != [0x5a; 16] {
        *out = 0;
    }
    code
}

fn made(make: fn(&mut u64) -> i32) -> u64 {
    let mut out = 0;
    assert_eq!(make(&mut out), 0);
    out
}

/// `call` panics while it is armed, leaves its out value alone, and works right after.
#[track_caller]
fn check(symbol: &'static str, mut call: impl FnMut(&mut u64) -> i32) {
    let mut out = UNTOUCHED;
    arm(Some(symbol));
    let code = call(&mut out);
    arm(None);
    // SAFETY: the text is never null and lives until this thread's next failing call.
    let message = unsafe { CStr::from_ptr(kina_last_error_message()) }.to_string_lossy().into_owned();
    assert_eq!(code, -1, "{symbol}");
    assert!(message.contains(&format!("injected into {symbol}")), "{symbol}: {message}");
    assert_eq!(out, UNTOUCHED, "{symbol}");
    assert_eq!(call(&mut out), 0, "{symbol}: the next call");
}

#[test]
fn a_panic_in_any_of_the_17_stays_inside() {
    let _alone = device_alone();
    let [a, b, c, freed] = [(); 4].map(|()| made(tensor));
    let (own, waited, bytes) = (made(stream), made(event), [0_u8; 16]);
    check("runtime_device_count", count);
    check("runtime_device_synchronize", |_| runtime_device_synchronize());
    check("runtime_stream_create", stream);
    check("runtime_stream_synchronize", |_| runtime_stream_synchronize(own));
    check("runtime_stream_wait_event", |_| runtime_stream_wait_event(own, waited));
    check("runtime_event_record", event);
    check("runtime_tensor_alloc", tensor);
    check("runtime_tensor_free", |_| runtime_tensor_free(freed));
    // SAFETY: the buffer lives through the call.
    check("runtime_copy_h2d", |_| unsafe { runtime_copy_h2d(a, bytes.as_ptr(), 16, own) });
    check("runtime_copy_d2h", |out| download(a, out));
    check("runtime_gpu_matmul", |_| runtime_gpu_matmul(c, a, b, 1, 2, 2, 2, 3));
    check("runtime_gpu_add", |_| runtime_gpu_add(own, c, a, b, 4));
    check("runtime_gpu_softmax", |_| runtime_gpu_softmax(0, c, a, 2, 2));
    let row = {
        let mut out = 0;
        // SAFETY: shape, label and out value live through the call.
        assert_eq!(unsafe { runtime_tensor_alloc(3, [2].as_ptr(), 1, c"row".as_ptr(), &raw mut out) }, 0);
        out
    };
    check("runtime_gpu_layernorm", |_| runtime_gpu_layernorm(0, c, a, row, row, 2, 2, 1e-5));
    check("runtime_gpu_gelu", |_| runtime_gpu_gelu(0, c, a, 4));
    check("runtime_gpu_transpose", |_| runtime_gpu_transpose(own, c, a, 1, 2, 2));
    check("runtime_stream_destroy", |_| runtime_stream_destroy(own));
    assert_eq!(runtime_device_synchronize(), 0);
}
