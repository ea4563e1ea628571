//! How a parameter becomes words of a record: one trait for each type that the registry knows.

use std::borrow::Cow;

/// An integer, a float's bits, a truth value or a code, if it is there this time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    pub(crate) bits: u64,
    pub(crate) there: bool,
}

impl Word {
    pub(crate) const ABSENT: Self = Self { bits: 0, there: false };

    #[inline(always)]
    pub(crate) const fn new(bits: u64) -> Self {
        Self { bits, there: true }
    }
}

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

impl<'a> Value<'a> {
    /// From a word that may be absent.
    #[inline(always)]
    pub fn of_word(word: Word) -> Self {
        if word.there { Self::Word(word.bits) } else { Self::Absent }
    }

    /// From a text that may be absent.
    #[inline(always)]
    pub fn of_text(text: Option<&'a str>) -> Self {
        text.map_or(Self::Absent, Self::Str)
    }

    /// From a list that may be absent.
    #[inline(always)]
    pub fn of_ints(list: Option<&'a [i64]>) -> Self {
        list.map_or(Self::Absent, Self::Ints)
    }
}

/// Longest text attribute; a longer one is cut at a character and ends in `…`.
pub(crate) const TEXT_BYTES: usize = 256;
/// Longest list attribute.
pub(crate) const LIST_WORDS: usize = 16;

/// What may be an `int` attribute.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an `int` attribute",
    label = "the registry says `int`",
    note = "pass an integer, or an `Option` of one: `fields(the.key = i64::from(value))`"
)]
pub trait IntValue {
    /// A signed 64-bit word; unsigned values beyond `i64::MAX` become `i64::MAX`.
    fn int(&self) -> Word;
}

/// What may be a `double` attribute.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a `double` attribute",
    label = "the registry says `double`",
    note = "pass an `f32`, an `f64` or an `Option` of one"
)]
pub trait DoubleValue {
    /// The bits of the value as an `f64`.
    fn double(&self) -> Word;
}

/// What may be a `boolean` attribute.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a `boolean` attribute",
    label = "the registry says `boolean`",
    note = "pass a `bool` or an `Option<bool>`"
)]
pub trait BooleanValue {
    /// 0 or 1.
    fn boolean(&self) -> Word;
}

/// What may be a `string` attribute.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a `string` attribute",
    label = "the registry says `string`",
    note = "pass a `&str`, a `String` or an `Option` of one"
)]
pub trait StrValue {
    /// The text.
    fn text(&self) -> Option<&str>;
}

/// What may be an `int[]` attribute.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an `int[]` attribute",
    label = "the registry says `int[]`",
    note = "pass a `&[i64]`, an array, a `Vec<i64>` or an `Option` of one"
)]
pub trait IntsValue {
    /// The integers.
    fn ints(&self) -> Option<&[i64]>;
}

// The notes say it in fewer words than a list of all the integers would.
macro_rules! signed {
    ($($int:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl IntValue for $int {
            #[inline(always)]
            fn int(&self) -> Word {
                Word::new(*self as i64 as u64)
            }
        }
    )*};
}
signed!(i8 i16 i32 i64 isize u8 u16 u32);

macro_rules! unsigned {
    ($($int:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl IntValue for $int {
            #[inline(always)]
            fn int(&self) -> Word {
                Word::new((*self as u64).min(i64::MAX as u64))
            }
        }
    )*};
}
unsigned!(u64 usize);

impl DoubleValue for f32 {
    #[inline(always)]
    fn double(&self) -> Word {
        Word::new(f64::from(*self).to_bits())
    }
}

impl DoubleValue for f64 {
    #[inline(always)]
    fn double(&self) -> Word {
        Word::new(self.to_bits())
    }
}

impl BooleanValue for bool {
    #[inline(always)]
    fn boolean(&self) -> Word {
        Word::new(u64::from(*self))
    }
}

// A C `bool` is lowered to a byte, so that no other value of it is undefined behaviour.
impl BooleanValue for u8 {
    #[inline(always)]
    fn boolean(&self) -> Word {
        Word::new(u64::from(*self != 0))
    }
}

impl StrValue for str {
    fn text(&self) -> Option<&str> {
        Some(self)
    }
}

impl StrValue for String {
    fn text(&self) -> Option<&str> {
        Some(self)
    }
}

impl StrValue for Cow<'_, str> {
    fn text(&self) -> Option<&str> {
        Some(self)
    }
}

impl IntsValue for [i64] {
    fn ints(&self) -> Option<&[i64]> {
        Some(self)
    }
}

impl<const N: usize> IntsValue for [i64; N] {
    fn ints(&self) -> Option<&[i64]> {
        Some(self)
    }
}

impl IntsValue for Vec<i64> {
    fn ints(&self) -> Option<&[i64]> {
        Some(self)
    }
}

macro_rules! through_references_and_options {
    ($($name:ident . $method:ident -> $out:ty, $absent:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: $name + ?Sized> $name for &T {
            #[inline(always)]
            fn $method(&self) -> $out {
                (**self).$method()
            }
        }

        // `None` records nothing.
        #[diagnostic::do_not_recommend]
        impl<T: $name> $name for Option<T> {
            #[inline(always)]
            fn $method(&self) -> $out {
                match self {
                    Some(value) => value.$method(),
                    None => $absent,
                }
            }
        }
    )*};
}
through_references_and_options! {
    IntValue.int -> Word, Word::ABSENT;
    DoubleValue.double -> Word, Word::ABSENT;
    BooleanValue.boolean -> Word, Word::ABSENT;
    StrValue.text -> Option<&str>, None;
    IntsValue.ints -> Option<&[i64]>, None;
}
