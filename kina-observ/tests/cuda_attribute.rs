//! A function that launches through cudarc is a launch like any other: its shape is on the span, its time is measured.

mod common;
mod stub;

use cudarc::driver::{CudaContext, CudaFunction, CudaStream, DriverError, LaunchConfig, PushKernelArg};
use kina_observ::device::{Stream, launches};
use kina_observ::{Level, builder, kernel};
use stub::{process, trace};

#[kernel]
fn sleep_ns(
    stream: &Stream,
    config: LaunchConfig,
    own: &CudaStream,
    function: &CudaFunction,
    nanoseconds: u64,
) -> Result<(), DriverError> {
    let mut launch = own.launch_builder(function);
    launch.arg(&nanoseconds);
    // SAFETY: the kernel takes one number.
    unsafe { launch.launch(config) }.map(|_| ())
}

#[test]
fn a_launch_through_cudarc_is_measured() {
    let log = process("a_launch_through_cudarc_is_measured").run(|| {
        let guard = builder().level(Level::Kernel).trace_output(trace()).init().unwrap();
        let context = CudaContext::new(0).unwrap();
        let own = context.new_stream().unwrap();
        let stream = Stream::from_cuda(&own, "own").unwrap();
        let module = context.load_module(stub_driver::PTX.into()).unwrap();
        let function = module.load_function("sleep_ns").unwrap();
        let config = LaunchConfig { grid_dim: (3, 1, 1), block_dim: (64, 2, 1), shared_mem_bytes: 128 };
        sleep_ns(&stream, config, &own, &function, 5_000_000).unwrap();
        own.synchronize().unwrap();
        drop(stream);
        assert_eq!((launches().launched, launches().timed), (1, 1));
        assert!(guard.shutdown().is_complete());
    });
    let Some(log) = log else { return };
    let lines = common::lines(&log.trace());
    let of_type = |name| lines.iter().find(|line| line["type"] == name).expect("a span");
    let launch = &of_type("runtime.kernel.launch")["attributes"];
    assert_eq!(launch["runtime.kernel.name"], "sleep_ns");
    assert_eq!(launch["runtime.device"], "cuda:0");
    assert_eq!(launch["runtime.kernel.shared_memory"], 128);
    let device = of_type("runtime.kernel.device");
    assert!(device["duration_ms"].as_f64().unwrap() >= 5.0, "{device}");
    assert_eq!(log.synchronisations(), 2, "the program's own, and the one that cudarc makes with its first stream");
}
