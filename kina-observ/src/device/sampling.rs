//! Which steps have the device's time measured.

/// A step of the program begins: one in N has its kernels timed. Says whether this one has.
/// `false` below level `kernel`, and in a process that nothing has configured yet.
pub fn step_begin() -> bool {
    crate::gate::next_step()
}
