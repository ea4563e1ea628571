//! Values that cross the boundary, and what a function's result becomes in C.

use core::ptr::NonNull;

use super::boundary::{self, Layer};
use super::error::FfiError;
use crate::site::Site;
use crate::value::EnumValue;

/// An enum that crosses as an `int32_t`; written by `#[derive(FfiEnum)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot cross the C boundary as an enum",
    label = "C may pass any integer here",
    note = "add `#[derive(kina_observ::FfiEnum)]` and `#[repr(i32)]` with explicit values, or take a number or a pointer"
)]
pub trait FfiEnum: Copy + 'static {
    /// Code and name of each value.
    const MEMBERS: &'static [(i32, &'static str)];

    /// `None` when no value has this code.
    fn from_code(code: i32) -> Option<Self>;

    /// The code.
    fn code(self) -> i32;
}

// A type that fits nothing is told about the trait that was asked for, not about enums.
#[diagnostic::do_not_recommend]
impl<T: FfiEnum> EnumValue for T {
    const MEMBERS: Option<&'static [(i32, &'static str)]> = Some(<T as FfiEnum>::MEMBERS);

    #[inline(always)]
    fn enumeration(&self) -> u64 {
        u64::from(self.code() as u32)
    }
}

/// What may be written through an out pointer: a type whose C form we know.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be handed to C through an out pointer",
    label = "C does not know this type",
    note = "return a number, a `bool`, a `Handle<T>` or a `#[derive(FfiEnum)]` type; for a `Result` behind an alias write `returns = Result<..>`"
)]
pub trait FfiValue {
    /// The type in C.
    type C: Copy;

    /// The value in C.
    fn into_c(self) -> Self::C;
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl FfiValue for $number {
            type C = $number;

            #[inline(always)]
            fn into_c(self) -> $number {
                self
            }
        }
    )*};
}
numbers!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64, bool, ());

/// A checked out pointer; written once, on success.
#[derive(Debug, Clone, Copy)]
pub struct Out<T>(Option<NonNull<T>>);

impl<T> Out<T> {
    /// Nothing to write to.
    pub(crate) const NONE: Self = Self(None);

    /// # Safety
    /// `pointer` is valid for one write of `T` for as long as the `Out` lives.
    pub(crate) unsafe fn new(pointer: NonNull<T>) -> Self {
        Self(Some(pointer))
    }

    #[inline(always)]
    fn write(self, value: T) {
        if let Some(pointer) = self.0 {
            // SAFETY: `new`'s caller promised that the pointer may be written to.
            unsafe { pointer.write(value) };
        }
    }
}

/// What a function behind the boundary may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a C entry point",
    label = "not a `Result`, a number or a handle",
    note = "return `Result<T, E>` or `Result<Result<T, E1>, E2>` with `E: FfiError`"
)]
pub trait FfiReturn {
    /// The type behind the out pointer.
    type C: Copy;

    /// Writes the value on success and returns the code.
    fn deliver(self, site: &'static Site, out: Out<Self::C>) -> i32;
}

impl<T: FfiValue> FfiReturn for T {
    type C = T::C;

    #[inline(always)]
    fn deliver(self, _: &'static Site, out: Out<T::C>) -> i32 {
        out.write(self.into_c());
        0
    }
}

impl<T: FfiValue, E: FfiError> FfiReturn for Result<T, E> {
    type C = T::C;

    #[inline(always)]
    fn deliver(self, site: &'static Site, out: Out<T::C>) -> i32 {
        deliver_result(site, self, out)
    }
}

impl<T: FfiValue, E1: FfiError, E2: FfiError> FfiReturn for Result<Result<T, E1>, E2> {
    type C = T::C;

    #[inline(always)]
    fn deliver(self, site: &'static Site, out: Out<T::C>) -> i32 {
        deliver_nested(site, self, out)
    }
}

// For a type whose parts a macro can name: what a part misses is then told at that part.

/// [`FfiReturn`] of a `Result`.
#[inline(always)]
pub fn deliver_result<T: FfiValue, E: FfiError>(site: &'static Site, result: Result<T, E>, out: Out<T::C>) -> i32 {
    match result {
        Ok(value) => value.deliver(site, out),
        Err(error) => boundary::failed(site, Layer::Outer, &error),
    }
}

/// [`FfiReturn`] of a `Result` inside a `Result`.
#[inline(always)]
pub fn deliver_nested<T: FfiValue, E1: FfiError, E2: FfiError>(
    site: &'static Site,
    result: Result<Result<T, E1>, E2>,
    out: Out<T::C>,
) -> i32 {
    match result {
        Ok(Ok(value)) => value.deliver(site, out),
        Ok(Err(error)) => boundary::failed(site, Layer::Inner, &error),
        Err(error) => boundary::failed(site, Layer::Outer, &error),
    }
}

/// Asks at compile time whether C knows a type as an enum: `<Coded<T>>::YES`.
#[derive(Debug)]
pub struct Coded<T>(core::marker::PhantomData<T>);

impl<T: FfiEnum> Coded<T> {
    /// An enum. The compiler prefers this to [`NotCoded`]'s where it can.
    pub const YES: bool = true;
}

/// The answer for every other type.
pub trait NotCoded {
    /// No enum.
    const YES: bool = false;
}

impl<T> NotCoded for Coded<T> {}
