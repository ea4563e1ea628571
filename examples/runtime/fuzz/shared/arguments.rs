//! Arguments of a call: each is chosen, and noted if it cannot be used.

use core::ffi::c_char;
use core::ptr::null;

use super::{Choices, Host};

const UNTOUCHED: u8 = 0x5a;

type Refusals = Vec<(i32, &'static str)>;

impl Host {
    pub(crate) fn tensor(&mut self, name: &'static str, choices: &mut impl Choices) -> u64 {
        let live = pick(self.tensors.len(), choices).map(|index| self.tensors[index]);
        let raw = self.handle(live, choices);
        if !self.tensors.contains(&raw) {
            self.refusals.push((-7, name));
        }
        raw
    }

    /// 0 is the default stream.
    pub(crate) fn stream(&mut self, choices: &mut impl Choices) -> u64 {
        let live = pick(self.streams.len(), choices).map(|index| self.streams[index].0);
        let raw = self.handle(live, choices);
        if self.streams.iter().all(|(stream, _)| *stream != raw) {
            self.refusals.push((-7, "stream"));
        }
        raw
    }

    pub(crate) fn event(&mut self, choices: &mut impl Choices) -> u64 {
        let stream = pick(self.streams.len(), choices).map(|index| &self.streams[index].1);
        let live = stream.and_then(|events| Some(events[pick(events.len(), choices)?]));
        let raw = self.handle(live, choices);
        if !self.events.contains(&raw) {
            self.refusals.push((-7, "event"));
        }
        raw
    }

    /// Live, 0, dead, of another kind, or any number.
    fn handle(&mut self, live: Option<u64>, choices: &mut impl Choices) -> u64 {
        let live = live.unwrap_or(0);
        if self.tidy {
            return live;
        }
        match choices.below(16) {
            0 => 0,
            1 => pick(self.dead.len(), choices).map_or(0, |index| self.dead[index]),
            2 => pick(self.tensors.len(), choices).map_or(0, |index| self.tensors[index]),
            3 => pick(self.streams.len(), choices).map_or(0, |index| self.streams[index].0),
            4 => choices.word(),
            // Almost right.
            5 => live ^ 1 << choices.below(64),
            _ => live,
        }
    }

    pub(crate) fn dtype(&mut self, name: &'static str, choices: &mut impl Choices) -> i32 {
        if self.tidy {
            return 3;
        }
        let code = match choices.below(4) {
            0 => choices.word() as i32,
            1 => choices.below(9) as i32,
            _ => 3,
        };
        if !(1..=6).contains(&code) {
            self.refusals.push((-6, name));
        }
        code
    }

    pub(crate) fn dimension(&mut self, name: &'static str, usual: i64, choices: &mut impl Choices) -> i64 {
        let value = if self.tidy { usual } else { extent(usual, choices) };
        if value < 0 {
            self.refusals.push((-4, name));
        }
        value
    }

    /// An out pointer into the room: null, misaligned or live.
    pub(crate) fn out<T>(&mut self, room: &mut Room, choices: &mut impl Choices) -> *mut T {
        let first = room.0.as_mut_ptr();
        match if self.tidy { 7 } else { choices.below(8) } {
            0 => {
                self.refusals.push((-2, "out"));
                core::ptr::null_mut()
            }
            1 => {
                self.refusals.push((-3, "out"));
                let aside = 1 + choices.below(align_of::<T>() as u64 - 1) as usize;
                first.cast::<u8>().wrapping_add(aside).cast()
            }
            _ => first.cast(),
        }
    }
}

/// An index, if there is one.
fn pick(length: usize, choices: &mut impl Choices) -> Option<usize> {
    (length > 0).then(|| choices.below(length as u64) as usize)
}

/// Small, negative, or so large that no tensor has it: never one that would take long.
fn extent(usual: i64, choices: &mut impl Choices) -> i64 {
    match choices.below(16) {
        0 => -1,
        1 => i64::MIN,
        2 => i64::MAX,
        3 => choices.word() as i64 | 1 << 40,
        4..8 => choices.below(5) as i64,
        _ => usual,
    }
}

/// Where an out value goes; what the call must not touch can be seen.
pub(crate) struct Room([u64; 2]);

impl Room {
    pub(crate) fn new() -> Self {
        Self([u64::from_ne_bytes([UNTOUCHED; 8]); 2])
    }

    /// Only a call that succeeds writes, and only its value.
    pub(crate) fn check(&self, code: i32, size: usize) -> Result<(), String> {
        let bytes = self.0.map(u64::to_ne_bytes).concat();
        let written = if code == 0 { size } else { 0 };
        let intact = bytes[written..].iter().all(|byte| *byte == UNTOUCHED);
        if intact { Ok(()) } else { Err(format!("code {code}, but the out value's room is {bytes:x?}")) }
    }

    pub(crate) fn value(&self) -> u64 {
        self.0[0]
    }
}

/// How a pointer and its length are passed.
#[derive(Clone, Copy, PartialEq)]
enum Passed {
    Live,
    Null,
    Misaligned,
    Endless,
}

fn passed(tidy: bool, choices: &mut impl Choices) -> Passed {
    match if tidy { 7 } else { choices.below(12) } {
        0 => Passed::Null,
        1 => Passed::Misaligned,
        2 => Passed::Endless,
        _ => Passed::Live,
    }
}

pub(crate) struct Shape {
    extents: [i64; 4],
    length: usize,
    passed: Passed,
}

impl Shape {
    pub(crate) fn new(choices: &mut impl Choices, tidy: bool) -> Self {
        let passed = passed(tidy, choices);
        if tidy {
            return Self { extents: [2; 4], length: 2, passed };
        }
        let length = choices.below(5) as usize;
        Self { extents: [(); 4].map(|()| extent(2, choices)), length, passed }
    }

    pub(crate) fn pass(&self, refusals: &mut Refusals) -> (*const i64, usize) {
        let first = self.extents.as_ptr();
        match self.passed {
            Passed::Endless => {
                refusals.push((-4, "shape"));
                (first, isize::MAX as usize / 8 + 1 + self.length)
            }
            // Nothing is read, so that any pointer does.
            Passed::Null | Passed::Misaligned if self.length == 0 => (null(), 0),
            Passed::Null => {
                refusals.push((-2, "shape"));
                (null(), self.length)
            }
            Passed::Misaligned => {
                refusals.push((-3, "shape"));
                (first.wrapping_byte_add(self.length), self.length)
            }
            Passed::Live => {
                if self.extents[..self.length].iter().any(|extent| *extent < 0) {
                    refusals.push((-4, "shape"));
                }
                (first, self.length)
            }
        }
    }
}

/// A label: bytes that end in a NUL, UTF-8 or not.
pub(crate) struct Labels(Option<Vec<u8>>);

impl Labels {
    pub(crate) fn new(choices: &mut impl Choices, tidy: bool) -> Self {
        if tidy {
            return Self(Some(b"t\0".to_vec()));
        }
        let length = choices.below(8);
        let label = match choices.below(8) {
            0 => return Self(None),
            1 => (0..length).map(|_| 1 + choices.below(255) as u8).collect(),
            2 => "größe".into(),
            _ => vec![b'a'; length as usize],
        };
        Self(Some([label, vec![0]].concat()))
    }

    pub(crate) fn pass(&self, refusals: &mut Refusals) -> *const c_char {
        let Some(bytes) = &self.0 else {
            refusals.push((-2, "label"));
            return null();
        };
        if str::from_utf8(bytes).is_err() {
            refusals.push((-5, "label"));
        }
        bytes.as_ptr().cast()
    }
}

/// A buffer for copies, longer than what is passed of it.
pub(crate) struct Bytes {
    all: [u8; 64],
    start: usize,
    length: usize,
    passed: Passed,
}

impl Bytes {
    pub(crate) fn new(choices: &mut impl Choices, tidy: bool) -> Self {
        // Bytes need no alignment: any start will do.
        let (start, passed) = (choices.below(8) as usize, passed(tidy, choices));
        let length = if tidy || choices.below(2) == 0 { 16 } else { choices.below(40) as usize };
        Self { all: [UNTOUCHED; 64], start, length, passed }
    }

    pub(crate) fn pass(&mut self, refusals: &mut Refusals) -> (*mut u8, usize) {
        let first = self.all.as_mut_ptr().wrapping_add(self.start);
        match self.passed {
            Passed::Endless => {
                refusals.push((-4, "bytes"));
                (first, usize::MAX - self.length)
            }
            Passed::Null => {
                if self.length > 0 {
                    refusals.push((-2, "bytes"));
                }
                (core::ptr::null_mut(), self.length)
            }
            Passed::Live | Passed::Misaligned => (first, self.length),
        }
    }

    /// Only a copy from the device that succeeds writes, and only what was passed.
    pub(crate) fn check(&self, written: bool) -> Result<(), String> {
        let end = self.start + self.length;
        let outside = self.all[..self.start].iter().chain(&self.all[end..]);
        let inside = self.all[self.start..end].iter().filter(|_| !written);
        let intact = outside.chain(inside).all(|byte| *byte == UNTOUCHED);
        if intact { Ok(()) } else { Err(format!("a buffer was touched: {:x?}", self.all)) }
    }
}
