//! The C boundary, called as C calls it: every code, the parameter's name in the message, an untouched out value.

mod common;

use std::ffi::c_char;
use std::fmt;
use std::mem::MaybeUninit;

use kina_observ::ffi::{Fault, Handle, HandleTable, Handled, LastError, fail, last_error};
use kina_observ::{FfiEnum, FfiError, Level, builder, ffi_span};

#[derive(Debug, Clone, Copy, PartialEq, FfiEnum)]
#[ffi_enum(attribute = runtime.dtype)]
#[repr(i32)]
enum DType {
    F32 = 3,
    I64 = 6,
}

#[derive(Debug, FfiError)]
enum Shape {
    #[ffi_error(code = 101, help = "make them equal")]
    Mismatch,
    #[ffi_error(code = 102, help = "look at the error type")]
    Unspeakable,
}

#[derive(Debug, FfiError)]
enum Driver {
    #[ffi_error(code = 201, help = "free memory")]
    OutOfMemory,
    #[ffi_error(transparent)]
    Boundary(Fault),
}

impl From<Fault> for Driver {
    fn from(fault: Fault) -> Self {
        Self::Boundary(fault)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mismatch => f.write_str("want 12 elements, got 6"),
            Self::Unspeakable => panic!("in Display"),
        }
    }
}

impl fmt::Display for Driver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfMemory => f.write_str("out of device memory"),
            Self::Boundary(fault) => fault.fmt(f),
        }
    }
}

struct Pool(u64);

impl Handled for Pool {
    const NAME: &'static str = "pool";
    fn table() -> &'static HandleTable<Self> {
        static POOLS: HandleTable<Pool> = HandleTable::new(9);
        &POOLS
    }
}

struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("in the payload's drop");
    }
}

/// Form (i): what the values must be like is the wrapper's work.
#[ffi_span(runtime.tensor.alloc, export = "boundary_alloc", fields(runtime.tensor.rank = shape.len()))]
fn alloc(dtype: DType, shape: &[i64], label: &str, pool: Handle<Pool>) -> Result<Result<u64, Shape>, Driver> {
    match label {
        "mismatch" => Ok(Err(Shape::Mismatch)),
        "unspeakable" => Ok(Err(Shape::Unspeakable)),
        "memory" => Err(Driver::OutOfMemory),
        "panic" => panic!("index out of tile: k = {}", shape.len()),
        "bomb" => std::panic::panic_any(Bomb),
        _ => Ok(Ok(pool.0 + dtype as u64 + shape.iter().sum::<i64>() as u64)),
    }
}

unsafe extern "C" {
    fn boundary_alloc(
        dtype: i32,
        shape: *const i64,
        shape_len: usize,
        label: *const c_char,
        pool: u64,
        out: *mut u64,
    ) -> i32;
}

/// Form (ii), with a late value and an inner error that is an answer.
#[ffi_span(runtime.stream.create, late(runtime.stream.id), inner = event, returns = Result<Result<u64, Shape>, Driver>, out = out)]
#[unsafe(no_mangle)]
extern "C" fn boundary_stream(out: Option<&mut MaybeUninit<u64>>, pool: u64, ask: i32) -> i32 {
    let pool = Handle::<Pool>::lookup(pool, "pool")?;
    observ.runtime_stream_id(77);
    if ask == 1 { Ok(Err(Shape::Mismatch)) } else { Ok(Ok(pool.0)) }
}

/// Form (ii) with a status of its own.
#[ffi_span(runtime.device.synchronize)]
#[unsafe(no_mangle)]
extern "C" fn boundary_status(code: i32) -> i32 {
    if code == 55 {
        return fail(55, "the device is asleep");
    }
    code
}

const UNTOUCHED: u64 = 0xdead_beef;

struct Call {
    dtype: i32,
    shape: *const i64,
    length: usize,
    label: &'static [u8],
    pool: u64,
    out: Option<usize>,
}

const SHAPE: [i64; 2] = [2, 3];

impl Call {
    fn good(pool: u64) -> Self {
        Self { dtype: 3, shape: SHAPE.as_ptr(), length: 2, label: b"x\0", pool, out: None }
    }

    /// The code, the out value, and the last error if the code says so.
    fn make(&self) -> (i32, u64, Option<LastError>) {
        let mut out = UNTOUCHED;
        let pointer = self.out.map_or(&raw mut out, |address| address as *mut u64);
        let label = if self.label.is_empty() { std::ptr::null() } else { self.label.as_ptr().cast() };
        // SAFETY: every pointer is null, misaligned or live; the boundary refuses the first two.
        let code = unsafe { boundary_alloc(self.dtype, self.shape, self.length, label, self.pool, pointer) };
        (code, out, last_error().filter(|_| code != 0))
    }
}

/// What goes wrong: the change to a good call, the code, the layer, the words.
type Case = (fn(&mut Call), i32, i32, &'static str);

const CASES: [Case; 16] = [
    (|call| call.dtype = 99, -6, 1, "`dtype` is 99, which is none of 3 (f32), 6 (i64)"),
    (|call| call.shape = std::ptr::null(), -2, 1, "`shape` is null"),
    (|call| call.shape = call.shape.wrapping_byte_add(1), -3, 1, "`shape` is not aligned to 8 bytes"),
    (|call| call.length = usize::MAX, -4, 1, "`shape` is longer than the address space"),
    (|call| call.label = b"", -2, 1, "`label` is null"),
    (|call| call.label = b"ab\xff\0", -5, 1, "`label` is not UTF-8: byte 2 is invalid"),
    (|call| call.pool = 0, -7, 1, "`pool` is not the handle of a live pool"),
    (|call| call.pool ^= 1 << 33, -7, 1, "`pool` is not the handle of a live pool"),
    (|call| call.out = Some(0), -2, 1, "`out` is null"),
    (|call| call.out = Some(0x1001), -3, 1, "`out` is not aligned to 8 bytes"),
    (|call| call.label = b"mismatch\0", 101, 3, "want 12 elements, got 6"),
    (|call| call.label = b"memory\0", 201, 2, "out of device memory"),
    (|call| call.label = b"panic\0", -1, 1, "panic in `boundary_alloc`: index out of tile: k = 2"),
    (|call| call.label = b"bomb\0", -1, 1, "panic in `boundary_alloc`: a value that is no text"),
    (|call| call.label = b"unspeakable\0", 102, 3, "<error message panicked>"),
    (|call| (call.shape, call.length) = (std::ptr::null(), 0), 0, 0, ""),
];

/// Where recording is on, a panic says where it was: the one difference between the levels.
fn without_place(message: &str) -> String {
    let Some((before, place)) = message.split_once("` at ") else { return message.to_owned() };
    assert!(kina_observ::level() != Level::Off, "{message}");
    let (place, after) = place.split_once(": ").expect("a place and a text");
    let mut numbers = place.strip_prefix(file!()).expect("this file").trim_start_matches(':').split(':');
    assert!(numbers.all(|number| number.parse::<u32>().is_ok()), "{message}");
    format!("{before}`: {after}")
}

fn every_case(pool: &Handle<Pool>) {
    for (change, code, layer, message) in CASES {
        let mut call = Call::good(pool.raw());
        change(&mut call);
        let (got, out, error) = call.make();
        assert_eq!(got, code, "{message}: {error:?}");
        if let Some(error) = error {
            assert_eq!(error.code(), code);
            assert_eq!(error.layer() as i32, layer, "{message}");
            assert_eq!(without_place(error.message()), message);
            assert_eq!(error.span_path(), "runtime.tensor.alloc");
            assert_eq!(out, UNTOUCHED, "{message}");
            assert!(!error.help().is_empty(), "{message}");
        } else {
            assert_eq!(out, 1_003);
        }
        // The next call works.
        assert_eq!(Call::good(pool.raw()).make().1, 1_008);
    }
}

#[test]
fn the_same_codes_and_texts_at_every_level() {
    let pool = Pool::table().insert(Pool(1_000));
    every_case(&pool);
    for level in [Level::Off, Level::Basic, Level::Kernel] {
        let (_folder, path) = common::trace_file();
        let guard = builder().level(level).trace_output(&path).init().expect("recording");
        every_case(&pool);
        let mut out = MaybeUninit::new(UNTOUCHED);
        assert_eq!(boundary_stream(Some(&mut out), pool.raw(), 0), 0);
        assert_eq!(boundary_stream(Some(&mut out), pool.raw(), 1), 101);
        assert_eq!(boundary_stream(Some(&mut out), 5, 0), -7);
        assert_eq!(boundary_stream(None, pool.raw(), 0), -2);
        assert_eq!(boundary_status(55), 55);
        assert_eq!(last_error().expect("an error").message(), "the device is asleep");
        assert_eq!(boundary_status(56), 56);
        assert_eq!(last_error().expect("an error").message(), "`boundary_status` returned 56");
        assert!(guard.shutdown().is_complete());
        if level == Level::Off {
            continue;
        }
        let lines = common::lines(&path);
        let streams: Vec<_> = lines.iter().filter(|line| line["type"] == "runtime.stream.create").collect();
        let seen = streams.iter().map(|line| {
            let attributes = &line["attributes"];
            (
                attributes["runtime.ffi.code"].as_i64(),
                attributes["runtime.stream.id"].as_i64(),
                line.get("status").is_some(),
            )
        });
        let expected = [(0, Some(77), false), (101, Some(77), false), (-7, None, true), (-2, None, true)];
        assert_eq!(seen.collect::<Vec<_>>(), expected.map(|(code, id, failed)| (Some(code), id, failed)));
        let allocs: Vec<_> = lines.iter().filter(|line| line["type"] == "runtime.tensor.alloc").collect();
        assert_eq!(allocs.len(), 2 * CASES.len());
        let unknown = allocs.iter().find(|line| line["attributes"]["runtime.ffi.code"] == -6).expect("the bad enum");
        assert_eq!(unknown["attributes"]["runtime.dtype"], "_OTHER");
        assert_eq!(unknown["attributes"]["error.type"], "invalid_enum_value");
        let good = allocs.iter().find(|line| line["attributes"]["runtime.ffi.code"] == 0).expect("a good call");
        assert_eq!(good["attributes"]["runtime.dtype"], "f32");
        assert_eq!(good["attributes"]["runtime.tensor.rank"], 2);
    }
}

#[test]
fn an_error_for_a_person_says_what_where_and_what_to_do() {
    let pool = Pool::table().insert(Pool(1_000));
    let (_, _, error) = Call { label: b"mismatch\0", ..Call::good(pool.raw()) }.make();
    assert_eq!(
        error.expect("an error").to_string(),
        "error[mismatch]: want 12 elements, got 6\n  = trace context: runtime.tensor.alloc\n  = help: make them equal"
    );
}
