//! Lint levels at the start of a body.

#[kina_observ::span("free.plain")]
pub fn plain(n: i64) -> i64 {
    #![allow(unused_variables)]
    let m = n;
    n
}

#[kina_observ::span("free.later")]
pub async fn later(n: i64) -> i64 {
    #![allow(unused_variables)]
    let m = n;
    n
}

#[kina_observ::span("free.tail")]
pub fn tail(n: i64) -> impl Future<Output = i64> {
    #![allow(unused_mut)]
    let mut k = n;
    async move {
        #![allow(unused_variables)]
        let m = n;
        k
    }
}

#[kina_observ::ffi_span("free.exported")]
#[unsafe(no_mangle)]
pub extern "C" fn free_exported_p17(n: i32) -> i32 {
    #![allow(unused_variables)]
    let m = n;
    n
}
