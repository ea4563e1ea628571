//! Every text once.

use std::collections::HashMap;
use std::rc::Rc;

/// The number of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Word(u32);

/// Texts by number.
#[derive(Debug, Default)]
pub(crate) struct Words {
    texts: Vec<Rc<str>>,
    numbers: HashMap<Rc<str>, Word>,
}

impl Words {
    /// The number of `text`, the same one every time.
    pub(crate) fn number(&mut self, text: &str) -> Word {
        if let Some(&known) = self.numbers.get(text) {
            return known;
        }
        let number = Word(u32::try_from(self.texts.len()).expect("fewer texts than lines"));
        let text: Rc<str> = text.into();
        self.texts.push(Rc::clone(&text));
        self.numbers.insert(text, number);
        number
    }

    pub(crate) fn text(&self, word: Word) -> &str {
        &self.texts[word.0 as usize]
    }
}
