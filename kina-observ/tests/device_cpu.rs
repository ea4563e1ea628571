//! The CPU as a device: order, events with generations, memory with a limit, and errors that say what to do.

use std::sync::Mutex;
use std::sync::mpsc::channel;

use kina_observ::device::backend::{RawEvent, RawStream};
use kina_observ::device::{
    Argument, Device, DeviceError, DevicePtr, KernelBackend, KernelSource, LaunchConfig, MemoryInfo, Stream, cpu,
};

fn launch(device: &Device, stream: &Stream, kernel: &str, arguments: &[Argument]) {
    let kernel = device.load(KernelSource::Registered, kernel).expect("a kernel");
    // SAFETY: the kernels below look their pointers up, and their arguments are checked.
    unsafe { stream.launch(&kernel, &LaunchConfig::for_elements(1), arguments) }.expect("a launch");
}

fn bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_ne_bytes()).collect()
}

#[test]
fn a_kernel_computes_what_was_copied() {
    cpu::register("axpy", |run| {
        let (y, x, count, a) = (run.pointer(0)?, run.pointer(1)?, run.u32(2)? as usize, run.f32(3)?);
        let sums: Vec<_> =
            run.read_f32(y, count)?.iter().zip(run.read_f32(x, count)?).map(|(y, x)| a * x + y).collect();
        run.write_f32(y, &sums)
    });
    let device = Device::cpu();
    let stream = device.stream("main").expect("a stream");
    let (x, y) = (stream.allocate(12).expect("memory"), stream.allocate(12).expect("memory"));
    let mut result = vec![0; 12];
    // SAFETY: both allocations have 12 bytes.
    unsafe { stream.copy_to_device(x, &bytes(&[1.0, 2.0, 3.0])) }.expect("a copy");
    // SAFETY: see above.
    unsafe { stream.copy_to_device(y, &bytes(&[10.0, 20.0, 30.0])) }.expect("a copy");
    let arguments = [y.into(), x.into(), 3_u32.into(), 2.0_f32.into()];
    launch(&device, &stream, "axpy", &arguments);
    // SAFETY: see above.
    unsafe { stream.copy_from_device(&mut result, y) }.expect("a copy");
    assert_eq!(result, bytes(&[12.0, 24.0, 36.0]));

    launch(&device, &stream, "axpy", &[y.into(), x.offset(8).into(), 3_u32.into(), 2.0_f32.into()]);
    let error = stream.synchronize().unwrap_err();
    assert_eq!(error, DeviceError::InvalidAddress { by: "axpy".into(), address: x.offset(8).as_u64() });
    for pointer in [x, y] {
        // SAFETY: each is freed once.
        unsafe { stream.free(pointer) }.expect("a free");
    }
    stream.synchronize().expect("no kernel failed");
    launch(&device, &stream, "axpy", &arguments);
    assert!(matches!(stream.synchronize(), Err(DeviceError::InvalidAddress { .. })), "used after it was freed");
}

#[test]
fn memory_has_a_limit_and_comes_back_in_the_order_of_the_stream() {
    let (go, held) = channel::<()>();
    let held = Mutex::new(held);
    cpu::register("hold memory", move |_| {
        held.lock().expect("no panic").recv().expect("a word");
        Ok(())
    });
    let device = Device::new(cpu::Cpu::with_memory(1_000));
    let stream = device.stream("main").expect("a stream");
    let info = |free| Some(MemoryInfo { free, total: 1_000 });
    assert_eq!(device.memory_info(), info(1_000));
    let most = stream.allocate(900).expect("memory");
    assert_eq!(device.memory_info(), info(100));
    let error = stream.allocate(101).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the device has no 101 bytes: 100 of 1000 are free\n  = help: free what is no longer needed, or work on smaller pieces"
    );
    launch(&device, &stream, "hold memory", &[]);
    // SAFETY: it is freed once.
    unsafe { stream.free(most) }.expect("a free");
    assert_eq!(device.memory_info(), info(100), "the stream has not come to it");
    go.send(()).expect("a listener");
    stream.synchronize().expect("no kernel failed");
    assert_eq!(device.memory_info(), info(1_000));
    let (none, nothing) = (stream.allocate(0).expect("memory"), stream.allocate(0).expect("memory"));
    assert!(none != nothing && !none.is_null());
    // SAFETY: the address was never given out, which is the mistake that is looked for.
    let stray = unsafe { stream.free(DevicePtr::new(7)) };
    assert_eq!(stray, Err(DeviceError::InvalidAddress { by: "free".into(), address: 7 }));
    assert_eq!(Device::cpu().memory_info(), None);
}

#[test]
fn a_wait_means_the_recording_before_it() {
    let (go, held) = channel::<()>();
    let held = Mutex::new(held);
    cpu::register("hold events", move |_| {
        held.lock().expect("no panic").recv().expect("a word");
        Ok(())
    });
    let backend = cpu::Cpu::new();
    let [first, second] = ["first", "second"].map(|name| backend.create_stream(name).expect("a stream"));
    let kernel = backend.load(KernelSource::Registered, "hold events").expect("a kernel");
    let event = backend.create_event().expect("an event");
    let other = backend.create_event().expect("an event");
    assert_eq!(backend.is_complete(event), Ok(true), "an event that was never recorded");
    assert_eq!(backend.elapsed(event, other), Err(DeviceError::NotReady));
    backend.record(first, event).expect("a recording");
    backend.wait(second, event).expect("a wait");
    // SAFETY: the kernel takes no argument.
    unsafe { backend.launch(first, kernel, &LaunchConfig::for_elements(1), &[]) }.expect("a launch");
    backend.record(first, event).expect("a recording");
    assert_eq!(backend.is_complete(event), Ok(false));
    assert_eq!(backend.elapsed(event, event), Err(DeviceError::NotReady));
    // It waits for the first recording; the second would hold it for ever.
    backend.synchronize(second).expect("the second stream is not held");
    backend.record(second, other).expect("a recording");
    backend.synchronize(second).expect("no kernel failed");
    go.send(()).expect("a listener");
    backend.synchronize(first).expect("no kernel failed");
    assert_eq!(backend.is_complete(event), Ok(true));
    assert!(backend.elapsed(other, event).expect("a time") > backend.elapsed(event, event).expect("a time"));
}

#[test]
fn what_is_not_there_is_an_error() {
    let device = Device::cpu();
    let stream = device.stream("main").expect("a stream");
    let unknown = device.load(KernelSource::Registered, "axpyy").unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "no kernel is called `axpyy`\n  = help: register it first: `kina_observ::device::cpu::register`"
    );
    let backend = device.backend();
    assert_eq!(backend.synchronize(RawStream(0)), Err(DeviceError::Unknown { what: "stream" }));
    assert_eq!(backend.record(stream.raw(), RawEvent(0)), Err(DeviceError::Unknown { what: "event" }));
    stream.begin_capture().expect("a capture");
    assert_eq!(stream.begin_capture(), Err(DeviceError::Capturing { what: "begin_capture" }));
    assert_eq!(stream.allocate(1), Err(DeviceError::Capturing { what: "allocate" }));
    assert_eq!(stream.record().unwrap_err(), DeviceError::Capturing { what: "record" });
    assert_eq!(
        stream.synchronize().unwrap_err().to_string(),
        "`synchronize` is not possible while the stream's work goes into a graph\n  \
           = help: call it before `begin_capture` or after `end_capture`"
    );
    let graph = stream.end_capture().expect("a graph");
    let foreign = Device::cpu().stream("foreign").expect("a stream");
    assert_eq!(graph.launch(&foreign), Err(DeviceError::Unknown { what: "stream" }));
    let event = foreign.record().expect("an event");
    assert_eq!(stream.wait(&event), Err(DeviceError::Unknown { what: "event" }));
}

#[test]
fn who_is_far_ahead_of_a_stream_waits_for_room() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    use std::time::Duration;

    const LAUNCHES: usize = 3_000;
    static DONE: AtomicUsize = AtomicUsize::new(0);
    let (go, held) = channel::<()>();
    let held = Mutex::new(held);
    cpu::register("hold the queue", move |_| {
        held.lock().expect("no panic").recv().expect("a word");
        Ok(())
    });
    cpu::register("count", |_| {
        DONE.fetch_add(1, Relaxed);
        Ok(())
    });
    let device = Device::cpu();
    let stream = device.stream("main").expect("a stream");
    launch(&device, &stream, "hold the queue", &[]);
    let enqueued = Arc::new(AtomicUsize::new(0));
    let counter = enqueued.clone();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..LAUNCHES {
                launch(&device, &stream, "count", &[]);
                counter.fetch_add(1, Relaxed);
            }
        });
        while enqueued.load(Relaxed) < 1_023 {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_millis(50));
        let ahead = enqueued.load(Relaxed);
        go.send(()).expect("the stream listens");
        assert!((1_023..=1_024).contains(&ahead), "{ahead} launches ahead");
    });
    stream.synchronize().expect("nothing failed");
    assert_eq!(DONE.load(Relaxed), LAUNCHES);
}
