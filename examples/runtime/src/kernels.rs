//! The kernels: plain loops over slices, and `matrixmultiply` for the one that matters.
//! Invariant: any lengths are fine, empty ones too; the launch has checked that they fit (`nothing_is_fine`).

use kina_observ::span;

/// Dimensions of one product: `m` rows, `k` in common, `n` columns.
#[derive(Debug, Clone, Copy)]
pub struct Product {
    /// Rows of the result.
    pub m: usize,
    /// Contracted dimension.
    pub k: usize,
    /// Columns of the result.
    pub n: usize,
}

/// `out[l] = a[l] x b[l]`, for every lane of the batch.
pub fn matmul(kernel: &'static str, out: &mut [f32], a: &[f32], b: &[f32], size: Product) {
    let Product { m, k, n } = size;
    // An empty result may have dimensions whose product is beyond counting.
    if out.is_empty() {
        return;
    }
    for (index, lane) in out.chunks_exact_mut(m * n).enumerate() {
        let a = &a[index * m * k..][..m * k];
        let b = &b[index * k * n..][..k * n];
        multiply(kernel, index, lane, a, b, size);
    }
}

#[span("runtime.kernel.lane")]
fn multiply(kernel: &'static str, lane: usize, out: &mut [f32], a: &[f32], b: &[f32], size: Product) {
    let Product { m, k, n } = size;
    assert!(out.len() == m * n && a.len() == m * k && b.len() == k * n, "a lane of another size");
    // SAFETY: the three slices have exactly the sizes that the dimensions and the row-major strides reach, as asserted
    // above, and `out` is borrowed exclusively.
    unsafe {
        matrixmultiply::sgemm(
            m,
            k,
            n,
            1.0,
            a.as_ptr(),
            k as isize,
            1,
            b.as_ptr(),
            n as isize,
            1,
            0.0,
            out.as_mut_ptr(),
            n as isize,
            1,
        );
    }
}

/// `out = a + b`.
pub fn add(out: &mut [f32], a: &[f32], b: &[f32]) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = a + b;
    }
}

/// Gaussian error linear unit, in the tanh form that GPT-2 made common.
pub fn gelu(out: &mut [f32], a: &[f32]) {
    const SQRT_2_OVER_PI: f32 = 0.797_884_6;
    for (out, &x) in out.iter_mut().zip(a) {
        *out = 0.5 * x * (1.0 + (SQRT_2_OVER_PI * (x + 0.044_715 * x * x * x)).tanh());
    }
}

/// Each row of `n` becomes positive and sums to one.
pub fn softmax(out: &mut [f32], a: &[f32], n: usize) {
    if out.is_empty() {
        return;
    }
    for (out, row) in out.chunks_exact_mut(n).zip(a.chunks_exact(n)) {
        // The largest is subtracted, so that no exponential overflows.
        let largest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut sum = 0.0;
        for (out, value) in out.iter_mut().zip(row) {
            *out = (value - largest).exp();
            sum += *out;
        }
        out.iter_mut().for_each(|value| *value /= sum);
    }
}

/// Each row of `n` gets mean 0 and variance 1, then `gamma` and `beta`.
pub fn layernorm(out: &mut [f32], a: &[f32], gamma: &[f32], beta: &[f32], n: usize, epsilon: f32) {
    if out.is_empty() {
        return;
    }
    for (out, row) in out.chunks_exact_mut(n).zip(a.chunks_exact(n)) {
        let mean = row.iter().sum::<f32>() / n as f32;
        let variance = row.iter().map(|value| (value - mean) * (value - mean)).sum::<f32>() / n as f32;
        let scale = 1.0 / (variance + epsilon).sqrt();
        for (((out, value), gamma), beta) in out.iter_mut().zip(row).zip(gamma).zip(beta) {
            *out = (value - mean) * scale * gamma + beta;
        }
    }
}

/// Rows become columns, in each of the blocks of `m` times `n`.
pub fn transpose(out: &mut [f32], a: &[f32], m: usize, n: usize) {
    if out.is_empty() {
        return;
    }
    for (out, block) in out.chunks_exact_mut(m * n).zip(a.chunks_exact(m * n)) {
        for (column, out) in out.chunks_exact_mut(m).enumerate() {
            for (row, out) in out.iter_mut().enumerate() {
                *out = block[row * n + column];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check<const N: usize>(kernel: impl FnOnce(&mut [f32]), expected: [f32; N]) {
        let mut out = [f32::NAN; N];
        kernel(&mut out);
        for (got, want) in out.iter().zip(&expected) {
            assert!((got - want).abs() < 1e-6, "{out:?} is not {expected:?}");
        }
    }

    #[test]
    fn small_results_are_right() {
        let (a, b) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
        let size = Product { m: 2, k: 3, n: 2 };
        check(|out| matmul("t", out, &a, &b, size), [4.0, 5.0, 10.0, 11.0]);
        let lanes = Product { m: 1, k: 1, n: 1 };
        check(|out| matmul("t", out, &a, &a, lanes), [1.0, 4.0, 9.0, 16.0, 25.0, 36.0]);
        check(|out| matmul("t", out, &[], &[], Product { m: 1, k: 0, n: 2 }), [0.0, 0.0]);
        check(|out| add(out, &a, &b), [2.0, 2.0, 3.0, 5.0, 6.0, 7.0]);
        check(|out| gelu(out, &[0.0, 1.0, -1.0]), [0.0, 0.841_192, -0.158_808]);
        check(|out| softmax(out, &[0.0, 0.0, 1000.0, 1000.0], 2), [0.5; 4]);
        check(|out| layernorm(out, &[1.0, 3.0], &[1.0, 2.0], &[0.0, 1.0], 2, 0.0), [-1.0, 3.0]);
        check(|out| transpose(out, &a, 2, 3), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
        check(|out| transpose(out, &a, 1, 3), a);
    }

    #[test]
    fn nothing_is_fine() {
        let none = &mut [][..];
        for (m, k, n) in [(0, 0, 0), (0, 3, 0), (usize::MAX, 1, 0), (usize::MAX, 1, usize::MAX)] {
            matmul("t", none, &[], &[], Product { m, k, n });
            transpose(none, &[], m, n);
        }
        softmax(none, &[], 0);
        layernorm(none, &[], &[], &[], 0, 1e-5);
    }
}
