//! Errors of the borrow checker are told where they are.

#[kina_observ::span("free.moved")]
pub fn moved(text: String) -> usize {
    drop(text);
    text.len()
}

#[kina_observ::span("free.moved_async")]
pub async fn moved_async(text: String) -> usize {
    drop(text);
    text.len()
}

#[kina_observ::span("free.twice")]
pub fn twice(mut text: String) -> usize {
    let first = &mut text;
    let second = &mut text;
    first.push('x');
    second.len()
}

#[kina_observ::span("free.twice_async")]
pub async fn twice_async(mut text: String) -> usize {
    let first = &mut text;
    let second = &mut text;
    first.push('x');
    second.len()
}
