//! Guards that borrow, `?` and `let else`.

use std::cell::{Ref, RefCell};

pub struct Cache {
    lines: RefCell<Vec<String>>,
}

impl Cache {
    #[kina_observ::span("free.line")]
    pub fn line(&self, index: &str) -> Result<Option<Ref<'_, str>>, std::num::ParseIntError> {
        let index: usize = index.parse()?;
        let lines = self.lines.borrow();
        let Some(_) = lines.get(index) else {
            return Ok(None);
        };
        Ok(Some(Ref::map(lines, |lines| lines[index].as_str())))
    }
}
