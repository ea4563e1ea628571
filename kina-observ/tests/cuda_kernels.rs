//! A CUDA device computes what it shall, in the order it shall; the driver under it is the stub.

mod stub;

use cudarc::driver::CudaContext;
use kina_observ::device::cuda::FUNCTIONS;
use kina_observ::device::{
    Argument, Device, DeviceError, DevicePtr, KernelSource, LaunchConfig, LaunchShape, OnStream, Stream,
};
use stub::process;

/// A device, a stream of it, and memory that is not given back: the process ends with the test.
struct Bench {
    device: Device,
    stream: Stream,
}

impl Bench {
    fn new() -> Self {
        let device = Device::cuda(0).expect("the stub driver has a device");
        let stream = device.stream("main").expect("a stream");
        Self { device, stream }
    }

    fn floats(&self, values: &[f32]) -> DevicePtr {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let pointer = self.stream.allocate(bytes.len()).expect("memory");
        // SAFETY: as many bytes were just allocated.
        unsafe { self.stream.copy_to_device(pointer, &bytes) }.expect("a copy");
        pointer
    }

    fn read(&self, pointer: DevicePtr, count: usize) -> Vec<f32> {
        let mut bytes = vec![0; 4 * count];
        // SAFETY: `floats` allocated at least as many bytes.
        unsafe { self.stream.copy_from_device(&mut bytes, pointer) }.expect("a copy");
        bytes.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().expect("four bytes"))).collect()
    }

    fn launch(&self, kernel: &str, threads: u32, arguments: &[Argument]) {
        let function = self.device.load(KernelSource::Ptx(stub_driver::PTX), kernel).expect("a kernel of the text");
        // SAFETY: each caller passes what `kernels.cu` says, with memory that stays.
        unsafe { self.stream.launch(&function, &LaunchConfig::for_elements(threads), arguments) }.expect("a launch");
    }

    /// The kernel with an output of `N` floats, these inputs, and then these sizes.
    #[track_caller]
    fn check<const N: usize>(&self, kernel: &str, inputs: &[&[f32]], rest: &[Argument], expected: [f32; N]) {
        let out = self.floats(&[f32::NAN; N]);
        let mut arguments = vec![Argument::Pointer(out)];
        arguments.extend(inputs.iter().map(|input| Argument::Pointer(self.floats(input))));
        arguments.extend(rest);
        self.launch(kernel, N as u32, &arguments);
        let got = self.read(out, N);
        for (got, want) in got.iter().zip(&expected) {
            assert!((got - want).abs() < 1e-5, "{kernel}: {got:?} is not {want:?} in {expected:?}");
        }
    }
}

#[test]
fn axpy_and_the_kernels_of_the_block_are_right() {
    let log = process("axpy_and_the_kernels_of_the_block_are_right").run(|| {
        let bench = Bench::new();
        let sizes = |sizes: &[u32]| sizes.iter().copied().map(Argument::U32).collect::<Vec<_>>();

        let y = bench.floats(&[1.0, 2.0, 3.0]);
        let x = bench.floats(&[10.0, 20.0, 30.0]);
        let axpy = [Argument::Pointer(y), Argument::Pointer(x), Argument::F32(0.5), Argument::U32(3)];
        bench.launch("axpy", 3, &axpy);
        assert_eq!(bench.read(y, 3), [6.0, 12.0, 18.0]);

        let (a, b) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
        bench.check("matmul_f32", &[&a, &b], &sizes(&[1, 2, 3, 2]), [4.0, 5.0, 10.0, 11.0]);
        bench.check("matmul_f32", &[&a, &a], &sizes(&[6, 1, 1, 1]), [1.0, 4.0, 9.0, 16.0, 25.0, 36.0]);
        bench.check("add_f32", &[&a, &b], &sizes(&[6]), [2.0, 2.0, 3.0, 5.0, 6.0, 7.0]);
        bench.check("gelu_f32", &[&[0.0, 1.0, -1.0]], &sizes(&[3]), [0.0, 0.841_192, -0.158_808]);
        bench.check("softmax_f32", &[&[0.0, 0.0, 1000.0, 1000.0]], &sizes(&[2, 2]), [0.5; 4]);
        let mut layernorm = sizes(&[1, 2]);
        layernorm.push(Argument::F32(0.0));
        bench.check("layernorm_f32", &[&[1.0, 3.0], &[1.0, 2.0], &[0.0, 1.0]], &layernorm, [-1.0, 3.0]);
        bench.check("transpose_f32", &[&a], &sizes(&[1, 2, 3]), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
        bench.check("transpose_f32", &[&a], &sizes(&[2, 3, 1]), a);
    });
    if let Some(log) = log {
        assert_eq!(log.ran().len(), 9);
        assert_eq!(log.calls("cuModuleLoadData").len(), 1, "one text is one module");
    }
}

#[test]
fn every_function_that_is_called_was_looked_for() {
    let log = process("every_function_that_is_called_was_looked_for").run(|| {
        let bench = Bench::new();
        let other = bench.device.stream("other").unwrap();
        let event = bench.stream.record().unwrap();
        other.wait(&event).unwrap();
        other.synchronize().unwrap();
        assert_eq!(event.is_complete(), Ok(true));
        assert!(event.elapsed_until(&event).is_ok());
        let function = bench.device.load(KernelSource::Ptx(stub_driver::PTX), "add_f32").unwrap();
        let facts = function.facts(&LaunchConfig::for_elements(1)).unwrap();
        assert_eq!((facts.registers, facts.static_shared_memory, facts.occupancy), (Some(32), Some(0), Some(1.0)));
        function.facts(&LaunchConfig::for_elements(2)).unwrap();
        let huge = LaunchConfig { block: [u32::MAX; 3], ..LaunchConfig::for_elements(1) };
        assert_eq!(function.facts(&huge).unwrap().occupancy, Some(0.0), "no device has as many threads");
        bench.stream.begin_capture().unwrap();
        let graph = bench.stream.end_capture().unwrap();
        graph.launch(&bench.stream).unwrap();
        let memory = bench.floats(&[1.0]);
        assert_eq!(bench.read(memory, 1), [1.0]);
        // SAFETY: allocated above, and nothing uses it later.
        unsafe { bench.stream.free(memory) }.unwrap();
        assert_eq!(bench.device.memory_info().map(|info| info.total - info.free), Some(0));
    });
    if let Some(log) = log {
        let called = log.functions();
        let unasked: Vec<_> = called.iter().filter(|name| !FUNCTIONS.contains(name)).collect();
        assert!(unasked.is_empty(), "{unasked:?} are called and not in `FUNCTIONS`");
        // Registers and static shared memory once for each of the two shapes, however often they are asked for.
        assert_eq!(log.calls("cuFuncGetAttribute").len(), 4);
        for (made, gone) in [
            ("cuStreamCreate", "cuStreamDestroy_v2"),
            ("cuEventCreate", "cuEventDestroy_v2"),
            ("cuModuleLoadData", "cuModuleUnload"),
            ("cuGraphInstantiateWithFlags", "cuGraphExecDestroy"),
            ("cuStreamEndCapture", "cuGraphDestroy"),
            ("cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease_v2"),
        ] {
            assert_eq!(log.calls(made).len(), log.calls(gone).len(), "{made} and {gone}");
        }
    }
}

#[test]
fn a_stream_waits_for_what_was_recorded_before_the_call() {
    process("a_stream_waits_for_what_was_recorded_before_the_call").run(|| {
        let bench = Bench::new();
        let other = bench.device.stream("other").unwrap();
        let values = bench.floats(&[1.0]);
        let add = [Argument::Pointer(values), Argument::Pointer(values), Argument::Pointer(values), Argument::U32(1)];
        bench.launch("sleep_ns", 1, &[Argument::U64(30_000_000)]);
        bench.launch("add_f32", 1, &add);
        other.wait(&bench.stream.record().unwrap()).unwrap();
        let function = bench.device.load(KernelSource::Ptx(stub_driver::PTX), "axpy").unwrap();
        let axpy = [Argument::Pointer(values), Argument::Pointer(values), Argument::F32(10.0), Argument::U32(1)];
        // SAFETY: `axpy` takes these four, and the memory stays.
        unsafe { other.launch(&function, &LaunchConfig::for_elements(1), &axpy) }.unwrap();
        other.synchronize().unwrap();
        // (1 + 1) * 10 + 2, and not 1 * 10 + 1, doubled.
        assert_eq!(bench.read(values, 1), [22.0]);
    });
}

#[test]
fn what_is_wrong_is_said_and_what_is_gone_is_refused() {
    process("what_is_wrong_is_said_and_what_is_gone_is_refused").run(|| {
        let bench = Bench::new();
        let load = |source, name| bench.device.load(source, name).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(
            load(KernelSource::Ptx(".version 8.0\n.target sm_52\n.visible .entry _Z3addPf(\n)"), "add"),
            "no kernel is called `add`\n  = help: the source has `_Z3addPf`; a C++ name is mangled unless it is `extern \"C\"`"
        );
        assert!(load(KernelSource::Ptx("no PTX"), "add").contains("CUDA_ERROR_INVALID_PTX (218)"));
        assert!(load(KernelSource::Ptx("no\0PTX"), "add").contains("NUL"));
        assert!(load(KernelSource::Registered, "add").contains("only the CPU runs kernels that are registered"));
        let backend = bench.device.backend();
        let gone = kina_observ::device::backend::RawStream(0xDEAD_BEEF);
        assert_eq!(backend.synchronize(gone), Err(DeviceError::Unknown { what: "stream" }));
        // A kernel that touches what is not its own: the launch is fine, the next wait tells.
        bench.launch("add_f32", 1, &[8_u64, 16, 24].map(|address| Argument::Pointer(DevicePtr::new(address))).into_iter().chain([Argument::U32(1)]).collect::<Vec<_>>());
        let error = bench.stream.synchronize().unwrap_err().to_string();
        assert!(error.contains("CUDA_ERROR_ILLEGAL_ADDRESS (700)") && error.contains("compute-sanitizer"), "{error}");
    });
}

#[test]
fn no_memory_left_says_how_much_there_was() {
    process("no_memory_left_says_how_much_there_was").set("STUB_DRIVER_MEMORY", 1_000).run(|| {
        let stream = Device::cuda(0).unwrap().stream("main").unwrap();
        let held = stream.allocate(600).unwrap();
        let full = DeviceError::OutOfMemory { requested: 500, free: 400, total: 1_000 };
        assert_eq!(stream.allocate(500), Err(full));
        // SAFETY: allocated above, and nothing uses it.
        unsafe { stream.free(held) }.unwrap();
        assert!(stream.allocate(500).is_ok());
        assert!(stream.allocate(0).is_ok_and(|pointer| !pointer.is_null()));
    });
}

#[test]
fn what_the_program_has_already_is_wrapped_and_kept() {
    let log = process("what_the_program_has_already_is_wrapped_and_kept").run(|| {
        let context = CudaContext::new(0).unwrap();
        let own = context.new_stream().unwrap();
        let device = Device::from_cuda(&context).unwrap();
        let (wrapped, again) = (Stream::from_cuda(&own, "own").unwrap(), Stream::from_cuda(&own, "again").unwrap());
        assert_eq!((wrapped.name(), wrapped.device().name().as_str()), ("own", "cuda:0"));
        // What one `Device` of the context has loaded runs on a stream of another.
        let function = device.load(KernelSource::Ptx(stub_driver::PTX), "add_f32").unwrap();
        let values = own.clone_htod(&[1.5_f32]).unwrap();
        let address = {
            use cudarc::driver::DevicePtr as _;
            Argument::Pointer(DevicePtr::new(values.device_ptr(&own).0))
        };
        let shape = cudarc::driver::LaunchConfig::for_num_elems(1);
        let config = LaunchConfig {
            grid: shape.grid(),
            block: shape.block(),
            shared_memory: LaunchShape::shared_memory(&shape),
        };
        drop(wrapped);
        // SAFETY: `add_f32` takes these four, and the memory stays.
        unsafe { again.stream().launch(&function, &config, &[address, address, address, Argument::U32(1)]) }.unwrap();
        drop(again);
        assert_eq!(own.clone_dtoh(&values).unwrap(), [3.0], "the program's stream lives on");
    });
    if let Some(log) = log {
        assert_eq!(log.calls("cuStreamDestroy_v2").len(), 1, "by the program's own handle");
    }
}

#[test]
fn cuda_c_is_compiled_or_the_missing_compiler_is_named() {
    process("cuda_c_is_compiled_or_the_missing_compiler_is_named").run(|| {
        let bench = Bench::new();
        let load = |source, name| bench.device.load(KernelSource::CudaCpp(source), name);
        match load(stub_driver::CUDA_C, "axpy") {
            Ok(_) => {
                // Where there is a compiler, the text that `kernels.ptx` was made of is a text, and mistakes are its words.
                for kernel in
                    ["matmul_f32", "add_f32", "gelu_f32", "softmax_f32", "layernorm_f32", "transpose_f32", "sleep_ns"]
                {
                    load(stub_driver::CUDA_C, kernel).expect(kernel);
                }
                let error = load("__global__ void f() { undeclared(); }", "f").unwrap_err().to_string();
                assert!(error.contains("undeclared"), "{error}");
                let error = load("__global__ void f() {}", "f").unwrap_err().to_string();
                assert!(error.contains("_Z1fv"), "{error}");
            }
            Err(error @ DeviceError::Unavailable { .. }) => {
                let error = error.to_string();
                assert!(error.contains("`libnvrtc.so`") && error.contains("or load PTX"), "{error}");
            }
            Err(error) => panic!("{error}"),
        }
        assert!(load("a\0b", "f").unwrap_err().to_string().contains("NUL"));
    });
}
