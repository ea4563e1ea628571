/* Generated from src/lib.rs of host_tests_other by `kina-observ header --crate .`: do not edit. */

#ifndef HOST_TESTS_OTHER_H
#define HOST_TESTS_OTHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * A defect in the library, contained.
 */
#define OTHER_E_PANIC (-1)

/**
 * A pointer is null that must not be.
 */
#define OTHER_E_NULL (-2)

/**
 * A pointer is not aligned for its type.
 */
#define OTHER_E_MISALIGNED (-3)

/**
 * A size is negative or too large.
 */
#define OTHER_E_SIZE (-4)

/**
 * A text is not UTF-8.
 */
#define OTHER_E_UTF8 (-5)

/**
 * A code is none of the enum's.
 */
#define OTHER_E_ENUM (-6)

/**
 * A handle is stale, freed, 0 or of another kind.
 */
#define OTHER_E_HANDLE (-7)

/**
 * Gets each JSON line, on a thread of the library's. Severity: 1 error, 2 warn, 3 info, 4 debug, 5 trace.
 * The line has no end of line, a NUL follows it, and it lives as long as the call.
 */
typedef void (*other_log_function_t)(void *user, int32_t severity, const char *line, size_t length);

/**
 * Called once with `user`, when the callback will not use it any more.
 */
typedef void (*other_log_destroy_t)(void *user);

/**
 * A last error: every text ends in a NUL and is cut between characters if it is too long.
 */
typedef struct other_error_copy_t {
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
} other_error_copy_t;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Starts recording at a level (0 off, 1 basic, 2 kernel) with the settings of `KINA_OBSERV_*`.
 * 0: started; 1: was running, the level is set; -1: could not start, the reason is on standard error; -2: no such level.
 * Without it the first call of any function starts what the environment says, which is nothing by default.
 */
int32_t other_observ_init(int32_t level);

/**
 * 0: set; 1: nothing is running; -2: no such level.
 */
int32_t other_observ_set_level(int32_t level);

/**
 * Sets directives as in `RUST_LOG`. 0: set; -2: null, not UTF-8 or not understood.
 */
int32_t other_observ_set_filter(const char *directives);

/**
 * Hands every JSON line to `function`, or to nobody if it is null. Set it before the level and standard error stays empty.
 * The callback before is not called again, and its `destroy` has been called, when this returns.
 * It is called on a thread of the library's, must not throw or wait, and what it calls here is not recorded.
 * 0: set; 1: called from inside a callback, nothing changed.
 */
int32_t other_observ_set_log_callback(other_log_function_t function,
                                      void *user,
                                      other_log_destroy_t destroy);

/**
 * 0: everything recorded so far has reached the operating system; 1: not within the time.
 */
int32_t other_observ_flush(uint32_t timeout_ms);

/**
 * Call it before the process ends. 0: flushed and stopped; 1: nothing was running, or it did not end within the time.
 */
int32_t other_observ_shutdown(uint32_t timeout_ms);

/**
 * 0: a panic becomes code -1; 1: the library was built with panic=abort, so a panic ends the process.
 */
int32_t other_observ_panic_strategy(void);

/**
 * Of this thread. 0: none. Meaningful only after a call returned a code other than 0.
 */
int32_t other_last_error_code(void);

/**
 * 0 none, 1 boundary, 2 outer error (device), 3 inner error (operation).
 */
int32_t other_last_error_layer(void);

/**
 * What happened. Never null; valid until the next failing call on this thread.
 */
const char *other_last_error_message(void);

/**
 * What to do. Never null; valid until the next failing call on this thread.
 */
const char *other_last_error_help(void);

/**
 * The `error.type`. Never null; valid until the next failing call on this thread.
 */
const char *other_last_error_type(void);

/**
 * Where. Never null; valid until the next failing call on this thread.
 */
const char *other_last_error_span_path(void);

/**
 * Copies this thread's last error as a whole, for hosts that move between threads. 0: copied; -2: null or misaligned.
 */
int32_t other_last_error_copy(struct other_error_copy_t *to);

/**
 * Forgets this thread's last error.
 */
void other_last_error_clear(void);

/**
 * This thread's calls belong to a compiled module from here on; `id` points to the 16 bytes of its UUID.
 * 0: done; 1: 32 are pushed already; -2: null.
 */
int32_t other_module_push(const uint8_t *id);

/**
 * 0: the module before is back; 1: none was pushed.
 */
int32_t other_module_pop(void);

/**
 * Gives the size back; refuses a negative one, and panics at 13.
 */
int32_t other_size(int64_t size, uint64_t *out);

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
KINA_OBSERV_ASSERT(sizeof(other_error_copy_t) == 1128, "size of other_error_copy_t");
KINA_OBSERV_ASSERT(offsetof(other_error_copy_t, code) == 0, "offset of other_error_copy_t.code");
KINA_OBSERV_ASSERT(offsetof(other_error_copy_t, layer) == 4, "offset of other_error_copy_t.layer");
KINA_OBSERV_ASSERT(offsetof(other_error_copy_t, error_type) == 8, "offset of other_error_copy_t.error_type");
KINA_OBSERV_ASSERT(offsetof(other_error_copy_t, message) == 104, "offset of other_error_copy_t.message");
KINA_OBSERV_ASSERT(offsetof(other_error_copy_t, help) == 616, "offset of other_error_copy_t.help");
KINA_OBSERV_ASSERT(offsetof(other_error_copy_t, span_path) == 872, "offset of other_error_copy_t.span_path");
#endif
#undef KINA_OBSERV_ASSERT

#endif  /* HOST_TESTS_OTHER_H */
