//! Trace, span and module ids: newtypes with their one way to be read and printed.

use core::fmt;
use core::num::{NonZeroU64, NonZeroU128};
use core::str::FromStr;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::OnceLock;

/// One request, one step, one run: 128 bits, never zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TraceId(pub(crate) NonZeroU128);

/// One span: 64 bits, never zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SpanId(pub(crate) NonZeroU64);

/// A span and the trace that it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SpanContext {
    /// The trace.
    pub trace_id: TraceId,
    /// The span.
    pub span_id: SpanId,
}

/// The compiled user program that a call belongs to: a 128-bit UUID, made at compile time.
///
/// ```
/// let id: kina_observ::ModuleId = "6f1c9c1e-2b1f-4d0e-9a5b-0a6d2c1c7e11".parse()?;
/// assert_eq!(id.to_string(), "6f1c9c1e-2b1f-4d0e-9a5b-0a6d2c1c7e11");
/// # Ok::<(), kina_observ::InvalidModuleId>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModuleId([u8; 16]);

/// A text that is no UUID.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidModuleId(String);

impl TraceId {
    /// `None` for zero, which W3C Trace Context forbids.
    pub const fn new(id: u128) -> Option<Self> {
        match NonZeroU128::new(id) {
            Some(id) => Some(Self(id)),
            None => None,
        }
    }

    /// The number itself.
    pub const fn as_u128(self) -> u128 {
        self.0.get()
    }
}

impl SpanId {
    /// `None` for zero, which W3C Trace Context forbids.
    pub const fn new(id: u64) -> Option<Self> {
        match NonZeroU64::new(id) {
            Some(id) => Some(Self(id)),
            None => None,
        }
    }

    /// The number itself.
    pub const fn as_u64(self) -> u64 {
        self.0.get()
    }
}

impl ModuleId {
    /// From the bytes that the artifact carries, in the order of the UUID's text.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The bytes, in the order of the UUID's text.
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Display for SpanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Display for ModuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        uuid::Uuid::from_bytes(self.0).hyphenated().fmt(f)
    }
}

impl FromStr for ModuleId {
    type Err = InvalidModuleId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        uuid::Uuid::try_parse(text).map(|id| Self(id.into_bytes())).map_err(|_| InvalidModuleId(text.to_owned()))
    }
}

impl fmt::Display for InvalidModuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a module id; write a UUID such as `6f1c9c1e-2b1f-4d0e-9a5b-0a6d2c1c7e11`", self.0)
    }
}

impl std::error::Error for InvalidModuleId {}

/// The id of the `sequence`-th span of a thread, and the trace that it starts if it is a root: a pure function, so that
/// the caller and the collector agree without a word in the record.
pub(crate) fn own_ids(thread: u32, sequence: u64) -> SpanContext {
    // 24 bits of thread, 40 of sequence: a bijective mix of distinct numbers is distinct.
    let number = u64::from(thread) << 40 | sequence & 0xff_ffff_ffff;
    let [span_seed, high_seed, low_seed] = seeds().map(|seed| seed ^ FORKED.load(Relaxed));
    let span = mix(number ^ span_seed).max(1);
    let high = mix(number ^ high_seed).max(1);
    let trace = u128::from(high) << 64 | u128::from(mix(number ^ low_seed));
    SpanContext {
        trace_id: TraceId(trace.try_into().unwrap_or(NonZeroU128::MIN)),
        span_id: SpanId(span.try_into().unwrap_or(NonZeroU64::MIN)),
    }
}

/// The finaliser of SplitMix64, a bijection.
fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// Set in a forked child, which would otherwise count on from its parent's ids.
static FORKED: AtomicU64 = AtomicU64::new(0);

/// In a forked child: the numbers of its spans become other ids than its parent's and its siblings'.
/// One atomic and the time: a forked child may do little more.
pub(crate) fn after_fork() {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    FORKED.store(mix(mix(std::process::id().into()) ^ now as u64), Relaxed);
}

/// What a fork must not find half done: before the first span.
pub(crate) fn prepare() {
    seeds();
}

/// Random numbers of this process.
fn seeds() -> [u64; 3] {
    use std::hash::{BuildHasher, RandomState};
    static SEEDS: OnceLock<[u64; 3]> = OnceLock::new();
    *SEEDS.get_or_init(|| {
        let state = RandomState::new();
        [0_u8, 1, 2].map(|index| state.hash_one((index, std::process::id(), std::time::SystemTime::now())))
    })
}
