//! A pool over the host's memory: it joins what is freed, lets streams wait for each other, and gives everything back.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::channel;

use kina_observ::device::{Device, Function, KernelSource, LaunchConfig, Stream, cpu};
use kina_observ::memory::{HostMemoryResource, MemoryResource, PoolConfig, PoolMemoryResource};

#[test]
fn everything_goes_back_below() {
    let host = HostMemoryResource::with_limit(1 << 20);
    let free = || host.memory_info().expect("a limit").free;
    let device = Device::cpu();
    let (one, two) = (device.stream("one").expect("a stream"), device.stream("two").expect("a stream"));
    let config = PoolConfig { initial: 4_096, least_growth: 4_096, limit: None };
    let pool = PoolMemoryResource::with_config(&host, config);
    let blocks: Vec<_> = (0..20).map(|_| pool.allocate(1_000, &one).expect("memory")).collect();
    let info = pool.pool_info().expect("a pool");
    assert_eq!((info.used, info.reserved), (20 * 1_024, (1 << 20) - free()));
    for block in &blocks {
        // SAFETY: each block is freed once, with its size, and nobody uses it.
        unsafe { pool.deallocate(*block, 1_000, &one) }.expect("a block");
    }
    let info = pool.pool_info().expect("a pool");
    assert_eq!(info.used, 0);
    assert!(info.largest_free >= info.reserved / 2, "what was freed is joined: {info:?}");
    // Another stream gets what is free on the first, and nothing new is taken.
    let large = pool.allocate(info.largest_free as usize, &two).expect("memory");
    assert_eq!(pool.pool_info().map(|after| after.reserved), Some(info.reserved));
    // SAFETY: as above.
    unsafe { pool.deallocate(large, info.largest_free as usize, &two) }.expect("a block");
    drop(pool);
    assert_eq!(free(), 1 << 20);
}

fn launch(stream: &Stream, kernel: &Function) {
    // SAFETY: these kernels take no arguments.
    unsafe { stream.launch(kernel, &LaunchConfig::for_elements(1), &[]) }.expect("a launch");
}

/// The second stream's kernel would otherwise write to a block that the first stream's kernel still reads.
#[test]
fn a_stream_waits_for_the_one_whose_block_it_gets() {
    static HELD_IS_DONE: AtomicBool = AtomicBool::new(false);
    static CAME_AFTER: AtomicBool = AtomicBool::new(false);
    let (go, gate) = channel::<()>();
    let gate = Mutex::new(gate);
    cpu::register("pool_held", move |_| {
        gate.lock().expect("no panic").recv().expect("a word");
        HELD_IS_DONE.store(true, SeqCst);
        Ok(())
    });
    cpu::register("pool_after", |_| {
        CAME_AFTER.store(HELD_IS_DONE.load(SeqCst), SeqCst);
        Ok(())
    });
    let device = Device::cpu();
    let [one, two, other] = ["one", "two", "other"].map(|name| device.stream(name).expect("a stream"));
    let load = |name| device.load(KernelSource::Registered, name).expect("a kernel");
    let (held, after) = (load("pool_held"), load("pool_after"));
    let config = PoolConfig { initial: 4_096, least_growth: 4_096, limit: Some(4_096) };
    let pool = PoolMemoryResource::with_config(HostMemoryResource::new(), config);

    let block = pool.allocate(4_096, &one).expect("memory");
    launch(&one, &held);
    // SAFETY: the block is freed once, with its size, and what is enqueued later does not use it.
    unsafe { pool.deallocate(block, 4_096, &one) }.expect("a block");
    assert_eq!(pool.allocate(4_096, &two), Ok(block), "there is no other");
    launch(&two, &after);
    let reached = two.record().expect("an event");
    // Time enough for the second stream, if it did not wait: a third one has come and gone.
    launch(&other, &after);
    other.synchronize().expect("no kernel failed");
    assert_eq!(reached.is_complete(), Ok(false), "the second stream waits");
    go.send(()).expect("a listener");
    two.synchronize().expect("no kernel failed");
    assert!(CAME_AFTER.load(SeqCst));
    // SAFETY: as above.
    unsafe { pool.deallocate(block, 4_096, &two) }.expect("a block");
}
