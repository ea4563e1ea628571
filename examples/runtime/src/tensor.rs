//! A tensor: a shape, an element type, and memory of the device that the streams share in their order.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use kina_observ::device::{DeviceError, DevicePtr};
use kina_observ::ffi::{self, HandleTable, Handled};

use crate::dtype::DType;
use crate::error::{DriverError, ShapeError};
use crate::memory::Block;
use crate::stream::Worker;

/// What a tensor handle stands for.
#[derive(Debug)]
pub struct Tensor {
    number: u64,
    dtype: DType,
    elements: usize,
    label: String,
    block: Block,
}

impl Handled for Tensor {
    const NAME: &'static str = "tensor";

    fn table() -> &'static HandleTable<Self> {
        static TABLE: HandleTable<Tensor> = HandleTable::new(1);
        &TABLE
    }
}

impl Tensor {
    /// Zeros of that shape.
    pub fn zeros(dtype: DType, shape: &[i64], label: &str) -> Result<Result<Self, ShapeError>, DriverError> {
        let mut elements = Some(1_usize);
        for &extent in shape {
            let extent = ffi::dim(extent, "shape")?;
            elements = elements.and_then(|product| product.checked_mul(extent));
        }
        let bytes = elements.and_then(|count| count.checked_mul(dtype.size()));
        let (Some(elements), Some(bytes)) = (elements, bytes) else {
            return Ok(Err(ShapeError::SizeOverflow));
        };
        let block = Block::zeros(bytes)?;
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Ok(Ok(Self { number: NEXT.fetch_add(1, Relaxed), dtype, elements, label: label.to_owned(), block }))
    }

    /// Unique in the process.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Type of the elements.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// How many elements.
    pub fn elements(&self) -> usize {
        self.elements
    }

    /// How many bytes.
    pub fn bytes(&self) -> usize {
        self.block.bytes()
    }

    /// The owner's name for it. Never recorded: it may be a text of the user's program.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Where it is, for what is enqueued on the worker's stream from now on.
    pub(crate) fn on(&self, worker: &Arc<Worker>) -> Result<DevicePtr, DeviceError> {
        self.block.on(worker)
    }
}

/// Bytes that a shape asks for: 0 where no such tensor can be.
pub fn bytes_asked(dtype: DType, shape: &[i64]) -> usize {
    let extents = shape.iter().map(|&extent| usize::try_from(extent).ok());
    extents.chain([Some(dtype.size())]).try_fold(1_usize, |product, extent| product.checked_mul(extent?)).unwrap_or(0)
}
