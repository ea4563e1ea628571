//! Dimensions and weights of the block: seeded, so that every run computes the same.

/// Dimensions of the block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dimensions {
    /// Width of a token.
    pub(crate) width: usize,
    /// Attention heads.
    pub(crate) heads: usize,
    /// Tokens.
    pub(crate) sequence: usize,
}

impl Dimensions {
    /// The block of the specification's benchmark.
    pub(crate) const DEFAULT: Self = Self { width: 256, heads: 4, sequence: 64 };

    /// Width of one head.
    pub(crate) fn head(&self) -> usize {
        self.width / self.heads
    }

    /// Width of the feed-forward part.
    pub(crate) fn hidden(&self) -> usize {
        4 * self.width
    }
}

/// Added to the variance before its root, as in GPT-2.
pub(crate) const EPSILON: f32 = 1e-5;

/// The parameters, row-major; a projection is `[in, out]`.
#[derive(Debug)]
pub(crate) struct Weights {
    /// Scale of the first normalisation.
    pub(crate) gamma1: Vec<f32>,
    /// Shift of the first normalisation.
    pub(crate) beta1: Vec<f32>,
    /// Queries. The attention's `1 / sqrt(head)` is part of it, so that no kernel has to scale.
    pub(crate) query: Vec<f32>,
    /// Keys.
    pub(crate) key: Vec<f32>,
    /// Values.
    pub(crate) value: Vec<f32>,
    /// Output projection of the attention.
    pub(crate) output: Vec<f32>,
    /// Scale of the second normalisation.
    pub(crate) gamma2: Vec<f32>,
    /// Shift of the second normalisation.
    pub(crate) beta2: Vec<f32>,
    /// First projection of the feed-forward part.
    pub(crate) up: Vec<f32>,
    /// Second projection of the feed-forward part.
    pub(crate) down: Vec<f32>,
}

impl Weights {
    /// Weights of the usual sizes.
    pub(crate) fn seeded(seed: u64, dimensions: &Dimensions) -> Self {
        let mut random = Random(seed | 1);
        let (width, hidden) = (dimensions.width, dimensions.hidden());
        let scale = 1.0 / (width as f32).sqrt();
        Self {
            gamma1: random.around(1.0, 0.1, width),
            beta1: random.around(0.0, 0.1, width),
            query: random.around(0.0, scale / (dimensions.head() as f32).sqrt(), width * width),
            key: random.around(0.0, scale, width * width),
            value: random.around(0.0, scale, width * width),
            output: random.around(0.0, scale, width * width),
            gamma2: random.around(1.0, 0.1, width),
            beta2: random.around(0.0, 0.1, width),
            up: random.around(0.0, scale, width * hidden),
            down: random.around(0.0, 1.0 / (hidden as f32).sqrt(), hidden * width),
        }
    }
}

/// Tokens to start from, other ones in each step.
pub(crate) fn input(step: u64, dimensions: &Dimensions) -> Vec<f32> {
    Random((step << 1) | 1).around(0.0, 1.0, dimensions.sequence * dimensions.width)
}

/// Marsaglia's xorshift64*: good enough for weights, and no dependency.
struct Random(u64);

impl Random {
    /// `count` numbers, evenly spread within `spread * sqrt(3)` of `middle`, so that `spread` is their deviation.
    fn around(&mut self, middle: f32, spread: f32, count: usize) -> Vec<f32> {
        let reach = spread * 3_f32.sqrt();
        (0..count).map(|_| middle + reach * (2.0 * self.unit() - 1.0)).collect()
    }

    fn unit(&mut self) -> f32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        // The upper bits are the good ones; 24 of them are what an f32 holds.
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 40) as f32 / (1 << 24) as f32
    }
}
