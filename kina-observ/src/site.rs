//! The static facts of one annotated item, and whether the filter lets it through.

#[cfg(feature = "nvtx")]
use core::sync::atomic::AtomicUsize;
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kina_observ_conventions::values::Listed;
use kina_observ_conventions::{Level, Severity, SpanKind};

use crate::filter::Filter;
use crate::gate;
use crate::listed::listed_by;

const UNRESOLVED: u8 = 0;
const WANTED: u8 = 1;
const UNWANTED: u8 = 2;
/// The level is against recording it, but a tool takes its range.
const RANGE_ONLY: u8 = 3;

/// Words that a late text takes at most: its length and 56 bytes.
pub(crate) const LATE_TEXT_WORDS: usize = 8;
/// Bytes of a late text that are kept.
pub const LATE_TEXT_BYTES: usize = 8 * (LATE_TEXT_WORDS - 1);

/// One annotated item: a `static` that the macros emit.
#[derive(Debug)]
pub struct Site {
    /// What the macro knew.
    pub facts: &'static Facts,
    /// Room that an END of this site may need.
    pub(crate) end_words: u16,
    /// The display name has values to be filled in.
    template: bool,
    /// `UNRESOLVED`, `WANTED`, `UNWANTED` or `RANGE_ONLY`.
    state: AtomicU8,
    /// What the tool gave for the name of the range; 0: it was not asked yet.
    #[cfg(feature = "nvtx")]
    pub(crate) range_name: AtomicUsize,
}

/// The sites seen so far and what decides about them.
struct Sites {
    seen: Vec<&'static Site>,
    filter: Option<Filter>,
}

static SITES: Mutex<Sites> = Mutex::new(Sites { seen: Vec::new(), filter: None });

impl Site {
    /// For the macros.
    pub const fn new(facts: &'static Facts) -> Self {
        let mut words = 2 + 2; // header and clock, error type
        let mut index = 0;
        while index < facts.late.len() {
            words += match facts.late[index].shape {
                Shape::Str => LATE_TEXT_WORDS,
                _ => 1,
            };
            index += 1;
        }
        Self {
            facts,
            end_words: words as u16,
            template: is_template(facts.name),
            state: AtomicU8::new(UNRESOLVED),
            #[cfg(feature = "nvtx")]
            range_name: AtomicUsize::new(0),
        }
    }

    /// The name where no value may be filled in: the display name, or the type if that is a template.
    pub(crate) fn plain_name(&self) -> &'static str {
        if self.template { self.facts.span_type } else { self.facts.name }
    }

    /// `Some` once the filter has spoken.
    #[inline(always)]
    pub(crate) fn known(&self) -> Option<bool> {
        match self.state.load(Relaxed) {
            WANTED | RANGE_ONLY => Some(true),
            UNWANTED => Some(false),
            _ => None,
        }
    }

    /// The same where the filter is asked at once. Not through an `Option`, which the compiler would make before it looks at it.
    #[inline(always)]
    pub(crate) fn known_or(&'static self, ask: impl FnOnce(&'static Self) -> bool) -> bool {
        match self.state.load(Relaxed) {
            WANTED => true,
            UNWANTED => false,
            _ => ask(self),
        }
    }

    /// Whether a span of it goes to the rings, and not only to a tool that takes ranges.
    pub(crate) fn is_recorded(&self) -> bool {
        gate::GLOBAL.has(gate::RING) && self.state.load(Relaxed) == WANTED
    }

    /// Asks the filter and remembers the answer until it changes.
    pub(crate) fn resolve(&'static self) -> bool {
        let mut sites = sites();
        if self.known().is_none() {
            sites.seen.push(self);
        }
        self.decide(&sites)
    }

    fn decide(&self, sites: &Sites) -> bool {
        let facts = self.facts;
        let allowed = sites.filter.as_ref().is_none_or(|filter| filter.allows(facts.module, facts.severity));
        let state = if !allowed {
            UNWANTED
        } else if facts.level <= gate::level() {
            WANTED
        } else if facts.nvtx.is_some() && facts.level <= gate::range_level() {
            RANGE_ONLY
        } else {
            UNWANTED
        };
        self.state.store(state, Relaxed);
        state != UNWANTED
    }
}

/// Applies a new filter, or a new level, to every site seen so far.
pub(crate) fn refresh(filter: Option<Filter>) {
    let mut sites = sites();
    if filter.is_some() {
        sites.filter = filter;
    }
    for site in &sites.seen {
        site.decide(&sites);
    }
}

/// Whether the filter lets an event of this target through.
pub(crate) fn event_allowed(target: &str, severity: Severity) -> bool {
    sites().filter.as_ref().is_none_or(|filter| filter.allows(target, severity))
}

/// While the process forks, so that the child does not inherit the lock from a thread that it does not have.
pub(crate) struct Frozen(#[expect(dead_code, reason = "held, not read")] MutexGuard<'static, Sites>);

/// Waits until no thread is at the sites.
pub(crate) fn freeze() -> Frozen {
    Frozen(sites())
}

fn sites() -> MutexGuard<'static, Sites> {
    SITES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Found out while the site is compiled: errors name every open span.
const fn is_template(name: &str) -> bool {
    let mut index = 0;
    while index < name.len() {
        if name.as_bytes()[index] == b'{' {
            return true;
        }
        index += 1;
    }
    false
}

/// What the macro knew at compile time.
#[derive(Debug)]
pub struct Facts {
    /// Span type: `runtime.gpu.matmul`.
    pub span_type: &'static str,
    /// Display name, a template.
    pub name: &'static str,
    /// OpenTelemetry's kind.
    pub kind: SpanKind,
    /// Importance.
    pub severity: Severity,
    /// Lowest level at which it is recorded.
    pub level: Level,
    /// The exported symbol, or the function's name.
    pub symbol: &'static str,
    /// `module_path!()`: what `RUST_LOG` directives match.
    pub module: &'static str,
    /// `file!()`.
    pub file: &'static str,
    /// `line!()`.
    pub line: u32,
    /// Values written when the span starts, in this order; at most 24.
    pub start: &'static [Attr],
    /// Values written when it ends, in this order; at most 8.
    pub late: &'static [Attr],
    /// Key of the attribute that carries the integer returned to C.
    pub code_key: Option<&'static str>,
    /// `Some`: the span carries `runtime.device`, this one unless the context names another; empty: none is known.
    pub device: Option<&'static str>,
    /// An inner `Err` is an answer, not a failure.
    pub inner_event: bool,
    /// Text of the NVTX range, a template; empty: the display name; `None`: no range.
    pub nvtx: Option<&'static str>,
}

/// One attribute of a site.
#[derive(Debug, Clone, Copy)]
pub struct Attr {
    /// Registered key.
    pub key: &'static str,
    /// How its words are read.
    pub shape: Shape,
}

/// How the words of a value are read.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// One word, signed.
    Int,
    /// One word, the bits of an `f64`.
    Double,
    /// One word, 0 or 1.
    Boolean,
    /// One word, a code; the table gives the text of each.
    Enum(&'static [(i32, &'static str)]),
    /// A length word and the bytes.
    Str,
    /// A length word and that many words.
    Ints,
}

impl Facts {
    /// Of no item.
    pub(crate) const NONE: Self = Self {
        span_type: "",
        name: "",
        kind: SpanKind::Internal,
        severity: Severity::Info,
        level: Level::Basic,
        symbol: "",
        module: "",
        file: "",
        line: 0,
        start: &[],
        late: &[],
        code_key: None,
        device: None,
        inner_event: false,
        nvtx: None,
    };

    /// Of the item at the place of the call; generated code names only what differs from it.
    #[track_caller]
    pub const fn of(span_type: &'static str, symbol: &'static str) -> Self {
        let place = core::panic::Location::caller();
        Self {
            span_type,
            name: span_type,
            symbol,
            file: place.file(),
            line: place.line(),
            nvtx: Some(""),
            ..Self::NONE
        }
    }

    /// With this text for the NVTX range, a template.
    pub const fn range(self, text: &'static str) -> Self {
        Self { nvtx: Some(text), ..self }
    }

    /// Without an NVTX range.
    pub const fn no_range(self) -> Self {
        Self { nvtx: None, ..self }
    }

    /// Text of the NVTX range.
    #[cfg(feature = "nvtx")]
    pub(crate) fn range_template(&self) -> Option<&'static str> {
        self.nvtx.map(|text| if text.is_empty() { self.name } else { text })
    }
}

/// For generated code, which pays for every token.
impl Attr {
    /// One integer.
    pub const fn int(key: &'static str) -> Self {
        Self { key, shape: Shape::Int }
    }

    /// One float.
    pub const fn double(key: &'static str) -> Self {
        Self { key, shape: Shape::Double }
    }

    /// One truth value.
    pub const fn boolean(key: &'static str) -> Self {
        Self { key, shape: Shape::Boolean }
    }

    /// One code of a list in the registry.
    pub const fn enumeration<A: Listed>(key: &'static str) -> Self {
        Self { key, shape: Shape::Enum(A::TABLE) }
    }

    /// One code as C passed it, before it was checked: the names are those of the type that it will become.
    pub const fn code<A: Listed>(key: &'static str, own: Option<&'static [(i32, &'static str)]>) -> Self {
        let table = match own {
            Some(own) => listed_by::<A>(own),
            None => A::TABLE,
        };
        Self { key, shape: Shape::Enum(table) }
    }

    /// One text.
    pub const fn text(key: &'static str) -> Self {
        Self { key, shape: Shape::Str }
    }

    /// A list of integers.
    pub const fn ints(key: &'static str) -> Self {
        Self { key, shape: Shape::Ints }
    }
}
