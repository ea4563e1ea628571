//! Parameters named like what a macro would use.

#[kina_observ::span("free.plain", fields(span))]
pub fn plain(x: i64, e: i64, result: i64, span: i64, guard: i64, caller: i64, self_: i64) -> i64 {
    x + e + result + span + guard + caller + self_
}

#[kina_observ::span("free.later", fields(span))]
pub async fn later(x: i64, e: i64, result: i64, span: i64, guard: i64, caller: i64, late: i64) -> i64 {
    x + e + result + span + guard + caller + late
}

#[kina_observ::ffi_span("free.exported")]
#[unsafe(no_mangle)]
pub extern "C" fn free_exported_p25(x: i64, code: i64, out: i64, late: i64, value: i64, site: i64, begin: i64) -> i32 {
    (x + code + out + late + value + site + begin) as i32
}
