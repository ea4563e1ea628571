//! Values out of a list: the enums of the registry, the enums of the user, and what may be a label of a metric.

use kina_observ_conventions::values::{self, Coded, Listed};

use crate::value::Word;

/// OpenTelemetry's word for a value that is none of the listed ones.
pub(crate) const OTHER: &str = "_OTHER";

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

/// What may be the attribute whose values are listed as `A`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is none of the values of `{A}`",
    label = "the registry lists the values of this attribute",
    note = "pass one of `{A}`; `kina_observ::values` has an enum for each list of the built-in registry",
    note = "a type of your own needs `#[derive(FfiEnum)]`; an integer will do if the registry gives codes"
)]
pub trait EnumValue<A> {
    /// The code in `A`.
    fn enumeration(&self) -> Word;
}

/// What may be a label of a metric: the number of its values is known at compile time.
///
/// Each value of a label is a time series of its own, for as long as the process runs. Ids, texts and numbers therefore go onto
/// spans, with `fields(..)`; labels are the enums of [`values`](crate::values), your own enums with
/// [`#[derive(FfiEnum)]`](macro@crate::FfiEnum), and `bool`.
///
/// ```
/// use kina_observ::{BoundedLabel, values::RuntimeDtype};
///
/// fn count(labels: &[&dyn BoundedLabel]) -> String {
///     labels.iter().map(|label| label.label()).collect::<Vec<_>>().join(",")
/// }
///
/// assert_eq!(count(&[&RuntimeDtype::F32, &true]), "f32,true");
/// ```
///
/// ```compile_fail
/// fn count(label: impl kina_observ::BoundedLabel) {}
///
/// count(String::from("user-4711")); // labels: `String` is unbounded
/// ```
#[diagnostic::on_unimplemented(
    message = "labels: `{Self}` is unbounded",
    label = "each value would be a time series of its own",
    note = "pass an enum of `kina_observ::values`, a type with `#[derive(FfiEnum)]` or a `bool`; everything else goes onto the span: `fields(..)`"
)]
pub trait BoundedLabel {
    /// The text of the value.
    fn label(&self) -> &'static str;
}

macro_rules! registered {
    ($($name:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl EnumValue<Self> for values::$name {
            #[inline(always)]
            fn enumeration(&self) -> Word {
                word(*self as i32)
            }
        }

        #[diagnostic::do_not_recommend]
        impl BoundedLabel for values::$name {
            fn label(&self) -> &'static str {
                self.value()
            }
        }
    )*};
}
kina_observ_conventions::__each_enum!(registered);

/// Makes an enum of a crate's own registry a value of its attribute, and a label; `conventions!()` calls it.
#[doc(hidden)]
#[macro_export]
macro_rules! __own_values {
    ($name:ident) => {
        // Each expansion has a type of its own for the list, so the lists themselves are compared.
        #[diagnostic::do_not_recommend]
        impl<A: $crate::__private::Listed> $crate::__private::EnumValue<A> for $name {
            #[inline(always)]
            fn enumeration(&self) -> $crate::__private::Word {
                const { $crate::__private::same_list(A::TABLE, <Self as $crate::__private::Listed>::TABLE) };
                $crate::__private::code(&(*self as i32))
            }
        }

        #[diagnostic::do_not_recommend]
        impl $crate::BoundedLabel for $name {
            fn label(&self) -> &'static str {
                self.value()
            }
        }
    };
}

/// Stops the compilation unless both are the list of one attribute.
pub const fn same_list(expected: &[(i32, &str)], found: &[(i32, &str)]) {
    let mut equal = expected.len() == found.len();
    let mut index = 0;
    while equal && index < expected.len() {
        equal = expected[index].0 == found[index].0 && same(expected[index].1.as_bytes(), found[index].1.as_bytes());
        index += 1;
    }
    assert!(equal, "this enum is the list of another attribute\nhelp: pass the enum that is named after the attribute");
}

// A type that fits nothing is told about the attribute's values, not about every way to them.
#[diagnostic::do_not_recommend]
impl<A: Coded> EnumValue<A> for i32 {
    #[inline(always)]
    fn enumeration(&self) -> Word {
        word(*self)
    }
}

#[diagnostic::do_not_recommend]
impl<A: Coded> EnumValue<A> for u32 {
    #[inline(always)]
    fn enumeration(&self) -> Word {
        word(*self as i32)
    }
}

#[diagnostic::do_not_recommend]
impl<A: Listed, T: FfiEnum> EnumValue<A> for T {
    #[inline(always)]
    fn enumeration(&self) -> Word {
        const { assert!(names_within(T::MEMBERS, A::TABLE), "{}", NOT_LISTED) }
        let code = self.code();
        word(if const { within(T::MEMBERS, A::TABLE) } { code } else { translated(code, T::MEMBERS, A::TABLE) })
    }
}

#[diagnostic::do_not_recommend]
impl<A, T: EnumValue<A>> EnumValue<A> for Option<T> {
    #[inline(always)]
    fn enumeration(&self) -> Word {
        match self {
            Some(value) => value.enumeration(),
            None => Word::ABSENT,
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: FfiEnum> BoundedLabel for T {
    fn label(&self) -> &'static str {
        name_of(self.code(), T::MEMBERS)
    }
}

#[diagnostic::do_not_recommend]
impl BoundedLabel for bool {
    fn label(&self) -> &'static str {
        if *self { "true" } else { "false" }
    }
}

type Table = [(i32, &'static str)];

const NOT_LISTED: &str =
    "this enum has a value that the attribute has not; `#[ffi_enum(attribute = the.key)]` on the enum says which";

/// The names of a type that C passes as a code, if the registry has them all.
pub(crate) const fn listed_by<A: Listed>(own: &'static Table) -> &'static Table {
    assert!(names_within(own, A::TABLE), "{}", NOT_LISTED);
    own
}

#[inline(always)]
const fn word(code: i32) -> Word {
    Word::new(code as u32 as u64)
}

/// The text of a code.
pub(crate) fn name_of(code: i32, table: &'static Table) -> &'static str {
    table.iter().find(|(known, _)| *known == code).map_or(OTHER, |(_, name)| name)
}

/// The code in `registered` of what has `code` in `own`.
#[inline(never)]
fn translated(code: i32, own: &'static Table, registered: &'static Table) -> i32 {
    let name = name_of(code, own);
    registered.iter().find(|(_, known)| *known == name).map_or(i32::MIN, |(code, _)| *code)
}

/// Whether each value of `own` is in `registered`, under the same code.
const fn within(own: &Table, registered: &Table) -> bool {
    let mut index = 0;
    while index < own.len() {
        match place(own[index].1, registered) {
            Some(found) if registered[found].0 == own[index].0 => index += 1,
            _ => return false,
        }
    }
    true
}

/// Whether each value of `own` is in `registered`, under any code.
const fn names_within(own: &Table, registered: &Table) -> bool {
    let mut index = 0;
    while index < own.len() {
        if place(own[index].1, registered).is_none() {
            return false;
        }
        index += 1;
    }
    true
}

const fn place(name: &str, table: &Table) -> Option<usize> {
    let mut index = 0;
    while index < table.len() {
        if same(name.as_bytes(), table[index].1.as_bytes()) {
            return Some(index);
        }
        index += 1;
    }
    None
}

const fn same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut index = 0;
    while index < left.len() {
        if left[index] != right[index] {
            return false;
        }
        index += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{translated, within};

    #[test]
    fn an_enum_of_the_user_speaks_the_registry_s_codes() {
        const REGISTERED: &[(i32, &str)] = &[(1, "f16"), (3, "f32")];
        for (own, agrees, code) in [
            (&[(3, "f32")][..], true, 3),
            (&[(3, "f32"), (1, "f16")], true, 3),
            (&[(3, "f16"), (1, "f32")], false, 1),
            (&[(3, "f8")], false, i32::MIN),
        ] {
            assert_eq!(within(own, REGISTERED), agrees);
            assert_eq!(translated(3, own, REGISTERED), code);
        }
    }
}
