//! Bodies and return types that a wrapper easily breaks; recorded for real, so that both paths run.
#![deny(warnings)]

use kina_observ::{Level, ffi_span, span};
use std::num::ParseIntError;
use std::panic::catch_unwind;
use std::pin::Pin;
use std::sync::Arc;

struct Cache {
    lines: Vec<String>,
}

impl Cache {
    #[span("acme.bodies.reborrow")]
    fn reborrow(&mut self, index: usize) -> Result<&mut String, ParseIntError> {
        let index: usize = self.lines[index].parse()?;
        Ok(&mut self.lines[index])
    }

    #[span("acme.bodies.new")]
    fn new(lines: &[&str]) -> Self {
        Self { lines: lines.iter().map(ToString::to_string).collect() }
    }

    #[span("acme.bodies.shared")]
    fn shared(self: Arc<Self>) -> usize {
        self.lines.len()
    }

    #[span("acme.bodies.pinned")]
    fn pinned(self: Pin<&mut Self>) -> usize {
        self.lines.len()
    }
}

#[span("acme.bodies.opaque")]
fn opaque(lines: &[String]) -> Result<impl Iterator<Item = usize> + '_, ParseIntError> {
    Ok(lines.iter().map(String::len))
}

#[span("acme.bodies.boxed")]
fn boxed(n: i64) -> Box<dyn Fn(i64) -> i64> {
    Box::new(move |m| m + n)
}

#[span("acme.bodies.collected")]
fn collected(texts: &[&str]) -> Result<Vec<i64>, ParseIntError> {
    texts.iter().map(|text| text.parse()).collect()
}

#[span("acme.bodies.never")]
fn never(n: i64) -> ! {
    panic!("{n}")
}

#[span("acme.bodies.loops", fields(n))]
fn loops(mut n: i64, (low, high): (i64, i64), _: u8, _unused: u8) -> i64 {
    'outer: loop {
        n += 1;
        if n > high {
            break 'outer n;
        }
        if n < low {
            return low;
        }
    }
}

#[span("acme.bodies.generic", fields(n))]
fn generic<'a, T, const N: usize>(n: i64, bytes: &'a T, spare: &'a T, other: impl Fn(i64) -> i64) -> (&'a [u8], i64)
where
    T: ?Sized + AsRef<[u8]>,
{
    (if n == 0 { spare.as_ref() } else { bytes.as_ref() }, other(n) + N as i64)
}

#[span("acme.bodies.nested")]
fn nested(n: i64) -> Result<Result<i64, String>, ParseIntError> {
    use Shade::*;
    enum Shade {
        Dark,
        Light,
    }
    let shade = if n > 0 { Light } else { Dark };
    match shade {
        Light => Ok(Ok(n)),
        Dark => Ok(Err(String::from("dark"))),
    }
}

macro_rules! made {
    ($name:ident, $symbol:literal, $parameter:ident: $ty:ty, $returns:ty, $body:block) => {
        #[ffi_span("acme.bodies.made", export = $symbol, fields($parameter))]
        pub fn $name($parameter: $ty) -> $returns $body
    };
}
made!(made, "acme_bodies_made", n: i64, i64, { n + 1 });

fn all() {
    let mut cache = Cache::new(&["1", "two"]);
    assert_eq!(cache.reborrow(0).map(|line| line.clone()).as_deref(), Ok("two"));
    assert_eq!(opaque(&cache.lines).map(Iterator::sum), Ok(4));
    assert_eq!(Pin::new(&mut cache).pinned() + Arc::new(cache).shared(), 4);
    assert_eq!(boxed(1)(2), 3);
    assert_eq!(collected(&["1", "2"]), Ok(vec![1, 2]));
    assert_eq!(loops(1, (0, 3), 0, 0), 4);
    assert_eq!(generic::<_, 2>(1, "ab", "", |n| n * 2), (b"ab".as_slice(), 4));
    assert_eq!((nested(1), nested(0)), (Ok(Ok(1)), Ok(Err("dark".into()))));
    assert_eq!(made(1), 2);
    assert!(catch_unwind(|| never(1)).is_err());
}

#[test]
fn bodies() {
    // Off first: nothing was configured.
    all();
    let guard = kina_observ::builder().level(Level::Kernel).stderr(None).init().expect("nothing else records here");
    all();
    let report = guard.shutdown();
    assert!(report.produced > 0 && report.is_complete(), "{report}");
}
