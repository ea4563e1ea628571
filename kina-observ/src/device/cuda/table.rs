//! What lives in the driver, by its address: a number that is not in here never reaches the driver.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::device::DeviceError;

/// Live things of one kind.
pub(super) struct Table<T> {
    /// What a thing is called in an error.
    what: &'static str,
    /// How often each was put in: a stream of the program's own may be wrapped twice.
    live: RwLock<HashMap<u64, (Arc<T>, usize)>>,
}

impl<T> Table<T> {
    pub(super) fn new(what: &'static str) -> Self {
        Self { what, live: RwLock::default() }
    }

    pub(super) fn insert(&self, address: u64, thing: T) -> u64 {
        let mut live = self.live.write().unwrap_or_else(PoisonError::into_inner);
        live.entry(address).or_insert_with(|| (Arc::new(thing), 0)).1 += 1;
        address
    }

    /// The thing, kept alive while the caller has it, whatever other threads give back meanwhile.
    pub(super) fn find(&self, address: u64) -> Result<Arc<T>, DeviceError> {
        let live = self.live.read().unwrap_or_else(PoisonError::into_inner);
        live.get(&address).map(|(thing, _)| Arc::clone(thing)).ok_or(DeviceError::Unknown { what: self.what })
    }

    pub(super) fn remove(&self, address: u64) {
        let mut live = self.live.write().unwrap_or_else(PoisonError::into_inner);
        let Some((_, users)) = live.get_mut(&address) else { return };
        *users -= 1;
        let gone = if *users == 0 { live.remove(&address) } else { None };
        // The driver is called without the lock.
        drop(live);
        drop(gone);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_lives_as_long_as_its_last_user() {
        let table = Table::new("stream");
        let gone = DeviceError::Unknown { what: "stream" };
        assert_eq!(table.find(7).err(), Some(gone.clone()));
        table.insert(7, "a");
        table.insert(7, "b");
        table.remove(7);
        assert_eq!(table.find(7).as_deref(), Ok(&"a"));
        table.remove(7);
        table.remove(7);
        assert_eq!(table.find(7).err(), Some(gone));
    }
}
