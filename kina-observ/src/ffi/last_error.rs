//! This thread's last error: fixed size, no destructor, written only on failure.
//! Invariant: it works in thread-exit destructors and allocates nothing.

use core::cell::RefCell;
use core::ffi::c_char;
use core::fmt::{self, Write};

use crate::local;
use crate::site::Site;
use crate::text::FixedText;

pub(crate) const MESSAGE_BYTES: usize = 512;
pub(super) const HELP_BYTES: usize = 256;
pub(super) const PATH_BYTES: usize = 256;
pub(super) const TYPE_BYTES: usize = 96;

/// Where an error came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum Layer {
    /// There is no error.
    None = 0,
    /// The boundary refused a value, or the function panicked.
    Boundary = 1,
    /// The outer `Err`.
    Outer = 2,
    /// The inner `Err` of a nested `Result`.
    Inner = 3,
}

/// What a person needs to know about an error.
pub(crate) struct Report<'a> {
    pub(crate) layer: Layer,
    pub(crate) code: i32,
    pub(crate) error_type: &'static str,
    pub(crate) help: &'static str,
    /// An inner `Err` that the site declares to be a normal answer.
    pub(crate) answer: bool,
    pub(crate) message: &'a str,
}

/// The last error of a thread. Meaningful only after a call returned a code other than 0.
///
/// `Display` gives the form for a person: what happened, where, what to do.
#[derive(Clone, Copy)]
pub struct LastError {
    code: i32,
    layer: Layer,
    answer: bool,
    /// For `fail`: set by the body, not yet claimed by its boundary.
    pending: bool,
    error_type: &'static str,
    message: FixedText<MESSAGE_BYTES>,
    help: FixedText<HELP_BYTES>,
    span_path: FixedText<PATH_BYTES>,
    type_text: FixedText<TYPE_BYTES>,
}

thread_local! {
    static LAST: RefCell<LastError> = const {
        RefCell::new(LastError {
            code: 0,
            layer: Layer::None,
            answer: false,
            pending: false,
            error_type: "",
            message: FixedText::new(),
            help: FixedText::new(),
            span_path: FixedText::new(),
            type_text: FixedText::new(),
        })
    };
}

impl LastError {
    /// 0: there was none since the thread began, or since it was cleared.
    pub fn code(&self) -> i32 {
        self.code
    }

    /// Where it came from.
    pub fn layer(&self) -> Layer {
        self.layer
    }

    /// Stable, low-cardinality id.
    pub fn error_type(&self) -> &'static str {
        self.error_type
    }

    /// What happened.
    pub fn message(&self) -> &str {
        self.message.as_str()
    }

    /// What to do.
    pub fn help(&self) -> &str {
        self.help.as_str()
    }

    /// Where: `step > runtime.gpu.matmul`. At Off it is the entry point alone.
    pub fn span_path(&self) -> &str {
        self.span_path.as_str()
    }

    /// Message and help for the ring.
    pub(crate) fn texts(&self) -> [&[u8]; 2] {
        [self.message.as_bytes(), self.help.as_bytes()]
    }

    pub(crate) fn is_answer(&self) -> bool {
        self.answer
    }
}

impl fmt::Debug for LastError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LastError").field("code", &self.code).field("message", &self.message()).finish_non_exhaustive()
    }
}

impl fmt::Display for LastError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error[{}]: {}", self.error_type, self.message())?;
        write!(f, "\n  = trace context: {}", self.span_path())?;
        if self.help().is_empty() { Ok(()) } else { write!(f, "\n  = help: {}", self.help()) }
    }
}

/// A copy of this thread's last error; `None` if there is none.
pub fn last_error() -> Option<LastError> {
    with(|last| (last.code != 0).then_some(*last))
}

/// For a function that returns its own status: says what the code that it is about to return means.
/// Returns `code`, so that `return fail(..)` reads well.
pub fn fail(code: i32, message: &str) -> i32 {
    change(|last| {
        last.pending = true;
        last.code = code;
        last.message.clear();
        let _ = last.message.write_str(message);
    });
    code
}

/// Runs `look` with the last error. The framework never calls user code while it is borrowed.
pub(crate) fn with<R>(look: impl FnOnce(&LastError) -> R) -> R {
    LAST.with_borrow(look)
}

fn change(edit: impl FnOnce(&mut LastError)) {
    LAST.with_borrow_mut(edit);
}

/// Overwrites the last error.
pub(crate) fn set(site: &'static Site, report: &Report<'_>) {
    change(|last| {
        last.message.clear();
        let _ = last.message.write_str(report.message);
        fill(last, site, report);
    });
}

/// A panic that no boundary will see, because it ends the process.
pub(crate) fn set_panic(site: &'static Site, message: &str, help: &'static str) {
    set(site, &Report { layer: Layer::Boundary, code: -1, error_type: "panic", help, answer: false, message });
}

fn fill(last: &mut LastError, site: &'static Site, report: &Report<'_>) {
    last.code = report.code;
    last.layer = report.layer;
    last.answer = report.answer;
    last.pending = false;
    last.error_type = report.error_type;
    last.type_text.clear();
    let _ = last.type_text.write_str(report.error_type);
    last.help.clear();
    let _ = last.help.write_str(report.help);
    last.span_path.clear();
    let _ = local::with(|local| local.write_path_to(site, &mut last.span_path));
}

/// A code without a report: keeps what `fail` said in this call, else says at least which function returned it.
#[cold]
#[inline(never)]
pub(crate) fn note_code(site: &'static Site, code: i32) {
    change(|last| {
        if !last.pending || last.code != code {
            last.message.clear();
            let _ = write!(last.message, "`{}` returned {code}", site.facts.symbol);
        }
        let report = Report { layer: Layer::Outer, code, error_type: "_OTHER", help: "", answer: false, message: "" };
        fill(last, site, &report);
    });
}

/// Forgets the last error.
pub(crate) fn clear() {
    change(|last| {
        last.code = 0;
        last.layer = Layer::None;
        last.error_type = "";
        last.pending = false;
        last.type_text.clear();
        last.message.clear();
        last.help.clear();
        last.span_path.clear();
    });
}

/// Pointers into this thread's buffers, for C: valid until the next failing call on this thread.
pub(crate) fn message_pointer() -> *const c_char {
    with(|last| last.message.as_ptr())
}

pub(crate) fn help_pointer() -> *const c_char {
    with(|last| last.help.as_ptr())
}

pub(crate) fn span_path_pointer() -> *const c_char {
    with(|last| last.span_path.as_ptr())
}

pub(crate) fn type_pointer() -> *const c_char {
    with(|last| last.type_text.as_ptr())
}
