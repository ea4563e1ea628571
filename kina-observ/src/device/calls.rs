//! What a program calls by hand. Either may be the first call of a process, which configures it.

use super::launch::ByHand;
use super::sites::LAUNCH;
use crate::__private::{Entered, PanicGuard, Value, enter_values, exit_outcome, is_on};
use crate::config::hosted::configure;
use crate::gate;
use crate::outcome::Outcome;

/// Launches a kernel for which there is no function to annotate: a span around `launch`, called after the kernel.
///
/// The time on the device is that of the first kernel that `launch` enqueues with [`Stream::launch`](super::Stream::launch).
/// The name is read only if the span is recorded. A name that must be formatted costs its formatting at every level.
///
/// ```
/// use kina_observ::device::launch_kernel;
///
/// let sum: i32 = launch_kernel("sum", || (1..=3).sum());
/// assert_eq!(sum, 6);
/// ```
#[inline]
pub fn launch_kernel<R>(name: &str, launch: impl FnOnce() -> R) -> R {
    if is_on(&LAUNCH) { recorded(name, launch) } else { launch() }
}

#[cold]
#[inline(never)]
fn recorded<R>(name: &str, launch: impl FnOnce() -> R) -> R {
    let mut by_hand = None;
    let entered: Entered = enter_values(&LAUNCH, |start| {
        by_hand = Some(ByHand::begin(name));
        start.span(&[Value::Str(name)])
    });
    let guard = PanicGuard::new(entered);
    let result = launch();
    guard.defuse();
    drop(by_hand);
    exit_outcome(entered, Outcome::Success);
    result
}

/// A step of the program begins. At level `kernel`, with
/// [`kernel_sample(n)`](crate::config::Builder::kernel_sample), the kernels of one step in `n` have their time on the device
/// measured: the first, and every `n`-th after it. Says whether those of this step have.
///
/// The whole process is in a step, so one loop calls this, before the first launch of each round.
///
/// ```
/// // Below level `kernel` no step is measured.
/// assert!(!kina_observ::device::step_begin());
/// ```
pub fn step_begin() -> bool {
    gate::is_on() && {
        configure();
        gate::next_step()
    }
}
