/* A host that lives a full life: what each call says is the same at every level, from wherever it comes.
 * `life rows` prints a line for each case; `life fork N FOLDER`, `life storm LEVELS MILLISECONDS` and `life first N` trace
 * from many threads. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kina_runtime.h"

#define UNTOUCHED UINT64_C(0x5a5a5a5a5a5a5a5a)
#define MARK 7777

/* One line for one call. The text of a call that succeeded is nobody's. `dprintf`: it works at any time of life. */
static void told(const char *what, int32_t code)
{
    int kept = errno == MARK;
    if (code == 0)
        dprintf(1, "%s: 0%s\n", what, kept ? "" : " errno changed");
    else
        dprintf(1, "%s: %d/%d layer %d %s: %s | %s | %s%s\n", what, code, kina_last_error_code(), kina_last_error_layer(),
                kina_last_error_type(), kina_last_error_message(), kina_last_error_help(), kina_last_error_span_path(),
                kept ? "" : " errno changed");
}

#define TELL(what, call)    \
    do {                    \
        int32_t code_;      \
        errno = MARK;       \
        code_ = (call);     \
        told((what), code_); \
    } while (0)

/* ---- every row of one life ---- */

static void a_failing_call(const char *what)
{
    TELL(what, runtime_device_count(NULL));
}

static void values(void)
{
    const int64_t shape[2] = {2, 3};
    const int64_t huge[2] = {INT64_C(1) << 40, INT64_C(1) << 40}, large[1] = {INT64_C(1) << 28};
    int64_t aligned[4] = {2, 3, 4, 5};
    uint8_t bytes[24] = {0};
    uint64_t room[2] = {UNTOUCHED, UNTOUCHED};
    uint64_t *crooked = (uint64_t *)(void *)((char *)room + 1);
    const int64_t *crooked_shape = (const int64_t *)(const void *)((const char *)aligned + 1);
    int32_t devices = 0;
    runtime_tensor_t a = 0, b = 0, out = UNTOUCHED;
    runtime_stream_t stream = 0;

    TELL("ok", runtime_device_count(&devices));
    TELL("ok alloc", runtime_tensor_alloc(RUNTIME_F32, shape, 2, "a", &a));
    TELL("ok alloc", runtime_tensor_alloc(RUNTIME_F32, shape, 1, "b", &b));
    TELL("inner error", runtime_copy_h2d(a, bytes, 23, 0));
    TELL("inner error 2", runtime_gpu_add(0, b, a, b, 6));
    TELL("too large", runtime_tensor_alloc(RUNTIME_F32, huge, 2, "huge", &out));
    TELL("outer error", runtime_tensor_alloc(RUNTIME_F32, large, 1, "large", &out));
    TELL("null out", runtime_tensor_alloc(RUNTIME_F32, shape, 2, "a", NULL));
    TELL("misaligned out", runtime_tensor_alloc(RUNTIME_F32, shape, 2, "a", crooked));
    TELL("null and 6", runtime_tensor_alloc(RUNTIME_F32, NULL, 6, "a", &out));
    TELL("length -1", runtime_tensor_alloc(RUNTIME_F32, shape, SIZE_MAX, "a", &out));
    TELL("misaligned slice", runtime_tensor_alloc(RUNTIME_F32, crooked_shape, 2, "a", &out));
    TELL("null and 6 bytes", runtime_copy_h2d(a, NULL, 6, 0));
    TELL("bad utf-8", runtime_tensor_alloc(RUNTIME_F32, shape, 2, "\xff", &out));
    TELL("null text", runtime_tensor_alloc(RUNTIME_F32, shape, 2, NULL, &out));
    TELL("no such enum", runtime_tensor_alloc(99, shape, 2, "a", &out));
    TELL("handle 0", runtime_tensor_free(0));
    TELL("handle of another kind", runtime_stream_destroy(a));
    TELL("free", runtime_tensor_free(b));
    TELL("double free", runtime_tensor_free(b));
    TELL("use after free", runtime_copy_h2d(b, bytes, 24, 0));
    TELL("stream", runtime_stream_create(&stream));
    TELL("stream work", runtime_copy_h2d(a, bytes, 24, stream));
    TELL("stream destroy", runtime_stream_destroy(stream));
    TELL("stream destroyed", runtime_stream_synchronize(stream));
    TELL("free", runtime_tensor_free(a));
    TELL("null and 0", runtime_tensor_alloc(RUNTIME_F32, NULL, 0, "scalar", &out));
    if (room[0] != UNTOUCHED || room[1] != UNTOUCHED)
        dprintf(1, "a refused call wrote to its out value\n");
}

static pthread_key_t key;

static void at_thread_exit(void *value)
{
    (void)value;
    a_failing_call("pthread_key destructor");
}

static void *a_thread(void *nothing)
{
    dprintf(1, "new thread: %d\n", kina_last_error_code());
    TELL("thread", runtime_tensor_free(0));
    pthread_setspecific(key, &key);
    return nothing;
}

static void *a_thread_that_calls_at_its_end_only(void *nothing)
{
    pthread_setspecific(key, &key);
    return nothing;
}

static void at_process_exit(void)
{
    a_failing_call("atexit");
}

static int telling = 0;

__attribute__((destructor)) static void at_unload(void)
{
    if (telling)
        a_failing_call("ELF destructor");
}

static void run(void *(*body)(void *))
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, NULL) != 0)
        exit(3);
    pthread_join(thread, NULL);
}

static int rows(void)
{
    telling = 1;
    atexit(at_process_exit);
    pthread_key_create(&key, at_thread_exit);
    values();
    a_failing_call("before the thread");
    run(a_thread);
    told("still", kina_last_error_code());
    run(a_thread_that_calls_at_its_end_only);
    errno = MARK;
    kina_last_error_clear();
    dprintf(1, "cleared: %d %d\n", kina_last_error_code(), errno == MARK);
    errno = MARK;
    dprintf(1, "observe: %d %d\n", kina_observ_set_level(99), errno == MARK);
    errno = MARK;
    kina_observ_flush(5000);
    dprintf(1, "flush: %d\n", errno == MARK);
    return 0;
}

/* ---- many threads ---- */

static atomic_int stop = 0;
static atomic_ulong calls = 0;

/* Calls until it is told to stop, with a rest of so many nanoseconds after each ten. */
static void *caller(void *nanoseconds)
{
    unsigned long made = 0;
    int32_t devices;
    const struct timespec rest = {0, *(const long *)nanoseconds};
    while (!stop) {
        int i;
        for (i = 0; i < 10; i++, made++)
            if (made % 16 == 15 ? runtime_device_count(NULL) != KINA_E_NULL : runtime_device_count(&devices) != 0)
                exit(4);
        nanosleep(&rest, NULL);
    }
    calls += made;
    return NULL;
}

static int make_and_free(void)
{
    const int64_t shape[2] = {2, 3};
    runtime_tensor_t tensor = 0;
    int32_t code = runtime_tensor_alloc(RUNTIME_F32, shape, 2, "t", &tensor);
    return code != 0 ? code : runtime_tensor_free(tensor);
}

/* Holds the lock that a fork must not find taken: at off, where nothing is written, all the time. */
static void *caller_with_handles(void *nanoseconds)
{
    const struct timespec rest = {0, *(const long *)nanoseconds};
    const char *level = getenv("KINA_OBSERV_LEVEL");
    const int recording = level == NULL || strcmp(level, "off") != 0;
    while (!stop) {
        int i;
        for (i = 0; i < 5; i++)
            if (make_and_free() != 0)
                exit(4);
        if (recording)
            nanosleep(&rest, NULL);
    }
    return NULL;
}

static pthread_t threads[64];

static void start(int from, int to, void *(*body)(void *), void *argument)
{
    int i;
    for (i = from; i < to; i++)
        if (pthread_create(&threads[i], NULL, body, argument) != 0)
            exit(3);
}

static void finish(int count)
{
    int i;
    stop = 1;
    for (i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

/* What a child does: 0, or the number of the step that went wrong. */
static int child(const char *folder, int number)
{
    char path[4096];
    int32_t devices = 0;
    alarm(30);
    if (make_and_free() != 0 || runtime_device_count(NULL) != KINA_E_NULL)
        return 1;
    snprintf(path, sizeof path, "%s/child-%d.jsonl", folder, number);
    setenv("KINA_OBSERV_TRACE_OUTPUT", path, 1);
    if (kina_observ_init(1) != 0)
        return 2;
    if (make_and_free() != 0 || runtime_device_count(&devices) != 0)
        return 3;
    return kina_observ_shutdown(20000) == 0 ? 0 : 4;
}

static int forks(int count, const char *folder)
{
    static long rest = 100000;
    int i, bad = 0;
    int32_t devices;
    /* Children of a process that has not made its first call configure themselves. */
    if (runtime_device_count(&devices) != 0 || make_and_free() != 0)
        return 3;
    start(0, 2, caller, &rest);
    start(2, 4, caller_with_handles, &rest);
    for (i = 0; i < count; i++) {
        int status = 0;
        pid_t pid = fork();
        if (pid == 0)
            _exit(child(folder, i));
        if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) {
            bad++;
            fprintf(stderr, "child %d: status %#x\n", i, (unsigned)status);
        }
    }
    finish(4);
    kina_observ_shutdown(20000);
    printf("%d children, %d bad\n", count, bad);
    return bad != 0;
}

static int storm(const char *levels, int milliseconds)
{
    const size_t kinds = strlen(levels);
    const struct timespec rest = {0, milliseconds * 1000L};
    static long breath = 10000000;
    int i;
    start(0, 64, caller, &breath);
    /* A thousandth of the time each. */
    for (i = 0; i < 1000; i++) {
        if (kina_observ_set_level(levels[i % kinds] - '0') < 0)
            return 5;
        nanosleep(&rest, NULL);
    }
    finish(64);
    if (kina_observ_shutdown(60000) != 0)
        return 6;
    printf("%lu calls\n", (unsigned long)calls);
    return 0;
}

static pthread_barrier_t together;
static atomic_int done = 0;

static void *one_call(void *nothing)
{
    int32_t devices;
    pthread_barrier_wait(&together);
    if (runtime_device_count(&devices) != 0 || errno != 0)
        exit(4);
    done++;
    return nothing;
}

/* The first call of the process is made by all threads at once. */
static int first(int count)
{
    int i;
    const struct timespec moment = {0, 1000000};
    pthread_barrier_init(&together, NULL, (unsigned)count);
    start(0, count, one_call, NULL);
    while (done < count - 1)
        nanosleep(&moment, NULL);
    puts("all but one");
    fflush(stdout);
    for (i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return kina_observ_shutdown(60000) == 0 ? 0 : 6;
}

int main(int count, char **arguments)
{
    if (count == 2 && strcmp(arguments[1], "rows") == 0)
        return rows();
    if (count == 4 && strcmp(arguments[1], "fork") == 0)
        return forks(atoi(arguments[2]), arguments[3]);
    if (count == 4 && strcmp(arguments[1], "storm") == 0)
        return storm(arguments[2], atoi(arguments[3]));
    if (count == 3 && strcmp(arguments[1], "first") == 0 && atoi(arguments[2]) <= 64)
        return first(atoi(arguments[2]));
    return 2;
}
