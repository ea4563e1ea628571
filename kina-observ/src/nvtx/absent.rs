//! What stands in place of ranges without the feature `nvtx`: nothing, and the compiler sees it.

use kina_observ_conventions::Level;

use crate::local::Local;
use crate::site::Site;
use crate::value::Value;

pub(crate) struct Frozen;

pub(crate) fn freeze() -> Frozen {
    Frozen
}

pub(crate) fn attach(_: Level) {}

pub(crate) fn open<'a>(_: &Local, _: &'static Site, _: usize, _: &dyn Fn(usize) -> Value<'a>) {}

#[inline(always)]
pub(crate) fn close(_: &Local, _: usize) {}
