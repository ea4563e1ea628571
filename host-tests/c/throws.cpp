// A host that breaks the rule: its callback throws. The process ends, and nothing is passed over.
#include <cstdint>
#include <cstdio>

#include "host_tests.h"

static std::int32_t throws(void *, std::int64_t)
{
    throw 1;
}

int main()
{
    try {
        traps_walk(3, throws, nullptr);
        std::puts("returned");
    } catch (...) {
        std::puts("caught");
    }
    return 0;
}
