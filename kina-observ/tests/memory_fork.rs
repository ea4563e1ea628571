//! A fork while other threads allocate.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use kina_observ::device::{Device, DevicePtr, Stream};
use kina_observ::memory::{AllocError, FreeError, MemoryResource, TracingMemoryResource};
use kina_observ::{Level, builder};

mod common;

fn pair(memory: &dyn MemoryResource, size: usize, stream: &Stream) {
    let block = memory.allocate(size, stream).expect("memory");
    // SAFETY: it was allocated just now, with this size, and nobody uses it.
    unsafe { memory.deallocate(block, size, stream) }.expect("a block");
}

/// Gives out one address per size, and no lock of its own is in the way.
struct Addresses;

impl MemoryResource for Addresses {
    fn allocate(&self, size: usize, _: &Stream) -> Result<DevicePtr, AllocError> {
        Ok(DevicePtr::new(256 * size as u64))
    }

    unsafe fn deallocate(&self, _: DevicePtr, _: usize, _: &Stream) -> Result<(), FreeError> {
        Ok(())
    }
}

/// The threads end also when the test fails.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

#[test]
fn a_child_forked_amid_allocations_goes_on() {
    let (_folder, path) = common::trace_file();
    let (_other_folder, other) = common::trace_file();
    let guard = builder().level(Level::Basic).trace_output(&path).init().expect("recording");
    let stream = Device::cpu().stream("main").expect("a stream");
    let memory = TracingMemoryResource::new(Addresses);
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _stop = Stop(&stop);
        for thread in 1..=2 {
            let (memory, stream, stop) = (&memory, &stream, &stop);
            scope.spawn(move || {
                while !stop.load(Relaxed) {
                    (0..100).for_each(|size| pair(memory, 1_000 * thread + size, stream));
                }
            });
        }
        for _ in 0..20 {
            // SAFETY: the child calls what is below and `_exit`.
            let pid = unsafe { libc::fork() };
            if pid == 0 {
                // Every shard is asked: a lock that stayed closed would stop us, and the alarm ends that.
                // SAFETY: sets a timer.
                unsafe { libc::alarm(20) };
                let child = builder().level(Level::Basic).trace_output(&other).init();
                (1..500).for_each(|size| pair(&memory, size, &stream));
                let code = i32::from(child.is_err() || memory.stats().live != 0);
                // SAFETY: ends the child without the harness's own end.
                unsafe { libc::_exit(code) };
            }
            let mut status = -1;
            // SAFETY: `status` is writable.
            assert_eq!(unsafe { libc::waitpid(pid, &raw mut status, 0) }, pid);
            assert_eq!(status, 0);
        }
    });
    assert_eq!(memory.stats().live, 0);
    guard.shutdown();
}
