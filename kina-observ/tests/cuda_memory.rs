//! Memory of a CUDA device under the ledger: who holds it when there is no more, and that all of it comes back.

mod stub;

use kina_observ::device::{Device, DevicePtr, Stream};
use kina_observ::memory::{
    CudaAsyncMemoryResource, FreeError, FreeReason, MemoryResource, PoolInfo, TracingMemoryResource,
};
use kina_observ::{Level, builder, span};
use stub::process;

type Traced = TracingMemoryResource<CudaAsyncMemoryResource>;

fn traced() -> (Traced, Stream) {
    let device = Device::cuda(0).expect("the stub driver has a device");
    let stream = device.stream("main").expect("a stream");
    (TracingMemoryResource::new(CudaAsyncMemoryResource::new(&device).expect("a CUDA device")), stream)
}

#[span("weights.load")]
fn load(memory: &Traced, stream: &Stream, sizes: &[usize]) -> Vec<DevicePtr> {
    sizes.iter().map(|size| memory.allocate(*size, stream).expect("there is room")).collect()
}

#[span("cache.fill")]
fn fill(memory: &Traced, stream: &Stream, sizes: &[usize]) -> Vec<DevicePtr> {
    sizes.iter().map(|size| memory.allocate(*size, stream).expect("there is room")).collect()
}

#[test]
fn out_of_memory_names_the_largest_holder() {
    process("out_of_memory_names_the_largest_holder").set("STUB_DRIVER_MEMORY", 1 << 20).run(|| {
        let _guard = builder().level(Level::Basic).init().unwrap();
        let (memory, stream) = traced();
        // The largest block is the weights', the largest holder is the cache, which has many.
        let weights = load(&memory, &stream, &[300_000]);
        fill(&memory, &stream, &[100_000; 6]);
        let error = memory.allocate(200_000, &stream).unwrap_err();
        let report = error.report().expect("a ledger was kept");
        let holders: Vec<_> =
            report.holders.iter().map(|holder| (holder.path.to_string(), holder.bytes, holder.blocks)).collect();
        assert_eq!(holders, [("cache.fill".to_owned(), 600_000, 6), ("weights.load".to_owned(), 300_000, 1)]);
        let held = report.memory.unwrap();
        assert_eq!((held.free, held.total), ((1 << 20) - 900_000, 1 << 20));
        assert_eq!(report.pool, Some(PoolInfo { reserved: 900_000, used: 900_000, largest_free: 0 }));
        assert!(
            error.to_string().starts_with(
                "`cuda_async` cannot allocate 200000 bytes on stream 1 (`main`) of cuda:0: out of memory\n"
            ),
            "{error}"
        );
        // SAFETY: the block is the resource's, with this size, and nothing uses it.
        unsafe { memory.deallocate(weights[0], 300_000, &stream) }.unwrap();
        assert!(memory.allocate(200_000, &stream).is_ok(), "there is room again");
    });
}

#[test]
fn everything_comes_back_and_a_stray_pointer_is_refused() {
    let log = process("everything_comes_back_and_a_stray_pointer_is_refused").run(|| {
        let _guard = builder().level(Level::Basic).init().unwrap();
        let (memory, stream) = traced();
        let sizes = [1, 0, 256, 1 << 20];
        let blocks = load(&memory, &stream, &sizes);
        assert!(blocks[1].is_null());
        for (block, size) in blocks.iter().zip(sizes) {
            // SAFETY: the block is the resource's, with this size, and nothing uses it.
            unsafe { memory.deallocate(*block, size, &stream) }.unwrap();
        }
        // SAFETY: the driver knows its blocks, and refuses this one.
        let twice = unsafe { memory.inner().deallocate(blocks[0], 1, &stream) };
        assert_eq!(twice, Err(FreeError::new(FreeReason::Unknown { resource: "cuda_async", pointer: blocks[0] })));
        assert!(memory.leaks().is_empty());
        let info = memory.memory_info().unwrap();
        assert_eq!(info.free, info.total);

        let elsewhere = Device::cpu().stream("cpu").unwrap();
        assert!(memory.allocate(1, &elsewhere).is_err(), "a stream of another device");
        assert!(
            CudaAsyncMemoryResource::new(&Device::cpu()).unwrap_err().to_string().contains("cpu:0 has no CUDA memory")
        );
    });
    if let Some(log) = log {
        assert_eq!(log.synchronisations(), 0, "in stream order, and without waiting");
    }
}
