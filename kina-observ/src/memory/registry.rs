//! The ledgers of this process, for whoever wants to read them all.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::book::Book;
use super::{paths, slots};

/// Resources that went while blocks of theirs were out are kept for the report, so many of them.
const GONE: usize = 64;

enum Listed {
    Static(&'static Book),
    Shared(Arc<Book>),
    Gone(Arc<Book>),
}

impl Listed {
    fn book(&self) -> &Book {
        match self {
            Self::Static(book) => book,
            Self::Shared(book) | Self::Gone(book) => book,
        }
    }
}

static LEDGERS: Mutex<Vec<Listed>> = Mutex::new(Vec::new());

fn ledgers() -> MutexGuard<'static, Vec<Listed>> {
    LEDGERS.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn add_static(book: &'static Book) {
    ledgers().push(Listed::Static(book));
}

pub(super) fn add(book: &Arc<Book>) {
    ledgers().push(Listed::Shared(book.clone()));
}

/// Its resource is gone. If nothing was left out, so is the ledger.
pub(super) fn retire(book: &Arc<Book>) {
    let mut ledgers = ledgers();
    ledgers.retain(|listed| !matches!(listed, Listed::Shared(known) if Arc::ptr_eq(known, book)));
    if book.live().0 == 0 && book.live_count(book.sum()) == 0 {
        return;
    }
    let gone = |listed: &Listed| matches!(listed, Listed::Gone(_));
    if ledgers.iter().filter(|listed| gone(listed)).count() >= GONE
        && let Some(oldest) = ledgers.iter().position(gone)
    {
        ledgers.remove(oldest);
    }
    ledgers.push(Listed::Gone(book.clone()));
}

/// Calls `look` with every ledger, those of resources that are gone last.
pub(super) fn each(mut look: impl FnMut(&Book)) {
    ledgers().iter().for_each(|listed| look(listed.book()));
}

/// While the process forks, so that the child does not inherit a lock from a thread that it does not have.
pub(crate) struct Frozen {
    ledgers: MutexGuard<'static, Vec<Listed>>,
    _paths: MutexGuard<'static, ()>,
    slots: Option<slots::Frozen>,
}

/// Waits until no thread is at the ledgers.
pub(crate) fn freeze() -> Frozen {
    let ledgers = ledgers();
    ledgers.iter().for_each(|listed| listed.book().hold());
    Frozen { ledgers, _paths: paths::freeze(), slots: Some(slots::freeze()) }
}

impl Frozen {
    /// In the child: what is out is the parent's, and the threads that were at the ledgers are not here.
    pub(crate) fn forget_all(&mut self) {
        self.slots = None;
        for listed in self.ledgers.iter() {
            listed.book().release();
            listed.book().start_afresh();
        }
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        self.ledgers.iter().for_each(|listed| listed.book().release());
    }
}
