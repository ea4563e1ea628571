//! The kernels, as Rust functions. A grid that is too small leaves results unwritten, as it does on a device.

use std::time::Duration;

use crate::abi::Arguments;
use crate::codes::Code;
use crate::driver::driver;
use crate::memory::View;

/// What an argument is, in the order of `kernels.cu`.
#[derive(Clone, Copy)]
enum Parameter {
    Pointer,
    F32,
    U32,
    U64,
}

use Parameter::{F32, Pointer, U32, U64};

/// A kernel by its name.
pub(crate) struct Kernel {
    pub(crate) name: &'static str,
    parameters: &'static [Parameter],
    run: fn(&Work<'_>) -> Result<(), Code>,
}

const KERNELS: &[Kernel] = &[
    Kernel { name: "add_f32", parameters: &[Pointer, Pointer, Pointer, U32], run: add },
    Kernel { name: "axpy", parameters: &[Pointer, Pointer, F32, U32], run: axpy },
    Kernel { name: "gelu_f32", parameters: &[Pointer, Pointer, U32], run: gelu },
    Kernel { name: "layernorm_f32", parameters: &[Pointer, Pointer, Pointer, Pointer, U32, U32, F32], run: layernorm },
    Kernel { name: "matmul_f32", parameters: &[Pointer, Pointer, Pointer, U32, U32, U32, U32], run: matmul },
    Kernel { name: "sleep_ns", parameters: &[U64], run: sleep },
    Kernel { name: "softmax_f32", parameters: &[Pointer, Pointer, U32, U32], run: softmax },
    Kernel { name: "transpose_f32", parameters: &[Pointer, Pointer, U32, U32, U32], run: transpose },
];

pub(crate) fn find(name: &str) -> Option<&'static Kernel> {
    KERNELS.iter().find(|kernel| kernel.name == name)
}

impl Kernel {
    /// Copies the arguments, as a launch does before it returns.
    pub(crate) fn take(&self, arguments: &Arguments) -> Result<Vec<u64>, Code> {
        let parameters = self.parameters.iter().enumerate();
        parameters
            .map(|(index, parameter)| match parameter {
                Pointer | U64 => arguments.read::<u64>(index),
                F32 | U32 => arguments.read::<u32>(index).map(u64::from),
            })
            .collect()
    }

    /// Runs with `threads` threads of the device, over all blocks.
    pub(crate) fn run(&self, threads: u64, arguments: &[u64]) -> Result<(), Code> {
        (self.run)(&Work { threads: threads as usize, arguments })
    }
}

/// One launch, seen by the kernel.
struct Work<'a> {
    threads: usize,
    arguments: &'a [u64],
}

impl Work<'_> {
    fn floats(&self, index: usize, length: usize) -> Result<View, Code> {
        let address = self.arguments[index];
        if !address.is_multiple_of(4) {
            return Err(Code::ILLEGAL_ADDRESS);
        }
        driver().memory.view(address, length as u64 * 4)
    }

    fn size(&self, index: usize) -> usize {
        self.arguments[index] as u32 as usize
    }

    fn float(&self, index: usize) -> f32 {
        f32::from_bits(self.arguments[index] as u32)
    }
}

fn axpy(work: &Work<'_>) -> Result<(), Code> {
    let n = work.size(3);
    let (y, x, a) = (work.floats(0, n)?, work.floats(1, n)?, work.float(2));
    (0..n.min(work.threads)).for_each(|i| y.set_float(i, a.mul_add(x.float(i), y.float(i))));
    Ok(())
}

fn add(work: &Work<'_>) -> Result<(), Code> {
    let n = work.size(3);
    let (out, a, b) = (work.floats(0, n)?, work.floats(1, n)?, work.floats(2, n)?);
    (0..n.min(work.threads)).for_each(|i| out.set_float(i, a.float(i) + b.float(i)));
    Ok(())
}

fn gelu(work: &Work<'_>) -> Result<(), Code> {
    const SQRT_2_OVER_PI: f32 = 0.797_884_6;
    let n = work.size(2);
    let (out, a) = (work.floats(0, n)?, work.floats(1, n)?);
    for i in 0..n.min(work.threads) {
        let x = a.float(i);
        out.set_float(i, 0.5 * x * (1.0 + (SQRT_2_OVER_PI * (x + 0.044_715 * x * x * x)).tanh()));
    }
    Ok(())
}

fn softmax(work: &Work<'_>) -> Result<(), Code> {
    let (rows, n) = (work.size(2), work.size(3));
    let (out, a) = (work.floats(0, rows * n)?, work.floats(1, rows * n)?);
    for row in 0..rows.min(work.threads) {
        let row = row * n..(row + 1) * n;
        let largest = row.clone().map(|i| a.float(i)).fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.clone().map(|i| (a.float(i) - largest).exp()).sum();
        row.for_each(|i| out.set_float(i, (a.float(i) - largest).exp() / sum));
    }
    Ok(())
}

fn layernorm(work: &Work<'_>) -> Result<(), Code> {
    let (rows, n, epsilon) = (work.size(4), work.size(5), work.float(6));
    let (out, a) = (work.floats(0, rows * n)?, work.floats(1, rows * n)?);
    let (gamma, beta) = (work.floats(2, n)?, work.floats(3, n)?);
    for row in 0..rows.min(work.threads) {
        let values = || (0..n).map(|i| a.float(row * n + i));
        let mean = values().sum::<f32>() / n as f32;
        let variance = values().map(|value| (value - mean) * (value - mean)).sum::<f32>() / n as f32;
        let scale = 1.0 / (variance + epsilon).sqrt();
        for (i, value) in values().enumerate().collect::<Vec<_>>() {
            out.set_float(row * n + i, (value - mean) * scale * gamma.float(i) + beta.float(i));
        }
    }
    Ok(())
}

fn matmul(work: &Work<'_>) -> Result<(), Code> {
    let (batch, m, k, n) = (work.size(3), work.size(4), work.size(5), work.size(6));
    let out = work.floats(0, batch * m * n)?;
    let (a, b) = (work.floats(1, batch * m * k)?, work.floats(2, batch * k * n)?);
    for i in 0..(batch * m * n).min(work.threads) {
        let (lane, row, column) = (i / (m * n), i / n % m, i % n);
        let products = (0..k).map(|j| a.float((lane * m + row) * k + j) * b.float((lane * k + j) * n + column));
        out.set_float(i, products.sum());
    }
    Ok(())
}

fn transpose(work: &Work<'_>) -> Result<(), Code> {
    let (batch, m, n) = (work.size(2), work.size(3), work.size(4));
    let (out, a) = (work.floats(0, batch * m * n)?, work.floats(1, batch * m * n)?);
    for i in 0..(batch * m * n).min(work.threads) {
        let (lane, row, column) = (i / (m * n), i / n % m, i % n);
        out.set_float((lane * n + column) * m + row, a.float(i));
    }
    Ok(())
}

/// Takes its time and none of the processor's, so that four streams do not slow each other down.
fn sleep(work: &Work<'_>) -> Result<(), Code> {
    std::thread::sleep(Duration::from_nanos(work.arguments[0]));
    Ok(())
}
