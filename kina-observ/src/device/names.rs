//! Launches by the kernel's name, of which only so many are kept apart.

use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::OnceLock;

use crate::listed::{BoundedLabel, OTHER};

/// Names that are kept apart. A program has some dozens of kernels; more is a name made of a shape or an address.
const NAMES: usize = 256;
/// Half empty, so that a name is found in a step or two.
const SLOTS: usize = 2 * NAMES;

/// A kernel's name as the label of a metric: the first 256 names of the process, and `_OTHER` for all that come later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KernelLabel(&'static str);

#[diagnostic::do_not_recommend]
impl BoundedLabel for KernelLabel {
    fn label(&self) -> &'static str {
        self.0
    }
}

/// How often each kernel was launched while something listened, in the order of the names.
///
/// ```
/// use kina_observ::BoundedLabel;
///
/// for (kernel, count) in kina_observ::device::launches_by_kernel() {
///     println!("{}: {count}", kernel.label());
/// }
/// ```
pub fn launches_by_kernel() -> Vec<(KernelLabel, u64)> {
    let named = TABLE.iter().filter_map(|slot| Some((KernelLabel(slot.name.get()?), slot.count.load(Relaxed))));
    let other = (KernelLabel(OTHER), OTHERS.load(Relaxed));
    let mut launches: Vec<_> = named.chain([other]).filter(|(_, count)| *count > 0).collect();
    launches.sort_unstable_by_key(|(label, _)| label.0);
    launches
}

struct Slot {
    name: OnceLock<&'static str>,
    count: AtomicU64,
}

static TABLE: [Slot; SLOTS] = [const { Slot { name: OnceLock::new(), count: AtomicU64::new(0) } }; SLOTS];
static OTHERS: AtomicU64 = AtomicU64::new(0);
/// Names that are kept, or about to be.
static KEPT: AtomicUsize = AtomicUsize::new(0);

/// One more launch of `name`. Allocates when the name is new, and not afterwards.
pub(super) fn count(name: &str) {
    counter(name).fetch_add(1, Relaxed);
}

fn counter(name: &str) -> &'static AtomicU64 {
    let first = hash(name);
    for step in 0..SLOTS {
        let slot = &TABLE[first.wrapping_add(step) % SLOTS];
        let known = match slot.name.get() {
            Some(known) => *known,
            None if !reserve() => return &OTHERS,
            None => keep(slot, name),
        };
        if known == name {
            return &slot.count;
        }
    }
    &OTHERS
}

fn reserve() -> bool {
    KEPT.fetch_update(Relaxed, Relaxed, |kept| (kept < NAMES).then_some(kept + 1)).is_ok()
}

/// The slot's name from now on: `name`, unless another thread was faster.
fn keep(slot: &Slot, name: &str) -> &'static str {
    let mut kept = false;
    let known = slot.name.get_or_init(|| {
        kept = true;
        name.to_owned().leak()
    });
    if !kept {
        KEPT.fetch_sub(1, Relaxed);
    }
    known
}

/// FNV-1a: short, and good enough for names.
fn hash(name: &str) -> usize {
    name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
        as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_257th_name_is_another_one() {
        for round in 1..=2 {
            for kernel in 0..NAMES + 10 {
                count(&format!("kernel {kernel:03}"));
            }
            let launches = launches_by_kernel();
            assert_eq!(launches.len(), NAMES + 1);
            assert_eq!(launches[0].0.label(), OTHER);
            assert_eq!(launches[0].1, 10 * round);
            assert_eq!((launches[1].0.label(), launches[1].1), ("kernel 000", round));
        }
    }
}
