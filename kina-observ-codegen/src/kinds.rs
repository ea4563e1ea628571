//! What each attribute is called and which arguments it takes: one row an attribute.

/// One attribute macro.
#[derive(Debug)]
pub struct Kind {
    /// As it is written: `ffi_span`.
    pub name: &'static str,
    /// The arguments that it takes, besides the span type.
    pub arguments: &'static [&'static str],
    /// Whether it makes a C boundary.
    pub boundary: bool,
}

impl Kind {
    /// `#[ffi_span]`, for messages.
    pub(crate) fn shown(&self) -> String {
        format!("#[{}]", self.name)
    }
}

/// `#[ffi_span]`: a C boundary with a span.
pub static FFI_SPAN: Kind = Kind {
    name: "ffi_span",
    arguments: &["export", "fields", "late", "returns", "out", "level", "nvtx", "inner", "error", "crate"],
    boundary: true,
};

/// `#[span]`: a span around a Rust function.
pub static SPAN: Kind =
    Kind { name: "span", arguments: &["fields", "late", "level", "nvtx", "inner", "parent", "crate"], boundary: false };

/// Every attribute.
pub static KINDS: [&Kind; 2] = [&FFI_SPAN, &SPAN];

/// A word that other libraries have, why we have not, and what to do.
pub(crate) struct Refused {
    pub(crate) word: &'static str,
    pub(crate) because: &'static str,
    pub(crate) help: &'static str,
}

/// The words that people type from habit.
pub(crate) const REFUSED: [Refused; 9] = [
    Refused {
        word: "skip",
        because: "`skip` is not needed: no argument is recorded unless the registry or `fields(..)` lists it",
        help: "remove it",
    },
    Refused {
        word: "skip_all",
        because: "`skip_all` is not needed: no argument is recorded unless the registry or `fields(..)` lists it",
        help: "remove it",
    },
    Refused {
        word: "err",
        because: "`err` is not needed: an error in the returned value, outer or inner, is always recorded",
        help: "remove it; `inner = event` says that an inner `Err` is a normal answer",
    },
    Refused {
        word: "ret",
        because: "`ret` does not exist: a returned value is never recorded",
        help: "remove it; `late(the.key)` declares an attribute that the body sets",
    },
    Refused {
        word: "target",
        because: "`target` is not needed: filters match the path of the module",
        help: "remove it",
    },
    Refused {
        word: "name",
        because: "`name` does not exist: the registry gives a span its name",
        help: "write the span type as the first argument, such as `runtime.gpu.matmul`",
    },
    Refused { word: "attrs", because: "`attrs` is called `fields` here", help: "write `fields(..)`" },
    Refused {
        word: "labels",
        because: "`labels` does not exist: the registry says which attributes a metric carries",
        help: "remove it",
    },
    Refused { word: "kind", because: "`kind` does not exist: the registry gives a span its kind", help: "remove it" },
];

/// Finds the sentence for a refused word.
pub(crate) fn refused(word: &str) -> Option<&'static Refused> {
    REFUSED.iter().find(|row| row.word == word)
}
