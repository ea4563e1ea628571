/* Generated from src/lib.rs of kina_runtime by `kina-observ header --crate .`: do not edit. */

/* The C interface of kina-runtime: a tensor runtime, on the CPU or a GPU, whose every call leaves a span in the trace.
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
 * Device. The CPU, or the first CUDA device if KINA_RUNTIME_BACKEND is cuda (and not cpu) and the library was built with the
 * feature cuda; the first call that needs it opens it. KINA_RUNTIME_MEMORY_LIMIT is how many bytes all tensors may have together.
 *
 * Streams. Kernels and host-to-device copies are enqueued: the call returns, the work follows on the stream, in
 * order. 0 is the default stream wherever a stream may be left out. What fails there is reported by the next
 * synchronisation as RUNTIME_E_STREAM_FAILED. Work on different streams is ordered by events only.
 *
 * Observation. Without a call the first function configures itself from KINA_OBSERV_LEVEL (off, basic, kernel),
 * KINA_OBSERV_TRACE_OUTPUT (a path), KINA_OBSERV_TRACE_FORMAT (text, json) and RUST_LOG (such as info,kina_runtime=debug).
 */

#ifndef KINA_RUNTIME_H
#define KINA_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A handle of an event. */
typedef uint64_t runtime_event_t;

/**
 * A defect in the library, contained.
 */
#define KINA_E_PANIC (-1)

/**
 * A pointer is null that must not be.
 */
#define KINA_E_NULL (-2)

/**
 * A pointer is not aligned for its type.
 */
#define KINA_E_MISALIGNED (-3)

/**
 * A size is negative or too large.
 */
#define KINA_E_SIZE (-4)

/**
 * A text is not UTF-8.
 */
#define KINA_E_UTF8 (-5)

/**
 * A code is none of the enum's.
 */
#define KINA_E_ENUM (-6)

/**
 * A handle is stale, freed, 0 or of another kind.
 */
#define KINA_E_HANDLE (-7)

/**
 * Half.
 */
#define RUNTIME_F16 1

/**
 * Brain float.
 */
#define RUNTIME_BF16 2

/**
 * Single: the only one that the kernels compute with.
 */
#define RUNTIME_F32 3

/**
 * Double.
 */
#define RUNTIME_F64 4

/**
 * 32-bit integer.
 */
#define RUNTIME_I32 5

/**
 * 64-bit integer.
 */
#define RUNTIME_I64 6

/**
 * A tensor does not hold as many elements as the dimensions say.
 */
#define RUNTIME_E_SHAPE_MISMATCH 101

/**
 * The kernels compute with `f32` only.
 */
#define RUNTIME_E_UNSUPPORTED_DTYPE 102

/**
 * A tensor has more elements than a kernel can count.
 */
#define RUNTIME_E_TOO_MANY_ELEMENTS 104

/**
 * The output is also an input.
 */
#define RUNTIME_E_ALIASED_OUTPUT 103

/**
 * The buffer and the tensor differ in size.
 */
#define RUNTIME_E_SIZE_MISMATCH 111

/**
 * The shape has more bytes than can be counted.
 */
#define RUNTIME_E_SIZE_OVERFLOW 112

/**
 * The memory, or its limit, is used up.
 */
#define RUNTIME_E_OUT_OF_MEMORY 201

/**
 * The operating system gave no thread.
 */
#define RUNTIME_E_STREAM_START_FAILED 202

/**
 * Earlier work on the stream failed.
 */
#define RUNTIME_E_STREAM_FAILED 203

/**
 * The stream was destroyed meanwhile.
 */
#define RUNTIME_E_STREAM_CLOSED 204

/**
 * `KINA_RUNTIME_MEMORY_LIMIT` is no number.
 */
#define RUNTIME_E_INVALID_MEMORY_LIMIT 205

/**
 * `KINA_RUNTIME_BACKEND` names no backend.
 */
#define RUNTIME_E_INVALID_BACKEND 206

/**
 * The backend's device cannot be used here.
 */
#define RUNTIME_E_BACKEND_UNAVAILABLE 207

/**
 * The device refused for another reason.
 */
#define RUNTIME_E_DEVICE_FAILED 208

/**
 * A kernel was asked for that the library does not have.
 */
#define RUNTIME_E_NO_KERNEL 209

/**
 * A handle of a `Stream`; 0 is none.
 */
typedef uint64_t runtime_stream_t;

/**
 * A handle of a `Tensor`; 0 is none.
 */
typedef uint64_t runtime_tensor_t;

/**
 * Gets each JSON line, on a thread of the library's. Severity: 1 error, 2 warn, 3 info, 4 debug, 5 trace.
 * The line has no end of line, a NUL follows it, and it lives as long as the call.
 */
typedef void (*kina_log_function_t)(void *user, int32_t severity, const char *line, size_t length);

/**
 * Called once with `user`, when the callback will not use it any more.
 */
typedef void (*kina_log_destroy_t)(void *user);

/**
 * A last error: every text ends in a NUL and is cut between characters if it is too long.
 */
typedef struct kina_error_copy_t {
  /**
   * 0: there was none.
   */
  int32_t code;
  /**
   * 0 none, 1 boundary, 2 outer, 3 inner.
   */
  int32_t layer;
  /**
   * The `error.type`.
   */
  char error_type[96];
  /**
   * What happened.
   */
  char message[512];
  /**
   * What to do.
   */
  char help[256];
  /**
   * Where.
   */
  char span_path[256];
} kina_error_copy_t;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * How many devices there are: one, the CPU or the GPU that was chosen.
 */
int32_t runtime_device_count(int32_t *out);

/**
 * Waits for all work of every stream. Reports the first failure; the others stay for the next call.
 */
int32_t runtime_device_synchronize(void);

/**
 * `out[batch, m, n] = a[batch, m, k] x b[batch, k, n]`, on the default stream.
 *
 * The signature is the specification's, so that this is form (ii); `dtype_code` must be f32.
 */
int32_t runtime_gpu_matmul(uint64_t out,
                           uint64_t a,
                           uint64_t b,
                           int64_t batch,
                           int64_t m,
                           int64_t k,
                           int64_t n,
                           int32_t dtype_code);

/**
 * `out = a + b`, `n` elements each.
 */
int32_t runtime_gpu_add(runtime_stream_t stream,
                        runtime_tensor_t out,
                        runtime_tensor_t a,
                        runtime_tensor_t b,
                        int64_t n);

/**
 * Each of `m` rows of `n` becomes positive and sums to one.
 */
int32_t runtime_gpu_softmax(runtime_stream_t stream,
                            runtime_tensor_t out,
                            runtime_tensor_t a,
                            int64_t m,
                            int64_t n);

/**
 * Each of `m` rows of `n` gets mean 0 and variance 1, then `gamma` and `beta`, which have `n` elements.
 */
int32_t runtime_gpu_layernorm(runtime_stream_t stream,
                              runtime_tensor_t out,
                              runtime_tensor_t a,
                              runtime_tensor_t gamma,
                              runtime_tensor_t beta,
                              int64_t m,
                              int64_t n,
                              float epsilon);

/**
 * Gaussian error linear unit of `n` elements.
 */
int32_t runtime_gpu_gelu(runtime_stream_t stream,
                         runtime_tensor_t out,
                         runtime_tensor_t a,
                         int64_t n);

/**
 * `out[batch, n, m]` is `a[batch, m, n]` with rows and columns exchanged.
 */
int32_t runtime_gpu_transpose(runtime_stream_t stream,
                              runtime_tensor_t out,
                              runtime_tensor_t a,
                              int64_t batch,
                              int64_t m,
                              int64_t n);

/**
 * Makes a tensor of zeros. The caller owns it and frees it. `label` is for its own eyes: it is never recorded.
 */
int32_t runtime_tensor_alloc(int32_t dtype,
                             const int64_t *shape,
                             size_t shape_len,
                             const char *label,
                             runtime_tensor_t *out);

/**
 * Frees a tensor: its handle is dead at once, its memory after the last kernel that uses it.
 */
int32_t runtime_tensor_free(runtime_tensor_t tensor);

/**
 * Copies a buffer to a tensor. The buffer is the caller's again when this returns; the tensor has it when the stream is there.
 */
int32_t runtime_copy_h2d(runtime_tensor_t dst,
                         const uint8_t *bytes,
                         size_t bytes_len,
                         runtime_stream_t stream);

/**
 * Copies a tensor to a buffer, after the earlier work of the stream; waits for it.
 */
int32_t runtime_copy_d2h(runtime_tensor_t src,
                         uint8_t *bytes,
                         size_t bytes_len,
                         runtime_stream_t stream);

/**
 * Makes a stream, whose work runs beside that of the others. The caller owns it and destroys it.
 */
int32_t runtime_stream_create(uint64_t *out);

/**
 * Ends a stream after the work that is in, and every event recorded on it. The stream is gone also when this reports a failure.
 */
int32_t runtime_stream_destroy(uint64_t stream);

/**
 * Waits for the work of a stream; 0 is the default stream.
 */
int32_t runtime_stream_synchronize(uint64_t stream);

/**
 * Lets the further work of a stream wait for an event, which may be another stream's.
 */
int32_t runtime_stream_wait_event(uint64_t stream, uint64_t event);

/**
 * Marks a point in the work of a stream. The event belongs to the stream, which keeps its last 1,024.
 */
int32_t runtime_event_record(uint64_t stream,
                             uint64_t *out);

/**
 * Starts recording at a level (0 off, 1 basic, 2 kernel) with the settings of `KINA_OBSERV_*`.
 * 0: started; 1: was running, the level is set; -1: could not start, the reason is on standard error; -2: no such level.
 * Without it the first call of any function starts what the environment says, which is nothing by default.
 */
int32_t kina_observ_init(int32_t level);

/**
 * 0: set; 1: nothing is running; -2: no such level.
 */
int32_t kina_observ_set_level(int32_t level);

/**
 * Sets directives as in `RUST_LOG`. 0: set; -2: null, not UTF-8 or not understood.
 */
int32_t kina_observ_set_filter(const char *directives);

/**
 * Hands every JSON line to `function`, or to nobody if it is null. Set it before the level and standard error stays empty.
 * The callback before is not called again, and its `destroy` has been called, when this returns.
 * It is called on a thread of the library's, must not throw or wait, and what it calls here is not recorded.
 * 0: set; 1: called from inside a callback, nothing changed.
 */
int32_t kina_observ_set_log_callback(kina_log_function_t function,
                                     void *user,
                                     kina_log_destroy_t destroy);

/**
 * 0: everything recorded so far has reached the operating system; 1: not within the time.
 */
int32_t kina_observ_flush(uint32_t timeout_ms);

/**
 * Call it before the process ends. 0: flushed and stopped; 1: nothing was running, or it did not end within the time.
 */
int32_t kina_observ_shutdown(uint32_t timeout_ms);

/**
 * 0: a panic becomes code -1; 1: the library was built with panic=abort, so a panic ends the process.
 */
int32_t kina_observ_panic_strategy(void);

/**
 * Of this thread. 0: none. Meaningful only after a call returned a code other than 0.
 */
int32_t kina_last_error_code(void);

/**
 * 0 none, 1 boundary, 2 outer error (device), 3 inner error (operation).
 */
int32_t kina_last_error_layer(void);

/**
 * What happened. Never null; valid until the next failing call on this thread.
 */
const char *kina_last_error_message(void);

/**
 * What to do. Never null; valid until the next failing call on this thread.
 */
const char *kina_last_error_help(void);

/**
 * The `error.type`. Never null; valid until the next failing call on this thread.
 */
const char *kina_last_error_type(void);

/**
 * Where. Never null; valid until the next failing call on this thread.
 */
const char *kina_last_error_span_path(void);

/**
 * Copies this thread's last error as a whole, for hosts that move between threads. 0: copied; -2: null or misaligned.
 */
int32_t kina_last_error_copy(struct kina_error_copy_t *to);

/**
 * Forgets this thread's last error.
 */
void kina_last_error_clear(void);

/**
 * This thread's calls belong to a compiled module from here on; `id` points to the 16 bytes of its UUID.
 * 0: done; 1: 32 are pushed already; -2: null.
 */
int32_t kina_module_push(const uint8_t *id);

/**
 * 0: the module before is back; 1: none was pushed.
 */
int32_t kina_module_pop(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

/* The layout of the Rust side, where pointers have 64 bits. */
#if defined(__cplusplus) && __cplusplus >= 201103L
#define KINA_OBSERV_ASSERT(condition, text) static_assert(condition, text)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define KINA_OBSERV_ASSERT(condition, text) _Static_assert(condition, text)
#endif
#if defined(KINA_OBSERV_ASSERT) && UINTPTR_MAX == 0xFFFFFFFFFFFFFFFF
KINA_OBSERV_ASSERT(sizeof(kina_error_copy_t) == 1128, "size of kina_error_copy_t");
KINA_OBSERV_ASSERT(offsetof(kina_error_copy_t, code) == 0, "offset of kina_error_copy_t.code");
KINA_OBSERV_ASSERT(offsetof(kina_error_copy_t, layer) == 4, "offset of kina_error_copy_t.layer");
KINA_OBSERV_ASSERT(offsetof(kina_error_copy_t, error_type) == 8, "offset of kina_error_copy_t.error_type");
KINA_OBSERV_ASSERT(offsetof(kina_error_copy_t, message) == 104, "offset of kina_error_copy_t.message");
KINA_OBSERV_ASSERT(offsetof(kina_error_copy_t, help) == 616, "offset of kina_error_copy_t.help");
KINA_OBSERV_ASSERT(offsetof(kina_error_copy_t, span_path) == 872, "offset of kina_error_copy_t.span_path");
#endif
#undef KINA_OBSERV_ASSERT

#endif  /* KINA_RUNTIME_H */
