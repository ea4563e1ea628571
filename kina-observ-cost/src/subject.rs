//! The functions that are measured: one body each, behind our boundary, our span, or `#[tracing::instrument]`.

use std::error::Error;
use std::fmt;
use std::hint::black_box;
use std::mem::MaybeUninit;

use kina_observ::__private as p;
use kina_observ::{FfiError, ffi_span};

use crate::names::{Case, Failing, Variant};

/// Two arguments, both of them attributes.
type Two = extern "C" fn(i64, i64) -> i32;
/// Eight arguments, five of them attributes; one is written through.
type Eight = extern "C" fn(Option<&mut MaybeUninit<u64>>, u64, u64, i64, i64, i64, i64, i32) -> i32;
/// A `Result` inside a `Result`.
type Nested = extern "C" fn(Option<&mut MaybeUninit<u64>>, i64, i64) -> i32;

/// What is measured.
#[derive(Clone, Copy)]
pub(crate) enum Subject {
    Two(Two),
    Eight(Eight),
    Failing(Failing),
}

impl Subject {
    /// Off, filtered and basic are one function: the gate and the filter decide.
    pub(crate) fn choose(variant: Variant, case: Case) -> Result<Self, Box<dyn Error>> {
        match (variant, case) {
            (Variant::Bare, Case::Two) => Ok(Self::Two(bare_2)),
            (Variant::Bare, Case::Eight) => Ok(Self::Eight(bare_8)),
            (Variant::Tracing, Case::Two) => Ok(Self::Two(tracing_2)),
            (Variant::Tracing, Case::Eight) => Ok(Self::Eight(tracing_8)),
            (Variant::Bare | Variant::Tracing, Case::Fails(_)) => Err("only our own functions are made to fail".into()),
            (_, Case::Two) => Ok(Self::Two(cost_span_2)),
            (_, Case::Eight) => Ok(Self::Eight(cost_span_8)),
            (_, Case::Fails(failing)) => Ok(Self::Failing(failing)),
        }
    }

    /// One call that callgrind does not count. `false`: it returned another code than it should.
    pub(crate) fn call(self) -> bool {
        match self {
            Self::Two(function) => call_2(function) == 0,
            Self::Eight(function) => call_8(function) == 0,
            Self::Failing(failing) => failing.call() == failing.code(),
        }
    }

    /// Calls that callgrind counts. Gives back how many returned another code than they should.
    pub(crate) fn batch(self, calls: u32) -> u32 {
        match self {
            Self::Two(function) => cost_batch_2(function, calls),
            Self::Eight(function) => cost_batch_8(function, calls),
            Self::Failing(failing) => cost_batch_failing(failing, calls),
        }
    }
}

/// The name is what callgrind looks for.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn cost_batch_2(function: Two, calls: u32) -> u32 {
    (0..calls).map(|_| u32::from(call_2(function) != 0)).sum()
}

/// The name is what callgrind looks for.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn cost_batch_8(function: Eight, calls: u32) -> u32 {
    (0..calls).map(|_| u32::from(call_8(function) != 0)).sum()
}

/// The name is what callgrind looks for.
#[unsafe(no_mangle)]
#[inline(never)]
fn cost_batch_failing(failing: Failing, calls: u32) -> u32 {
    (0..calls).map(|_| u32::from(failing.call() != failing.code())).sum()
}

#[inline(always)]
fn call_2(function: Two) -> i32 {
    black_box(function)(64, 32)
}

#[inline(always)]
fn call_8(function: Eight) -> i32 {
    let mut out = MaybeUninit::uninit();
    black_box(function)(Some(&mut out), 1, 2, 1, 64, 32, 16, 3)
}

impl Failing {
    #[inline(always)]
    fn call(self) -> i32 {
        let mut out = MaybeUninit::uninit();
        match self {
            Self::Rejected => black_box(cost_span_8 as Eight)(None, 1, 2, 1, 64, 32, 16, 3),
            Self::Error => black_box(cost_span_8 as Eight)(Some(&mut out), 1, 2, -1, 64, 32, 16, 3),
            Self::Inner => black_box(cost_span_nested as Nested)(Some(&mut out), -1, 32),
            Self::Panic => black_box(cost_span_2 as Two)(i64::MAX, 2),
        }
    }

    /// What the call returns.
    fn code(self) -> i32 {
        match self {
            Self::Rejected => -2,
            Self::Error | Self::Inner => 101,
            Self::Panic => -1,
        }
    }
}

/// A body that can panic: of one that cannot, the compiler would leave out the boundary.
#[inline(always)]
fn rows(m: i64, n: i64) -> i32 {
    assert!(m.checked_mul(n).is_some(), "m * n overflows");
    0
}

/// A body with an inner error.
#[inline(always)]
fn product(a: u64, b: u64, batch: i64, m: i64, k: i64, n: i64, dtype_code: i32) -> Result<u64, TooLarge> {
    assert!(a != b && dtype_code == 3, "two distinct f32 tensors are expected");
    let size = batch.wrapping_mul(m).wrapping_mul(k).wrapping_mul(n);
    u64::try_from(size).map_err(|_| TooLarge)
}

#[derive(Debug, FfiError)]
#[ffi_error(code = 101, help = "make the tensors smaller")]
struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the product does not fit")
    }
}

#[ffi_span(runtime.gpu.softmax)]
#[unsafe(no_mangle)]
extern "C" fn cost_span_2(m: i64, n: i64) -> i32 {
    rows(m, n)
}

#[ffi_span(runtime.gpu.matmul, returns = Result<u64, TooLarge>, out = out)]
#[unsafe(no_mangle)]
extern "C" fn cost_span_8(
    out: Option<&mut MaybeUninit<u64>>,
    a: u64,
    b: u64,
    batch: i64,
    m: i64,
    k: i64,
    n: i64,
    dtype_code: i32,
) -> i32 {
    product(a, b, batch, m, k, n, dtype_code)
}

#[ffi_span(runtime.gpu.softmax, returns = Result<Result<u64, TooLarge>, TooLarge>, out = out)]
#[unsafe(no_mangle)]
extern "C" fn cost_span_nested(out: Option<&mut MaybeUninit<u64>>, m: i64, n: i64) -> i32 {
    Ok(product(1, 2, 1, m, 1, n, 3))
}

/// What the sites of the functions without a span say.
static BARE: p::Site = p::Site::new(&p::Facts {
    span_type: "cost.bare",
    name: "cost.bare",
    kind: p::SpanKind::Internal,
    severity: p::Severity::Info,
    level: p::Level::Basic,
    symbol: "bare",
    module: module_path!(),
    file: file!(),
    line: line!(),
    start: &[],
    late: &[],
    code_key: None,
    device: None,
    inner_event: false,
    nvtx: Some(""),
});

/// The boundary of `cost_span_2`.
#[inline(always)]
fn boundary_2(m: i64, n: i64) -> i32 {
    p::boundary(&BARE, move || {
        let code = p::call_once(move || rows(m, n));
        p::note_code(&BARE, code)
    })
}

/// The boundary of `cost_span_8`.
#[inline(always)]
fn boundary_8(
    out: Option<&mut MaybeUninit<u64>>,
    a: u64,
    b: u64,
    batch: i64,
    m: i64,
    k: i64,
    n: i64,
    dtype_code: i32,
) -> i32 {
    p::boundary(&BARE, move || {
        let out = match p::check_out_opt(out, "out") {
            Ok(out) => out,
            Err(fault) => return p::reject(&BARE, fault),
        };
        let result: Result<u64, TooLarge> = p::call_once(move || product(a, b, batch, m, k, n, dtype_code));
        p::deliver(&BARE, result, out)
    })
}

/// No gate, no span.
extern "C" fn bare_2(m: i64, n: i64) -> i32 {
    boundary_2(m, n)
}

/// No gate, no span.
extern "C" fn bare_8(
    out: Option<&mut MaybeUninit<u64>>,
    a: u64,
    b: u64,
    batch: i64,
    m: i64,
    k: i64,
    n: i64,
    dtype_code: i32,
) -> i32 {
    boundary_8(out, a, b, batch, m, k, n, dtype_code)
}

/// Tracing's span; nobody has installed a subscriber.
#[tracing::instrument(skip_all, fields(m = m, n = n))]
extern "C" fn tracing_2(m: i64, n: i64) -> i32 {
    boundary_2(m, n)
}

/// Tracing's span; nobody has installed a subscriber.
#[tracing::instrument(skip_all, fields(batch = batch, m = m, k = k, n = n, dtype = dtype_code))]
extern "C" fn tracing_8(
    out: Option<&mut MaybeUninit<u64>>,
    a: u64,
    b: u64,
    batch: i64,
    m: i64,
    k: i64,
    n: i64,
    dtype_code: i32,
) -> i32 {
    boundary_8(out, a, b, batch, m, k, n, dtype_code)
}
