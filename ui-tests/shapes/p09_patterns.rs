//! Parameters that are taken apart, and some that are not used.

pub struct Point {
    pub x: i64,
    pub y: i64,
}

#[kina_observ::span("free.all")]
pub fn all(mut n: i64, (a, mut b): (i64, i64), Point { x, .. }: Point, [first, ..]: [i64; 3], _: u8, _unused: u8, unused: u8) -> i64 {
    n += a;
    b += n;
    b + x + first
}

#[kina_observ::span("free.all_async")]
pub async fn all_async(mut n: i64, (a, mut b): (i64, i64), Point { x, y: ref _y }: Point, _: u8, unused: u8) -> i64 {
    n += a;
    b += n;
    b + x
}

#[kina_observ::span("free.plain")]
pub fn plain(mut n: i64, unused: u8, mut idle: u8) -> i64 {
    n += 1;
    n
}

#[kina_observ::ffi_span("free.exported")]
#[unsafe(no_mangle)]
pub extern "C" fn free_exported(mut n: i64, _unused: u8, unused: u8) -> i32 {
    n += 1;
    n as i32
}
