//! How a parameter becomes words of a record: one trait for each type that the registry knows.

use std::borrow::Cow;

/// The values of one span, in the order of its site.
#[derive(Debug, Clone, Copy)]
pub enum Value<'a> {
    /// Not there this time.
    Absent,
    /// An integer, a float's bits, a truth value or a code.
    Word(u64),
    /// Text; at most 256 bytes are kept.
    Str(&'a str),
    /// Integers; at most 16 are kept.
    Ints(&'a [i64]),
}

/// Longest text attribute; a longer one is cut at a character and ends in `…`.
pub(crate) const TEXT_BYTES: usize = 256;
/// Longest list attribute.
pub(crate) const LIST_WORDS: usize = 16;

/// What may be an `int` attribute.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an `int` attribute",
    label = "the registry says `int`",
    note = "pass an integer, or give one by hand: `fields(the.key = i64::from(value))`"
)]
pub trait IntValue {
    /// The value as a signed 64-bit word; unsigned values beyond `i64::MAX` become `i64::MAX`.
    fn int(&self) -> u64;
}

/// What may be a `double` attribute.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a `double` attribute",
    label = "the registry says `double`",
    note = "pass an `f32` or an `f64`"
)]
pub trait DoubleValue {
    /// The bits of the value as an `f64`.
    fn double(&self) -> u64;
}

/// What may be a `boolean` attribute.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a `boolean` attribute",
    label = "the registry says `boolean`",
    note = "pass a `bool`"
)]
pub trait BooleanValue {
    /// 0 or 1.
    fn boolean(&self) -> u64;
}

/// What may be an attribute that the registry lists as an enum.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an enum attribute",
    label = "the registry lists the values of this attribute",
    note = "pass the integer code, or a type with `#[derive(FfiEnum)]`"
)]
pub trait EnumValue {
    /// Code and text of each value; `None`: the registry's codes apply.
    const MEMBERS: Option<&'static [(i32, &'static str)]>;

    /// The code.
    fn enumeration(&self) -> u64;
}

/// What may be a `string` attribute.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a `string` attribute",
    label = "the registry says `string`",
    note = "pass a `&str` or a `String`"
)]
pub trait StrValue {
    /// The text.
    fn text(&self) -> &str;
}

/// What may be an `int[]` attribute.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an `int[]` attribute",
    label = "the registry says `int[]`",
    note = "pass a `&[i64]`, an array or a `Vec<i64>`"
)]
pub trait IntsValue {
    /// The integers.
    fn ints(&self) -> &[i64];
}

macro_rules! signed {
    ($($int:ty)*) => {$(
        impl IntValue for $int {
            #[inline(always)]
            fn int(&self) -> u64 {
                *self as i64 as u64
            }
        }
    )*};
}
signed!(i8 i16 i32 i64 isize u8 u16 u32);

macro_rules! unsigned {
    ($($int:ty)*) => {$(
        impl IntValue for $int {
            #[inline(always)]
            fn int(&self) -> u64 {
                (*self as u64).min(i64::MAX as u64)
            }
        }
    )*};
}
unsigned!(u64 usize);

impl DoubleValue for f32 {
    #[inline(always)]
    fn double(&self) -> u64 {
        f64::from(*self).to_bits()
    }
}

impl DoubleValue for f64 {
    #[inline(always)]
    fn double(&self) -> u64 {
        self.to_bits()
    }
}

impl BooleanValue for bool {
    #[inline(always)]
    fn boolean(&self) -> u64 {
        u64::from(*self)
    }
}

// A C `bool` is lowered to a byte, so that no other value of it is undefined behaviour.
impl BooleanValue for u8 {
    #[inline(always)]
    fn boolean(&self) -> u64 {
        u64::from(*self != 0)
    }
}

impl EnumValue for i32 {
    const MEMBERS: Option<&'static [(i32, &'static str)]> = None;

    #[inline(always)]
    fn enumeration(&self) -> u64 {
        *self as u32 as u64
    }
}

impl EnumValue for u32 {
    const MEMBERS: Option<&'static [(i32, &'static str)]> = None;

    #[inline(always)]
    fn enumeration(&self) -> u64 {
        u64::from(*self)
    }
}

impl StrValue for str {
    fn text(&self) -> &str {
        self
    }
}

impl StrValue for String {
    fn text(&self) -> &str {
        self
    }
}

impl StrValue for Cow<'_, str> {
    fn text(&self) -> &str {
        self
    }
}

impl IntsValue for [i64] {
    fn ints(&self) -> &[i64] {
        self
    }
}

impl<const N: usize> IntsValue for [i64; N] {
    fn ints(&self) -> &[i64] {
        self
    }
}

impl IntsValue for Vec<i64> {
    fn ints(&self) -> &[i64] {
        self
    }
}

macro_rules! through_references {
    ($($name:ident . $method:ident -> $out:ty;)*) => {$(
        impl<T: $name + ?Sized> $name for &T {
            #[inline(always)]
            fn $method(&self) -> $out {
                (**self).$method()
            }
        }
    )*};
}
through_references! {
    IntValue.int -> u64;
    DoubleValue.double -> u64;
    BooleanValue.boolean -> u64;
    StrValue.text -> &str;
    IntsValue.ints -> &[i64];
}
