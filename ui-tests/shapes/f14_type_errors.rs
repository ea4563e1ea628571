//! Type errors in bodies are told there.

#[kina_observ::span("free.plain")]
pub fn plain(n: i64) -> String {
    n
}

#[kina_observ::span("free.early")]
pub fn early(n: i64) -> Result<i64, String> {
    if n == 0 {
        return n;
    }
    let m: u8 = n;
    Ok("x")
}

#[kina_observ::span("free.later")]
pub async fn later(n: i64) -> String {
    n
}

#[kina_observ::span("free.later_early")]
pub async fn later_early(n: i64) -> Result<i64, String> {
    if n == 0 {
        return n;
    }
    let m: u8 = n;
    unknown(m);
    Ok("x")
}

pub struct Cache;

impl Cache {
    #[kina_observ::span("free.method")]
    pub fn method(&self) -> Result<i64, String> {
        self.missing();
        Ok(self)
    }
}

#[kina_observ::ffi_span("free.exported")]
#[unsafe(no_mangle)]
pub extern "C" fn free_exported_f14(n: i64) -> i32 {
    n
}
