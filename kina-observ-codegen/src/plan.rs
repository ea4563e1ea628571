//! What is left after the checks: plain data from which `emit` writes tokens without asking anything.

use kina_observ_conventions::{Level, Severity, SpanKind};
use proc_macro2::{Group, Ident};
use syn::{Attribute, Expr, LitStr, Path, Signature, Type, Visibility};

use crate::lower::CSignature;
use crate::parse::parameter::Words;
use crate::parse::tail::Tail;

/// Everything that an expansion needs.
pub(crate) struct Plan {
    pub(crate) function: Function,
    pub(crate) site: Site,
    /// Values that are written when the span starts.
    pub(crate) start: Vec<Attr>,
    /// Values that are written when it ends.
    pub(crate) late: Vec<Attr>,
    /// The word `late`: the body sees the handle that it brings.
    pub(crate) late_word: Option<Ident>,
    /// Expressions that several values are read from, each evaluated once, where the span starts.
    pub(crate) bindings: Vec<(Ident, Expr)>,
    /// What runs around the body besides the span.
    pub(crate) work: Option<Work>,
    pub(crate) wrapper: Wrapper,
    /// `crate = path`.
    pub(crate) runtime: Option<Path>,
    /// The crate has a `kina-observ.toml`, so it must also say `conventions!()`.
    pub(crate) marker: bool,
}

/// The user's function.
pub(crate) struct Function {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    pub(crate) inner: Vec<Attribute>,
    pub(crate) body: Group,
    pub(crate) parameters: Vec<Parameter>,
}

/// One parameter of the user's function.
#[derive(Clone)]
pub(crate) struct Parameter {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// Its `#[cfg(..)]` attributes, carried to every use.
    pub(crate) cfg: Vec<Attribute>,
    /// What `#[ffi(..)]` says about it.
    pub(crate) words: Words,
}

/// The static facts, without the attributes.
pub(crate) struct Site {
    pub(crate) span_type: String,
    pub(crate) name: String,
    pub(crate) kind: SpanKind,
    pub(crate) severity: Severity,
    pub(crate) level: Level,
    pub(crate) symbol: String,
    pub(crate) code_key: Option<&'static str>,
    pub(crate) device: Option<String>,
    pub(crate) inner_event: bool,
    /// Text of the NVTX range, a template.
    pub(crate) nvtx: Option<String>,
}

/// One attribute of the span.
#[derive(Clone)]
pub(crate) struct Attr {
    pub(crate) key: String,
    pub(crate) shape: Shape,
    pub(crate) value: Value,
    pub(crate) cfg: Vec<Attribute>,
}

/// How the words of a value are read.
#[derive(Clone)]
pub(crate) enum Shape {
    Int,
    Double,
    Boolean,
    /// The list, and the type that an unchecked code of C will become.
    Enum(List, Option<Box<Type>>),
    Str,
    Ints,
}

/// The values of an enum attribute.
#[derive(Clone)]
pub(crate) enum List {
    /// The enum of this name in `kina_observ::values`.
    Builtin(String),
    /// Of the crate's own registry; the expansion defines a type of this name for it.
    Own { name: String, table: Vec<(i32, &'static str)>, coded: bool },
}

/// Where a value comes from.
#[derive(Clone)]
pub(crate) enum Value {
    Parameter(Ident),
    Expression(Box<Expr>),
    /// What a function of the runtime reads from a `Stream`, a `LaunchConfig` and the like.
    Read(&'static str, Box<Expr>),
    /// A text that stands in the attribute or is the function's name.
    Text(LitStr),
    /// The body sets it, through the method of this name.
    Handle(Ident),
    /// The launch that runs around the body knows it, by the method of this name.
    Launch(&'static str),
}

/// What runs around a body besides the span.
pub(crate) enum Work {
    /// A kernel launch is counted, and timed on its stream.
    Launch { name: Value, stream: Box<Expr> },
    /// Each event's span becomes a link; what the stream has finished is read after the body.
    Wait { events: Vec<Expr>, stream: Option<Box<Expr>> },
    /// The ledger learns of what the body returns.
    Allocate { ledger: Option<Box<Expr>>, size: Box<Expr>, stream: Option<Box<Expr>> },
    /// The ledger learns of what is freed, before the body runs.
    Free { ledger: Option<Box<Expr>>, pointer: Box<Expr>, size: Box<Expr>, stream: Option<Box<Expr>> },
}

/// The shape of the expansion.
pub(crate) enum Wrapper {
    /// Form (i): a C function beside the Rust function.
    Export { symbol: String, c: Box<CSignature>, returns: Option<Box<Type>> },
    /// Form (ii): the C function that the user wrote.
    Extern {
        status: Option<Box<Type>>,
        returns: Option<Box<Type>>,
        out: Option<Out>,
        /// `error = out`: the parameter that gets the error.
        error: Option<Ident>,
    },
    /// `#[span]` with a nested function for the body.
    Split { parent: Option<Box<Expr>> },
    /// `#[span]` with a closure for the body, which sees `self` and `Self`.
    Closure { parent: Option<Box<Expr>> },
    /// `#[span]` on an `async fn`.
    Task { parent: Option<Box<Expr>> },
    /// `#[span]` on a function that ends in a future, which is all that is rewritten.
    Tail { parent: Option<Box<Expr>>, tail: Box<Tail> },
}

/// The out parameter of form (ii).
#[derive(Clone)]
pub(crate) struct Out {
    pub(crate) ident: Ident,
    /// A raw pointer, so the check is unsafe; else `Option<&mut MaybeUninit<T>>`.
    pub(crate) raw: bool,
}
