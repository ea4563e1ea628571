//! A pool over the host's memory: it joins what is freed, and gives everything back.

use kina_observ::device::Device;
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
