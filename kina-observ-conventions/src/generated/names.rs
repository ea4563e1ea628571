// Generated from registry/*/*.yaml by `cargo xtask codegen`. Do not edit.
//! Names as constants, and what the registry says about itself.

/// Schema URL of this registry.
pub const SCHEMA_URL: &str = "https://kina.example/schemas/observ/0.1.0";

/// Version of the OpenTelemetry semantic conventions that it builds on.
pub const SEMCONV_VERSION: &str = "1.42.0";

/// FNV-1a of the tables: it changes whenever a definition changes.
pub const REGISTRY_HASH: &str = "f72e007dd33e3f90";

/// Root namespaces in which every name must be registered, sorted.
pub const OWNED_NAMESPACES: &[&str] = &[
    "code",
    "compiler",
    "db",
    "error",
    "gen_ai",
    "http",
    "hw",
    "messaging",
    "network",
    "process",
    "rpc",
    "runtime",
    "server",
    "service",
    "tl",
    "url",
    "user_agent",
];

/// Span types.
pub mod spans {
    /// The elaborate phase.
    pub const COMPILER_ELABORATE: &str = "compiler.elaborate";
    /// One obligation sent to the solver.
    pub const COMPILER_ELABORATE_SMT_DISCHARGE: &str = "compiler.elaborate.smt_discharge";
    /// A call of a database.
    pub const DB_CLIENT: &str = "db.client";
    /// A chat completion of a model.
    pub const GEN_AI_CHAT: &str = "gen_ai.chat";
    /// Embeddings of an input.
    pub const GEN_AI_EMBEDDINGS: &str = "gen_ai.embeddings";
    /// One run of a tool.
    pub const GEN_AI_EXECUTE_TOOL: &str = "gen_ai.execute_tool";
    /// A call of an agent that runs elsewhere.
    pub const GEN_AI_INVOKE_AGENT: &str = "gen_ai.invoke_agent";
    /// A text completion of a model.
    pub const GEN_AI_TEXT_COMPLETION: &str = "gen_ai.text_completion";
    /// An outbound HTTP request.
    pub const HTTP_CLIENT: &str = "http.client";
    /// An inbound HTTP request.
    pub const HTTP_SERVER: &str = "http.server";
    /// A message is made, before it is sent.
    pub const MESSAGING_CREATE: &str = "messaging.create";
    /// Messages are worked on.
    pub const MESSAGING_PROCESS: &str = "messaging.process";
    /// Messages are asked for.
    pub const MESSAGING_RECEIVE: &str = "messaging.receive";
    /// Messages are handed over for sending.
    pub const MESSAGING_SEND: &str = "messaging.send";
    /// Messages are acknowledged or refused.
    pub const MESSAGING_SETTLE: &str = "messaging.settle";
    /// An outgoing remote procedure call.
    pub const RPC_CLIENT: &str = "rpc.client";
    /// An incoming remote procedure call.
    pub const RPC_SERVER: &str = "rpc.server";
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
    /// One block goes back to a traced memory resource.
    pub const RUNTIME_FREE: &str = "runtime.free";
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
    /// One graph on the device, from the start of its first part to the end of its last.
    pub const RUNTIME_GRAPH_DEVICE: &str = "runtime.graph.device";
    /// One launch of a captured graph, from the call of the driver to its return.
    pub const RUNTIME_GRAPH_LAUNCH: &str = "runtime.graph.launch";
    /// One kernel on the device, from its start to its end there.
    pub const RUNTIME_KERNEL_DEVICE: &str = "runtime.kernel.device";
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
    /// Inside the runtime, a stream waits for an event of another; the span links to the one that recorded the event.
    pub const RUNTIME_SYNC_EVENT: &str = "runtime.sync.event";
    /// Inside the runtime, the host waits for a stream.
    pub const RUNTIME_SYNC_STREAM: &str = "runtime.sync.stream";
    /// Allocates a tensor.
    pub const RUNTIME_TENSOR_ALLOC: &str = "runtime.tensor.alloc";
    /// Frees a tensor.
    pub const RUNTIME_TENSOR_FREE: &str = "runtime.tensor.free";
    /// Activity.
    pub const TL_ACTIVITY: &str = "tl.activity";
    /// Model call of an agent.
    pub const TL_AGENT_LLM_CALL: &str = "tl.agent.llm_call";
    /// Agent run.
    pub const TL_AGENT_RUN: &str = "tl.agent.run";
    /// Tool call of an agent.
    pub const TL_AGENT_TOOL: &str = "tl.agent.tool";
    /// Corpus stage.
    pub const TL_CORPUS_STAGE: &str = "tl.corpus.stage";
    /// Decode.
    pub const TL_ENGINE_DECODE: &str = "tl.engine.decode";
    /// Prefill.
    pub const TL_ENGINE_PREFILL: &str = "tl.engine.prefill";
    /// Wait in the queue.
    pub const TL_ENGINE_QUEUE: &str = "tl.engine.queue";
    /// Prefill call, gateway side.
    pub const TL_ENGINE_CONTROL_PREFILL_CLIENT: &str = "tl.engine_control.prefill.client";
    /// Prefill call, engine side.
    pub const TL_ENGINE_CONTROL_PREFILL_SERVER: &str = "tl.engine_control.prefill.server";
    /// Evaluation case.
    pub const TL_EVAL_CASE: &str = "tl.eval.case";
    /// Authentication.
    pub const TL_GATEWAY_AUTH: &str = "tl.gateway.auth";
    /// Cache look-up.
    pub const TL_GATEWAY_CACHE: &str = "tl.gateway.cache";
    /// Policy decision.
    pub const TL_GATEWAY_POLICY: &str = "tl.gateway.policy";
    /// Call of the engine.
    pub const TL_GATEWAY_PROXY: &str = "tl.gateway.proxy";
    /// Rate limit decision.
    pub const TL_GATEWAY_RATELIMIT: &str = "tl.gateway.ratelimit";
    /// Choice of a worker.
    pub const TL_GATEWAY_ROUTE: &str = "tl.gateway.route";
    /// Request on /v1/chat/completions, /v1/completions or /v1/embeddings.
    pub const TL_HTTP_SERVER: &str = "tl.http.server";
    /// KV move, prefill side.
    pub const TL_KV_TRANSFER_CLIENT: &str = "tl.kv.transfer.client";
    /// KV move, decode side.
    pub const TL_KV_TRANSFER_SERVER: &str = "tl.kv.transfer.server";
    /// Retrieval.
    pub const TL_RAG_RETRIEVE: &str = "tl.rag.retrieve";
    /// Checkpoint.
    pub const TL_TRAIN_CHECKPOINT: &str = "tl.train.checkpoint";
    /// Training run.
    pub const TL_TRAIN_RUN: &str = "tl.train.run";
    /// One training step.
    pub const TL_TRAIN_STEP: &str = "tl.train.step";
    /// Workflow.
    pub const TL_WORKFLOW: &str = "tl.workflow";
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
    /// Table, collection or container.
    pub const DB_COLLECTION_NAME: &str = "db.collection.name";
    /// Database, qualified as its system does.
    pub const DB_NAMESPACE: &str = "db.namespace";
    /// Operations in the batch.
    pub const DB_OPERATION_BATCH_SIZE: &str = "db.operation.batch.size";
    /// Operation, as the system calls it.
    pub const DB_OPERATION_NAME: &str = "db.operation.name";
    /// Low-cardinality summary of a query.
    pub const DB_QUERY_SUMMARY: &str = "db.query.summary";
    /// Rows that the operation returned.
    pub const DB_RESPONSE_RETURNED_ROWS: &str = "db.response.returned_rows";
    /// Status code of the database, as text.
    pub const DB_RESPONSE_STATUS_CODE: &str = "db.response.status_code";
    /// Stored procedure.
    pub const DB_STORED_PROCEDURE_NAME: &str = "db.stored_procedure.name";
    /// Database system, as the client knows it.
    pub const DB_SYSTEM_NAME: &str = "db.system.name";
    /// Low-cardinality class of the error; absent on success.
    pub const ERROR_TYPE: &str = "error.type";
    /// What the agent is for, in the words of its author.
    pub const GEN_AI_AGENT_DESCRIPTION: &str = "gen_ai.agent.description";
    /// Id of the agent.
    pub const GEN_AI_AGENT_ID: &str = "gen_ai.agent.id";
    /// Name of the agent.
    pub const GEN_AI_AGENT_NAME: &str = "gen_ai.agent.name";
    /// Conversation that the call belongs to.
    pub const GEN_AI_CONVERSATION_ID: &str = "gen_ai.conversation.id";
    /// Dimensions of the embeddings.
    pub const GEN_AI_EMBEDDINGS_DIMENSION_COUNT: &str = "gen_ai.embeddings.dimension.count";
    /// What is asked of the model, agent or tool.
    pub const GEN_AI_OPERATION_NAME: &str = "gen_ai.operation.name";
    /// Provider of the model, as the client knows it.
    pub const GEN_AI_PROVIDER_NAME: &str = "gen_ai.provider.name";
    /// Most tokens that the model may generate.
    pub const GEN_AI_REQUEST_MAX_TOKENS: &str = "gen_ai.request.max_tokens";
    /// Model that was asked for.
    pub const GEN_AI_REQUEST_MODEL: &str = "gen_ai.request.model";
    /// Temperature of the request.
    pub const GEN_AI_REQUEST_TEMPERATURE: &str = "gen_ai.request.temperature";
    /// Nucleus sampling of the request.
    pub const GEN_AI_REQUEST_TOP_P: &str = "gen_ai.request.top_p";
    /// Why each choice ended.
    pub const GEN_AI_RESPONSE_FINISH_REASONS: &str = "gen_ai.response.finish_reasons";
    /// Id of the response.
    pub const GEN_AI_RESPONSE_ID: &str = "gen_ai.response.id";
    /// Model that answered.
    pub const GEN_AI_RESPONSE_MODEL: &str = "gen_ai.response.model";
    /// Id of the tool call.
    pub const GEN_AI_TOOL_CALL_ID: &str = "gen_ai.tool.call.id";
    /// What the tool is for, in the words of its author.
    pub const GEN_AI_TOOL_DESCRIPTION: &str = "gen_ai.tool.description";
    /// Name of the tool.
    pub const GEN_AI_TOOL_NAME: &str = "gen_ai.tool.name";
    /// Kind of the tool.
    pub const GEN_AI_TOOL_TYPE: &str = "gen_ai.tool.type";
    /// Tokens of the input.
    pub const GEN_AI_USAGE_INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
    /// Tokens of the output.
    pub const GEN_AI_USAGE_OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
    /// Method of the request.
    pub const HTTP_REQUEST_METHOD: &str = "http.request.method";
    /// Method as the client sent it, when it is not a known one.
    pub const HTTP_REQUEST_METHOD_ORIGINAL: &str = "http.request.method_original";
    /// How often the request was sent again before this one.
    pub const HTTP_REQUEST_RESEND_COUNT: &str = "http.request.resend_count";
    /// Status code of the response.
    pub const HTTP_RESPONSE_STATUS_CODE: &str = "http.response.status_code";
    /// Route that the request matched, a template.
    pub const HTTP_ROUTE: &str = "http.route";
    /// Version of the driver.
    pub const HW_DRIVER_VERSION: &str = "hw.driver_version";
    /// Version of the firmware.
    pub const HW_FIRMWARE_VERSION: &str = "hw.firmware_version";
    /// What the GPU works on.
    pub const HW_GPU_TASK: &str = "hw.gpu.task";
    /// Id of the component, unique on its host.
    pub const HW_ID: &str = "hw.id";
    /// Model of the component.
    pub const HW_MODEL: &str = "hw.model";
    /// Name of the component, for people.
    pub const HW_NAME: &str = "hw.name";
    /// Id of the component that it is part of.
    pub const HW_PARENT: &str = "hw.parent";
    /// Kind of the component.
    pub const HW_TYPE: &str = "hw.type";
    /// Vendor of the component.
    pub const HW_VENDOR: &str = "hw.vendor";
    /// Messages in the batch.
    pub const MESSAGING_BATCH_MESSAGE_COUNT: &str = "messaging.batch.message_count";
    /// Id of the client that sends or receives.
    pub const MESSAGING_CLIENT_ID: &str = "messaging.client.id";
    /// Group of the consumer.
    pub const MESSAGING_CONSUMER_GROUP_NAME: &str = "messaging.consumer.group.name";
    /// Whether the destination has no name.
    pub const MESSAGING_DESTINATION_ANONYMOUS: &str = "messaging.destination.anonymous";
    /// Queue, topic or other destination.
    pub const MESSAGING_DESTINATION_NAME: &str = "messaging.destination.name";
    /// Partition of the destination.
    pub const MESSAGING_DESTINATION_PARTITION_ID: &str = "messaging.destination.partition.id";
    /// Subscription that the message came through.
    pub const MESSAGING_DESTINATION_SUBSCRIPTION_NAME: &str = "messaging.destination.subscription.name";
    /// Low-cardinality template of the destination.
    pub const MESSAGING_DESTINATION_TEMPLATE: &str = "messaging.destination.template";
    /// Whether the destination goes away with its users.
    pub const MESSAGING_DESTINATION_TEMPORARY: &str = "messaging.destination.temporary";
    /// Bytes of the body.
    pub const MESSAGING_MESSAGE_BODY_SIZE: &str = "messaging.message.body.size";
    /// Conversation that the message belongs to.
    pub const MESSAGING_MESSAGE_CONVERSATION_ID: &str = "messaging.message.conversation_id";
    /// Bytes of body and metadata.
    pub const MESSAGING_MESSAGE_ENVELOPE_SIZE: &str = "messaging.message.envelope.size";
    /// Id of the message.
    pub const MESSAGING_MESSAGE_ID: &str = "messaging.message.id";
    /// Operation, as the system calls it.
    pub const MESSAGING_OPERATION_NAME: &str = "messaging.operation.name";
    /// Kind of the operation.
    pub const MESSAGING_OPERATION_TYPE: &str = "messaging.operation.type";
    /// Messaging system, as the client knows it.
    pub const MESSAGING_SYSTEM: &str = "messaging.system";
    /// Direction in which bytes flow.
    pub const NETWORK_IO_DIRECTION: &str = "network.io.direction";
    /// Address of the other end of the connection.
    pub const NETWORK_PEER_ADDRESS: &str = "network.peer.address";
    /// Port of the other end of the connection.
    pub const NETWORK_PEER_PORT: &str = "network.peer.port";
    /// Protocol above the transport, in lower case.
    pub const NETWORK_PROTOCOL_NAME: &str = "network.protocol.name";
    /// Version of that protocol.
    pub const NETWORK_PROTOCOL_VERSION: &str = "network.protocol.version";
    /// Process identifier.
    pub const PROCESS_PID: &str = "process.pid";
    /// Fully qualified name of the method.
    pub const RPC_METHOD: &str = "rpc.method";
    /// Method as the caller sent it, when it is not a known one.
    pub const RPC_METHOD_ORIGINAL: &str = "rpc.method_original";
    /// Status code of the response, as text.
    pub const RPC_RESPONSE_STATUS_CODE: &str = "rpc.response.status_code";
    /// Remote procedure call system.
    pub const RPC_SYSTEM_NAME: &str = "rpc.system.name";
    /// Blocks that were allocated and not freed.
    pub const RUNTIME_ALLOC_BLOCKS: &str = "runtime.alloc.blocks";
    /// Bytes that were allocated and not freed.
    pub const RUNTIME_ALLOC_HELD: &str = "runtime.alloc.held";
    /// Kind of memory resource.
    pub const RUNTIME_ALLOC_RESOURCE: &str = "runtime.alloc.resource";
    /// Bytes of one allocation.
    pub const RUNTIME_ALLOC_SIZE: &str = "runtime.alloc.size";
    /// Spans in which memory was allocated, from the outermost to the innermost.
    pub const RUNTIME_ALLOC_SPAN_PATH: &str = "runtime.alloc.span_path";
    /// Bytes copied.
    pub const RUNTIME_COPY_SIZE: &str = "runtime.copy.size";
    /// Device the operation ran on.
    pub const RUNTIME_DEVICE: &str = "runtime.device";
    /// Element type.
    pub const RUNTIME_DTYPE: &str = "runtime.dtype";
    /// Code that crossed the C boundary; 0 is success.
    pub const RUNTIME_FFI_CODE: &str = "runtime.ffi.code";
    /// Why a free cannot be right.
    pub const RUNTIME_FREE_FAULT: &str = "runtime.free.fault";
    /// Small dense number of the graph.
    pub const RUNTIME_GRAPH_ID: &str = "runtime.graph.id";
    /// Block dimensions.
    pub const RUNTIME_KERNEL_BLOCK: &str = "runtime.kernel.block";
    /// The launch went into a graph instead of running.
    pub const RUNTIME_KERNEL_CAPTURED: &str = "runtime.kernel.captured";
    /// Grid dimensions.
    pub const RUNTIME_KERNEL_GRID: &str = "runtime.kernel.grid";
    /// Number of the worker that runs a part of the kernel.
    pub const RUNTIME_KERNEL_LANE: &str = "runtime.kernel.lane";
    /// Kernel symbol as the profiler shows it.
    pub const RUNTIME_KERNEL_NAME: &str = "runtime.kernel.name";
    /// Share of a multiprocessor's threads that can be busy, as far as the kernel limits it.
    pub const RUNTIME_KERNEL_OCCUPANCY: &str = "runtime.kernel.occupancy";
    /// Registers of a thread.
    pub const RUNTIME_KERNEL_REGISTERS: &str = "runtime.kernel.registers";
    /// Dynamic shared memory in bytes.
    pub const RUNTIME_KERNEL_SHARED_MEMORY: &str = "runtime.kernel.shared_memory";
    /// Static shared memory of a block in bytes.
    pub const RUNTIME_KERNEL_STATIC_SHARED_MEMORY: &str = "runtime.kernel.static_shared_memory";
    /// Bytes of the device that nobody holds.
    pub const RUNTIME_MEMORY_FREE: &str = "runtime.memory.free";
    /// Bytes that the device has.
    pub const RUNTIME_MEMORY_TOTAL: &str = "runtime.memory.total";
    /// 128-bit id of the compiled module a call belongs to.
    pub const RUNTIME_MODULE_ID: &str = "runtime.module.id";
    /// The largest allocation that a pool can make without taking more from below.
    pub const RUNTIME_POOL_LARGEST_FREE: &str = "runtime.pool.largest_free";
    /// Bytes that a pool took from the resource below.
    pub const RUNTIME_POOL_RESERVED: &str = "runtime.pool.reserved";
    /// Bytes of a pool that are given out.
    pub const RUNTIME_POOL_USED: &str = "runtime.pool.used";
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
    /// Port of the server.
    pub const SERVER_PORT: &str = "server.port";
    /// Logical name of the service.
    pub const SERVICE_NAME: &str = "service.name";
    /// Group that the name of the service is unique in.
    pub const SERVICE_NAMESPACE: &str = "service.namespace";
    /// Version of the service.
    pub const SERVICE_VERSION: &str = "service.version";
    /// Attempt, from 1.
    pub const TL_ACTIVITY_ATTEMPT: &str = "tl.activity.attempt";
    /// Id of the activity.
    pub const TL_ACTIVITY_ID: &str = "tl.activity.id";
    /// Type of activity (needed for the span name).
    pub const TL_ACTIVITY_TYPE: &str = "tl.activity.type";
    /// Rounds of model call and tool calls.
    pub const TL_AGENT_ITERATIONS: &str = "tl.agent.iterations";
    /// Id of the API key, never the key.
    pub const TL_API_KEY_ID: &str = "tl.api_key_id";
    /// Version of the public API.
    pub const TL_API_VERSION: &str = "tl.api_version";
    /// Whether the answer came from the cache.
    pub const TL_CACHE_HIT: &str = "tl.cache.hit";
    /// Where the checkpoint went.
    pub const TL_CKPT_PATH: &str = "tl.ckpt.path";
    /// Rows read.
    pub const TL_CORPUS_ROWS_IN: &str = "tl.corpus.rows_in";
    /// Rows written.
    pub const TL_CORPUS_ROWS_OUT: &str = "tl.corpus.rows_out";
    /// Corpus stage.
    pub const TL_CORPUS_STAGE: &str = "tl.corpus.stage";
    /// Prefill chunks.
    pub const TL_ENGINE_CHUNKS: &str = "tl.engine.chunks";
    /// Prompt tokens found in the prefix cache.
    pub const TL_ENGINE_PREFIX_HIT_TOKENS: &str = "tl.engine.prefix_hit_tokens";
    /// Priority class.
    pub const TL_ENGINE_PRIORITY: &str = "tl.engine.priority";
    /// Milliseconds in the queue.
    pub const TL_ENGINE_QUEUE_MS: &str = "tl.engine.queue_ms";
    /// Role of an engine (resource attribute).
    pub const TL_ENGINE_ROLE: &str = "tl.engine.role";
    /// Share of drafts accepted.
    pub const TL_ENGINE_SPEC_ACCEPT_RATE: &str = "tl.engine.spec_accept_rate";
    /// Tokens since the last event.
    pub const TL_ENGINE_TOKENS: &str = "tl.engine.tokens";
    /// Case in the suite.
    pub const TL_EVAL_CASE_ID: &str = "tl.eval.case_id";
    /// What is evaluated.
    pub const TL_EVAL_SUBJECT: &str = "tl.eval.subject";
    /// Suite of evaluation cases.
    pub const TL_EVAL_SUITE: &str = "tl.eval.suite";
    /// Idempotency key.
    pub const TL_IDEMPOTENCY_KEY: &str = "tl.idempotency_key";
    /// Blocks moved.
    pub const TL_KV_BLOCKS: &str = "tl.kv.blocks";
    /// Bytes moved.
    pub const TL_KV_BYTES: &str = "tl.kv.bytes";
    /// Blocks not moved since the target had them.
    pub const TL_KV_DEDUPED: &str = "tl.kv.deduped";
    /// Layout of the blocks.
    pub const TL_KV_FORMAT: &str = "tl.kv.format";
    /// What the policy said.
    pub const TL_POLICY_DECISION: &str = "tl.policy.decision";
    /// Rule of the policy that decided.
    pub const TL_POLICY_RULE: &str = "tl.policy.rule";
    /// Milliseconds to the first byte.
    pub const TL_PROXY_FIRST_BYTE_MS: &str = "tl.proxy.first_byte_ms";
    /// Documents asked for.
    pub const TL_RAG_K: &str = "tl.rag.k";
    /// Retrievers used: bm25, vector.
    pub const TL_RAG_RETRIEVERS: &str = "tl.rag.retrievers";
    /// What the rate limiter said.
    pub const TL_RATELIMIT_DECISION: &str = "tl.ratelimit.decision";
    /// Step of the cascade.
    pub const TL_ROUTE_CASCADE_STEP: &str = "tl.route.cascade_step";
    /// Why that worker.
    pub const TL_ROUTE_REASON: &str = "tl.route.reason";
    /// Worker chosen.
    pub const TL_ROUTE_WORKER_ID: &str = "tl.route.worker_id";
    /// Id of the training run.
    pub const TL_RUN_ID: &str = "tl.run.id";
    /// Tenant of the caller.
    pub const TL_TENANT: &str = "tl.tenant";
    /// How the tool call ended.
    pub const TL_TOOL_OUTCOME: &str = "tl.tool.outcome";
    /// Loss of the step.
    pub const TL_TRAIN_LOSS: &str = "tl.train.loss";
    /// Number of the training step.
    pub const TL_TRAIN_STEP: &str = "tl.train.step";
    /// Steps asked for.
    pub const TL_TRAIN_STEPS: &str = "tl.train.steps";
    /// Tokens of the step.
    pub const TL_TRAIN_TOKENS: &str = "tl.train.tokens";
    /// Id of the workflow.
    pub const TL_WORKFLOW_ID: &str = "tl.workflow.id";
    /// Whether the task was replayed.
    pub const TL_WORKFLOW_REPLAY: &str = "tl.workflow.replay";
    /// Id of one run of the workflow.
    pub const TL_WORKFLOW_RUN_ID: &str = "tl.workflow.run_id";
    /// Type of workflow (needed for the span name).
    pub const TL_WORKFLOW_TYPE: &str = "tl.workflow.type";
    /// Absolute URL without credentials; queries may need redaction.
    pub const URL_FULL: &str = "url.full";
    /// Path of the URL.
    pub const URL_PATH: &str = "url.path";
    /// Scheme of the URL.
    pub const URL_SCHEME: &str = "url.scheme";
    /// Low-cardinality template of the path.
    pub const URL_TEMPLATE: &str = "url.template";
    /// The `User-Agent` header.
    pub const USER_AGENT_ORIGINAL: &str = "user_agent.original";
}

/// Names of metrics.
pub mod metrics {
    /// Duration of database client operations.
    pub const DB_CLIENT_OPERATION_DURATION: &str = "db.client.operation.duration";
    /// Duration of calls of a model or agent.
    pub const GEN_AI_CLIENT_OPERATION_DURATION: &str = "gen_ai.client.operation.duration";
    /// Duration of outbound HTTP requests.
    pub const HTTP_CLIENT_REQUEST_DURATION: &str = "http.client.request.duration";
    /// Duration of inbound HTTP requests.
    pub const HTTP_SERVER_REQUEST_DURATION: &str = "http.server.request.duration";
    /// Energy that the component consumed.
    pub const HW_ENERGY: &str = "hw.energy";
    /// Errors of the component.
    pub const HW_ERRORS: &str = "hw.errors";
    /// Bytes that the GPU received and sent.
    pub const HW_GPU_IO: &str = "hw.gpu.io";
    /// Size of the memory of the GPU.
    pub const HW_GPU_MEMORY_LIMIT: &str = "hw.gpu.memory.limit";
    /// Memory of the GPU that is in use.
    pub const HW_GPU_MEMORY_USAGE: &str = "hw.gpu.memory.usage";
    /// Share of the memory of the GPU that is in use.
    pub const HW_GPU_MEMORY_UTILIZATION: &str = "hw.gpu.memory.utilization";
    /// Share of the time that the GPU spent on a task.
    pub const HW_GPU_UTILIZATION: &str = "hw.gpu.utilization";
    /// Power that the component consumes.
    pub const HW_POWER: &str = "hw.power";
    /// Duration of messaging operations that a producer or a consumer starts.
    pub const MESSAGING_CLIENT_OPERATION_DURATION: &str = "messaging.client.operation.duration";
    /// Duration of outgoing remote procedure calls.
    pub const RPC_CLIENT_CALL_DURATION: &str = "rpc.client.call.duration";
    /// Duration of incoming remote procedure calls.
    pub const RPC_SERVER_CALL_DURATION: &str = "rpc.server.call.duration";
    /// Bytes allocated.
    pub const RUNTIME_ALLOC_BYTES: &str = "runtime.alloc.bytes";
    /// Allocations.
    pub const RUNTIME_ALLOC_COUNT: &str = "runtime.alloc.count";
    /// Allocations that failed.
    pub const RUNTIME_ALLOC_FAILURES: &str = "runtime.alloc.failures";
    /// Bytes allocated and not freed.
    pub const RUNTIME_ALLOC_LIVE: &str = "runtime.alloc.live";
    /// The most bytes that were ever allocated and not freed.
    pub const RUNTIME_ALLOC_PEAK: &str = "runtime.alloc.peak";
    /// Duration of C entry points.
    pub const RUNTIME_FFI_CALL_DURATION: &str = "runtime.ffi.call.duration";
    /// Frees that cannot be right.
    pub const RUNTIME_FREE_FAULTS: &str = "runtime.free.faults";
}

/// Names of events.
pub mod events {
    /// Tokens came out of a decode.
    pub const TOKEN: &str = "token";
}
