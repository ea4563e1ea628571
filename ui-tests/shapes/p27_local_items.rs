//! Items and imports inside a body.

#[kina_observ::span("free.plain")]
pub fn plain(n: i64) -> i64 {
    use Shade::*;
    #[allow(dead_code)]
    enum Shade {
        Dark,
        Light,
        Ok,
        Some,
        None,
    }
    #[allow(dead_code)]
    struct Result;
    const fn light(n: i64) -> Shade {
        if n > 0 { Light } else { Dark }
    }
    macro_rules! one {
        () => {
            1
        };
    }
    match light(n) {
        Light => one!(),
        _ => 0,
    }
}

#[kina_observ::span("free.later")]
pub async fn later(n: i64) -> Result<i64, std::fmt::Error> {
    use Shade::*;
    #[allow(dead_code)]
    enum Shade {
        Dark,
        Light,
        Some,
        None,
    }
    #[allow(dead_code)]
    struct Error;
    let shade = if n > 0 { Light } else { Dark };
    match shade {
        Light => Ok(1),
        _ => Err(std::fmt::Error),
    }
}
