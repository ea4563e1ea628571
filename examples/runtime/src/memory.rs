//! The device's memory: a count with a limit, and the bytes of a tensor.
//! Invariant: what a tensor took it gives back, once (`a_reservation_is_given_back_once_and_the_limit_holds`).

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::dtype::DType;
use crate::error::DriverError;

/// Without `KINA_RUNTIME_MEMORY_LIMIT`: less than a small machine has, so that a wrong shape is an error and not a swap storm.
const DEFAULT_LIMIT: usize = 4 << 30;

static USED: AtomicUsize = AtomicUsize::new(0);

/// Bytes that are taken; dropping it gives them back.
#[derive(Debug)]
pub struct Reservation(usize);

/// The elements of a tensor.
#[derive(Debug)]
pub enum Storage {
    /// The type that the kernels compute with.
    F32(Vec<f32>),
    /// Any other type: carried, not interpreted.
    Bytes(Vec<u8>),
}

impl Reservation {
    /// Takes `bytes`, if the limit allows it.
    pub fn take(bytes: usize) -> Result<Self, DriverError> {
        Self::take_below(bytes, limit()?)
    }

    fn take_below(bytes: usize, limit: usize) -> Result<Self, DriverError> {
        let fits = |used: usize| used.checked_add(bytes).filter(|&sum| sum <= limit);
        match USED.fetch_update(Relaxed, Relaxed, fits) {
            Ok(_) => Ok(Self(bytes)),
            Err(used) => Err(DriverError::OutOfMemory { requested: bytes, used, limit }),
        }
    }

    /// How many.
    pub fn bytes(&self) -> usize {
        self.0
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        USED.fetch_sub(self.0, Relaxed);
    }
}

impl Storage {
    /// Zeros, or out of memory where `vec![0; n]` would end the process.
    pub fn zeros(dtype: DType, elements: usize, reservation: &Reservation) -> Result<Self, DriverError> {
        let refused = |_| refused(reservation.bytes());
        if dtype == DType::F32 {
            Ok(Self::F32(filled(elements, 0.0).map_err(refused)?))
        } else {
            Ok(Self::Bytes(filled(reservation.bytes(), 0).map_err(refused)?))
        }
    }

    /// The numbers of an f32 tensor; no other type has any.
    pub fn values(&self) -> &[f32] {
        match self {
            Self::F32(values) => values,
            Self::Bytes(_) => &[],
        }
    }

    /// The same, to write.
    pub fn values_mut(&mut self) -> &mut [f32] {
        match self {
            Self::F32(values) => values,
            Self::Bytes(_) => &mut [],
        }
    }

    /// Takes the bytes of a buffer of the same size.
    pub fn write(&mut self, bytes: &[u8]) {
        match self {
            Self::F32(values) => {
                for (value, chunk) in values.iter_mut().zip(bytes.as_chunks().0) {
                    *value = f32::from_ne_bytes(*chunk);
                }
            }
            Self::Bytes(held) => {
                for (to, from) in held.iter_mut().zip(bytes) {
                    *to = *from;
                }
            }
        }
    }

    /// Gives the bytes to a buffer of the same size.
    pub fn read(&self, bytes: &mut [u8]) {
        match self {
            Self::F32(values) => {
                for (value, chunk) in values.iter().zip(bytes.as_chunks_mut().0) {
                    *chunk = value.to_ne_bytes();
                }
            }
            Self::Bytes(held) => {
                for (from, to) in held.iter().zip(bytes) {
                    *to = *from;
                }
            }
        }
    }
}

/// A buffer for bytes on their way from a stream to the host.
pub fn staging(bytes: usize) -> Result<Vec<u8>, DriverError> {
    filled(bytes, 0).map_err(|_| refused(bytes))
}

/// A buffer for bytes on their way from the host to a stream.
pub fn copy_of(bytes: &[u8]) -> Result<Vec<u8>, DriverError> {
    let mut copy = Vec::new();
    copy.try_reserve_exact(bytes.len()).map_err(|_| refused(bytes.len()))?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}

fn refused(requested: usize) -> DriverError {
    DriverError::OutOfMemory { requested, used: USED.load(Relaxed), limit: limit().unwrap_or(DEFAULT_LIMIT) }
}

fn filled<T: Clone>(length: usize, value: T) -> Result<Vec<T>, std::collections::TryReserveError> {
    let mut values = Vec::new();
    values.try_reserve_exact(length)?;
    values.resize(length, value);
    Ok(values)
}

fn limit() -> Result<usize, DriverError> {
    static LIMIT: OnceLock<Option<usize>> = OnceLock::new();
    LIMIT
        .get_or_init(|| match std::env::var_os("KINA_RUNTIME_MEMORY_LIMIT") {
            None => Some(DEFAULT_LIMIT),
            Some(text) => text.to_str()?.trim().parse().ok(),
        })
        .ok_or(DriverError::InvalidMemoryLimit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reservation_is_given_back_once_and_the_limit_holds() {
        // Room for one of them beside what other tests hold, never for two.
        let limit = (2 << 40) - 1;
        let first = Reservation::take_below(1 << 40, limit).expect("fits");
        let second = Reservation::take_below(1 << 40, limit);
        assert!(matches!(second, Err(DriverError::OutOfMemory { requested, .. }) if requested == 1 << 40));
        assert!(Reservation::take_below(usize::MAX, usize::MAX).is_err(), "no overflow");
        drop(first);
        drop(Reservation::take_below(1 << 39, limit).expect("fits again"));
    }

    #[test]
    fn bytes_come_back_as_they_went() {
        for dtype in [DType::F32, DType::I64, DType::F16] {
            let taken = Reservation::take(16).expect("fits");
            let mut storage = Storage::zeros(dtype, 16 / dtype.size(), &taken).expect("fits");
            let sent: Vec<u8> = (1..=16).collect();
            storage.write(&sent);
            let mut got = [0; 16];
            storage.read(&mut got);
            assert_eq!(sent, got, "{dtype:?}");
        }
    }
}
