//! Everything that makes a future, recorded for real.
#![deny(warnings)]

use std::fmt::{Debug, Error};
use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use async_trait::async_trait;
use kina_observ::{Level, span};

type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

fn sent<T: Send>(value: T) -> T {
    value
}

fn wait<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("nothing here waits"),
    }
}

#[span("free.tasks.plain")]
async fn plain(mut n: i64, (low, _): (i64, i64), name: &str, _: u8) -> Result<i64, Error> {
    n += low;
    inner(n).await?;
    Ok(n + name.len() as i64)
}

#[span("free.tasks.inner", fields(n))]
async fn inner(n: i64) -> Result<(), Error> {
    if n == 13 {
        return Err(Error);
    }
    Ok(())
}

#[span("free.tasks.coerced")]
async fn coerced(n: i64) -> Result<Box<dyn Debug + Send>, Error> {
    Ok(Box::new(n))
}

#[span("free.tasks.inferred")]
async fn inferred(texts: &[&str]) -> Result<Vec<i64>, std::num::ParseIntError> {
    texts.iter().map(|text| text.parse()).collect()
}

#[span("free.tasks.opaque")]
async fn opaque(n: i64) -> Result<impl Iterator<Item = i64> + Send, Error> {
    #![allow(clippy::needless_range_loop)]
    Ok(0..n)
}

#[span("free.tasks.recursive")]
fn recursive<'a>(names: &'a [String]) -> Boxed<'a, usize> {
    let Some((first, rest)) = names.split_first() else { return Box::pin(async { 0 }) };
    let length = first.len();
    Box::pin(async move { length + recursive(rest).await })
}

#[span("free.tasks.tail", fields(n))]
fn tail(n: i64, text: &str) -> impl Future<Output = Result<Box<dyn Debug + Send>, Error>> + use<'_> {
    let bytes = text.as_bytes();
    let n = n.to_string().len() as i64;
    async move {
        #![allow(clippy::useless_conversion)]
        let n = i64::from(n) + bytes.len() as i64;
        Ok(Box::new(n) as Box<dyn Debug + Send>)
    }
}

#[span("free.tasks.borrowing", fields(n))]
fn borrowing(n: i64, text: &mut String) -> impl Future<Output = ()> + '_ {
    async { text.push('x') }
}

/// # Safety
///
/// None is needed.
#[span("free.tasks.careless")]
async unsafe fn careless(pointer: *const i64) -> i64 {
    // SAFETY: the caller's.
    unsafe { *pointer }
}

#[span("free.tasks.endless")]
async fn endless() -> ! {
    panic!("over")
}

#[span(runtime.kernel.execute, late(runtime.device))]
async fn late(kernel: &str, stream_id: i64) -> usize {
    observ.runtime_device("gpu:1");
    inner(1).await.expect("no error");
    kernel.len()
}

#[span(runtime.kernel.execute, parent = context)]
async fn parented(context: &kina_observ::Context, kernel: String, stream_id: i64) -> usize {
    kernel.len()
}

trait Native {
    async fn look(&mut self, n: i64) -> &mut i64;

    #[span("free.tasks.default_method")]
    async fn default_method(&self) -> usize
    where
        Self: Debug,
    {
        format!("{self:?}").len()
    }
}

#[async_trait]
trait Before {
    async fn before(&self, n: i64) -> Result<Box<dyn Debug>, Error>;
    async fn after(&mut self, name: &str) -> Result<usize, Error>;

    #[span("free.tasks.given", fields(n))]
    async fn given(&self, n: i64) -> Result<i64, Error> {
        self.before(n).await?;
        Ok(n)
    }
}

#[derive(Debug)]
struct Store<T>(T, i64);

impl<T: Debug + Send> Native for Store<T> {
    #[span("free.tasks.look", fields(n))]
    async fn look(&mut self, n: i64) -> &mut i64 {
        self.1 += n;
        &mut self.1
    }
}

#[async_trait]
impl<T: Debug + Send + Sync> Before for Store<T> {
    #[span("free.tasks.before", fields(n))]
    async fn before(&self, n: i64) -> Result<Box<dyn Debug>, Error> {
        inner(n).await?;
        Ok(Box::new(self.1))
    }

    #[span("free.tasks.after")]
    async fn after(&mut self, name: &str) -> Result<usize, Error> {
        self.1 += 1;
        Ok(name.len())
    }
}

struct Own;

#[span]
#[async_trait]
impl Before for Own {
    #[span("free.tasks.own_before")]
    async fn before(&self, n: i64) -> Result<Box<dyn Debug>, Error> {
        Ok(Box::new(n))
    }

    #[span(skip)]
    async fn after(&mut self, name: &str) -> Result<usize, Error> {
        Ok(name.len())
    }
}

impl<T> Store<T> {
    #[span("free.tasks.shared")]
    async fn shared(self: std::sync::Arc<Self>) -> i64 {
        self.1
    }
}

fn all() {
    assert_eq!(wait(sent(plain(1, (2, 3), "four", 0))), Ok(7));
    assert!(wait(plain(10, (3, 0), "", 0)).is_err());
    assert_eq!(format!("{:?}", wait(sent(coerced(1)))), "Ok(1)");
    assert_eq!(wait(inferred(&["1", "2"])), Ok(vec![1, 2]));
    assert_eq!(wait(sent(opaque(3))).map(Iterator::sum), Ok(3));
    assert_eq!(wait(recursive(&["a".into(), "bc".into()])), 3);
    assert_eq!(format!("{:?}", wait(sent(tail(1, "ab")))), "Ok(3)");
    let mut text = String::new();
    wait(borrowing(1, &mut text));
    assert_eq!(text, "x");
    // SAFETY: the pointer is that of a live value.
    assert_eq!(wait(unsafe { careless(&5) }), 5);
    assert!(std::panic::catch_unwind(|| wait(endless())).is_err());
    assert_eq!(wait(sent(late("ab", 1))), 2);
    assert_eq!(wait(sent(parented(&kina_observ::Context::current(), "ab".into(), 1))), 2);
    let mut store = Store("x", 1);
    assert_eq!(*wait(store.look(2)), 3);
    assert_eq!(wait(store.default_method()), 13);
    assert_eq!(wait(sent(store.given(2))), Ok(2));
    assert_eq!(wait(store.after("abc")), Ok(3));
    assert!(wait(store.before(13)).is_err());
    assert!(wait(Own.before(13)).is_ok() && wait(Own.after("")).is_ok());
    assert_eq!(wait(std::sync::Arc::new(store).shared()), 4);
}

#[test]
fn tasks() {
    all();
    let guard = kina_observ::builder().level(Level::Kernel).stderr(None).init().expect("nothing else records here");
    all();
    let report = guard.shutdown();
    assert!(report.produced > 0 && report.is_complete(), "{report}");
}
