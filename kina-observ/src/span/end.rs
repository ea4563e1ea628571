//! Closes spans, with what their outcome says.

use core::fmt::Write;
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

use super::{Entered, write_ids};
use crate::clock;
use crate::ffi::last_error;
use crate::ids::SpanContext;
use crate::late::{Late, LateValues};
use crate::local::{self, ADOPTED, DEEPEST, Local};
use crate::nvtx;
use crate::outcome::{Failure, Message, Outcome};
use crate::ring::text_words;
use crate::text::FixedText;
use crate::words::{self, ABANDON, ERROR, ERROR_TEXT_BYTES, ERROR_TYPE, FAILED, LINK, PARENT_DROPPED, SLOW_CLOCK};

/// Closes the innermost span when there is nothing to say but the time. `false`: it is not that simple.
#[inline(always)]
fn end_plainly(local: &Local, entered: Entered) -> bool {
    let depth = entered.depth as usize;
    let special = local.word.get() & (PARENT_DROPPED | SLOW_CLOCK) != 0;
    if depth >= DEEPEST || depth + 1 != local.depth.get() || special {
        return false;
    }
    if !local.is_plain(depth) {
        return false;
    }
    let now = clock::counter();
    local.depth.set(depth);
    local.producer.reserve(-(end_words(local, depth) as isize));
    // SAFETY: the span was recorded, so a ring is attached, and START held room back for this record.
    let mut writer = unsafe { local.producer.writer() };
    writer.word(words::end_header(2, 0, 0, 0));
    writer.word(now);
    writer.publish();
    true
}

/// What an END says beside the time.
#[derive(Default)]
struct End<'a> {
    flags: u64,
    error_type: Option<&'static str>,
    code: i32,
    late: Option<&'a dyn LateValues>,
}

/// Closes the span, and every span that was left open inside it.
#[inline(never)]
fn end(local: &Local, entered: Entered, end: &End<'_>) {
    let depth = entered.depth as usize;
    if depth >= local.depth.get() {
        return; // too deep, or closed already
    }
    nvtx::close(local, depth);
    if depth + 1 != local.depth.get() {
        abandon(local, depth + 1);
    }
    let sequence = local.sequence_at(depth);
    local.depth.set(depth);
    if sequence != 0 {
        let now = clock::ticks();
        local.producer.reserve(-(end_words(local, depth) as isize));
        if local.producer.ring().is_some() {
            let late_words = end.late.map_or(0, |late| late.words());
            let length = 2 + if end.error_type.is_some() { 2 } else { 0 } + late_words;
            let mask = end.late.map_or(0, |late| late.mask());
            // SAFETY: a ring is attached, and START held `end_words` back for this record.
            let mut writer = unsafe { local.producer.writer() };
            writer.word(words::end_header(length, end.flags, mask, end.code));
            writer.word(now);
            if let Some(error_type) = end.error_type {
                writer.word(error_type.as_ptr() as u64);
                writer.word(error_type.len() as u64);
            }
            if let Some(late) = end.late {
                late.write(&mut writer);
            }
            writer.publish();
        }
    }
    if local::is_explicit(sequence) {
        local.close_explicit(depth);
    }
    if local.word.get() & PARENT_DROPPED != 0 {
        local.forget_dropped();
    }
}

#[inline(always)]
fn end_words(local: &Local, depth: usize) -> usize {
    local.site_at(depth).end_words as usize
}

/// Spans that will never end (`longjmp` went over them).
#[cold]
#[inline(never)]
pub(crate) fn abandon(local: &Local, first: usize) {
    nvtx::close(local, first);
    let mut abandoned = false;
    for depth in first..local.depth.get() {
        if local.sequence_at(depth) != 0 {
            local.producer.reserve(-(end_words(local, depth) as isize));
            abandoned = true;
        }
    }
    if abandoned && local.producer.ring().is_some() {
        // SAFETY: a ring is attached, and one of the ENDs that will not come leaves its room for this word.
        let mut writer = unsafe { local.producer.writer() };
        writer.word(words::header(ABANDON, 1, first as u64));
        writer.publish();
    }
    local.close_explicit(first);
}

/// Closes the span of a C entry point and hands the code on. It does not unwind, so a wrapper may end in it.
#[inline(never)]
pub extern "C" fn exit_code(entered: Entered, code: i32) -> i32 {
    if code == 0 && local::with(|local| end_plainly(local, entered)) {
        return code;
    }
    exit_code_slowly(entered, code)
}

#[cold]
#[inline(never)]
extern "C" fn exit_code_slowly(entered: Entered, code: i32) -> i32 {
    if code != 0 {
        return exit_failed_code(entered, code, None);
    }
    local::with(|local| end(local, entered, &End::default()));
    code
}

/// The same, with late values.
#[inline(never)]
pub fn exit_code_late<const N: usize>(entered: Entered, code: i32, late: &Late<N>) -> i32 {
    if code != 0 {
        return exit_failed_code(entered, code, Some(late));
    }
    local::with(|local| end(local, entered, &End { late: Some(late), ..End::default() }));
    code
}

/// The boundary has left the error in this thread's last error.
#[cold]
#[inline(never)]
fn exit_failed_code(entered: Entered, code: i32, late: Option<&dyn LateValues>) -> i32 {
    local::with(|local| {
        last_error::with(|error| {
            let failed = !error.is_answer();
            if failed {
                report(local, entered, error.error_type(), error.texts());
            }
            let flags = if failed { FAILED | ERROR_TYPE } else { 0 };
            let error_type = failed.then(|| error.error_type());
            end(local, entered, &End { flags, error_type, code, late });
        });
    });
    code
}

/// Closes the span of a Rust function.
#[inline(never)]
pub fn exit_outcome(entered: Entered, outcome: Outcome<'_>) {
    exit_with(entered, outcome, None);
}

/// The same, with late values.
#[inline(never)]
pub fn exit_outcome_late<const N: usize>(entered: Entered, outcome: Outcome<'_>, late: &Late<N>) {
    exit_with(entered, outcome, Some(late));
}

fn exit_with(entered: Entered, outcome: Outcome<'_>, late: Option<&dyn LateValues>) {
    local::with(|local| match outcome {
        Outcome::Success if late.is_none() && end_plainly(local, entered) => {}
        outcome => match meant(local, entered, outcome) {
            Outcome::Success => end(local, entered, &End { late, ..End::default() }),
            Outcome::Failure(failure) => {
                let mut message = FixedText::<ERROR_TEXT_BYTES>::new();
                say(&failure, &mut message);
                let help = words::cut(failure.help, ERROR_TEXT_BYTES);
                report(local, entered, failure.error_type, [message.as_bytes(), help.as_bytes()]);
                let error_type = Some(failure.error_type);
                end(local, entered, &End { flags: FAILED | ERROR_TYPE, error_type, code: 0, late });
            }
        },
    });
}

/// What an outcome means for the span: an inner error may be an answer there.
fn meant<'a>(local: &Local, entered: Entered, outcome: Outcome<'a>) -> Outcome<'a> {
    let depth = entered.depth as usize;
    if depth < local.depth.get() { outcome.at(local.site_at(depth)) } else { outcome }
}

/// The user's `Display` may panic; that must not leave the span.
pub(crate) fn say(failure: &Failure<'_>, message: &mut FixedText<ERROR_TEXT_BYTES>) {
    let written = catch_unwind(AssertUnwindSafe(|| match failure.message {
        Message::Display(value) => write!(message, "{value}"),
        Message::Debug(value) => write!(message, "{value:?}"),
        Message::Text(text) => message.write_str(text),
    }));
    if written.is_err() {
        message.clear();
        let _ = message.write_str("<error message panicked>");
    }
}

/// Writes the error's texts, message and help, once: on the innermost span that failed with it.
fn report(local: &Local, entered: Entered, error_type: &'static str, [message, help]: [&[u8]; 2]) {
    let depth = entered.depth as usize;
    if depth < local.depth.get() && local.is_silent(depth) {
        return local.error_passes(depth, error_type);
    }
    if local.error_continues(depth, error_type) || depth >= local.depth.get() || local.sequence_at(depth) == 0 {
        return;
    }
    let mut path = FixedText::<ERROR_TEXT_BYTES>::new();
    let _ = local.write_path(&mut path);
    let texts = [message, help, path.as_bytes()];
    let length = 1 + texts.iter().map(|text| text_words(text.len())).sum::<usize>();
    if !local.room_for_detail(length) {
        return;
    }
    // SAFETY: a ring is attached (there was room) and `length` words were granted.
    let mut writer = unsafe { local.producer.writer() };
    writer.word(words::header(ERROR, length, 0));
    texts.iter().for_each(|text| writer.bytes(text));
    writer.publish();
}

/// Says that the innermost open span refers to another span, for example the one whose event it waits for.
pub fn link(to: SpanContext) {
    local::with(|local| {
        let open = local.depth.get();
        if open == 0 || local.sequence_at(open - 1) == 0 || !local.room_for_detail(4) {
            return;
        }
        // SAFETY: a ring is attached (there was room) and 4 words were granted.
        let mut writer = unsafe { local.producer.writer() };
        writer.word(words::header(LINK, 4, 0));
        write_ids(&mut writer, to);
        writer.publish();
    });
}

/// Ends this thread's spans where a panic ends the process, as unwinding would, and leaves it as the last error, which a
/// handler of `SIGABRT` may read.
pub(crate) fn end_all(panic: &str) {
    const HELP: &str = "this is a bug in the library: report it with the message and the trace";
    local::with(|local| {
        if let Some(last) = local.depth.get().checked_sub(1) {
            last_error::set_panic(local.site_at(last), panic, HELP);
        }
        // A task's span is not this thread's alone.
        while let Some(last) = local.depth.get().checked_sub(1).filter(|last| local.sequence_at(*last) != ADOPTED) {
            exit_outcome(super::entered(last), Outcome::failure("panic", Message::Text(panic), HELP));
        }
    });
}

/// Ends a span whose function unwinds.
#[derive(Debug)]
pub struct PanicGuard(Entered);

impl PanicGuard {
    /// Watches over an open span.
    pub fn new(entered: Entered) -> Self {
        Self(entered)
    }

    /// The function returned.
    pub fn defuse(self) {
        core::mem::forget(self);
    }
}

impl Drop for PanicGuard {
    fn drop(&mut self) {
        exit_outcome(self.0, Outcome::failure("panic", Message::Text("the function panicked"), ""));
    }
}
