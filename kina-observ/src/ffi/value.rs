//! Values that cross the boundary, and what a function's result becomes in C.

use core::ptr::NonNull;

use super::boundary;
use super::error::FfiError;
use super::last_error::Layer;
pub use crate::listed::FfiEnum;
use crate::site::Site;

/// What may be written through an out pointer: a type whose C form we know.
///
/// Nobody implements it by hand: numbers, `bool`, raw pointers and [`Handle`](super::Handle) have it, and so has what is derived
/// with [`FfiEnum`](macro@crate::FfiEnum) or [`FfiStruct`](macro@crate::FfiStruct).
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be handed to C through an out pointer",
    label = "C does not know this type",
    note = "return a number, a `bool`, a `Handle<T>`, a raw pointer, or a type with `#[derive(FfiEnum)]` or `#[derive(FfiStruct)]`; for a `Result` behind an alias write `returns = Result<..>`"
)]
pub trait FfiValue: sealed::Sealed {
    /// The type in C.
    type C: Copy;

    /// The value in C.
    fn into_c(self) -> Self::C;
}

mod sealed {
    /// Keeps [`FfiValue`](super::FfiValue) to types whose C form the framework knows.
    #[diagnostic::on_unimplemented(
        message = "`FfiValue` is not implemented by hand",
        label = "its C form would be a guess",
        note = "add `#[derive(kina_observ::FfiEnum)]` to an enum, or `#[derive(kina_observ::FfiStruct)]` to a `#[repr(C)]` struct; everything else goes by `Handle<T>`"
    )]
    pub trait Sealed {}
}

/// What a derive writes, and what the framework's own types have; [`FfiValue`] follows from it.
#[doc(hidden)]
pub trait KnownInC {
    /// The type in C.
    type C: Copy;

    /// The value in C.
    fn into_c(self) -> Self::C;
}

#[diagnostic::do_not_recommend]
impl<T: KnownInC> sealed::Sealed for T {}

#[diagnostic::do_not_recommend]
impl<T: KnownInC> FfiValue for T {
    type C = <T as KnownInC>::C;

    #[inline(always)]
    fn into_c(self) -> Self::C {
        KnownInC::into_c(self)
    }
}

macro_rules! unchanged {
    ($([$($of:ident)?] $ty:ty),*) => {$(
        impl<$($of)?> KnownInC for $ty {
            type C = Self;

            #[inline(always)]
            fn into_c(self) -> Self {
                self
            }
        }
    )*};
}
unchanged!([] i8, [] i16, [] i32, [] i64, [] isize, [] u8, [] u16, [] u32, [] u64, [] usize, [] f32, [] f64, [] bool, [] ());
unchanged!([T] *const T, [T] *mut T);

/// What a field of a struct with `#[derive(FfiStruct)]` may be. A handle is none: in Rust it is more than its number.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a struct for C",
    label = "C does not know this type",
    note = "use numbers, `bool`, raw pointers, arrays of them, and types with `#[derive(FfiEnum)]` or `#[derive(FfiStruct)]`"
)]
pub trait FfiField {}

#[diagnostic::do_not_recommend]
impl<T: KnownInC + Copy> FfiField for T {}
#[diagnostic::do_not_recommend]
impl<T: FfiField, const N: usize> FfiField for [T; N] {}

/// Asks for [`FfiField`] at compile time.
#[doc(hidden)]
pub const fn field<T: FfiField>() {}

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
pub fn deliver_result<T: FfiValue<C = C>, E: FfiError, C>(
    site: &'static Site,
    result: Result<T, E>,
    out: Out<C>,
) -> i32 {
    match result {
        Ok(value) => value.deliver(site, out),
        Err(error) => boundary::failed(site, Layer::Outer, &error),
    }
}

/// [`FfiReturn`] of a `Result` inside a `Result`.
#[inline(always)]
pub fn deliver_nested<T: FfiValue<C = C>, E1: FfiError, E2: FfiError, C>(
    site: &'static Site,
    result: Result<Result<T, E1>, E2>,
    out: Out<C>,
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
    /// Its codes and names.
    pub const MEMBERS: Option<&'static [(i32, &'static str)]> = Some(<T as FfiEnum>::MEMBERS);
}

/// The answer for every other type.
pub trait NotCoded {
    /// No enum.
    const YES: bool = false;
    /// None of its own.
    const MEMBERS: Option<&'static [(i32, &'static str)]> = None;
}

impl<T> NotCoded for Coded<T> {}
