//! Many parameters, and large ones.
#![allow(clippy::too_many_arguments, clippy::large_types_passed_by_value)]

#[kina_observ::span("free.many")]
pub fn many(p0: i64, p1: i64, p2: i64, p3: i64, p4: i64, p5: i64, p6: i64, p7: i64, p8: i64, p9: i64, p10: i64, p11: i64, p12: i64, p13: i64, p14: i64, p15: i64, p16: i64, p17: i64, p18: i64, p19: i64, p20: i64, p21: i64, p22: i64, p23: i64, p24: i64, p25: i64, p26: i64, p27: i64, p28: i64, p29: i64, p30: i64, p31: i64, p32: i64, p33: i64, p34: i64, p35: i64, p36: i64, p37: i64, p38: i64, p39: i64) -> i64 {
    p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7 + p8 + p9 + p10 + p11 + p12 + p13 + p14 + p15 + p16 + p17 + p18 + p19 + p20 + p21 + p22 + p23 + p24 + p25 + p26 + p27 + p28 + p29 + p30 + p31 + p32 + p33 + p34 + p35 + p36 + p37 + p38 + p39
}

#[kina_observ::span("free.many_async")]
pub async fn many_async(p0: i64, p1: i64, p2: i64, p3: i64, p4: i64, p5: i64, p6: i64, p7: i64, p8: i64, p9: i64, p10: i64, p11: i64, p12: i64, p13: i64, p14: i64, p15: i64, p16: i64, p17: i64, p18: i64, p19: i64, p20: i64, p21: i64, p22: i64, p23: i64, p24: i64, p25: i64, p26: i64, p27: i64, p28: i64, p29: i64, p30: i64, p31: i64, p32: i64, p33: i64, p34: i64, p35: i64, p36: i64, p37: i64, p38: i64, p39: i64) -> i64 {
    p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7 + p8 + p9 + p10 + p11 + p12 + p13 + p14 + p15 + p16 + p17 + p18 + p19 + p20 + p21 + p22 + p23 + p24 + p25 + p26 + p27 + p28 + p29 + p30 + p31 + p32 + p33 + p34 + p35 + p36 + p37 + p38 + p39
}

#[kina_observ::span("free.large")]
pub fn large(bytes: [u8; 65536], n: usize) -> u8 {
    bytes[n]
}

#[kina_observ::span("free.large_async")]
pub async fn large_async(bytes: [u8; 65536], n: usize) -> u8 {
    bytes[n]
}

#[kina_observ::ffi_span("free.exported")]
#[unsafe(no_mangle)]
pub extern "C" fn free_exported_p28(p0: i64, p1: i64, p2: i64, p3: i64, p4: i64, p5: i64, p6: i64, p7: i64, p8: i64, p9: i64, p10: i64, p11: i64, p12: i64, p13: i64, p14: i64, p15: i64, p16: i64, p17: i64, p18: i64, p19: i64, p20: i64, p21: i64, p22: i64, p23: i64, p24: i64, p25: i64, p26: i64, p27: i64, p28: i64, p29: i64, p30: i64, p31: i64, p32: i64, p33: i64, p34: i64, p35: i64, p36: i64, p37: i64, p38: i64, p39: i64) -> i32 {
    (p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7 + p8 + p9 + p10 + p11 + p12 + p13 + p14 + p15 + p16 + p17 + p18 + p19 + p20 + p21 + p22 + p23 + p24 + p25 + p26 + p27 + p28 + p29 + p30 + p31 + p32 + p33 + p34 + p35 + p36 + p37 + p38 + p39) as i32
}
