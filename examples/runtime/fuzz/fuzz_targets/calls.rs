//! The bytes of the fuzzer are the choices of a host that calls the 17 entry points.
#![no_main]

#[path = "../shared/mod.rs"]
mod shared;

use std::sync::Mutex;

use libfuzzer_sys::fuzz_target;
use shared::{Choices, Host};

/// One host for all inputs: the default stream and its events stay.
static HOST: Mutex<Option<Host>> = Mutex::new(None);

struct Bytes<'a>(&'a [u8]);

impl Choices for Bytes<'_> {
    fn below(&mut self, limit: u64) -> u64 {
        let choice = if limit <= 256 { u64::from(self.byte()) } else { self.word() };
        choice % limit
    }

    fn word(&mut self) -> u64 {
        u64::from_le_bytes([(); 8].map(|()| self.byte()))
    }
}

impl Bytes<'_> {
    /// 0 when all are used.
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut host = HOST.lock().expect("a wrong answer ends the process");
    let host = host.get_or_insert_with(Host::new);
    let mut bytes = Bytes(bytes);
    while !bytes.0.is_empty() {
        host.step(&mut bytes).expect("a right answer");
    }
    host.finish().expect("nothing is left");
});
