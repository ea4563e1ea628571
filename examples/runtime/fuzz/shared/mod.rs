//! Arbitrary calls of all 17 entry points, and what each may answer. The fuzz target and `tests/fuzz_smoke.rs` share it.
//!
//! Pointers are null, misaligned or live, never wild: no boundary can catch those. Everything else is anything.
//! The host knows which arguments cannot be used, so that it can say which codes and names a refusal may have.

mod arguments;
mod symbols;

use std::collections::{BTreeMap, HashSet, VecDeque};

use kina_observ::ffi::Handled;
use kina_runtime::stream::{Event, Stream};
use kina_runtime::tensor::Tensor;

use arguments::{Bytes, Labels, Room, Shape};
use symbols::*;

/// Where the choices come from: a generator with a seed, or the bytes of a fuzzer.
pub(crate) trait Choices {
    /// A number below `limit`, which is not 0.
    fn below(&mut self, limit: u64) -> u64;

    /// Any number.
    fn word(&mut self) -> u64;
}

/// How often an entry point gave a code.
pub(crate) type Seen = BTreeMap<(&'static str, i32), u64>;

/// More would only take time: the oldest makes room.
const TENSORS: usize = 16;
const STREAMS: usize = 4;
/// As many as a stream keeps.
const EVENTS: usize = 1024;
const DEAD: usize = 64;

/// A C host with its handles.
#[derive(Default)]
pub(crate) struct Host {
    tensors: VecDeque<u64>,
    /// Behind 0, the default stream, with the events that each keeps.
    streams: VecDeque<(u64, VecDeque<u64>)>,
    events: HashSet<u64>,
    dead: VecDeque<u64>,
    /// What this call may be refused for.
    refusals: Vec<(i32, &'static str)>,
    /// Every argument of this call is one that should do.
    tidy: bool,
    seen: Seen,
}

impl Host {
    /// A host that has nothing but the default stream.
    pub(crate) fn new() -> Self {
        Self { streams: VecDeque::from([(0, VecDeque::new())]), ..Self::default() }
    }

    /// What was answered so far.
    #[allow(dead_code, reason = "the fuzz target counts nothing")]
    pub(crate) fn seen(&self) -> &Seen {
        &self.seen
    }

    /// One call of one entry point.
    ///
    /// # Errors
    /// What was wrong with its answer.
    pub(crate) fn step(&mut self, choices: &mut impl Choices) -> Result<(), String> {
        self.refusals.clear();
        self.tidy = choices.below(2) == 0;
        match choices.below(17) {
            0 => self.device_count(choices),
            1 => self.judge("runtime_device_synchronize", runtime_device_synchronize(), &[]),
            2 => self.stream_create(choices),
            3 => self.stream_destroy(choices),
            4 => {
                let code = runtime_stream_synchronize(self.stream(choices));
                self.judge("runtime_stream_synchronize", code, &[])
            }
            5 => {
                let (stream, event) = (self.stream(choices), self.event(choices));
                self.judge("runtime_stream_wait_event", runtime_stream_wait_event(stream, event), &[])
            }
            6 => self.event_record(choices),
            7 => self.tensor_alloc(choices),
            8 => self.tensor_free(choices),
            9 => self.copy_h2d(choices),
            10 => self.copy_d2h(choices),
            _ => self.kernel(choices),
        }
    }

    fn kernel(&mut self, choices: &mut impl Choices) -> Result<(), String> {
        const LAUNCH: [i32; 3] = [101, 102, 103];
        let [out, a] = ["out", "a"].map(|name| self.tensor(name, choices));
        match choices.below(6) {
            0 => {
                let b = self.tensor("b", choices);
                let [m, k, n] = ["m", "k", "n"].map(|name| self.dimension(name, 2, choices));
                let batch = self.dimension("batch", 1, choices);
                let code = runtime_gpu_matmul(out, a, b, batch, m, k, n, self.dtype("dtype_code", choices));
                self.judge("runtime_gpu_matmul", code, &LAUNCH)
            }
            1 => {
                let (b, stream) = (self.tensor("b", choices), self.stream(choices));
                let code = runtime_gpu_add(stream, out, a, b, self.dimension("n", 4, choices));
                self.judge("runtime_gpu_add", code, &LAUNCH)
            }
            2 => {
                let [m, n] = ["m", "n"].map(|name| self.dimension(name, 2, choices));
                let code = runtime_gpu_softmax(self.stream(choices), out, a, m, n);
                self.judge("runtime_gpu_softmax", code, &LAUNCH)
            }
            3 => {
                let [gamma, beta] = ["gamma", "beta"].map(|name| self.tensor(name, choices));
                // The usual tensor is one row of the usual gamma.
                let (m, n) = (self.dimension("m", 1, choices), self.dimension("n", 4, choices));
                let epsilon = f32::from_bits(choices.word() as u32);
                let code = runtime_gpu_layernorm(self.stream(choices), out, a, gamma, beta, m, n, epsilon);
                self.judge("runtime_gpu_layernorm", code, &LAUNCH)
            }
            4 => {
                let n = self.dimension("n", 4, choices);
                let code = runtime_gpu_gelu(self.stream(choices), out, a, n);
                self.judge("runtime_gpu_gelu", code, &LAUNCH)
            }
            _ => {
                let [m, n] = ["m", "n"].map(|name| self.dimension(name, 2, choices));
                let (batch, stream) = (self.dimension("batch", 1, choices), self.stream(choices));
                self.judge("runtime_gpu_transpose", runtime_gpu_transpose(stream, out, a, batch, m, n), &LAUNCH)
            }
        }
    }

    fn device_count(&mut self, choices: &mut impl Choices) -> Result<(), String> {
        let mut room = Room::new();
        let out = self.out::<i32>(&mut room, choices);
        // SAFETY: null, misaligned, or the address of a room that outlives the call.
        let code = unsafe { runtime_device_count(out) };
        room.check(code, 4)?;
        self.judge("runtime_device_count", code, &[])
    }

    fn stream_create(&mut self, choices: &mut impl Choices) -> Result<(), String> {
        let mut room = Room::new();
        let out = self.out::<u64>(&mut room, choices);
        // SAFETY: null, misaligned, or the address of a room that outlives the call.
        let code = unsafe { runtime_stream_create(out) };
        room.check(code, 8)?;
        self.judge("runtime_stream_create", code, &[])?;
        if code == 0 {
            self.streams.push_back((room.value(), VecDeque::new()));
        }
        if self.streams.len() > STREAMS { self.end_stream(1) } else { Ok(()) }
    }

    fn stream_destroy(&mut self, choices: &mut impl Choices) -> Result<(), String> {
        let stream = self.stream(choices);
        if stream == 0 {
            self.refusals.push((-7, "stream"));
        }
        let code = runtime_stream_destroy(stream);
        self.judge("runtime_stream_destroy", code, &[])?;
        if code == 0 {
            let index = self.streams.iter().position(|(raw, _)| *raw == stream);
            self.forget_stream(index.ok_or("a stream that is not ours was destroyed")?);
        }
        Ok(())
    }

    fn event_record(&mut self, choices: &mut impl Choices) -> Result<(), String> {
        let mut room = Room::new();
        let (stream, out) = (self.stream(choices), self.out::<u64>(&mut room, choices));
        // SAFETY: null, misaligned, or the address of a room that outlives the call.
        let code = unsafe { runtime_event_record(stream, out) };
        room.check(code, 8)?;
        self.judge("runtime_event_record", code, &[])?;
        if code != 0 {
            return Ok(());
        }
        let (_, events) = self.streams.iter_mut().find(|(raw, _)| *raw == stream).ok_or("an event on no stream")?;
        events.push_back(room.value());
        let oldest = if events.len() > EVENTS { events.pop_front() } else { None };
        self.events.insert(room.value());
        oldest.into_iter().for_each(|event| self.forget_event(event));
        Ok(())
    }

    fn tensor_alloc(&mut self, choices: &mut impl Choices) -> Result<(), String> {
        let mut room = Room::new();
        let (shape, labels) = (Shape::new(choices, self.tidy), Labels::new(choices, self.tidy));
        let (shape, length) = shape.pass(&mut self.refusals);
        let label = labels.pass(&mut self.refusals);
        let (dtype, out) = (self.dtype("dtype", choices), self.out::<u64>(&mut room, choices));
        // SAFETY: each is null, misaligned, or lives through the call with the length that is passed; a longer one is refused
        // before it is read. The label ends in a NUL.
        let code = unsafe { runtime_tensor_alloc(dtype, shape, length, label, out) };
        room.check(code, 8)?;
        self.judge("runtime_tensor_alloc", code, &[112, 201])?;
        if code == 0 {
            self.tensors.push_back(room.value());
        }
        if self.tensors.len() > TENSORS { self.free_oldest() } else { Ok(()) }
    }

    fn tensor_free(&mut self, choices: &mut impl Choices) -> Result<(), String> {
        let tensor = self.tensor("tensor", choices);
        let code = runtime_tensor_free(tensor);
        self.judge("runtime_tensor_free", code, &[])?;
        if code == 0 {
            self.tensors.retain(|raw| *raw != tensor);
            self.bury(tensor);
        }
        Ok(())
    }

    fn copy_h2d(&mut self, choices: &mut impl Choices) -> Result<(), String> {
        let (dst, stream) = (self.tensor("dst", choices), self.stream(choices));
        let mut bytes = Bytes::new(choices, self.tidy);
        let (first, length) = bytes.pass(&mut self.refusals);
        // SAFETY: null, or as many bytes as are passed, which outlive the call; more are refused before they are read.
        let code = unsafe { runtime_copy_h2d(dst, first, length, stream) };
        bytes.check(false)?;
        self.judge("runtime_copy_h2d", code, &[111])
    }

    fn copy_d2h(&mut self, choices: &mut impl Choices) -> Result<(), String> {
        let (src, stream) = (self.tensor("src", choices), self.stream(choices));
        let mut bytes = Bytes::new(choices, self.tidy);
        let (first, length) = bytes.pass(&mut self.refusals);
        // SAFETY: null, or as many bytes as are passed, which outlive the call; more are refused before they are written.
        let code = unsafe { runtime_copy_d2h(src, first, length, stream) };
        bytes.check(code == 0)?;
        self.judge("runtime_copy_d2h", code, &[111])
    }

    /// Whether the code is one that these arguments may have, and the last error tells it.
    fn judge(&mut self, symbol: &'static str, code: i32, answers: &[i32]) -> Result<(), String> {
        *self.seen.entry((symbol, code)).or_default() += 1;
        if code == 0 && self.refusals.is_empty() {
            return Ok(());
        }
        let (told, message) = last_error();
        let named = |name: &str| message.contains(&format!("`{name}`"));
        let right = match self.refusals.as_slice() {
            [] => answers.contains(&code) && !message.is_empty(),
            refusals => refusals.iter().any(|(refusal, name)| *refusal == code && named(name)),
        };
        if right && told == code {
            return Ok(());
        }
        let refusals = &self.refusals;
        Err(format!("`{symbol}` gave {code}; the last error is {told}: {message}; it may be refused for {refusals:?}"))
    }

    fn end_stream(&mut self, index: usize) -> Result<(), String> {
        self.refusals.clear();
        self.judge("runtime_stream_destroy", runtime_stream_destroy(self.streams[index].0), &[])?;
        self.forget_stream(index);
        Ok(())
    }

    fn free_oldest(&mut self) -> Result<(), String> {
        self.refusals.clear();
        let Some(tensor) = self.tensors.pop_front() else { return Ok(()) };
        self.judge("runtime_tensor_free", runtime_tensor_free(tensor), &[])?;
        self.bury(tensor);
        Ok(())
    }

    fn forget_stream(&mut self, index: usize) {
        let Some((stream, events)) = self.streams.remove(index) else { return };
        events.into_iter().for_each(|event| self.forget_event(event));
        self.bury(stream);
    }

    fn forget_event(&mut self, event: u64) {
        self.events.remove(&event);
        self.bury(event);
    }

    fn bury(&mut self, handle: u64) {
        self.dead.push_back(handle);
        if self.dead.len() > DEAD {
            self.dead.pop_front();
        }
    }

    /// Gives everything back, and looks whether the runtime has nothing left: the default stream's events are its own.
    ///
    /// # Errors
    /// What is left.
    pub(crate) fn finish(&mut self) -> Result<(), String> {
        self.refusals.clear();
        while self.streams.len() > 1 {
            self.end_stream(1)?;
        }
        while !self.tensors.is_empty() {
            self.free_oldest()?;
        }
        self.judge("runtime_device_synchronize", runtime_device_synchronize(), &[])?;
        let live = (Tensor::table().live(), Stream::table().live(), Event::table().live());
        let expected = (0, 0, self.events.len());
        if live != expected {
            return Err(format!("tensors, streams and events: {live:?} are live, not {expected:?}"));
        }
        self.no_byte_in_use()
    }

    /// The refusal of a tensor that is too large says how much is in use.
    fn no_byte_in_use(&mut self) -> Result<(), String> {
        let mut out = 0_u64;
        // SAFETY: shape, label and out value live through the call.
        let code = unsafe { runtime_tensor_alloc(3, [1_i64 << 40].as_ptr(), 1, c"".as_ptr(), &raw mut out) };
        let (_, message) = last_error();
        if code == 201 && message.contains(" 0 of ") { Ok(()) } else { Err(format!("{code}: {message}")) }
    }
}
