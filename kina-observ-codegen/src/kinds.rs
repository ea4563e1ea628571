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
    /// What runs around the body besides the span.
    pub around: Around,
    /// The span type when none is written; `None`: the function's name says it.
    pub span_type: Option<&'static str>,
}

/// What an attribute does around a body besides the span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Around {
    /// Nothing.
    Nothing,
    /// A kernel launch is counted and timed on its stream.
    Launch,
    /// What a stream has finished is read after the wait.
    Wait,
    /// A ledger learns of what is allocated and freed.
    Memory,
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
    around: Around::Nothing,
    span_type: None,
};

/// `#[span]`: a span around a Rust function.
pub static SPAN: Kind = Kind {
    name: "span",
    arguments: &["fields", "late", "level", "nvtx", "inner", "parent", "crate"],
    boundary: false,
    around: Around::Nothing,
    span_type: None,
};

/// `#[kernel]`: a span around a function that launches a kernel, and the kernel's device time.
pub static KERNEL: Kind = Kind {
    name: "kernel",
    arguments: &["kernel", "launch", "stream", "fields", "late", "level", "nvtx", "inner", "parent", "crate"],
    boundary: false,
    around: Around::Launch,
    span_type: Some("runtime.kernel.launch"),
};

/// `#[stream_sync]`: a span around a function that waits for a stream, or lets a stream wait.
pub static STREAM_SYNC: Kind = Kind {
    name: "stream_sync",
    arguments: &["stream", "event", "fields", "late", "level", "nvtx", "inner", "parent", "crate"],
    boundary: false,
    around: Around::Wait,
    span_type: None,
};

/// `#[alloc_traced]`: a span around a function that allocates or frees, and the entry in a ledger.
pub static ALLOC_TRACED: Kind = Kind {
    name: "alloc_traced",
    arguments: &[
        "free", "size", "pointer", "stream", "resource", "ledger", "fields", "late", "level", "nvtx", "inner",
        "parent", "crate",
    ],
    boundary: false,
    around: Around::Memory,
    span_type: Some("runtime.alloc"),
};

/// Every attribute.
pub static KINDS: [&Kind; 5] = [&FFI_SPAN, &SPAN, &KERNEL, &STREAM_SYNC, &ALLOC_TRACED];

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
