/* The C interface of kina-runtime: a CPU tensor runtime whose every call leaves a span in the trace.
 *
 * Every function returns a code: 0 done; below 0 the boundary refused the call (KINA_E_*), and nothing was done;
 * above 0 the runtime's own answer (RUNTIME_E_*). An out value is written if and only if the code is 0.
 * After a code other than 0, kina_last_error_message() and its sisters tell what happened, where, and what to do;
 * their texts are this thread's, and valid until its next failing call.
 *
 * Ownership. A buffer, shape or label that is passed in is the caller's again when the call returns. Tensors and streams
 * belong to the caller, who frees or destroys each once. An event belongs to the stream it was recorded on, which keeps its
 * last 1024; it ends with its stream. Handles are never reused: one that is stale, freed, 0 or of another kind is KINA_E_HANDLE.
 *
 * Streams. Kernels and host-to-device copies are enqueued: the call returns, the work follows on the stream's thread, in
 * order. 0 is the default stream wherever a stream may be left out. What fails there is reported by the next
 * synchronisation as RUNTIME_E_STREAM_FAILED. Work on different streams is ordered by events only.
 */
#ifndef KINA_RUNTIME_H
#define KINA_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The boundary's codes. */
#define KINA_E_PANIC (-1)      /* a defect in the runtime, contained */
#define KINA_E_NULL (-2)       /* a pointer is NULL that must not be */
#define KINA_E_MISALIGNED (-3) /* a pointer is not aligned for its type */
#define KINA_E_SIZE (-4)       /* a size is negative or too large */
#define KINA_E_UTF8 (-5)       /* a text is not UTF-8 */
#define KINA_E_ENUM (-6)       /* a code is none of the enum's */
#define KINA_E_HANDLE (-7)     /* a handle is stale, freed, 0 or of another kind */

/* The runtime's codes. Answers of an operation: */
#define RUNTIME_E_SHAPE_MISMATCH 101    /* a tensor has not as many elements as the dimensions say */
#define RUNTIME_E_UNSUPPORTED_DTYPE 102 /* kernels compute with f32 only */
#define RUNTIME_E_ALIASED_OUTPUT 103    /* the output is also an input */
#define RUNTIME_E_SIZE_MISMATCH 111     /* buffer and tensor differ in size */
#define RUNTIME_E_SIZE_OVERFLOW 112     /* the shape has more bytes than can be counted */
/* Failures of the device: */
#define RUNTIME_E_OUT_OF_MEMORY 201        /* KINA_RUNTIME_MEMORY_LIMIT (bytes, default 4 GiB) is used up */
#define RUNTIME_E_STREAM_START_FAILED 202  /* the operating system gave no thread */
#define RUNTIME_E_STREAM_FAILED 203        /* earlier work on the stream failed */
#define RUNTIME_E_STREAM_CLOSED 204        /* the stream was destroyed during the call */
#define RUNTIME_E_INVALID_MEMORY_LIMIT 205 /* KINA_RUNTIME_MEMORY_LIMIT is no number */

/* Element types. */
#define RUNTIME_F16 1
#define RUNTIME_BF16 2
#define RUNTIME_F32 3
#define RUNTIME_F64 4
#define RUNTIME_I32 5
#define RUNTIME_I64 6

typedef uint64_t runtime_stream_t;
typedef uint64_t runtime_event_t;
typedef uint64_t runtime_tensor_t;

/* The device. Synchronising waits for every stream. */
int32_t runtime_device_count(int32_t *out);
int32_t runtime_device_synchronize(void);

/* Streams. Destroying one waits for its work; it is gone also when that reports a failure. */
int32_t runtime_stream_create(runtime_stream_t *out);
int32_t runtime_stream_destroy(runtime_stream_t stream);
int32_t runtime_stream_synchronize(runtime_stream_t stream);
int32_t runtime_stream_wait_event(runtime_stream_t stream, runtime_event_t event);
int32_t runtime_event_record(runtime_stream_t stream, runtime_event_t *out);

/* Tensors: zeros at first. The label is for the owner's eyes and never recorded. The memory of a freed tensor lives until
 * the last kernel that was enqueued with it has ended. */
int32_t runtime_tensor_alloc(int32_t dtype, const int64_t *shape, size_t shape_len, const char *label,
                             runtime_tensor_t *out);
int32_t runtime_tensor_free(runtime_tensor_t tensor);

/* Copies of whole tensors. Device to host waits for the stream's earlier work and the copy. */
int32_t runtime_copy_h2d(runtime_tensor_t dst, const uint8_t *bytes, size_t bytes_len, runtime_stream_t stream);
int32_t runtime_copy_d2h(runtime_tensor_t src, uint8_t *bytes, size_t bytes_len, runtime_stream_t stream);

/* Kernels, f32. None works in place. matmul runs on the default stream: out[batch,m,n] = a[batch,m,k] x b[batch,k,n]. */
int32_t runtime_gpu_matmul(runtime_tensor_t out, runtime_tensor_t a, runtime_tensor_t b, int64_t batch, int64_t m,
                           int64_t k, int64_t n, int32_t dtype_code);
int32_t runtime_gpu_add(runtime_stream_t stream, runtime_tensor_t out, runtime_tensor_t a, runtime_tensor_t b, int64_t n);
int32_t runtime_gpu_softmax(runtime_stream_t stream, runtime_tensor_t out, runtime_tensor_t a, int64_t m, int64_t n);
int32_t runtime_gpu_layernorm(runtime_stream_t stream, runtime_tensor_t out, runtime_tensor_t a, runtime_tensor_t gamma,
                              runtime_tensor_t beta, int64_t m, int64_t n, float epsilon);
int32_t runtime_gpu_gelu(runtime_stream_t stream, runtime_tensor_t out, runtime_tensor_t a, int64_t n);
int32_t runtime_gpu_transpose(runtime_stream_t stream, runtime_tensor_t out, runtime_tensor_t a, int64_t batch, int64_t m,
                              int64_t n);

/* Observation. Without a call the first function configures itself from KINA_OBSERV_LEVEL (off, basic, kernel),
 * KINA_OBSERV_TRACE_OUTPUT (a path), KINA_OBSERV_TRACE_FORMAT (text, json) and RUST_LOG (such as info,kina_runtime=debug).
 * Each returns 0 for done, 1 for nothing to do or not in time, below 0 for an argument or a setting that cannot be used.
 * Levels are 0 off, 1 basic, 2 kernel; times are milliseconds. Call kina_observ_shutdown before the process ends. */
int32_t kina_observ_init(int32_t level);
int32_t kina_observ_set_level(int32_t level);
int32_t kina_observ_set_filter(const char *directives);
int32_t kina_observ_flush(uint32_t timeout_ms);
int32_t kina_observ_shutdown(uint32_t timeout_ms);

/* The last failure of this thread. The texts are never NULL. Layers: 0 none, 1 boundary, 2 device, 3 operation. */
int32_t kina_last_error_code(void);
int32_t kina_last_error_layer(void);
const char *kina_last_error_message(void);
const char *kina_last_error_help(void);
const char *kina_last_error_type(void);
const char *kina_last_error_span_path(void);
void kina_last_error_clear(void);

/* The compiled module that this thread's calls in between belong to: the bytes of its UUID. 0: done. */
int32_t kina_module_push(const uint8_t id[16]);
int32_t kina_module_pop(void);

#ifdef __cplusplus
}
#endif

#endif
