//! Every kind of receiver.

use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

#[derive(Clone, Default)]
pub struct Cache {
    size: usize,
}

impl Cache {
    #[kina_observ::span("free.new")]
    pub fn new(size: usize) -> Self {
        Self { size }
    }

    #[kina_observ::span("free.owned")]
    pub fn owned(mut self) -> usize {
        self.size += 1;
        self.size
    }

    #[kina_observ::span("free.pinned")]
    pub fn pinned(self: Pin<&mut Self>) -> usize {
        self.size
    }

    #[kina_observ::span("free.shared")]
    pub fn shared(self: Arc<Self>) -> Arc<Self> {
        let other: Self = Self::default();
        let _ = other.owned();
        self
    }

    #[kina_observ::span("free.boxed")]
    pub async fn boxed(self: Box<Self>) -> Box<Self> {
        self
    }

    #[kina_observ::span("free.counted")]
    pub fn counted(self: &Rc<Self>) -> usize {
        Rc::strong_count(self)
    }

    #[kina_observ::span("free.fill")]
    pub async fn fill(&mut self, size: usize) -> &mut Self {
        self.size = size;
        self
    }
}
