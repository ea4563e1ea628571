/* Generated from src/lib.rs of host_tests by `kina-observ header --crate .`: do not edit. */

#ifndef HOST_TESTS_H
#define HOST_TESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * A defect in the library, contained.
 */
#define TRAPS_E_PANIC (-1)

/**
 * A pointer is null that must not be.
 */
#define TRAPS_E_NULL (-2)

/**
 * A pointer is not aligned for its type.
 */
#define TRAPS_E_MISALIGNED (-3)

/**
 * A size is negative or too large.
 */
#define TRAPS_E_SIZE (-4)

/**
 * A text is not UTF-8.
 */
#define TRAPS_E_UTF8 (-5)

/**
 * A code is none of the enum's.
 */
#define TRAPS_E_ENUM (-6)

/**
 * A handle is stale, freed, 0 or of another kind.
 */
#define TRAPS_E_HANDLE (-7)

/**
 * It has a text.
 */
#define TRAPS_E_MISMATCH 101

/**
 * Its text is a panic.
 */
#define TRAPS_E_UNSPEAKABLE 401

/**
 * Too little of something.
 */
#define TRAPS_E_OUT_OF_MEMORY 201

/**
 * As blood.
 */
#define TRAPS_RED 1

/**
 * As the sea.
 */
#define TRAPS_BLUE 4

/**
 * A `struct` of C's.
 */
typedef struct Point {
  /**
   * To the right.
   */
  int64_t x;
  /**
   * Upwards.
   */
  int64_t y;
} Point;

/**
 * A handle of a `Probe`; 0 is none.
 */
typedef uint64_t ProbeHandle;

/**
 * Called for each index; a code other than 0 ends the walk.
 */
typedef int32_t (*Visit)(void *user, int64_t index);

/**
 * Gets each JSON line, on a thread of the library's. Severity: 1 error, 2 warn, 3 info, 4 debug, 5 trace.
 * The line has no end of line, a NUL follows it, and it lives as long as the call.
 */
typedef void (*traps_log_function_t)(void *user, int32_t severity, const char *line, size_t length);

/**
 * Called once with `user`, when the callback will not use it any more.
 */
typedef void (*traps_log_destroy_t)(void *user);

/**
 * A last error: every text ends in a NUL and is cut between characters if it is too long.
 */
typedef struct traps_error_copy_t {
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
} traps_error_copy_t;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Fails with an inner error (0), an outer one (1), one whose text panics (2); else gives 7.
 */
int32_t traps_fail(int32_t how, uint64_t *out);

/**
 * Panics with a text (0), a formatted one (1), a number (2), a payload that panics in turn (3), an index that is
 * out of bounds (4); else gives 7.
 */
int32_t traps_panic(int32_t how,
                    uint64_t *out);

/**
 * The sum of both coordinates.
 */
int32_t traps_point_sum(const struct Point *point, int64_t *out);

/**
 * Moves a point.
 */
int32_t traps_point_move(struct Point *point, int64_t by);

/**
 * The sum, or 0 for no point.
 */
int32_t traps_point_maybe(const struct Point *point, int64_t *out);

/**
 * The sum of all values.
 */
int32_t traps_sum(const int64_t *values, size_t values_len, int64_t *out);

/**
 * Sets all values.
 */
int32_t traps_fill(int64_t *values, size_t values_len, int64_t value);

/**
 * Bytes of a text.
 */
int32_t traps_length(const char *text, uint64_t *out);

/**
 * The number of a colour.
 */
int32_t traps_colour(int32_t colour, int32_t *out);

/**
 * Makes a probe, which the caller frees.
 */
int32_t traps_probe_new(int64_t value, ProbeHandle *out);

/**
 * What the probe was made with.
 */
int32_t traps_probe_value(ProbeHandle probe, int64_t *out);

/**
 * Frees a probe.
 */
int32_t traps_probe_free(ProbeHandle probe);

/**
 * Calls `visit` with 0, 1, .. below `count`, and gives its first code that is not 0, with what it said.
 *
 * # Safety
 * `visit` takes `user`, and does not throw.
 */
int32_t traps_walk(int64_t count,
                   Visit visit,
                   void *user);

/**
 * Starts recording at a level (0 off, 1 basic, 2 kernel) with the settings of `KINA_OBSERV_*`.
 * 0: started; 1: was running, the level is set; -1: could not start, the reason is on standard error; -2: no such level.
 * Without it the first call of any function starts what the environment says, which is nothing by default.
 */
int32_t traps_observ_init(int32_t level);

/**
 * 0: set; 1: nothing is running; -2: no such level.
 */
int32_t traps_observ_set_level(int32_t level);

/**
 * Sets directives as in `RUST_LOG`. 0: set; -2: null, not UTF-8 or not understood.
 */
int32_t traps_observ_set_filter(const char *directives);

/**
 * Hands every JSON line to `function`, or to nobody if it is null. Set it before the level and standard error stays empty.
 * The callback before is not called again, and its `destroy` has been called, when this returns.
 * It is called on a thread of the library's, must not throw or wait, and what it calls here is not recorded.
 * 0: set; 1: called from inside a callback, nothing changed.
 */
int32_t traps_observ_set_log_callback(traps_log_function_t function,
                                      void *user,
                                      traps_log_destroy_t destroy);

/**
 * 0: everything recorded so far has reached the operating system; 1: not within the time.
 */
int32_t traps_observ_flush(uint32_t timeout_ms);

/**
 * Call it before the process ends. 0: flushed and stopped; 1: nothing was running, or it did not end within the time.
 */
int32_t traps_observ_shutdown(uint32_t timeout_ms);

/**
 * 0: a panic becomes code -1; 1: the library was built with panic=abort, so a panic ends the process.
 */
int32_t traps_observ_panic_strategy(void);

/**
 * Of this thread. 0: none. Meaningful only after a call returned a code other than 0.
 */
int32_t traps_last_error_code(void);

/**
 * 0 none, 1 boundary, 2 outer error (device), 3 inner error (operation).
 */
int32_t traps_last_error_layer(void);

/**
 * What happened. Never null; valid until the next failing call on this thread.
 */
const char *traps_last_error_message(void);

/**
 * What to do. Never null; valid until the next failing call on this thread.
 */
const char *traps_last_error_help(void);

/**
 * The `error.type`. Never null; valid until the next failing call on this thread.
 */
const char *traps_last_error_type(void);

/**
 * Where. Never null; valid until the next failing call on this thread.
 */
const char *traps_last_error_span_path(void);

/**
 * Copies this thread's last error as a whole, for hosts that move between threads. 0: copied; -2: null or misaligned.
 */
int32_t traps_last_error_copy(struct traps_error_copy_t *to);

/**
 * Forgets this thread's last error.
 */
void traps_last_error_clear(void);

/**
 * This thread's calls belong to a compiled module from here on; `id` points to the 16 bytes of its UUID.
 * 0: done; 1: 32 are pushed already; -2: null.
 */
int32_t traps_module_push(const uint8_t *id);

/**
 * 0: the module before is back; 1: none was pushed.
 */
int32_t traps_module_pop(void);

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
KINA_OBSERV_ASSERT(sizeof(Point) == 16, "size of Point");
KINA_OBSERV_ASSERT(offsetof(Point, x) == 0, "offset of Point.x");
KINA_OBSERV_ASSERT(offsetof(Point, y) == 8, "offset of Point.y");
KINA_OBSERV_ASSERT(sizeof(traps_error_copy_t) == 1128, "size of traps_error_copy_t");
KINA_OBSERV_ASSERT(offsetof(traps_error_copy_t, code) == 0, "offset of traps_error_copy_t.code");
KINA_OBSERV_ASSERT(offsetof(traps_error_copy_t, layer) == 4, "offset of traps_error_copy_t.layer");
KINA_OBSERV_ASSERT(offsetof(traps_error_copy_t, error_type) == 8, "offset of traps_error_copy_t.error_type");
KINA_OBSERV_ASSERT(offsetof(traps_error_copy_t, message) == 104, "offset of traps_error_copy_t.message");
KINA_OBSERV_ASSERT(offsetof(traps_error_copy_t, help) == 616, "offset of traps_error_copy_t.help");
KINA_OBSERV_ASSERT(offsetof(traps_error_copy_t, span_path) == 872, "offset of traps_error_copy_t.span_path");
#endif
#undef KINA_OBSERV_ASSERT

#endif  /* HOST_TESTS_H */
