//! One enum for each attribute whose values the registry lists.

pub use crate::generated::values::*;

/// The values that a registry lists for one attribute.
pub trait Listed {
    /// Code and text of each value. Where the registry gives no codes, the place in the list stands for the value.
    const TABLE: &'static [(i32, &'static str)];
}

/// A list with codes in the registry, so that C may pass them.
pub trait Coded: Listed {}

/// An enum whose values a registry lists; `conventions!()` writes them for a crate's own.
#[doc(hidden)]
#[macro_export]
macro_rules! __listed_values {
    ($(#[$brief:meta])* $name:ident $key:literal { $($(#[$about:meta])* $member:ident = $code:literal $value:literal,)* }) => {
        $(#[$brief])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(i32)]
        pub enum $name {
            $($(#[$about])* $member = $code,)*
        }

        impl $name {
            /// The attribute.
            pub const KEY: &'static str = $key;
            /// Every value, in the registry's order.
            pub const MEMBERS: &'static [Self] = &[$(Self::$member),*];

            /// The text that a trace shows.
            #[must_use]
            pub const fn value(self) -> &'static str {
                match self {
                    $(Self::$member => $value,)*
                }
            }

            /// The value with this text.
            #[must_use]
            pub fn from_value(text: &str) -> Option<Self> {
                match text {
                    $($value => Some(Self::$member),)*
                    _ => None,
                }
            }
        }

        impl $crate::values::Listed for $name {
            const TABLE: &'static [(i32, &'static str)] = &[$(($code, $value)),*];
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.value())
            }
        }
    };
}

/// The same with codes for C.
#[doc(hidden)]
#[macro_export]
macro_rules! __coded_values {
    ($(#[$brief:meta])* $name:ident $key:literal { $($(#[$about:meta])* $member:ident = $code:literal $value:literal,)* }) => {
        $crate::__listed_values! { $(#[$brief])* $name $key { $($(#[$about])* $member = $code $value,)* } }

        impl $name {
            /// The integer that stands for it in C.
            #[must_use]
            pub const fn code(self) -> i32 {
                self as i32
            }

            /// The value with this code.
            #[must_use]
            pub const fn from_code(code: i32) -> Option<Self> {
                match code {
                    $($code => Some(Self::$member),)*
                    _ => None,
                }
            }
        }

        impl $crate::values::Coded for $name {}
    };
}

pub(crate) use {__coded_values as coded, __listed_values as listed};
