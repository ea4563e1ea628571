//! Names that are keywords.

#[kina_observ::span("free.match", fields(r#type))]
pub fn r#match(r#type: i64, r#in: i64) -> i64 {
    r#type + r#in
}

#[kina_observ::span("free.async")]
pub async fn r#async(r#type: i64) -> i64 {
    r#type
}

#[kina_observ::ffi_span("free.loop")]
#[unsafe(no_mangle)]
pub extern "C" fn r#loop(r#type: i64) -> i32 {
    r#type as i32
}
