//! Functions that never return.

#[kina_observ::span("free.ends")]
pub fn ends(code: i32) -> ! {
    std::process::exit(code)
}

#[kina_observ::span("free.serves")]
pub async fn serves() -> ! {
    loop {
        std::thread::yield_now();
    }
}

pub struct Server;

impl Server {
    #[kina_observ::span("free.runs")]
    pub fn runs(&self) -> ! {
        unimplemented!()
    }
}
