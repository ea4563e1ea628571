//! Lints that must still be heard: each is expected, or told.

#[expect(dead_code)]
#[kina_observ::span("free.unused")]
fn unused(n: i64) -> i64 {
    n
}

#[kina_observ::span("free.forgotten")]
fn forgotten(n: i64) -> i64 {
    n
}

#[kina_observ::span("free.forgotten_async")]
async fn forgotten_async(n: i64) -> i64 {
    n
}

#[kina_observ::span("free.expected")]
#[expect(unused_variables)]
pub fn expected(n: i64) -> i64 {
    0
}

#[kina_observ::span("free.ignores")]
pub fn ignores(text: &str) -> i64 {
    text.parse::<i64>();
    #[expect(unused_must_use)]
    text.parse::<u8>();
    return 1;
    2
}

#[kina_observ::span("free.ignores_async")]
pub async fn ignores_async(text: &str, spare: u8) -> i64 {
    text.parse::<i64>();
    expected_async(1);
    let mut same = 1;
    return same;
    2
}

#[kina_observ::span("free.expected_async")]
pub async fn expected_async(n: i64) -> i64 {
    #[expect(unused_variables)]
    let m = n;
    loop {}
    n
}

struct Cache;

impl Cache {
    #[kina_observ::span("free.method")]
    fn method(&self) -> i64 {
        let unused = 1;
        panic!("no");
        0
    }
}

#[kina_observ::ffi_span("free.exported")]
#[unsafe(no_mangle)]
pub extern "C" fn free_exported_p22(n: i32, text: i32) -> i32 {
    "1".parse::<i64>();
    let unused = 1;
    return n;
    0
}

#[kina_observ::span("free.tail")]
pub fn tail(spare: u8) -> impl Future<Output = i64> {
    "1".parse::<i64>();
    async move {
        let unused = 1;
        return 1;
        0
    }
}
