//! A tensor: a shape, an element type, and bytes that one kernel at a time writes.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use kina_observ::ffi::{self, HandleTable, Handled};

use crate::dtype::DType;
use crate::error::{DriverError, ShapeError};
use crate::memory::{Reservation, Storage};

/// What a tensor handle stands for.
#[derive(Debug)]
pub struct Tensor {
    number: u64,
    dtype: DType,
    elements: usize,
    label: String,
    storage: RwLock<Storage>,
    // Declared last: the bytes are gone before the count says so.
    reservation: Reservation,
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
        let reservation = Reservation::take(bytes)?;
        let storage = Storage::zeros(dtype, elements, &reservation)?;
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Ok(Ok(Self {
            number: NEXT.fetch_add(1, Relaxed),
            dtype,
            elements,
            label: label.to_owned(),
            storage: RwLock::new(storage),
            reservation,
        }))
    }

    /// Unique in the process: the order in which kernels lock.
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
        self.reservation.bytes()
    }

    /// The owner's name for it. Never recorded: it may be a text of the user's program.
    pub fn label(&self) -> &str {
        &self.label
    }

    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Storage> {
        // A kernel that panicked leaves numbers that are wrong, not memory that is; its stream reports it.
        self.storage.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, Storage> {
        self.storage.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Bytes that a shape asks for: 0 where no such tensor can be.
pub fn bytes_asked(dtype: DType, shape: &[i64]) -> usize {
    let extents = shape.iter().map(|&extent| usize::try_from(extent).ok());
    extents.chain([Some(dtype.size())]).try_fold(1_usize, |product, extent| product.checked_mul(extent?)).unwrap_or(0)
}
