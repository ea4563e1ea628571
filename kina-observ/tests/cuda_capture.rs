//! A captured graph does its work when it is launched, nothing that is not a part of it gets in, and nobody disturbs it.

mod stub;

use cudarc::driver::CudaContext;
use cudarc::driver::sys::CUstreamCaptureMode;
use kina_observ::device::{Argument, Device, DeviceError, KernelSource, LaunchConfig, Stream};
use stub::process;

fn launch(stream: &Stream, kernel: &str, arguments: &[Argument]) -> Result<(), DeviceError> {
    let function = stream.device().load(KernelSource::Ptx(stub_driver::PTX), kernel)?;
    // SAFETY: each caller passes what `kernels.cu` says, with memory that stays.
    unsafe { stream.launch(&function, &LaunchConfig::for_elements(1), arguments) }
}

#[test]
fn a_graph_does_its_work_each_time_it_is_launched() {
    process("a_graph_does_its_work_each_time_it_is_launched").run(|| {
        let stream = Device::cuda(0).unwrap().stream("main").unwrap();
        let values = stream.allocate(4).unwrap();
        // SAFETY: four bytes were just allocated.
        unsafe { stream.copy_to_device(values, &1.0_f32.to_le_bytes()) }.unwrap();
        stream.begin_capture().unwrap();
        assert!(stream.is_capturing());
        let pointer = Argument::Pointer(values);
        launch(&stream, "add_f32", &[pointer, pointer, pointer, Argument::U32(1)]).unwrap();
        let graph = stream.end_capture().unwrap();
        assert!(!stream.is_capturing());
        for _ in 0..3 {
            graph.launch(&stream).unwrap();
        }
        let mut bytes = [0; 4];
        // SAFETY: four bytes were allocated above.
        unsafe { stream.copy_from_device(&mut bytes, values) }.unwrap();
        assert_eq!(f32::from_le_bytes(bytes), 8.0, "doubled by each launch, and not by the capture");
    });
}

#[test]
fn a_capture_refuses_what_a_graph_must_not_keep() {
    process("a_capture_refuses_what_a_graph_must_not_keep").run(|| {
        let stream = Device::cuda(0).unwrap().stream("main").unwrap();
        let values = stream.allocate(4).unwrap();
        assert_eq!(stream.end_capture().err(), Some(DeviceError::NotCapturing));
        stream.begin_capture().unwrap();
        let refused = |what| Err(DeviceError::Capturing { what });
        assert_eq!(stream.begin_capture(), refused("begin_capture"));
        assert_eq!(stream.synchronize(), refused("synchronize"));
        assert_eq!(stream.allocate(4).map(|_| ()), refused("allocate"));
        // SAFETY: four bytes were allocated above; all three are refused.
        unsafe {
            assert_eq!(stream.copy_to_device(values, &[0; 4]), refused("copy_to_device"));
        }
        // SAFETY: as above.
        let from = unsafe { stream.copy_from_device(&mut [0; 4], values) };
        assert_eq!(from, refused("copy_from_device"));
        // SAFETY: as above.
        assert_eq!(unsafe { stream.free(values) }, refused("free"));
        assert!(stream.end_capture().is_ok(), "nothing that was refused has reached the driver");
    });
}

#[test]
fn asking_an_event_disturbs_no_capture_of_the_program() {
    process("asking_an_event_disturbs_no_capture_of_the_program").run(|| {
        let context = CudaContext::new(0).unwrap();
        let own = context.new_stream().unwrap();
        let other = Device::from_cuda(&context).unwrap().stream("other").unwrap();
        let event = other.record().unwrap();
        other.synchronize().unwrap();
        own.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL).unwrap();
        assert_eq!(event.is_complete(), Ok(true));
        assert!(event.elapsed_until(&event).is_ok());
        let flags = cudarc::driver::sys::CUgraphInstantiate_flags(0);
        assert!(own.end_capture(flags).unwrap().is_some(), "the capture is as it would be without us");
        // The witness that it could have been disturbed: the same question asked bare.
        own.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL).unwrap();
        let bare = context.new_event(None).unwrap();
        assert!(bare.try_is_complete().is_err());
        assert!(own.end_capture(flags).is_err());
    });
}
