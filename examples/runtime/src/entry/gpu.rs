//! The kernels' entry points: each checks, launches and returns.

use kina_observ::ffi::check_enum;
use kina_observ::ffi::{Handle, dim};
use kina_observ::ffi_span;

use crate::dtype::DType;
use crate::error::{DriverError, LaunchError};
use crate::fault;
use crate::launch::{Number, Operand, elements, launch};
use crate::stream::{Stream, worker};
use crate::tensor::Tensor;

/// What a launch answers: done, an answer of the operation, or a failure of the device.
type Launched = Result<Result<(), LaunchError>, DriverError>;

/// `out[batch, m, n] = a[batch, m, k] x b[batch, k, n]`, on the default stream.
///
/// The signature is the specification's, so that this is form (ii); `dtype_code` must be f32.
#[ffi_span(returns = Launched)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_matmul(
    out: u64,
    a: u64,
    b: u64,
    batch: i64,
    m: i64,
    k: i64,
    n: i64,
    dtype_code: i32,
) -> i32 {
    fault::point("runtime_gpu_matmul");
    const KERNEL: &str = "matmul_f32";
    let [out, a, b] = [(out, "out"), (a, "a"), (b, "b")].map(|(raw, name)| Handle::<Tensor>::lookup(raw, name));
    let (out, a, b) = (out?, a?, b?);
    let (batch, m, k, n) = (dim(batch, "batch")?, dim(m, "m")?, dim(k, "k")?, dim(n, "n")?);
    let dtype = check_enum::<DType>(dtype_code, "dtype_code")?;
    if dtype != DType::F32 {
        return Ok(Err(LaunchError::UnsupportedDtype { name: "dtype_code", dtype: dtype.name(), kernel: KERNEL }));
    }
    let all = elements(&[batch, m, n]);
    let inputs = [Operand("a", a, elements(&[batch, m, k])), Operand("b", b, elements(&[batch, k, n]))];
    let numbers = [batch, m, k, n].map(Number::Size);
    launch(KERNEL, &worker(None)?, Operand("out", out, all), &inputs, &numbers, all)
}

/// `out = a + b`, `n` elements each.
#[ffi_span(export = "runtime_gpu_add")]
pub fn gpu_add(
    stream: Option<Handle<Stream>>,
    out: Handle<Tensor>,
    a: Handle<Tensor>,
    b: Handle<Tensor>,
    n: i64,
) -> Result<Result<(), LaunchError>, DriverError> {
    fault::point("runtime_gpu_add");
    let n = dim(n, "n")?;
    let inputs = [Operand("a", a, n), Operand("b", b, n)];
    launch("add_f32", &worker(stream.as_ref())?, Operand("out", out, n), &inputs, &[Number::Size(n)], n)
}

/// Each of `m` rows of `n` becomes positive and sums to one.
#[ffi_span(export = "runtime_gpu_softmax")]
pub fn gpu_softmax(
    stream: Option<Handle<Stream>>,
    out: Handle<Tensor>,
    a: Handle<Tensor>,
    m: i64,
    n: i64,
) -> Result<Result<(), LaunchError>, DriverError> {
    fault::point("runtime_gpu_softmax");
    let (m, n) = (dim(m, "m")?, dim(n, "n")?);
    let all = elements(&[m, n]);
    let numbers = [m, n].map(Number::Size);
    let (out, a) = (Operand("out", out, all), Operand("a", a, all));
    launch("softmax_f32", &worker(stream.as_ref())?, out, &[a], &numbers, m)
}

/// Each of `m` rows of `n` gets mean 0 and variance 1, then `gamma` and `beta`, which have `n` elements.
#[ffi_span(export = "runtime_gpu_layernorm")]
pub fn gpu_layernorm(
    stream: Option<Handle<Stream>>,
    out: Handle<Tensor>,
    a: Handle<Tensor>,
    gamma: Handle<Tensor>,
    beta: Handle<Tensor>,
    m: i64,
    n: i64,
    epsilon: f32,
) -> Result<Result<(), LaunchError>, DriverError> {
    fault::point("runtime_gpu_layernorm");
    let (m, n) = (dim(m, "m")?, dim(n, "n")?);
    let all = elements(&[m, n]);
    let inputs = [Operand("a", a, all), Operand("gamma", gamma, n), Operand("beta", beta, n)];
    let numbers = [Number::Size(m), Number::Size(n), Number::Float(epsilon)];
    launch("layernorm_f32", &worker(stream.as_ref())?, Operand("out", out, all), &inputs, &numbers, m)
}

/// Gaussian error linear unit of `n` elements.
#[ffi_span(export = "runtime_gpu_gelu")]
pub fn gpu_gelu(
    stream: Option<Handle<Stream>>,
    out: Handle<Tensor>,
    a: Handle<Tensor>,
    n: i64,
) -> Result<Result<(), LaunchError>, DriverError> {
    fault::point("runtime_gpu_gelu");
    let n = dim(n, "n")?;
    let (out, a) = (Operand("out", out, n), Operand("a", a, n));
    launch("gelu_f32", &worker(stream.as_ref())?, out, &[a], &[Number::Size(n)], n)
}

/// `out[batch, n, m]` is `a[batch, m, n]` with rows and columns exchanged.
#[ffi_span(export = "runtime_gpu_transpose")]
pub fn gpu_transpose(
    stream: Option<Handle<Stream>>,
    out: Handle<Tensor>,
    a: Handle<Tensor>,
    batch: i64,
    m: i64,
    n: i64,
) -> Result<Result<(), LaunchError>, DriverError> {
    fault::point("runtime_gpu_transpose");
    let (batch, m, n) = (dim(batch, "batch")?, dim(m, "m")?, dim(n, "n")?);
    let all = elements(&[batch, m, n]);
    let numbers = [batch, m, n].map(Number::Size);
    let (out, a) = (Operand("out", out, all), Operand("a", a, all));
    launch("transpose_f32", &worker(stream.as_ref())?, out, &[a], &numbers, all)
}
