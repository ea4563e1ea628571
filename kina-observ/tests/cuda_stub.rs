//! The stub driver runs cudarc's safe layer, as a driver would.

mod stub;

use std::sync::atomic::{AtomicBool, Ordering};

use cudarc::driver::sys::{self, CUresult, CUstreamCaptureMode};
use cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg, result};
use stub::process;

#[test]
fn cudarcs_safe_layer_runs() {
    let log = process("cudarcs_safe_layer_runs").set("STUB_DRIVER_MEMORY", 1 << 20).run(|| {
        let context = CudaContext::new(0).unwrap();
        assert_eq!(context.name().unwrap(), "Stub driver on CPU threads");
        assert_eq!(context.compute_capability().unwrap(), (8, 0));
        assert!(context.has_async_alloc());
        let (stream, second) = (context.new_stream().unwrap(), context.default_stream());
        let module = context.load_module(stub_driver::PTX.into()).unwrap();
        let axpy = module.load_function("axpy").unwrap();
        assert!(module.load_function("nothing").is_err_and(|error| error.0 == CUresult::CUDA_ERROR_NOT_FOUND));

        let x = stream.clone_htod(&[1.0_f32, 2.0, 3.0]).unwrap();
        let mut y = stream.alloc_zeros::<f32>(3).unwrap();
        let mut launch = stream.launch_builder(&axpy);
        launch.arg(&mut y).arg(&x).arg(&2.0_f32).arg(&3_u32);
        // SAFETY: `axpy` takes these four.
        unsafe { launch.launch(LaunchConfig::for_num_elems(3)) }.unwrap();
        assert_eq!(second.clone_dtoh(&y).unwrap(), [2.0, 4.0, 6.0], "across streams, by the events of cudarc");

        let full = stream.alloc_zeros::<u8>(2 << 20).err().unwrap();
        assert_eq!(full.0, CUresult::CUDA_ERROR_OUT_OF_MEMORY);
        assert!(full.to_string().contains("out of memory"), "{full}");

        drop((x, y));
        context.synchronize().unwrap();
        context.check_err().unwrap();
        let (free, total) = context.mem_get_info().unwrap();
        assert_eq!(free, total, "everything is given back");
    });
    if let Some(log) = log {
        assert_eq!(log.ran().len(), 1);
        let launch = &log.calls("cuLaunchKernel")[0];
        assert_eq!((&launch["kernel"], &launch["result"]), (&"axpy".into(), &"CUDA_SUCCESS".into()));
        assert_eq!(log.ran()[0]["launch"], launch["launch"]);
    }
}

#[test]
fn time_events_and_callbacks_are_a_drivers() {
    static CALLED: AtomicBool = AtomicBool::new(false);
    unsafe extern "C" fn note(_: *mut std::ffi::c_void) {
        CALLED.store(true, Ordering::Release);
    }
    process("time_events_and_callbacks_are_a_drivers").run(|| {
        let context = CudaContext::new(0).unwrap();
        let stream = context.new_stream().unwrap();
        let sleep = context.load_module(stub_driver::PTX.into()).unwrap().load_function("sleep_ns").unwrap();
        let timed = Some(sys::CUevent_flags::CU_EVENT_DEFAULT);
        let start = stream.record_event(timed).unwrap();
        let mut launch = stream.launch_builder(&sleep);
        launch.arg(&20_000_000_u64);
        // SAFETY: `sleep_ns` takes a number.
        unsafe { launch.launch(LaunchConfig::for_num_elems(1)) }.unwrap();
        let end = stream.record_event(timed).unwrap();
        assert!(!end.try_is_complete().unwrap(), "the launch returns before the kernel has run");
        // SAFETY: both events are live.
        let early = unsafe { result::event::elapsed(start.cu_event(), end.cu_event()) };
        assert_eq!(early.err().map(|error| error.0), Some(CUresult::CUDA_ERROR_NOT_READY));
        // SAFETY: the stream is live, and `note` takes anything.
        unsafe { result::stream::launch_host_function(stream.cu_stream(), note, std::ptr::null_mut()) }.unwrap();
        stream.synchronize().unwrap();
        assert!(CALLED.load(Ordering::Acquire));
        assert!(start.elapsed_ms(&end).unwrap() >= 20.0);
        let untimed = stream.record_event(None).unwrap();
        assert!(start.elapsed_ms(&untimed).is_err_and(|error| error.0 == CUresult::CUDA_ERROR_INVALID_HANDLE));
    });
}

#[test]
fn capture_has_its_rules() {
    process("capture_has_its_rules").run(|| {
        let context = CudaContext::new(0).unwrap();
        let (stream, second) = (context.new_stream().unwrap(), context.new_stream().unwrap());
        let mut values = stream.clone_htod(&[1_u8; 4]).unwrap();
        stream.synchronize().unwrap();
        let flags = sys::CUgraphInstantiate_flags(0);
        let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;

        // An event that is recorded inside is a place in the graph; a stream that waits for it joins, and no time is in it.
        // SAFETY: this test orders its two streams itself.
        unsafe { context.disable_event_tracking() };
        stream.begin_capture(mode).unwrap();
        let inside = stream.record_event(Some(sys::CUevent_flags::CU_EVENT_DEFAULT)).unwrap();
        second.wait(&inside).unwrap();
        second.memset_zeros(&mut values).unwrap();
        stream.join(&second).unwrap();
        let graph = stream.end_capture(flags).unwrap().unwrap();
        assert_eq!(inside.try_is_complete().err().map(|error| error.0), Some(CUresult::CUDA_ERROR_CAPTURED_EVENT));
        assert_eq!(stream.clone_dtoh(&values).unwrap(), [1; 4], "a capture runs nothing");
        graph.launch().unwrap();
        assert_eq!(stream.clone_dtoh(&values).unwrap(), [0; 4]);

        // Waiting inside spoils the capture.
        stream.begin_capture(mode).unwrap();
        let refused = stream.synchronize().err().map(|error| error.0);
        assert_eq!(refused, Some(CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED));
        let spoiled = stream.end_capture(flags).err().map(|error| error.0);
        assert_eq!(spoiled, Some(CUresult::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED));
    });
}
