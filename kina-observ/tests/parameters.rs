//! What `#[ffi(..)]` and `error = out` say, callbacks and values that go out: called as C calls, with the same words at every level.

mod common;

use std::ffi::{CStr, CString, c_char, c_void};
use std::fmt;
use std::ptr::{null, null_mut};

use kina_observ::ffi::{ErrorCopy, Fault, dim, fail, last_error};
use kina_observ::{FfiEnum, FfiError, FfiStruct, Level, builder, ffi_span};

#[derive(Debug, FfiError)]
#[ffi_error(code = 101, help = "pass another")]
struct Refused(String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Debug, Clone, Copy, FfiEnum)]
#[repr(i32)]
enum Color {
    Red = 1,
    Blue = 4,
}

/// Two slices of one length, and one that need not be there.
#[ffi_span("sizes.dot", export = "sizes_dot", error = out, fields(runtime.shape.n = n))]
fn dot(
    n: i64,
    #[ffi(len = "n")] a: &[f32],
    #[ffi(len = "n")] b: &[f32],
    #[ffi(len = "n")] weights: Option<&[f32]>,
    #[ffi(nullable)] label: &str,
    note: Option<&str>,
) -> Result<f32, Refused> {
    match label {
        "refuse" => return Err(Refused("no".to_owned())),
        "panic" => panic!("with {n} elements"),
        _ => {}
    }
    let sum: f32 = (0..a.len()).map(|i| a[i] * b[i] * weights.map_or(1.0, |weights| weights[i])).sum();
    Ok(sum + label.len() as f32 + note.map_or(0.0, |note| note.len() as f32))
}

/// Each with a value that must not be seen.
#[ffi_span("secrets.use", export = "secrets_use")]
fn use_secrets(
    #[ffi(secret)] size: i32,
    #[ffi(secret, len = "size")] key: &mut [u8],
    #[ffi(secret)] pin: &str,
    #[ffi(secret)] color: Color,
) -> Result<u64, Refused> {
    key.fill(color as u8);
    Ok((key.len() + pin.len()) as u64 + size as u64)
}

type Step = unsafe extern "C-unwind" fn(*mut c_void, i64) -> i32;

/// Calls back, and fails with what the callback returned.
#[ffi_span("calls.each", export = "calls_each", error = out)]
fn each(n: i64, step: unsafe extern "C-unwind" fn(*mut c_void, i64) -> i32, user: *mut c_void) -> Result<i64, Refused> {
    for i in 0..n {
        // SAFETY: whoever passes `step` promises that `user` is what it expects.
        match unsafe { step(user, i) } {
            0 => {}
            // The callback's own failure is not ours.
            -1000 => return Ok(i),
            code => return Err(Refused(format!("step {i} said {code}"))),
        }
    }
    Ok(n)
}

/// Form (ii), with its error at the end.
#[ffi_span("calls.status", returns = Result<(), Fault>, error = out)]
#[unsafe(no_mangle)]
extern "C" fn calls_status(n: i64, error: *mut ErrorCopy) -> i32 {
    dim(n, "n")?;
    Ok(())
}

/// Form (ii), where the body says it.
#[ffi_span("calls.said", error = out)]
#[unsafe(no_mangle)]
extern "C" fn calls_said(error: *mut ErrorCopy) -> i32 {
    fail(55, "the device is asleep")
}

#[derive(Debug, Clone, Copy, PartialEq, FfiStruct)]
#[repr(C)]
struct Extent {
    rows: i64,
    sides: [f32; 2],
    at: *const i64,
}

static SEVEN: i64 = 7;

#[ffi_span("values.extent", export = "values_extent")]
fn extent(rows: i64) -> Result<Extent, Refused> {
    Ok(Extent { rows, sides: [1.0, 2.0], at: &SEVEN })
}

#[ffi_span("values.pointer", export = "values_pointer")]
fn pointer() -> *const i64 {
    &SEVEN
}

unsafe extern "C" {
    fn sizes_dot(
        n: i64,
        a: *const f32,
        b: *const f32,
        weights: *const f32,
        label: *const c_char,
        note: *const c_char,
        out: *mut f32,
        error: *mut ErrorCopy,
    ) -> i32;
    fn secrets_use(size: i32, key: *mut u8, pin: *const c_char, color: i32, out: *mut u64) -> i32;
    fn calls_each(n: i64, step: Option<Step>, user: *mut c_void, out: *mut i64, error: *mut ErrorCopy) -> i32;
    fn values_extent(rows: i64, out: *mut Extent) -> i32;
    fn values_pointer(out: *mut *const i64) -> i32;
}

static ONES: [f32; 3] = [1.0; 3];
static TWOS: [f32; 3] = [2.0; 3];
const UNTOUCHED: i32 = 0x55;

struct Dot {
    n: i64,
    a: *const f32,
    b: *const f32,
    weights: *const f32,
    label: Option<&'static str>,
    note: Option<&'static str>,
}

impl Dot {
    const GOOD: Self = Self { n: 3, a: ONES.as_ptr(), b: ONES.as_ptr(), weights: null(), label: None, note: None };

    /// Code, value and the copy of the error.
    fn call(&self, error: *mut ErrorCopy) -> (i32, f32) {
        let text = |text: Option<&str>| text.map(|text| CString::new(text).expect("no NUL"));
        let (label, note) = (text(self.label), text(self.note));
        let pointer = |text: &Option<CString>| text.as_ref().map_or(null(), |text| text.as_ptr());
        let mut out = -1.0;
        // SAFETY: every pointer is null, misaligned or live, and slices have `n` elements if `n` is one that is accepted.
        let code = unsafe {
            sizes_dot(self.n, self.a, self.b, self.weights, pointer(&label), pointer(&note), &raw mut out, error)
        };
        (code, out)
    }
}

fn text(of: &[c_char]) -> String {
    let bytes: Vec<u8> = of.iter().map(|&byte| byte as u8).collect();
    CStr::from_bytes_until_nul(&bytes).expect("it ends in a NUL").to_string_lossy().into_owned()
}

fn untouched() -> ErrorCopy {
    ErrorCopy { code: UNTOUCHED, ..ErrorCopy::NONE }
}

/// The copy says what the thread's last error says.
#[track_caller]
fn same(copy: &ErrorCopy) {
    let last = last_error().expect("an error");
    assert_eq!((copy.code, copy.layer), (last.code(), last.layer() as i32));
    assert_eq!(text(&copy.error_type), last.error_type());
    assert_eq!(text(&copy.help), last.help());
    assert_eq!(text(&copy.message), last.message());
    assert_eq!(text(&copy.span_path), last.span_path());
}

/// The change to a good call, its code, and its value or the words of its error.
type DotCase = (fn(&mut Dot), i32, &'static str);

const DOTS: [DotCase; 14] = [
    (|_| {}, 0, "3"),
    (|call| call.weights = TWOS.as_ptr(), 0, "6"),
    (|call| call.label = Some("ab"), 0, "5"),
    (|call| call.note = Some("abc"), 0, "6"),
    (|call| (call.n, call.a, call.b) = (0, null(), null()), 0, "0"),
    (|call| call.n = -1, -4, "`n` is -1: a size cannot be negative"),
    (|call| (call.n, call.a) = (-1, null()), -4, "`n` is -1: a size cannot be negative"),
    (|call| call.n = i64::MAX, -4, "`a` is longer than the address space"),
    (|call| call.b = null(), -2, "`b` is null"),
    (|call| call.a = call.a.wrapping_byte_add(1), -3, "`a` is not aligned to 4 bytes"),
    (|call| call.weights = call.b.wrapping_byte_add(2), -3, "`weights` is not aligned to 4 bytes"),
    (|call| call.note = Some("\u{fffd}"), 0, "6"),
    (|call| call.label = Some("refuse"), 101, "no"),
    (|call| call.label = Some("panic"), -1, "panic in `sizes_dot`"),
];

fn every_dot() {
    for (change, code, words) in DOTS {
        let mut call = Dot::GOOD;
        change(&mut call);
        let mut error = untouched();
        let (got, out) = call.call(&raw mut error);
        assert_eq!(got, code, "{words}: {}", text(&error.message));
        if code == 0 {
            assert_eq!((out.to_string().as_str(), error.code), (words, UNTOUCHED));
            continue;
        }
        let message = text(&error.message);
        assert!(message.starts_with(words), "{message}");
        assert_eq!((out, error.code), (-1.0, code));
        assert_eq!(text(&error.span_path), "sizes.dot");
        same(&error);
        // Nobody asked: the same code, and the thread's last error has it all.
        assert_eq!(call.call(null_mut()).0, code);
        assert_eq!(last_error().expect("an error").message(), message);
    }
    // A pointer for the error that is no use is refused before all else.
    let mut error = untouched();
    let odd = (&raw mut error).wrapping_byte_add(1);
    assert_eq!(Dot { a: null(), ..Dot::GOOD }.call(odd), (-3, -1.0));
    assert_eq!(last_error().expect("an error").message(), "`error` is not aligned to 4 bytes");
    assert_eq!(error.code, UNTOUCHED);
}

fn every_secret() {
    let (mut key, pin) = ([7_u8; 4], c"pin-4711");
    for (size, pin, color, code, message) in [
        (4, pin.as_ptr(), 1, 0, ""),
        (-2_023_000_111, pin.as_ptr(), 1, -4, "`size` is negative, and a size cannot be"),
        (4, null(), 1, -2, "`pin` is null"),
        (4, c"47\xff".as_ptr(), 1, -5, "`pin` is not UTF-8"),
        (4, pin.as_ptr(), 2_023_000_111, -6, "`color` is none of 1 (red), 4 (blue)"),
    ] {
        let mut out = 0;
        // SAFETY: every pointer is null or live.
        let got = unsafe { secrets_use(size, key.as_mut_ptr(), pin, color, &raw mut out) };
        assert_eq!(got, code, "{message}");
        if code == 0 {
            assert_eq!((out, key), (16, [Color::Red as u8; 4]));
        } else {
            assert_eq!(last_error().expect("an error").message(), message);
        }
    }
    assert_eq!(Color::from_code(4).map(FfiEnum::code), Some(Color::Blue as i32));
}

/// Calls entry points that fail, as a host's callback may: their codes and words are its own.
unsafe extern "C-unwind" fn step(user: *mut c_void, i: i64) -> i32 {
    // SAFETY: `every_callback` passes the address of an `i64`.
    let stop = unsafe { *user.cast::<i64>() };
    let mut error = untouched();
    let (code, _) = Dot { n: -1 - i, ..Dot::GOOD }.call(&raw mut error);
    assert_eq!(code, -4);
    assert_eq!(text(&error.message), format!("`n` is {}: a size cannot be negative", -1 - i));
    same(&error);
    if i == stop {
        9
    } else if i == stop + 1 {
        -1000
    } else {
        0
    }
}

fn every_callback() {
    let call = |step: Option<Step>, mut stop: i64| {
        let (mut out, mut error) = (-1, untouched());
        let user = (&raw mut stop).cast();
        // SAFETY: `user` is what `step` expects.
        let code = unsafe { calls_each(3, step, user, &raw mut out, &raw mut error) };
        (code, out, error)
    };
    let (code, out, error) = call(None, 0);
    assert_eq!((code, out, text(&error.message)), (-2, -1, "`step` is null".to_owned()));
    assert_eq!(text(&error.help), "pass the address of a function");
    // What failed inside of the callback is over when the function succeeds.
    let (code, out, error) = call(Some(step), 5);
    assert_eq!((code, out, error.code), (0, 3, UNTOUCHED));
    assert_eq!(call(Some(step), -1).1, 0);
    // And its words are gone when the function itself fails.
    let (code, out, error) = call(Some(step), 2);
    assert_eq!((code, out, text(&error.message)), (101, -1, "step 2 said 9".to_owned()));
    assert_eq!(text(&error.span_path), "calls.each");
    same(&error);
}

fn every_c_function() {
    let mut error = untouched();
    assert_eq!((calls_status(1, &raw mut error), error.code), (0, UNTOUCHED));
    assert_eq!((calls_status(-1, &raw mut error), error.code), (-4, -4));
    assert_eq!(text(&error.message), "`n` is -1: a size cannot be negative");
    same(&error);
    assert_eq!(calls_status(-1, null_mut()), -4);
    assert_eq!((calls_said(&raw mut error), error.code, error.layer), (55, 55, 2));
    assert_eq!(text(&error.message), "the device is asleep");
    let odd = (&raw mut error).wrapping_byte_add(2);
    assert_eq!((calls_said(odd), error.code), (-3, 55));
    assert_eq!(last_error().expect("an error").message(), "`error` is not aligned to 4 bytes");
}

fn every_value() {
    let mut extent = Extent { rows: 0, sides: [0.0; 2], at: null() };
    let mut pointer = null();
    // SAFETY: the pointer is live.
    assert_eq!(unsafe { values_extent(2, &raw mut extent) }, 0);
    // SAFETY: the pointer is live.
    assert_eq!(unsafe { values_pointer(&raw mut pointer) }, 0);
    assert_eq!(extent, Extent { rows: 2, sides: [1.0, 2.0], at: &SEVEN });
    assert_eq!(pointer, &raw const SEVEN);
}

#[test]
fn the_same_codes_and_texts_at_every_level() {
    let everything = || {
        every_dot();
        every_secret();
        every_callback();
        every_c_function();
        every_value();
    };
    everything();
    for level in [Level::Off, Level::Basic, Level::Kernel] {
        let (_folder, path) = common::trace_file();
        let guard = builder().level(level).trace_output(&path).init().expect("recording");
        everything();
        assert!(guard.shutdown().is_complete());
        if level == Level::Off {
            continue;
        }
        let lines = common::lines(&path);
        let of = |ty: &str| lines.iter().filter(|line| line["type"] == ty).cloned().collect::<Vec<_>>();
        assert_eq!(of("secrets.use").len(), 5);
        for line in of("secrets.use") {
            let line = line.to_string();
            assert!(!line.contains("2023000111") && !line.contains("pin-4711"), "a secret is recorded: {line}");
        }
        assert_eq!(of("calls.each").len(), 4);
        // What is checked is recorded only if the checks were passed.
        let sizes =
            of("sizes.dot").iter().map(|line| line["attributes"]["runtime.shape.n"].as_i64()).collect::<Vec<_>>();
        assert!(sizes.contains(&Some(3)) && sizes.contains(&None), "{sizes:?}");
    }
}
