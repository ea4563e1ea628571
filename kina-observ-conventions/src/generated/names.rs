// Generated from registry/kina/*.yaml by `cargo xtask codegen`. Do not edit.
//! Names as constants, and what the registry says about itself.

/// Schema URL of this registry.
pub const SCHEMA_URL: &str = "https://kina.example/schemas/observ/0.1.0";

/// Version of the OpenTelemetry semantic conventions that it builds on.
pub const SEMCONV_VERSION: &str = "1.42.0";

/// FNV-1a of the tables: it changes whenever a definition changes.
pub const REGISTRY_HASH: &str = "ddd8b20a7459c272";

/// Root namespaces in which every name must be registered, sorted.
pub const OWNED_NAMESPACES: &[&str] = &["code", "compiler", "error", "process", "runtime", "server", "service"];

/// Span types.
pub mod spans {
    /// The elaborate phase.
    pub const COMPILER_ELABORATE: &str = "compiler.elaborate";
    /// One obligation sent to the solver.
    pub const COMPILER_ELABORATE_SMT_DISCHARGE: &str = "compiler.elaborate.smt_discharge";
    /// One allocation through a traced memory resource.
    pub const RUNTIME_ALLOC: &str = "runtime.alloc";
    /// Copies bytes of a tensor to the host.
    pub const RUNTIME_COPY_D2H: &str = "runtime.copy.d2h";
    /// Copies bytes from the host to a tensor.
    pub const RUNTIME_COPY_H2D: &str = "runtime.copy.h2d";
    /// Counts the devices.
    pub const RUNTIME_DEVICE_COUNT: &str = "runtime.device.count";
    /// Waits until the device has finished all work.
    pub const RUNTIME_DEVICE_SYNCHRONIZE: &str = "runtime.device.synchronize";
    /// Records an event at the end of a stream's queue.
    pub const RUNTIME_EVENT_RECORD: &str = "runtime.event.record";
    /// Enqueues an elementwise sum.
    pub const RUNTIME_GPU_ADD: &str = "runtime.gpu.add";
    /// Enqueues an elementwise GELU.
    pub const RUNTIME_GPU_GELU: &str = "runtime.gpu.gelu";
    /// Enqueues a layer normalisation of each row.
    pub const RUNTIME_GPU_LAYERNORM: &str = "runtime.gpu.layernorm";
    /// Enqueues a batched matrix product.
    pub const RUNTIME_GPU_MATMUL: &str = "runtime.gpu.matmul";
    /// Enqueues a softmax over each row.
    pub const RUNTIME_GPU_SOFTMAX: &str = "runtime.gpu.softmax";
    /// Enqueues a batched transposition.
    pub const RUNTIME_GPU_TRANSPOSE: &str = "runtime.gpu.transpose";
    /// One kernel running on the thread of its stream.
    pub const RUNTIME_KERNEL_EXECUTE: &str = "runtime.kernel.execute";
    /// One worker's part of a kernel.
    pub const RUNTIME_KERNEL_LANE: &str = "runtime.kernel.lane";
    /// One kernel launch, from the call of the driver to its return.
    pub const RUNTIME_KERNEL_LAUNCH: &str = "runtime.kernel.launch";
    /// Creates a stream.
    pub const RUNTIME_STREAM_CREATE: &str = "runtime.stream.create";
    /// Destroys a stream.
    pub const RUNTIME_STREAM_DESTROY: &str = "runtime.stream.destroy";
    /// The host waits for a stream.
    pub const RUNTIME_STREAM_SYNCHRONIZE: &str = "runtime.stream.synchronize";
    /// A stream waits for an event of another stream.
    pub const RUNTIME_STREAM_WAIT_EVENT: &str = "runtime.stream.wait_event";
    /// Allocates a tensor.
    pub const RUNTIME_TENSOR_ALLOC: &str = "runtime.tensor.alloc";
    /// Frees a tensor.
    pub const RUNTIME_TENSOR_FREE: &str = "runtime.tensor.free";
}

/// Keys of attributes.
pub mod attributes {
    /// Fully qualified name of the function.
    pub const CODE_FUNCTION_NAME: &str = "code.function.name";
    /// Top-level declarations in the unit.
    pub const COMPILER_DECLARATION_COUNT: &str = "compiler.declaration.count";
    /// Number of the proof obligation in its module.
    pub const COMPILER_OBLIGATION_ID: &str = "compiler.obligation.id";
    /// What the solver answered.
    pub const COMPILER_OBLIGATION_RESULT: &str = "compiler.obligation.result";
    /// Low-cardinality class of the error; absent on success.
    pub const ERROR_TYPE: &str = "error.type";
    /// Process identifier.
    pub const PROCESS_PID: &str = "process.pid";
    /// Kind of memory resource.
    pub const RUNTIME_ALLOC_RESOURCE: &str = "runtime.alloc.resource";
    /// Bytes of one allocation.
    pub const RUNTIME_ALLOC_SIZE: &str = "runtime.alloc.size";
    /// Bytes copied.
    pub const RUNTIME_COPY_SIZE: &str = "runtime.copy.size";
    /// Device the operation ran on.
    pub const RUNTIME_DEVICE: &str = "runtime.device";
    /// Element type.
    pub const RUNTIME_DTYPE: &str = "runtime.dtype";
    /// Code that crossed the C boundary; 0 is success.
    pub const RUNTIME_FFI_CODE: &str = "runtime.ffi.code";
    /// Block dimensions.
    pub const RUNTIME_KERNEL_BLOCK: &str = "runtime.kernel.block";
    /// Grid dimensions.
    pub const RUNTIME_KERNEL_GRID: &str = "runtime.kernel.grid";
    /// Number of the worker that runs a part of the kernel.
    pub const RUNTIME_KERNEL_LANE: &str = "runtime.kernel.lane";
    /// Kernel symbol as the profiler shows it.
    pub const RUNTIME_KERNEL_NAME: &str = "runtime.kernel.name";
    /// Dynamic shared memory in bytes.
    pub const RUNTIME_KERNEL_SHARED_MEMORY: &str = "runtime.kernel.shared_memory";
    /// 128-bit id of the compiled module a call belongs to.
    pub const RUNTIME_MODULE_ID: &str = "runtime.module.id";
    /// Batch dimension.
    pub const RUNTIME_SHAPE_BATCH: &str = "runtime.shape.batch";
    /// Contracted dimension.
    pub const RUNTIME_SHAPE_K: &str = "runtime.shape.k";
    /// Rows of the result.
    pub const RUNTIME_SHAPE_M: &str = "runtime.shape.m";
    /// Columns of the result.
    pub const RUNTIME_SHAPE_N: &str = "runtime.shape.n";
    /// Small dense number of the stream, never its address.
    pub const RUNTIME_STREAM_ID: &str = "runtime.stream.id";
    /// Number of the stream whose event is waited for.
    pub const RUNTIME_STREAM_WAITS_ON: &str = "runtime.stream.waits_on";
    /// Number of dimensions of the tensor.
    pub const RUNTIME_TENSOR_RANK: &str = "runtime.tensor.rank";
    /// The span's real parent was dropped, so it stands under the nearest ancestor that was kept.
    pub const RUNTIME_TRACE_PARENT_DROPPED: &str = "runtime.trace.parent_dropped";
    /// Name or address of the server, without a reverse lookup.
    pub const SERVER_ADDRESS: &str = "server.address";
    /// Logical name of the service.
    pub const SERVICE_NAME: &str = "service.name";
    /// Version of the service.
    pub const SERVICE_VERSION: &str = "service.version";
}

/// Names of metrics.
pub mod metrics {
    /// Bytes allocated.
    pub const RUNTIME_ALLOC_BYTES: &str = "runtime.alloc.bytes";
    /// Allocations.
    pub const RUNTIME_ALLOC_COUNT: &str = "runtime.alloc.count";
    /// Duration of C entry points.
    pub const RUNTIME_FFI_CALL_DURATION: &str = "runtime.ffi.call.duration";
}
