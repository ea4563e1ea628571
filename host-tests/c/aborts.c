/* A host of a library that was built with panic=abort. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>

#include "host_tests.h"

/* What a crash handler may ask. The C library restores the default and ends the process when it returns. */
static void at_abort(int signal)
{
    printf("signal %d: %d %s | %s\n", signal, traps_last_error_code(), traps_last_error_message(), traps_last_error_span_path());
    fflush(stdout);
}

int main(void)
{
    int32_t ok, fail;
    uint64_t out = 0;
    printf("strategy %d\n", traps_observ_panic_strategy());
    printf("init %d\n", traps_observ_init(1));
    ok = traps_fail(9, &out);
    fail = traps_fail(0, &out);
    printf("ok %d, fail %d\n", ok, fail);
    fflush(stdout);
    signal(SIGABRT, at_abort);
    printf("panic %d\n", traps_panic(1, &out));
    fflush(stdout);
    return 0;
}
