/* A host that steps into every trap, and prints one line for each: the case, the code, the last error.
 * It is C and C++, so that both compilers build it. */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host_tests.h"

#define MARK 7777
#define UNTOUCHED INT64_C(0x5a5a5a5a5a5a5a5a)

/* One line for one call. The text of a call that succeeded is nobody's. `dprintf`: it works at any time of life. */
static void told(const char *what, int32_t code)
{
    const char *kept = errno == MARK ? "" : " errno changed";
    if (code == 0)
        dprintf(1, "%s: 0%s\n", what, kept);
    else
        dprintf(1, "%s: %d/%d layer %d %s: %s | %s | %s%s\n", what, code, traps_last_error_code(), traps_last_error_layer(),
                traps_last_error_type(), traps_last_error_message(), traps_last_error_help(), traps_last_error_span_path(), kept);
}

#define TELL(what, call)     \
    do {                     \
        int32_t code_;       \
        errno = MARK;        \
        code_ = (call);      \
        told((what), code_); \
    } while (0)

static void errors(void)
{
    uint64_t out = (uint64_t)UNTOUCHED, good = 0;
    TELL("ok", traps_fail(9, &good));
    TELL("inner error", traps_fail(0, &out));
    TELL("outer error", traps_fail(1, &out));
    TELL("panicking Display", traps_fail(2, &out));
    TELL("panic", traps_panic(0, &out));
    TELL("panic, formatted", traps_panic(1, &out));
    TELL("panic, a number", traps_panic(2, &out));
    TELL("panicking payload", traps_panic(3, &out));
    TELL("panic, an index", traps_panic(4, &out));
    TELL("null out, and a panic", traps_panic(0, NULL));
    TELL("ok after panics", traps_panic(9, &good));
    if (out != (uint64_t)UNTOUCHED || good != 7)
        dprintf(1, "an out value is wrong\n");
}

static void references(void)
{
    union { int64_t words[4]; char bytes[32]; } room;
    Point point = {2, 3};
    int64_t out = UNTOUCHED, sum = 0, moved, maybe, none;
    memset(&room, 0, sizeof room);
    TELL("reference", traps_point_sum(&point, &sum));
    TELL("reference, null", traps_point_sum(NULL, &out));
    TELL("reference, misaligned", traps_point_sum((const Point *)(const void *)(room.bytes + 1), &out));
    TELL("mutable reference", traps_point_move(&point, 5));
    TELL("mutable reference, null", traps_point_move(NULL, 5));
    TELL("mutable reference, misaligned", traps_point_move((Point *)(void *)(room.bytes + 4), 5));
    moved = point.x;
    TELL("optional reference", traps_point_maybe(&point, &maybe));
    TELL("optional reference, null", traps_point_maybe(NULL, &none));
    TELL("optional reference, misaligned", traps_point_maybe((const Point *)(const void *)(room.bytes + 1), &out));
    TELL("null out", traps_point_sum(&point, NULL));
    TELL("misaligned out", traps_point_sum(&point, (int64_t *)(void *)(room.bytes + 1)));
    if (sum != 5 || moved != 7 || maybe != 10 || none != 0 || out != UNTOUCHED || room.words[0] != 0 || room.words[1] != 0)
        dprintf(1, "a value is wrong\n");
}

static void slices_and_texts(void)
{
    int64_t values[3] = {1, 2, 3}, sum = 0, empty = 1, out = UNTOUCHED;
    const int64_t *crooked = (const int64_t *)(const void *)((const char *)values + 1);
    uint64_t length = 0, none = (uint64_t)UNTOUCHED;
    int32_t colour = 0, no_colour = 0;
    TELL("slice", traps_sum(values, 3, &sum));
    TELL("slice, null and 0", traps_sum(NULL, 0, &empty));
    TELL("slice, misaligned and 0", traps_sum(crooked, 0, &empty));
    TELL("slice, null and 6", traps_sum(NULL, 6, &out));
    TELL("slice, length -1", traps_sum(values, SIZE_MAX, &out));
    TELL("slice, too many bytes", traps_sum(values, SIZE_MAX / 8, &out));
    TELL("slice, misaligned", traps_sum(crooked, 2, &out));
    TELL("mutable slice, null and 0", traps_fill(NULL, 0, 9));
    TELL("mutable slice, null and 6", traps_fill(NULL, 6, 9));
    TELL("mutable slice, misaligned", traps_fill((int64_t *)(void *)((char *)values + 1), 2, 9));
    TELL("text", traps_length("caf\xc3\xa9", &length));
    TELL("text, bad UTF-8", traps_length("caf\xe9!", &none));
    TELL("text, null", traps_length(NULL, &none));
    TELL("enum", traps_colour(TRAPS_BLUE, &colour));
    TELL("enum, no such value", traps_colour(2, &no_colour));
    if (sum != 6 || empty != 0 || values[0] != 1 || length != 5 || colour != 4 || no_colour != 0 || out != UNTOUCHED ||
        none != (uint64_t)UNTOUCHED)
        dprintf(1, "a value is wrong\n");
}

static void handles(void)
{
    uint64_t first = 0, second = 0;
    int64_t value = 0, out = UNTOUCHED;
    TELL("handle, made", traps_probe_new(11, &first));
    TELL("handle, used", traps_probe_value(first, &value));
    TELL("handle 0", traps_probe_value(0, &out));
    TELL("handle, freed", traps_probe_free(first));
    TELL("handle, double free", traps_probe_free(first));
    TELL("handle, use after free", traps_probe_value(first, &out));
    TELL("handle, its slot made again", traps_probe_new(12, &second));
    TELL("handle, stale", traps_probe_value(first, &out));
    TELL("handle, stale free", traps_probe_free(first));
    TELL("handle, any number", traps_probe_value(UINT64_MAX, &out));
    TELL("handle, freed", traps_probe_free(second));
    if (first == second || value != 11 || out != UNTOUCHED)
        dprintf(1, "a value is wrong\n");
}

static int visits = 0;

/* Goes back into the library: the third time it fails there. */
static int32_t visit(void *user, int64_t index)
{
    uint64_t out;
    (void)user;
    visits++;
    return index < 2 ? traps_fail(9, &out) : traps_fail(0, &out);
}

/* Fails in the library, and says that all is well. */
static int32_t visit_and_go_on(void *user, int64_t index)
{
    uint64_t out;
    (void)user;
    (void)index;
    visits++;
    (void)traps_panic(0, &out);
    return 0;
}

static int32_t own_code(void *user, int64_t index)
{
    (void)user;
    return index == 1 ? 77 : 0;
}

static int32_t walk_again(void *user, int64_t index)
{
    return index == 1 ? traps_walk(3, visit, user) : 0;
}

static void callbacks(void)
{
    TELL("callback, null", traps_walk(3, NULL, NULL));
    TELL("callback that fails in the library", traps_walk(9, visit, NULL));
    dprintf(1, "iterations: %d\n", visits);
    visits = 0;
    TELL("callback that hides a panic", traps_walk(3, visit_and_go_on, NULL));
    dprintf(1, "iterations: %d\n", visits);
    TELL("callback with its own code", traps_walk(3, own_code, NULL));
    TELL("callback in a callback", traps_walk(3, walk_again, NULL));
    TELL("ok after callbacks", traps_walk(0, visit, NULL));
}

static pthread_key_t key;

static void at_thread_exit(void *value)
{
    uint64_t out;
    (void)value;
    TELL("pthread_key destructor", traps_panic(0, &out));
    TELL("pthread_key destructor", traps_fail(0, &out));
}

static void *a_thread(void *nothing)
{
    dprintf(1, "new thread: %d\n", traps_last_error_code());
    TELL("thread", traps_probe_free(0));
    pthread_setspecific(key, &key);
    return nothing;
}

static void *a_thread_that_calls_at_its_end_only(void *nothing)
{
    pthread_setspecific(key, &key);
    return nothing;
}

static void run(void *(*body)(void *))
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, NULL) != 0)
        exit(3);
    pthread_join(thread, NULL);
}

static void at_process_exit(void)
{
    uint64_t out;
    TELL("atexit", traps_panic(0, &out));
    TELL("atexit", traps_fail(1, &out));
}

__attribute__((destructor)) static void at_unload(void)
{
    uint64_t out;
    TELL("ELF destructor", traps_panic(0, &out));
    TELL("ELF destructor", traps_fail(0, &out));
}

int main(void)
{
    uint64_t out;
    atexit(at_process_exit);
    pthread_key_create(&key, at_thread_exit);
    errors();
    references();
    slices_and_texts();
    handles();
    callbacks();
    TELL("before the thread", traps_fail(1, &out));
    run(a_thread);
    told("still", traps_last_error_code());
    run(a_thread_that_calls_at_its_end_only);
    return 0;
}
