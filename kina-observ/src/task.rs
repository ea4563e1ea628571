//! Spans of tasks: they belong to the task, not to the thread that happens to poll it.
//! Invariant: what a task does is its child on every thread (`tests/task.rs`).
//!
//! A task's span is one record, written when it ends: its values wait in the task, because the thread at the end may be another.

use core::future::Future;
use core::pin::Pin;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use core::task::{Context as Waker, Poll};

use crate::clock;
use crate::context::Context;
use crate::gate;
use crate::ids::{SpanContext, own_ids};
use crate::late::{LateValues, TaskLate};
use crate::local::{self, ADOPTED, DEEPEST, Local};
use crate::nvtx;
use crate::outcome::{Failure, Message, Outcome};
use crate::ring::{Writer, text_words};
use crate::site::Site;
use crate::span::{mask_of, say, value_words, write_ids, write_values};
use crate::text::FixedText;
use crate::value::Value;
use crate::words::{
    self, DEPTH_SHIFT, ENTER, ERROR_TEXT_BYTES, ERROR_TYPE, EXPLICIT, FAILED, LEAVE, MASK_SHIFT, TASK, TOLD, UNFINISHED,
};

/// The thread number of tasks: no thread reaches it, so their ids meet no other.
const TASKS: u32 = 0xff_ffff;

/// The span of a task; inert when nothing listens. Dropped before it is finished, it is written as unfinished.
#[derive(Debug)]
pub struct TaskSpan(Option<Box<Started>>);

#[derive(Debug)]
struct Started {
    site: &'static Site,
    context: SpanContext,
    parent: Option<SpanContext>,
    start: u64,
    /// Module, device and the mask of the values.
    word: u64,
    values: Box<[Kept]>,
    /// `false`: it has ranges only.
    recorded: bool,
}

/// A value that outlives its borrow.
#[derive(Debug)]
enum Kept {
    Absent,
    Word(u64),
    Str(String),
    Ints(Vec<i64>),
}

impl Kept {
    fn new(value: &Value<'_>) -> Self {
        match value {
            Value::Absent => Self::Absent,
            Value::Word(word) => Self::Word(*word),
            Value::Str(text) => Self::Str((*text).to_owned()),
            Value::Ints(list) => Self::Ints(list.to_vec()),
        }
    }

    fn value(&self) -> Value<'_> {
        match self {
            Self::Absent => Value::Absent,
            Self::Word(word) => Value::Word(*word),
            Self::Str(text) => Value::Str(text),
            Self::Ints(list) => Value::Ints(list),
        }
    }
}

impl TaskSpan {
    pub(crate) const INERT: Self = Self(None);

    /// Starts a span: a child of `parent`'s span, or of the innermost open one.
    pub(crate) fn start(site: &'static Site, parent: Option<&Context>, values: &[Value<'_>]) -> Self {
        let here = Context::current();
        let context = parent.unwrap_or(&here);
        let parent = context.span();
        let own = next_ids(parent);
        Self(Some(Box::new(Started {
            site,
            context: own,
            parent,
            start: clock::ticks(),
            word: context.word() | mask_of(values) << MASK_SHIFT,
            values: values.iter().map(Kept::new).collect(),
            recorded: site.is_recorded(),
        })))
    }

    /// Makes the span the current one during every poll of `future`.
    pub fn wrap<F: Future>(&self, future: F) -> Task<'_, F> {
        Task { span: self, future }
    }

    /// Ends the span.
    pub fn finish(self, outcome: Outcome<'_>) {
        self.end(outcome, None);
    }

    /// The same, with late values.
    pub fn finish_late<const N: usize>(self, outcome: Outcome<'_>, late: &TaskLate<N>) {
        self.end(outcome, Some(&*late.values()));
    }

    fn end(mut self, outcome: Outcome<'_>, late: Option<&dyn LateValues>) {
        let Some(started) = self.0.take() else { return };
        match outcome.at(started.site) {
            Outcome::Success => local::with(|local| started.write(local, 0, None, late)),
            Outcome::Failure(failure) => started.write_failure(&failure, late),
        }
    }
}

impl Drop for TaskSpan {
    fn drop(&mut self) {
        let Some(started) = self.0.take() else { return };
        if std::thread::panicking() {
            let message = Message::Text("the task panicked");
            started.write_failure(&Failure { error_type: "panic", message, help: "", inner: false }, None);
        } else {
            local::with(|local| started.write(local, UNFINISHED, None, None));
        }
    }
}

/// What a failed task says.
struct Told<'a> {
    error_type: &'static str,
    /// Message, help, span path; absent when an inner span has told it.
    texts: Option<[&'a str; 3]>,
}

impl Started {
    fn write_failure(&self, failure: &Failure<'_>, late: Option<&dyn LateValues>) {
        if !self.recorded {
            return local::with(|local| local.error_passes(local.depth.get(), failure.error_type));
        }
        let mut message = FixedText::<ERROR_TEXT_BYTES>::new();
        say(failure, &mut message);
        local::with(|local| {
            let mut path = FixedText::<ERROR_TEXT_BYTES>::new();
            // A `FixedText` takes what fits and marks the cut; it never fails.
            let _ = local.write_path_to(self.site, &mut path);
            let told = local.error_continues(local.depth.get(), failure.error_type);
            let texts = (!told).then(|| [message.as_str(), words::cut(failure.help, ERROR_TEXT_BYTES), path.as_str()]);
            self.write(local, FAILED, Some(&Told { error_type: failure.error_type, texts }), late);
        });
    }

    /// Opens the range of one poll, in the frame that it has or in one of its own.
    #[cold]
    fn open_range(&self, local: &Local, adopted: Option<usize>) -> Option<usize> {
        let depth = adopted.or_else(|| {
            let depth = local.depth.get();
            (self.site.facts.nvtx.is_some() && local.push_silent(depth, self.site)).then_some(depth)
        })?;
        let value = |index: usize| self.values.get(index).map_or(Value::Absent, Kept::value);
        nvtx::open(local, self.site, depth, &value);
        Some(depth)
    }

    /// Writes the one record of the span.
    fn write(&self, local: &Local, flags: u64, told: Option<&Told<'_>>, late: Option<&dyn LateValues>) {
        if !self.recorded {
            return;
        }
        let &Self { site, context, parent, start, word, .. } = self;
        let values: Vec<_> = self.values.iter().map(Kept::value).collect();
        let end = clock::ticks();
        Whole { site, context, parent, start, end, word, values: &values, flags, told, late }.write(local);
    }
}

/// A span that this thread tells whole, because it happened elsewhere.
struct Whole<'a> {
    site: &'static Site,
    context: SpanContext,
    parent: Option<SpanContext>,
    start: u64,
    end: u64,
    word: u64,
    values: &'a [Value<'a>],
    flags: u64,
    told: Option<&'a Told<'a>>,
    late: Option<&'a dyn LateValues>,
}

impl Whole<'_> {
    fn write(&self, local: &Local) {
        let &Self { values, told, late, .. } = self;
        let texts = told.and_then(|told| told.texts);
        let text_words = texts.iter().flatten().map(|text| text_words(text.len())).sum::<usize>();
        let most = 11 + text_words + value_words(values) + late.map_or(0, LateValues::words);
        if !local.room_for_event(most) {
            return;
        }
        let flags = self.flags | if told.is_some() { ERROR_TYPE } else { 0 } | if texts.is_some() { TOLD } else { 0 };
        // SAFETY: a ring is attached (there was room) and `most` words were granted.
        let mut writer = unsafe { local.producer.writer() };
        writer.word(TASK);
        writer.word(self.start);
        writer.word(self.end);
        writer.word(self.word);
        write_ids(&mut writer, self.context);
        writer.word(self.parent.map_or(0, |parent| parent.span_id.as_u64()));
        writer.word(flags | late.map_or(0, LateValues::mask) << 8);
        if let Some(told) = told {
            writer.word(told.error_type.as_ptr() as u64);
            writer.word(told.error_type.len() as u64);
        }
        texts.iter().flatten().for_each(|text| writer.text(text));
        write_values(&mut writer, values);
        if let Some(late) = late {
            late.write(&mut writer);
        }
        writer.header(words::header(TASK, writer.length(), words::address(self.site)));
        writer.publish();
    }
}

/// Tells a span that a device measured: `start` and `end` in ticks, module and device in `word`.
pub(crate) fn write_measured(
    site: &'static Site,
    parent: Option<SpanContext>,
    (start, end): (u64, u64),
    word: u64,
    values: &[Value<'_>],
) {
    let context = next_ids(parent);
    let word = word | mask_of(values) << MASK_SHIFT;
    let whole = Whole { site, context, parent, start, end, word, values, flags: 0, told: None, late: None };
    local::with(|local| whole.write(local));
}

/// The ids of the next span that belongs to no thread.
fn next_ids(parent: Option<SpanContext>) -> SpanContext {
    static STARTED: AtomicU64 = AtomicU64::new(0);
    let mut own = own_ids(TASKS, STARTED.fetch_add(1, Relaxed) + 1);
    if let Some(parent) = parent {
        own.trace_id = parent.trace_id;
    }
    own
}

/// A future inside its span.
#[derive(Debug)]
#[must_use = "a future does nothing until it is polled"]
pub struct Task<'a, F> {
    span: &'a TaskSpan,
    future: F,
}

impl<F: Future> Future for Task<'_, F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, waker: &mut Waker<'_>) -> Poll<F::Output> {
        // SAFETY: nothing is moved out of `this`, and the type has no `Drop`.
        let this = unsafe { self.get_unchecked_mut() };
        // SAFETY: `future` is pinned with its owner.
        let future = unsafe { Pin::new_unchecked(&mut this.future) };
        let _inside = this.span.0.as_deref().map(Inside::enter);
        future.poll(waker)
    }
}

/// During one poll the task's span is the innermost of its thread.
struct Inside {
    /// The frame; `None`: there was no room, what is recorded inside says so.
    depth: Option<usize>,
    not_send: core::marker::PhantomData<*const ()>,
}

impl Inside {
    fn enter(started: &Started) -> Self {
        local::with(|local| {
            let adopted = started.recorded.then(|| local.adopt(started.site, started.context, started.word)).flatten();
            let depth = if gate::takes_ranges() { started.open_range(local, adopted) } else { adopted };
            Self { depth, not_send: core::marker::PhantomData }
        })
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        if let Some(depth) = self.depth {
            local::with(|local| local.leave(depth));
        }
    }
}

impl Local {
    /// Makes a task's span the innermost; the frame to `leave`.
    fn adopt(&self, site: &'static Site, span: SpanContext, word: u64) -> Option<usize> {
        let depth = self.depth.get();
        if depth >= DEEPEST
            || !self.room_for_detail(6 + site.end_words as usize)
            || !self.open_explicit(depth, span, word)
        {
            return None;
        }
        self.push(depth, site, ADOPTED);
        // The room of an END, so that spans that are abandoned are all alike.
        self.producer.reserve(site.end_words as isize);
        // SAFETY: a ring is attached (there was room) and the words were granted.
        let mut writer = unsafe { self.producer.writer() };
        writer.word(words::header(ENTER, 5, words::address(site)));
        writer.word(self.word.get() | EXPLICIT | (depth as u64) << DEPTH_SHIFT);
        write_ids(&mut writer, span);
        writer.publish();
        Some(depth)
    }

    fn leave(&self, depth: usize) {
        if depth >= self.depth.get() {
            return;
        }
        crate::span::abandon(self, depth + 1);
        nvtx::close(self, depth);
        let (site, silent) = (self.site_at(depth), self.is_silent(depth));
        self.depth.set(depth);
        if silent {
            return;
        }
        self.producer.reserve(-(site.end_words as isize));
        if self.producer.ring().is_some() {
            // SAFETY: a ring is attached, and `adopt` held room back.
            let mut writer: Writer<'_> = unsafe { self.producer.writer() };
            writer.word(words::header(LEAVE, 1, 0));
            writer.publish();
        }
        self.close_explicit(depth);
    }
}
