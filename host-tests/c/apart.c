/* A host that is linked to two of our libraries and records in one, then in the other: `apart FIRST SECOND`, two traces. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host_tests.h"
#include "host_tests_other.h"

/* Calls the second library inside the first one's span; its panic becomes a code here and no more. */
static int32_t size_13(void *user, int64_t index)
{
    uint64_t out;
    (void)user;
    (void)index;
    return other_size(13, &out);
}

static void calls(const char *when)
{
    uint64_t out;
    int32_t fail = traps_fail(1, &out), size = other_size(-1, &out), walk = traps_walk(1, size_13, NULL);
    printf("%s: %d %d %d\n", when, fail, size, walk);
    printf("traps %d %s | %s\n", traps_last_error_code(), traps_last_error_message(), traps_last_error_span_path());
    printf("other %d %s | %s\n", other_last_error_code(), other_last_error_message(), other_last_error_span_path());
}

int main(int count, char **arguments)
{
    if (count != 3)
        return 2;
    calls("nothing records");
    setenv("KINA_OBSERV_TRACE_OUTPUT", arguments[1], 1);
    printf("init %d\n", traps_observ_init(1));
    calls("traps records");
    printf("levels %d %d\n", traps_observ_set_level(2), other_observ_set_level(2));
    printf("flush %d %d\n", traps_observ_flush(20000), other_observ_flush(20000));
    setenv("KINA_OBSERV_TRACE_OUTPUT", arguments[2], 1);
    printf("init %d\n", other_observ_init(1));
    calls("both record");
    printf("shutdown %d\n", traps_observ_shutdown(20000));
    calls("other records");
    printf("levels %d %d\n", traps_observ_set_level(2), other_observ_set_level(2));
    traps_last_error_clear();
    printf("cleared %d %d\n", traps_last_error_code(), other_last_error_code());
    printf("shutdown %d\n", other_observ_shutdown(20000));
    return 0;
}
