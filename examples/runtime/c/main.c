/* A C host that calls every entry point, rightly and wrongly, and checks what it is told. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kina_runtime.h"

static int checks = 0;
static int failures = 0;
/* Spans exist only when something listens; then the last error has a path. */
static int recording = 0;

#define UNTOUCHED UINT64_C(0x5a5a5a5a5a5a5a5a)

static void expect(int holds, const char *what, int line)
{
    checks++;
    if (!holds) {
        failures++;
        fprintf(stderr, "main.c:%d: failed: %s\n  message: %s\n  help: %s\n  path: %s\n", line, what,
                kina_last_error_message(), kina_last_error_help(), kina_last_error_span_path());
    }
}

#define EXPECT(condition) expect((condition), #condition, __LINE__)
#define OK(call) expect((call) == 0, #call, __LINE__)

/* The call gave `code`; the message holds `word` (a parameter's name, mostly); the path is the entry point's span. */
static void refused(int32_t got, int32_t code, const char *word, const char *span, const char *what, int line)
{
    expect(got == code, what, line);
    expect(kina_last_error_code() == code, "the last error has the code that was returned", line);
    expect(strstr(kina_last_error_message(), word) != NULL, word, line);
    expect(kina_last_error_help()[0] != '\0', "the last error says what to do", line);
    expect(kina_last_error_layer() > 0, "the last error has a layer", line);
    if (recording)
        expect(strcmp(kina_last_error_span_path(), span) == 0, span, line);
}

#define REFUSED(call, code, word, span) refused((call), (code), (word), (span), #call, __LINE__)

static runtime_tensor_t tensor(int32_t dtype, int64_t rows, int64_t columns)
{
    const int64_t shape[2] = {rows, columns};
    runtime_tensor_t out = 0;
    OK(runtime_tensor_alloc(dtype, shape, 2, "t", &out));
    return out;
}

static void upload(runtime_tensor_t to, const float *values, size_t count)
{
    OK(runtime_copy_h2d(to, (const uint8_t *)values, count * sizeof(float), 0));
}

static int holds(runtime_tensor_t from, const float *expected, size_t count)
{
    float got[8] = {0};
    size_t i;
    OK(runtime_copy_d2h(from, (uint8_t *)got, count * sizeof(float), 0));
    for (i = 0; i < count; i++)
        if (got[i] - expected[i] > 1e-5f || expected[i] - got[i] > 1e-5f)
            return 0;
    return 1;
}

static void good_calls(void)
{
    const float one_to_six[6] = {1, 2, 3, 4, 5, 6}, ones[6] = {1, 1, 1, 1, 1, 1}, zeros[3] = {0, 0, 0};
    const float product[4] = {6, 6, 15, 15}, sum[6] = {2, 3, 4, 5, 6, 7}, turned[6] = {1, 4, 2, 5, 3, 6};
    const float third[6] = {1.f / 3, 1.f / 3, 1.f / 3, 1.f / 3, 1.f / 3, 1.f / 3};
    const float normal[6] = {-1.2247449f, 0, 1.2247449f, -1.2247449f, 0, 1.2247449f};
    const float gelu_of_one[6] = {0.841192f, 0.841192f, 0.841192f, 0.841192f, 0.841192f, 0.841192f};
    const uint8_t module[16] = {0x6f, 0x1c, 0x9c, 0x1e, 0x2b, 0x1f, 0x4d, 0x0e, 0x9a, 0x5b, 0x0a, 0x6d, 0x2c, 0x1c, 0x7e, 0x11};
    int32_t devices = 0;
    runtime_stream_t stream = 0;
    runtime_event_t event = 0;
    runtime_tensor_t a, b, gamma, beta, small, out;

    OK(runtime_device_count(&devices));
    EXPECT(devices == 1);
    OK(kina_module_push(module));
    a = tensor(RUNTIME_F32, 2, 3);
    b = tensor(RUNTIME_F32, 3, 2);
    gamma = tensor(RUNTIME_F32, 1, 3);
    beta = tensor(RUNTIME_F32, 1, 3);
    small = tensor(RUNTIME_F32, 2, 2);
    out = tensor(RUNTIME_F32, 2, 3);
    upload(a, one_to_six, 6);
    upload(b, ones, 6);
    upload(gamma, ones, 3);
    upload(beta, zeros, 3);

    OK(runtime_gpu_matmul(small, a, b, 1, 2, 3, 2, RUNTIME_F32));
    EXPECT(holds(small, product, 4));
    OK(runtime_gpu_transpose(0, out, a, 1, 2, 3));
    EXPECT(holds(out, turned, 6));
    OK(runtime_gpu_softmax(0, out, b, 2, 3));
    EXPECT(holds(out, third, 6));
    OK(runtime_gpu_layernorm(0, out, a, gamma, beta, 2, 3, 0));
    EXPECT(holds(out, normal, 6));
    OK(runtime_gpu_gelu(0, out, b, 6));
    EXPECT(holds(out, gelu_of_one, 6));

    /* The sum is computed on a second stream, and the default stream waits for it. */
    OK(runtime_device_synchronize());
    OK(runtime_stream_create(&stream));
    EXPECT(stream != 0);
    OK(runtime_gpu_add(stream, out, a, b, 6));
    OK(runtime_event_record(stream, &event));
    OK(runtime_stream_wait_event(0, event));
    EXPECT(holds(out, sum, 6));
    OK(runtime_stream_synchronize(stream));
    OK(runtime_stream_synchronize(0));
    OK(runtime_stream_destroy(stream));
    REFUSED(runtime_stream_wait_event(0, event), KINA_E_HANDLE, "`event`", "runtime.stream.wait_event");

    OK(runtime_tensor_free(a));
    OK(runtime_tensor_free(b));
    OK(runtime_tensor_free(gamma));
    OK(runtime_tensor_free(beta));
    OK(runtime_tensor_free(small));
    OK(runtime_tensor_free(out));
    OK(kina_module_pop());
}

static void bad_pointers_and_texts(void)
{
    /* Aligned for any type, so that one byte further is aligned for none. */
    union { uint64_t words[4]; unsigned char bytes[32]; } room;
    const int64_t shape[2] = {2, 2};
    runtime_tensor_t out = UNTOUCHED, t;
    const uint8_t bytes[16] = {0};

    memset(&room, 0x5a, sizeof room);
    REFUSED(runtime_device_count(NULL), KINA_E_NULL, "`out`", "runtime.device.count");
    REFUSED(runtime_stream_create(NULL), KINA_E_NULL, "`out`", "runtime.stream.create");
    REFUSED(runtime_event_record(0, NULL), KINA_E_NULL, "`out`", "runtime.event.record");
    REFUSED(runtime_tensor_alloc(RUNTIME_F32, shape, 2, "t", NULL), KINA_E_NULL, "`out`", "runtime.tensor.alloc");
    REFUSED(runtime_tensor_alloc(RUNTIME_F32, NULL, 2, "t", &out), KINA_E_NULL, "`shape`", "runtime.tensor.alloc");
    REFUSED(runtime_tensor_alloc(RUNTIME_F32, shape, 2, NULL, &out), KINA_E_NULL, "`label`", "runtime.tensor.alloc");
    REFUSED(runtime_device_count((int32_t *)(void *)(room.bytes + 1)), KINA_E_MISALIGNED, "`out`", "runtime.device.count");
    REFUSED(runtime_stream_create((uint64_t *)(void *)(room.bytes + 1)), KINA_E_MISALIGNED, "`out`", "runtime.stream.create");
    REFUSED(runtime_event_record(0, (uint64_t *)(void *)(room.bytes + 1)), KINA_E_MISALIGNED, "`out`", "runtime.event.record");
    REFUSED(runtime_tensor_alloc(RUNTIME_F32, (const int64_t *)(const void *)(room.bytes + 1), 2, "t", &out),
            KINA_E_MISALIGNED, "`shape`", "runtime.tensor.alloc");
    REFUSED(runtime_tensor_alloc(RUNTIME_F32, shape, (size_t)-1, "t", &out), KINA_E_SIZE, "`shape`", "runtime.tensor.alloc");
    REFUSED(runtime_tensor_alloc(RUNTIME_F32, shape, 2, "\xff\xfe", &out), KINA_E_UTF8, "`label`", "runtime.tensor.alloc");
    REFUSED(runtime_tensor_alloc(99, shape, 2, "t", &out), KINA_E_ENUM, "`dtype`", "runtime.tensor.alloc");
    EXPECT(out == UNTOUCHED);
    EXPECT(room.words[0] == UNTOUCHED && room.words[1] == UNTOUCHED);

    t = tensor(RUNTIME_F32, 2, 2);
    REFUSED(runtime_copy_h2d(t, NULL, 16, 0), KINA_E_NULL, "`bytes`", "runtime.copy.h2d");
    REFUSED(runtime_copy_d2h(t, NULL, 16, 0), KINA_E_NULL, "`bytes`", "runtime.copy.d2h");
    REFUSED(runtime_copy_h2d(t, bytes, (size_t)-1, 0), KINA_E_SIZE, "`bytes`", "runtime.copy.h2d");
    OK(runtime_copy_h2d(t, bytes, 16, 0));
    OK(runtime_tensor_free(t));
}

static void bad_sizes_and_answers(void)
{
    const int64_t negative[2] = {2, -3}, endless[3] = {INT64_MAX, INT64_MAX, 2}, large[1] = {INT64_C(1) << 40};
    runtime_tensor_t out = UNTOUCHED, a = tensor(RUNTIME_F32, 2, 2), b = tensor(RUNTIME_F32, 2, 2);
    runtime_tensor_t half = tensor(RUNTIME_F16, 2, 2), c = tensor(RUNTIME_F32, 2, 2);
    const uint8_t bytes[12] = {0};

    REFUSED(runtime_tensor_alloc(RUNTIME_F32, negative, 2, "t", &out), KINA_E_SIZE, "`shape`", "runtime.tensor.alloc");
    REFUSED(runtime_tensor_alloc(RUNTIME_F32, endless, 3, "t", &out), RUNTIME_E_SIZE_OVERFLOW, "`shape`", "runtime.tensor.alloc");
    REFUSED(runtime_tensor_alloc(RUNTIME_F32, large, 1, "t", &out), RUNTIME_E_OUT_OF_MEMORY, "out of memory", "runtime.tensor.alloc");
    EXPECT(out == UNTOUCHED);
    REFUSED(runtime_gpu_matmul(c, a, b, 1, -2, 2, 2, RUNTIME_F32), KINA_E_SIZE, "`m`", "runtime.gpu.matmul");
    REFUSED(runtime_gpu_matmul(c, a, b, 1, 2, 2, 2, 99), KINA_E_ENUM, "`dtype_code`", "runtime.gpu.matmul");
    REFUSED(runtime_gpu_matmul(c, a, b, 1, 2, 2, 2, RUNTIME_F16), RUNTIME_E_UNSUPPORTED_DTYPE, "`dtype_code`", "runtime.gpu.matmul");
    REFUSED(runtime_gpu_matmul(c, a, b, 1, 2, 3, 2, RUNTIME_F32), RUNTIME_E_SHAPE_MISMATCH, "`a`", "runtime.gpu.matmul");
    REFUSED(runtime_gpu_matmul(c, c, b, 1, 2, 2, 2, RUNTIME_F32), RUNTIME_E_ALIASED_OUTPUT, "`a`", "runtime.gpu.matmul");
    REFUSED(runtime_gpu_add(0, c, a, b, -1), KINA_E_SIZE, "`n`", "runtime.gpu.add");
    REFUSED(runtime_gpu_add(0, c, a, half, 4), RUNTIME_E_UNSUPPORTED_DTYPE, "`b`", "runtime.gpu.add");
    REFUSED(runtime_gpu_gelu(0, c, a, 5), RUNTIME_E_SHAPE_MISMATCH, "`out`", "runtime.gpu.gelu");
    REFUSED(runtime_gpu_softmax(0, c, a, INT64_MAX, INT64_MAX), RUNTIME_E_SHAPE_MISMATCH, "`out`", "runtime.gpu.softmax");
    REFUSED(runtime_gpu_layernorm(0, c, a, a, b, 2, 2, 1e-5f), RUNTIME_E_SHAPE_MISMATCH, "`gamma`", "runtime.gpu.layernorm");
    REFUSED(runtime_gpu_transpose(0, a, a, 1, 2, 2), RUNTIME_E_ALIASED_OUTPUT, "`a`", "runtime.gpu.transpose");
    REFUSED(runtime_copy_h2d(a, bytes, 12, 0), RUNTIME_E_SIZE_MISMATCH, "`dst`", "runtime.copy.h2d");
    OK(runtime_gpu_matmul(c, a, b, 1, 2, 2, 2, RUNTIME_F32));
    OK(runtime_device_synchronize());
    OK(runtime_tensor_free(a));
    OK(runtime_tensor_free(b));
    OK(runtime_tensor_free(c));
    OK(runtime_tensor_free(half));
}

static void dead_handles(void)
{
    runtime_tensor_t freed = tensor(RUNTIME_F32, 2, 2), live = tensor(RUNTIME_F32, 2, 2), reused;
    runtime_stream_t stream = 0, event = UNTOUCHED;
    uint8_t bytes[16] = {0};

    OK(runtime_tensor_free(freed));
    REFUSED(runtime_tensor_free(freed), KINA_E_HANDLE, "`tensor`", "runtime.tensor.free");
    reused = tensor(RUNTIME_F32, 2, 2);
    EXPECT(reused != freed);
    REFUSED(runtime_gpu_matmul(live, freed, live, 1, 2, 2, 2, RUNTIME_F32), KINA_E_HANDLE, "`a`", "runtime.gpu.matmul");
    REFUSED(runtime_gpu_add(0, live, reused, freed, 4), KINA_E_HANDLE, "`b`", "runtime.gpu.add");
    REFUSED(runtime_gpu_gelu(0, 0, reused, 4), KINA_E_HANDLE, "`out`", "runtime.gpu.gelu");
    REFUSED(runtime_copy_d2h(freed, bytes, 16, 0), KINA_E_HANDLE, "`src`", "runtime.copy.d2h");
    REFUSED(runtime_stream_destroy(0), KINA_E_HANDLE, "`stream`", "runtime.stream.destroy");
    /* A handle of another kind. */
    REFUSED(runtime_stream_synchronize(live), KINA_E_HANDLE, "`stream`", "runtime.stream.synchronize");
    OK(runtime_stream_create(&stream));
    OK(runtime_stream_destroy(stream));
    REFUSED(runtime_stream_destroy(stream), KINA_E_HANDLE, "`stream`", "runtime.stream.destroy");
    REFUSED(runtime_event_record(stream, &event), KINA_E_HANDLE, "`stream`", "runtime.event.record");
    EXPECT(event == UNTOUCHED);
    REFUSED(runtime_gpu_softmax(stream, reused, live, 2, 2), KINA_E_HANDLE, "`stream`", "runtime.gpu.softmax");
    REFUSED(runtime_stream_wait_event(0, 0), KINA_E_HANDLE, "`event`", "runtime.stream.wait_event");
    OK(runtime_gpu_gelu(0, reused, live, 4));
    OK(runtime_tensor_free(live));
    OK(runtime_tensor_free(reused));
}

int main(void)
{
    const char *level = getenv("KINA_OBSERV_LEVEL");

    recording = level != NULL && strcmp(level, "off") != 0;
    good_calls();
    bad_pointers_and_texts();
    bad_sizes_and_answers();
    dead_handles();
    kina_last_error_clear();
    EXPECT(kina_last_error_code() == 0);
    good_calls();
    OK(runtime_device_synchronize());
    /* 1: nothing was running. */
    EXPECT(kina_observ_shutdown(5000) == !recording);
    if (failures > 0) {
        printf("failed %d of %d checks\n", failures, checks);
        return 1;
    }
    printf("ok %d checks\n", checks);
    return 0;
}
