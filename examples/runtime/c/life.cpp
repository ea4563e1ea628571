// A C++ host: objects that call before `main` and after it, and when a thread ends.
#include <cstdint>
#include <cstdio>
#include <thread>
#include <unistd.h>

#include "kina_runtime.h"

namespace {

void tell(const char *what)
{
    const std::int32_t code = runtime_device_count(nullptr);
    dprintf(1, "%s: %d %s | %s\n", what, code, kina_last_error_message(), kina_last_error_span_path());
}

struct Caller {
    const char *name;
    explicit Caller(const char *name) : name(name) { tell(name); }
    ~Caller() { tell(name); }
};

Caller before_and_after_main("static object");
thread_local Caller with_the_thread("thread_local object");

} // namespace

int main()
{
    tell("main");
    std::thread([] { tell(with_the_thread.name); }).join();
    try {
        tell("try");
        throw 1;
    } catch (int) {
        tell("catch");
    }
    static Caller local("static local");
    return 0;
}
