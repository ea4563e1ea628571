//! The kernels as the CPU runs them: each is a span on its stream's thread, whose parent is the call that launched it.
//! Invariant: a launch's call is looked up once, and nothing is kept for a launch that failed (`a_call_is_taken_once`).

use std::collections::BTreeMap;
use std::sync::{MutexGuard, PoisonError};

use kina_observ::device::{Device, DeviceError, KernelSource, cpu};
use kina_observ::memory::{AsyncMemoryResource, PoolConfig, PoolMemoryResource};
use kina_observ::{Context, span};

use crate::backend::{Opened, opened};
use crate::kernels::{self, Product};
use crate::memory::Memory;

/// The device, its memory, and where it finds the kernels.
pub(crate) fn open() -> (Device, Memory, KernelSource<'static>) {
    register("matmul_f32", |run| {
        let (batch, m, k, n) = (run.size(3)?, run.size(4)?, run.size(5)?, run.size(6)?);
        let (a, b) = (run.values(1, batch * m * k)?, run.values(2, batch * k * n)?);
        run.fill(batch * m * n, |out| kernels::matmul("matmul_f32", out, &a, &b, Product { m, k, n }))
    });
    register("add_f32", |run| {
        let n = run.size(3)?;
        let (a, b) = (run.values(1, n)?, run.values(2, n)?);
        run.fill(n, |out| kernels::add(out, &a, &b))
    });
    register("gelu_f32", |run| {
        let n = run.size(2)?;
        let a = run.values(1, n)?;
        run.fill(n, |out| kernels::gelu(out, &a))
    });
    register("softmax_f32", |run| {
        let (rows, n) = (run.size(2)?, run.size(3)?);
        let a = run.values(1, rows * n)?;
        run.fill(rows * n, |out| kernels::softmax(out, &a, n))
    });
    register("layernorm_f32", |run| {
        let (rows, n, epsilon) = (run.size(4)?, run.size(5)?, run.invocation.f32(7)?);
        let (a, gamma, beta) = (run.values(1, rows * n)?, run.values(2, n)?, run.values(3, n)?);
        run.fill(rows * n, |out| kernels::layernorm(out, &a, &gamma, &beta, n, epsilon))
    });
    register("transpose_f32", |run| {
        let (batch, m, n) = (run.size(2)?, run.size(3)?, run.size(4)?);
        let a = run.values(1, batch * m * n)?;
        run.fill(batch * m * n, |out| kernels::transpose(out, &a, m, n))
    });
    let device = Device::cpu();
    // It grows by what tensors need: a program with few of them should not hold a megabyte.
    let config = PoolConfig { initial: 1 << 16, least_growth: 1 << 16, limit: None };
    let memory = PoolMemoryResource::with_config(AsyncMemoryResource::new(&device), config);
    (device, Box::new(memory), KernelSource::Registered)
}

/// A kernel whose launch passes the number of its call, and then what `kernels.ptx` takes.
pub(crate) fn register(name: &'static str, run: fn(&Run<'_>) -> Result<(), DeviceError>) {
    cpu::register(name, move |invocation| {
        let number = invocation.u64(0)?;
        let call = opened().ok().and_then(|opened| take(opened, number)).unwrap_or_default();
        execute(name, call.stream, &call.context, || run(&Run { invocation }))
    });
}

#[span("runtime.kernel.execute", parent = context)]
fn execute(
    kernel: &'static str,
    stream_id: i64,
    context: &Context,
    work: impl FnOnce() -> Result<(), DeviceError>,
) -> Result<(), DeviceError> {
    work()
}

/// One run of a kernel. Operand 0 is the output; arguments are counted as in `kernels.ptx`.
pub(crate) struct Run<'a> {
    invocation: &'a cpu::Invocation<'a>,
}

impl Run<'_> {
    pub(crate) fn size(&self, index: usize) -> Result<usize, DeviceError> {
        Ok(self.invocation.u32(index + 1)? as usize)
    }

    pub(crate) fn values(&self, index: usize, count: usize) -> Result<Vec<f32>, DeviceError> {
        // What has no elements has no address either.
        if count == 0 { Ok(Vec::new()) } else { self.invocation.read_f32(self.invocation.pointer(index + 1)?, count) }
    }

    pub(crate) fn fill(&self, count: usize, kernel: impl FnOnce(&mut [f32])) -> Result<(), DeviceError> {
        let mut out = vec![0.0; count];
        kernel(&mut out);
        self.invocation.write_f32(self.invocation.pointer(1)?, &out)
    }
}

/// A launch under way, for the span of its run.
#[derive(Debug, Default)]
struct Call {
    context: Context,
    stream: i64,
}

/// The launches under way.
#[derive(Default)]
pub(crate) struct Calls {
    next: u64,
    under_way: BTreeMap<u64, Call>,
}

fn calls(opened: &Opened) -> MutexGuard<'_, Calls> {
    opened.calls.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number under which the kernel finds the call that we are in.
pub(crate) fn call(opened: &Opened, stream: i64) -> u64 {
    let mut calls = calls(opened);
    let number = calls.next;
    calls.next += 1;
    calls.under_way.insert(number, Call { context: Context::current(), stream });
    number
}

/// The launch failed, so that no kernel comes for its call.
pub(crate) fn forget(opened: &Opened, number: u64) {
    take(opened, number);
}

fn take(opened: &Opened, number: u64) -> Option<Call> {
    calls(opened).under_way.remove(&number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_taken_once() {
        let opened = opened().expect("the CPU is there");
        let (first, second) = (call(opened, 7), call(opened, 8));
        assert_eq!(take(opened, first).map(|call| call.stream), Some(7));
        assert!(take(opened, first).is_none());
        forget(opened, second);
        assert!(take(opened, second).is_none());
    }
}
