//! Attributes of functions.

/// Documented.
#[must_use = "it is the answer"]
#[kina_observ::span("free.answer")]
#[inline]
pub fn answer(n: i64) -> i64 {
    n
}

#[kina_observ::span("free.old")]
#[deprecated = "use `answer`"]
#[cold]
pub fn old(n: i64) -> i64 {
    n
}

#[kina_observ::span("free.located")]
#[track_caller]
pub fn located() -> u32 {
    std::panic::Location::caller().line()
}

#[cfg(target_arch = "x86_64")]
#[kina_observ::span("free.wide")]
#[target_feature(enable = "avx2")]
pub fn wide(n: i64) -> i64 {
    n
}

#[must_use]
#[kina_observ::span("free.later")]
pub async fn later(n: i64) -> i64 {
    n
}

pub async fn all() {
    answer(1);
    old(1);
    later(1);
    later(1).await;
    let _ = located();
}
