//! The same block as scalar loops in f64: what the runtime's result is held against.

use crate::weights::{Dimensions, EPSILON, Weights};

/// The block's output for an input of `[sequence, width]`.
pub(crate) fn forward(weights: &Weights, input: &[f32], dimensions: &Dimensions) -> Vec<f64> {
    let (width, hidden) = (dimensions.width, dimensions.hidden());
    let input: Vec<f64> = input.iter().map(|&value| f64::from(value)).collect();
    let attended = attention(weights, &normalised(&input, &weights.gamma1, &weights.beta1), dimensions);
    let middle = sum(&input, &product(&attended, &weights.output, width, width));
    let mut inner = product(&normalised(&middle, &weights.gamma2, &weights.beta2), &weights.up, width, hidden);
    inner.iter_mut().for_each(|value| *value = gelu(*value));
    sum(&middle, &product(&inner, &weights.down, hidden, width))
}

/// The largest distance between a result and the reference; not a number is infinitely far.
pub(crate) fn largest_error(got: &[f32], expected: &[f64]) -> f64 {
    let distance = |(got, want): (&f32, &f64)| (f64::from(*got) - want).abs();
    let worse = |worst: f64, next: f64| if next.is_nan() { f64::INFINITY } else { worst.max(next) };
    if got.len() == expected.len() { got.iter().zip(expected).map(distance).fold(0.0, worse) } else { f64::INFINITY }
}

fn attention(weights: &Weights, tokens: &[f64], dimensions: &Dimensions) -> Vec<f64> {
    let Dimensions { width, heads, sequence } = *dimensions;
    let head = dimensions.head();
    let [query, key, value] =
        [&weights.query, &weights.key, &weights.value].map(|by| product(tokens, by, width, width));
    let mut out = vec![0.0; sequence * width];
    for first in (0..heads).map(|index| index * head) {
        for row in 0..sequence {
            let dot = |other: usize| -> f64 {
                (first..first + head).map(|column| query[row * width + column] * key[other * width + column]).sum()
            };
            let scores: Vec<f64> = (0..sequence).map(dot).collect();
            let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let total: f64 = scores.iter().map(|score| (score - largest).exp()).sum();
            for (other, score) in scores.iter().enumerate() {
                let share = (score - largest).exp() / total;
                for column in first..first + head {
                    out[row * width + column] += share * value[other * width + column];
                }
            }
        }
    }
    out
}

fn normalised(tokens: &[f64], gamma: &[f32], beta: &[f32]) -> Vec<f64> {
    let width = gamma.len();
    let mut out = Vec::with_capacity(tokens.len());
    for token in tokens.chunks(width) {
        let mean = token.iter().sum::<f64>() / width as f64;
        let variance = token.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / width as f64;
        let deviation = (variance + f64::from(EPSILON)).sqrt();
        out.extend(
            token
                .iter()
                .zip(gamma)
                .zip(beta)
                .map(|((value, gamma), beta)| (value - mean) / deviation * f64::from(*gamma) + f64::from(*beta)),
        );
    }
    out
}

fn product(left: &[f64], right: &[f32], inner: usize, columns: usize) -> Vec<f64> {
    let mut out = vec![0.0; left.len() / inner * columns];
    for (out, row) in out.chunks_mut(columns).zip(left.chunks(inner)) {
        for (value, right) in row.iter().zip(right.chunks(columns)) {
            for (out, right) in out.iter_mut().zip(right) {
                *out += value * f64::from(*right);
            }
        }
    }
    out
}

fn sum(left: &[f64], right: &[f64]) -> Vec<f64> {
    left.iter().zip(right).map(|(left, right)| left + right).collect()
}

fn gelu(x: f64) -> f64 {
    0.5 * x * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044_715 * x.powi(3))).tanh())
}
