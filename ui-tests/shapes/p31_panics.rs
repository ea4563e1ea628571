//! Bodies that panic, with values whose drop matters.

pub struct Loud;

impl Drop for Loud {
    fn drop(&mut self) {
        println!("dropped");
    }
}

#[kina_observ::span("free.plain")]
pub fn plain(loud: Loud, n: i64) -> Result<Loud, String> {
    assert!(n > 0, "{n}");
    Ok(loud)
}

#[kina_observ::span("free.later")]
pub async fn later(loud: Loud, n: i64) -> Result<Loud, String> {
    assert!(n > 0, "{n}");
    Ok(loud)
}

#[kina_observ::ffi_span("free.exported")]
#[unsafe(no_mangle)]
pub extern "C" fn free_exported_p31(n: i32) -> i32 {
    let _loud = Loud;
    assert!(n > 0, "{n}");
    n
}
