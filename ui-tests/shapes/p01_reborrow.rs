//! Borrows of `&mut self` leave with the result.

pub struct Cache {
    lines: Vec<String>,
}

impl Cache {
    #[kina_observ::span("free.line")]
    pub fn line(&mut self, index: usize) -> Result<&mut String, String> {
        let known = self.lines.len();
        self.lines.get_mut(index).ok_or_else(|| format!("{index} of {known}"))
    }

    #[kina_observ::span("free.line_async")]
    pub async fn line_async(&mut self, index: usize) -> Result<&mut String, String> {
        let known = self.lines.len();
        self.lines.get_mut(index).ok_or_else(|| format!("{index} of {known}"))
    }
}

#[kina_observ::span("free.first")]
pub fn first(lines: &mut [String]) -> Option<&mut String> {
    lines.first_mut()
}
