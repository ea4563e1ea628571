//! What the command line calls the functions and the ways to call them.
//! The program and the library of this package tell each other a name by its place in a table.

/// How a function is called.
#[derive(Clone, Copy)]
pub(crate) enum Variant {
    /// The boundary alone: no gate, no span.
    Bare,
    Off,
    /// Level Basic, but the filter is against it.
    Filtered,
    Basic,
    /// `#[tracing::instrument]`, without a subscriber.
    Tracing,
}

/// What is called: a function that succeeds, named after its number of arguments, or one that fails.
#[derive(Clone, Copy)]
pub(crate) enum Case {
    Two,
    Eight,
    Fails(Failing),
}

/// The ways to fail.
#[derive(Clone, Copy)]
pub(crate) enum Failing {
    /// A null out pointer.
    Rejected,
    /// The outer `Err`.
    Error,
    /// The inner `Err` of a nested `Result`.
    Inner,
    Panic,
}

pub(crate) const VARIANTS: [(&str, Variant); 5] = [
    ("bare", Variant::Bare),
    ("off", Variant::Off),
    ("filtered", Variant::Filtered),
    ("basic", Variant::Basic),
    ("tracing", Variant::Tracing),
];

pub(crate) const CASES: [(&str, Case); 6] = [
    ("2", Case::Two),
    ("8", Case::Eight),
    ("rejected", Case::Fails(Failing::Rejected)),
    ("error", Case::Fails(Failing::Error)),
    ("inner_error", Case::Fails(Failing::Inner)),
    ("panic", Case::Fails(Failing::Panic)),
];

/// What two places in these tables stand for.
pub(crate) fn of_numbers(variant: usize, case: usize) -> Option<(Variant, Case)> {
    Some((VARIANTS.get(variant)?.1, CASES.get(case)?.1))
}
