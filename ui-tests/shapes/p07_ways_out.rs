//! Every way out of a body.

#[derive(Debug)]
pub struct Mistake;

impl From<std::num::ParseIntError> for Mistake {
    fn from(_: std::num::ParseIntError) -> Self {
        Self
    }
}

#[kina_observ::span("free.early")]
pub fn early(text: &str) -> Result<i64, Mistake> {
    if text.is_empty() {
        return Ok(0);
    }
    let n: i64 = text.parse()?;
    let found = 'outer: {
        for i in 0..n {
            if i == 7 {
                break 'outer i;
            }
        }
        return Err(Mistake);
    };
    Ok(found + loop { break n })
}

#[kina_observ::span("free.early_async")]
pub async fn early_async(text: &str) -> Result<i64, Mistake> {
    if text.is_empty() {
        return Ok(0);
    }
    let n: i64 = text.parse()?;
    let m = early(text)?;
    'outer: loop {
        loop {
            if n > m {
                break 'outer;
            }
            return Err(Mistake);
        }
    }
    Ok(n)
}

#[kina_observ::span("free.optional")]
pub fn optional(text: &str) -> Option<char> {
    let first = text.chars().next()?;
    Some(first)
}
