//! The pre-norm transformer block, as calls of the runtime.

use core::ffi::CStr;

use kina_observ::span;

use crate::runtime::{self, Result, Stream, Tensor};
use crate::weights::{Dimensions, EPSILON, Weights};

/// The block on the device: its weights, and room for what lies between.
#[derive(Debug)]
pub(crate) struct Block {
    dimensions: Dimensions,
    room: Room,
    parameters: Parameters,
    /// Tokens, and every other result that is `[sequence, width]`.
    input: Tensor,
    normal: Tensor,
    middle: Tensor,
    output: Tensor,
    projected: Tensor,
    turned: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    /// `[heads, sequence, sequence]`.
    scores: Tensor,
    shares: Tensor,
    /// `[sequence, hidden]`.
    up: Tensor,
    active: Tensor,
}

#[derive(Debug)]
struct Parameters {
    gamma1: Tensor,
    beta1: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    output: Tensor,
    gamma2: Tensor,
    beta2: Tensor,
    up: Tensor,
    down: Tensor,
}

/// Everything that has to be given back.
#[derive(Debug)]
struct Room {
    // Uploads run beside the default stream, as they would beside a GPU's kernels.
    uploads: Stream,
    tensors: Vec<Tensor>,
}

impl Room {
    fn tensor(&mut self, label: &CStr, shape: &[usize]) -> Result<Tensor> {
        let tensor = Tensor::alloc(shape, label)?;
        self.tensors.push(tensor);
        Ok(tensor)
    }

    fn parameter(&mut self, label: &CStr, values: &[f32], shape: &[usize]) -> Result<Tensor> {
        let tensor = self.tensor(label, shape)?;
        tensor.upload(values, self.uploads)?;
        Ok(tensor)
    }
}

/// Allocates the tensors and uploads the weights.
#[span("transformer.load")]
pub(crate) fn load(weights: &Weights, dimensions: Dimensions) -> Result<Block> {
    // Asks as a program that can choose would.
    runtime::device_count()?;
    let mut room = Room { uploads: Stream::create()?, tensors: Vec::new() };
    let Dimensions { width, heads, sequence } = dimensions;
    let hidden = dimensions.hidden();
    let (tokens, square) = ([sequence, width], [width, width]);
    let parameters = Parameters {
        gamma1: room.parameter(c"gamma1", &weights.gamma1, &[width])?,
        beta1: room.parameter(c"beta1", &weights.beta1, &[width])?,
        query: room.parameter(c"w_query", &weights.query, &square)?,
        key: room.parameter(c"w_key", &weights.key, &square)?,
        value: room.parameter(c"w_value", &weights.value, &square)?,
        output: room.parameter(c"w_output", &weights.output, &square)?,
        gamma2: room.parameter(c"gamma2", &weights.gamma2, &[width])?,
        beta2: room.parameter(c"beta2", &weights.beta2, &[width])?,
        up: room.parameter(c"w_up", &weights.up, &[width, hidden])?,
        down: room.parameter(c"w_down", &weights.down, &[hidden, width])?,
    };
    Ok(Block {
        dimensions,
        parameters,
        input: room.tensor(c"input", &tokens)?,
        normal: room.tensor(c"normal", &tokens)?,
        middle: room.tensor(c"middle", &tokens)?,
        output: room.tensor(c"output", &tokens)?,
        projected: room.tensor(c"projected", &tokens)?,
        turned: room.tensor(c"turned", &tokens)?,
        query: room.tensor(c"query", &tokens)?,
        key: room.tensor(c"key", &tokens)?,
        value: room.tensor(c"value", &tokens)?,
        scores: room.tensor(c"scores", &[heads, sequence, sequence])?,
        shares: room.tensor(c"shares", &[heads, sequence, sequence])?,
        up: room.tensor(c"up", &[sequence, hidden])?,
        active: room.tensor(c"active", &[sequence, hidden])?,
        room,
    })
}

/// One forward pass: input there, output back.
pub(crate) fn forward(block: &Block, input: &[f32]) -> Result<Vec<f32>> {
    let uploads = block.room.uploads;
    block.input.upload(input, uploads)?;
    // The kernels run on the default stream and must not start before the upload has ended.
    Stream::DEFAULT.wait_for(uploads.record()?)?;
    attention(block)?;
    mlp(block)?;
    Stream::DEFAULT.synchronize()?;
    block.output.download(input.len(), Stream::DEFAULT)
}

/// `middle = input + attention(layernorm(input))`. The runtime has no kernel that splits heads, so transposes do it:
/// `[sequence, width]` turned is `[heads, head, sequence]`, which is what the keys have to be already.
#[span("transformer.attention")]
fn attention(block: &Block) -> Result<()> {
    let Dimensions { width, heads, sequence } = block.dimensions;
    let head = block.dimensions.head();
    let Parameters { gamma1, beta1, query, key, value, output, .. } = block.parameters;
    runtime::layernorm(block.normal, block.input, gamma1, beta1, [sequence, width], EPSILON)?;
    for (projection, split) in [(query, block.query), (value, block.value)] {
        runtime::matmul(block.projected, block.normal, projection, [1, sequence, width, width])?;
        runtime::transpose(block.turned, block.projected, [1, sequence, width])?;
        runtime::transpose(split, block.turned, [heads, head, sequence])?;
    }
    runtime::matmul(block.projected, block.normal, key, [1, sequence, width, width])?;
    runtime::transpose(block.key, block.projected, [1, sequence, width])?;

    runtime::matmul(block.scores, block.query, block.key, [heads, sequence, head, sequence])?;
    runtime::softmax(block.shares, block.scores, [heads * sequence, sequence])?;
    runtime::matmul(block.projected, block.shares, block.value, [heads, sequence, sequence, head])?;

    runtime::transpose(block.turned, block.projected, [heads, sequence, head])?;
    runtime::transpose(block.normal, block.turned, [1, width, sequence])?;
    runtime::matmul(block.projected, block.normal, output, [1, sequence, width, width])?;
    runtime::add(block.middle, block.input, block.projected, sequence * width)
}

/// `output = middle + mlp(layernorm(middle))`.
#[span("transformer.mlp")]
fn mlp(block: &Block) -> Result<()> {
    let Dimensions { width, sequence, .. } = block.dimensions;
    let hidden = block.dimensions.hidden();
    let Parameters { gamma2, beta2, up, down, .. } = block.parameters;
    runtime::layernorm(block.normal, block.middle, gamma2, beta2, [sequence, width], EPSILON)?;
    runtime::matmul(block.up, block.normal, up, [1, sequence, width, hidden])?;
    runtime::gelu(block.active, block.up, sequence * hidden)?;
    runtime::matmul(block.projected, block.active, down, [1, sequence, hidden, width])?;
    runtime::add(block.output, block.middle, block.projected, sequence * width)
}

/// Gives everything back.
#[span("transformer.release")]
pub(crate) fn release(block: Block) -> Result<()> {
    runtime::device_synchronize()?;
    block.room.tensors.into_iter().try_for_each(Tensor::free)?;
    block.room.uploads.destroy()
}
