//! Every kind of generic parameter.

use std::fmt::Debug;

#[kina_observ::span("free.many")]
pub fn many<'a, 'b: 'a, T, F, const N: usize>(n: i64, first: &'a [T; N], second: &'b [T], call: F, shown: impl Debug) -> &'a [T]
where
    T: Clone + Debug,
    F: for<'c> Fn(&'c T) -> &'c T,
    [T; N]: Debug,
{
    if let Some(one) = second.first() {
        let _ = format!("{shown:?}{:?}{first:?}{n}", call(one));
    }
    first
}

#[kina_observ::span("free.many_async")]
pub async fn many_async<'a, T, const N: usize>(first: &'a [T; N], shown: impl Debug + Send) -> &'a [T]
where
    T: Clone + Sync,
{
    let _ = format!("{shown:?}");
    first
}

pub struct Holder<T>(T);

impl<T: Debug> Holder<T> {
    const SIZE: usize = size_of::<T>();

    #[kina_observ::span("free.show")]
    pub fn show<U: Into<String>>(&self, with: U) -> String {
        format!("{:?}{}{}", self.0, with.into(), Self::SIZE)
    }
}
