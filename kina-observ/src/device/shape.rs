//! What a launch is given: its shape, its arguments, and the traits by which `#[kernel]` finds them.

use std::sync::Arc;

use super::Stream;

/// The shape of a launch.
///
/// ```
/// use kina_observ::device::LaunchConfig;
///
/// let config = LaunchConfig::for_elements(1_000);
/// assert_eq!((config.grid, config.block), ([4, 1, 1], [256, 1, 1]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LaunchConfig {
    /// Blocks in each dimension.
    pub grid: [u32; 3],
    /// Threads of a block in each dimension.
    pub block: [u32; 3],
    /// Dynamic shared memory of a block, in bytes.
    pub shared_memory: u32,
}

impl LaunchConfig {
    /// One thread for each of `count` elements, in blocks of 256; at least one block.
    pub const fn for_elements(count: u32) -> Self {
        let blocks = count.div_ceil(256);
        Self { grid: [if blocks == 0 { 1 } else { blocks }, 1, 1], block: [256, 1, 1], shared_memory: 0 }
    }
}

/// A type that says how a kernel is launched: `#[kernel]` reads it from the parameter whose type is a `LaunchConfig`.
pub trait LaunchShape {
    /// Blocks in each dimension.
    fn grid(&self) -> [u32; 3];
    /// Threads of a block in each dimension.
    fn block(&self) -> [u32; 3];
    /// Dynamic shared memory of a block, in bytes.
    fn shared_memory(&self) -> u32;
}

impl LaunchShape for LaunchConfig {
    fn grid(&self) -> [u32; 3] {
        self.grid
    }

    fn block(&self) -> [u32; 3] {
        self.block
    }

    fn shared_memory(&self) -> u32 {
        self.shared_memory
    }
}

macro_rules! shape_through {
    ($($pointer:ty),*) => {$(
        impl<T: LaunchShape + ?Sized> LaunchShape for $pointer {
            fn grid(&self) -> [u32; 3] {
                (**self).grid()
            }

            fn block(&self) -> [u32; 3] {
                (**self).block()
            }

            fn shared_memory(&self) -> u32 {
                (**self).shared_memory()
            }
        }
    )*};
}
shape_through!(&T, &mut T, Arc<T>);

/// A type that has a stream: the attributes read it from the parameter whose type is a `Stream`, or one of your own.
pub trait OnStream {
    /// The stream.
    fn stream(&self) -> &Stream;
}

impl OnStream for Stream {
    fn stream(&self) -> &Stream {
        self
    }
}

impl<T: OnStream + ?Sized> OnStream for &T {
    fn stream(&self) -> &Stream {
        (**self).stream()
    }
}

impl<T: OnStream + ?Sized> OnStream for &mut T {
    fn stream(&self) -> &Stream {
        (**self).stream()
    }
}

impl<T: OnStream + ?Sized> OnStream for Arc<T> {
    fn stream(&self) -> &Stream {
        (**self).stream()
    }
}

/// An address on a device. It is a number to the host, which cannot read what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DevicePtr(u64);

impl DevicePtr {
    /// No address.
    pub const NULL: Self = Self(0);

    /// The address with this number.
    pub const fn new(address: u64) -> Self {
        Self(address)
    }

    /// The number.
    pub const fn as_u64(self) -> u64 {
        self.0
    }

    /// Whether it is no address.
    pub const fn is_null(self) -> bool {
        self.0 == 0
    }

    /// The address `bytes` further on.
    pub const fn offset(self, bytes: u64) -> Self {
        Self(self.0.wrapping_add(bytes))
    }
}

/// One argument of a kernel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Argument {
    /// An address on the device.
    Pointer(DevicePtr),
    /// A signed integer of 32 bits.
    I32(i32),
    /// A signed integer of 64 bits.
    I64(i64),
    /// An integer of 32 bits.
    U32(u32),
    /// An integer of 64 bits.
    U64(u64),
    /// A float of 32 bits.
    F32(f32),
    /// A float of 64 bits.
    F64(f64),
}

macro_rules! argument_from {
    ($($variant:ident($type:ty))*) => {$(
        impl From<$type> for Argument {
            fn from(value: $type) -> Self {
                Self::$variant(value)
            }
        }
    )*};
}
argument_from!(Pointer(DevicePtr) I32(i32) I64(i64) U32(u32) U64(u64) F32(f32) F64(f64));
