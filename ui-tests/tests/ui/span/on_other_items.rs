//! Items that have no body to record.

use kina_observ::span;

#[span]
pub struct Cache;

#[span]
pub enum Policy {}

#[span]
pub trait Load {
    #[span("free.load")]
    fn load(&self);
}

#[span]
unsafe extern "C" {
    fn load();
}

fn main() {
    let _ = Cache;
}
