//! The runtime through its C symbols, as any host sees it: the one file with `unsafe` here.

use core::ffi::{CStr, c_char};
use core::fmt;

// The choice is all that is used of the library's Rust side: another host sets `KINA_RUNTIME_BACKEND`.
pub(crate) use kina_runtime::backend::{Backend, choose};

/// The element type of every tensor here.
const F32: i32 = 3;

mod symbols {
    use core::ffi::c_char;

    unsafe extern "C" {
        pub(super) safe fn runtime_device_synchronize() -> i32;
        pub(super) safe fn runtime_stream_destroy(stream: u64) -> i32;
        pub(super) safe fn runtime_stream_synchronize(stream: u64) -> i32;
        pub(super) safe fn runtime_stream_wait_event(stream: u64, event: u64) -> i32;
        pub(super) safe fn runtime_tensor_free(tensor: u64) -> i32;
        pub(super) safe fn runtime_gpu_matmul(
            out: u64,
            a: u64,
            b: u64,
            batch: i64,
            m: i64,
            k: i64,
            n: i64,
            dtype_code: i32,
        ) -> i32;
        pub(super) safe fn runtime_gpu_add(stream: u64, out: u64, a: u64, b: u64, n: i64) -> i32;
        pub(super) safe fn runtime_gpu_softmax(stream: u64, out: u64, a: u64, m: i64, n: i64) -> i32;
        pub(super) safe fn runtime_gpu_layernorm(
            stream: u64,
            out: u64,
            a: u64,
            gamma: u64,
            beta: u64,
            m: i64,
            n: i64,
            epsilon: f32,
        ) -> i32;
        pub(super) safe fn runtime_gpu_gelu(stream: u64, out: u64, a: u64, n: i64) -> i32;
        pub(super) safe fn runtime_gpu_transpose(stream: u64, out: u64, a: u64, batch: i64, m: i64, n: i64) -> i32;
        pub(super) safe fn kina_module_pop() -> i32;
        pub(super) safe fn kina_last_error_message() -> *const c_char;
        pub(super) safe fn kina_last_error_help() -> *const c_char;
        pub(super) safe fn kina_last_error_span_path() -> *const c_char;

        pub(super) fn runtime_device_count(out: *mut i32) -> i32;
        pub(super) fn runtime_stream_create(out: *mut u64) -> i32;
        pub(super) fn runtime_event_record(stream: u64, out: *mut u64) -> i32;
        pub(super) fn runtime_tensor_alloc(
            dtype: i32,
            shape: *const i64,
            shape_len: usize,
            label: *const c_char,
            out: *mut u64,
        ) -> i32;
        pub(super) fn runtime_copy_h2d(dst: u64, bytes: *const u8, bytes_len: usize, stream: u64) -> i32;
        pub(super) fn runtime_copy_d2h(src: u64, bytes: *mut u8, bytes_len: usize, stream: u64) -> i32;
        pub(super) fn kina_module_push(id: *const u8) -> i32;
    }
}

/// A tensor of the runtime.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tensor(u64);

/// A stream of the runtime.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stream(u64);

/// A point in the work of a stream.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Event(u64);

/// What the runtime said about a call that failed.
#[derive(Debug)]
pub(crate) struct Failure {
    code: i32,
    message: String,
    path: String,
    help: String,
}

/// A result of the runtime.
pub(crate) type Result<T> = core::result::Result<T, Failure>;

impl Stream {
    /// The one that every program has.
    pub(crate) const DEFAULT: Self = Self(0);

    /// Another one.
    pub(crate) fn create() -> Result<Self> {
        // SAFETY: `value` gives a pointer that is writable for one `u64`.
        value(|out| unsafe { symbols::runtime_stream_create(out) }).map(Self)
    }

    /// Ends it after its work.
    pub(crate) fn destroy(self) -> Result<()> {
        done(symbols::runtime_stream_destroy(self.0))
    }

    /// Waits for its work.
    pub(crate) fn synchronize(self) -> Result<()> {
        done(symbols::runtime_stream_synchronize(self.0))
    }

    /// Marks this point of its work.
    pub(crate) fn record(self) -> Result<Event> {
        // SAFETY: `value` gives a pointer that is writable for one `u64`.
        value(|out| unsafe { symbols::runtime_event_record(self.0, out) }).map(Event)
    }

    /// Lets its further work wait.
    pub(crate) fn wait_for(self, event: Event) -> Result<()> {
        done(symbols::runtime_stream_wait_event(self.0, event.0))
    }
}

impl Tensor {
    /// Zeros of that shape.
    pub(crate) fn alloc(shape: &[usize], label: &CStr) -> Result<Self> {
        let shape: Vec<i64> = shape.iter().map(|&extent| extent as i64).collect();
        // SAFETY: shape and label live through the call, and `value` gives a pointer that is writable for one `u64`.
        value(|out| unsafe { symbols::runtime_tensor_alloc(F32, shape.as_ptr(), shape.len(), label.as_ptr(), out) })
            .map(Self)
    }

    /// Gives it back.
    pub(crate) fn free(self) -> Result<()> {
        done(symbols::runtime_tensor_free(self.0))
    }

    /// Sends numbers to it.
    pub(crate) fn upload(self, values: &[f32], stream: Stream) -> Result<()> {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
        // SAFETY: the buffer lives through the call, which copies it.
        done(unsafe { symbols::runtime_copy_h2d(self.0, bytes.as_ptr(), bytes.len(), stream.0) })
    }

    /// Waits for the stream and fetches `count` numbers.
    pub(crate) fn download(self, count: usize, stream: Stream) -> Result<Vec<f32>> {
        let mut bytes = vec![0; count * size_of::<f32>()];
        // SAFETY: the buffer lives through the call and is borrowed by nothing else.
        done(unsafe { symbols::runtime_copy_d2h(self.0, bytes.as_mut_ptr(), bytes.len(), stream.0) })?;
        Ok(bytes.as_chunks().0.iter().map(|chunk| f32::from_ne_bytes(*chunk)).collect())
    }
}

/// How many devices there are.
pub(crate) fn device_count() -> Result<i32> {
    // SAFETY: `value` gives a pointer that is writable for one `i32`.
    value(|out| unsafe { symbols::runtime_device_count(out) })
}

/// Waits for every stream.
pub(crate) fn device_synchronize() -> Result<()> {
    done(symbols::runtime_device_synchronize())
}

/// `out[batch, m, n] = a[batch, m, k] x b[batch, k, n]`.
pub(crate) fn matmul(out: Tensor, a: Tensor, b: Tensor, [batch, m, k, n]: [usize; 4]) -> Result<()> {
    done(symbols::runtime_gpu_matmul(out.0, a.0, b.0, batch as i64, m as i64, k as i64, n as i64, F32))
}

/// `out = a + b`.
pub(crate) fn add(out: Tensor, a: Tensor, b: Tensor, n: usize) -> Result<()> {
    done(symbols::runtime_gpu_add(Stream::DEFAULT.0, out.0, a.0, b.0, n as i64))
}

/// Rows that sum to one.
pub(crate) fn softmax(out: Tensor, a: Tensor, [m, n]: [usize; 2]) -> Result<()> {
    done(symbols::runtime_gpu_softmax(Stream::DEFAULT.0, out.0, a.0, m as i64, n as i64))
}

/// Rows with mean 0 and variance 1, then `gamma` and `beta`.
pub(crate) fn layernorm(
    out: Tensor,
    a: Tensor,
    gamma: Tensor,
    beta: Tensor,
    [m, n]: [usize; 2],
    epsilon: f32,
) -> Result<()> {
    let (m, n) = (m as i64, n as i64);
    done(symbols::runtime_gpu_layernorm(Stream::DEFAULT.0, out.0, a.0, gamma.0, beta.0, m, n, epsilon))
}

/// Gaussian error linear unit.
pub(crate) fn gelu(out: Tensor, a: Tensor, n: usize) -> Result<()> {
    done(symbols::runtime_gpu_gelu(Stream::DEFAULT.0, out.0, a.0, n as i64))
}

/// Rows become columns, in each block of the batch.
pub(crate) fn transpose(out: Tensor, a: Tensor, [batch, m, n]: [usize; 3]) -> Result<()> {
    done(symbols::runtime_gpu_transpose(Stream::DEFAULT.0, out.0, a.0, batch as i64, m as i64, n as i64))
}

/// What runs inside belongs to that module.
pub(crate) fn in_module<R>(id: &[u8; 16], inside: impl FnOnce() -> Result<R>) -> Result<R> {
    // SAFETY: the 16 bytes live through the call, which copies them.
    done(unsafe { symbols::kina_module_push(id.as_ptr()) })?;
    let result = inside();
    // Ours was pushed above and everything inside pops its own.
    symbols::kina_module_pop();
    result
}

fn value<T: Default>(call: impl FnOnce(*mut T) -> i32) -> Result<T> {
    let mut out = T::default();
    done(call(&raw mut out)).map(|()| out)
}

fn done(code: i32) -> Result<()> {
    if code == 0 {
        return Ok(());
    }
    Err(Failure {
        code,
        message: text(symbols::kina_last_error_message()),
        path: text(symbols::kina_last_error_span_path()),
        help: text(symbols::kina_last_error_help()),
    })
}

fn text(of: *const c_char) -> String {
    // SAFETY: the runtime promises texts that are never null and live until this thread's next failing call.
    unsafe { CStr::from_ptr(of) }.to_string_lossy().into_owned()
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (code {})", self.message, self.code)?;
        if !self.path.is_empty() {
            write!(f, "\n  = trace context: {}", self.path)?;
        }
        if self.help.is_empty() { Ok(()) } else { write!(f, "\n  = help: {}", self.help) }
    }
}

impl std::error::Error for Failure {}
