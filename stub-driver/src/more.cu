// Kernels of the tests, beside those of the example runtime, whose file comes first.

extern "C" {

// y = a * x + y, over n elements.
__global__ void axpy(float *y, const float *x, float a, unsigned n) {
    unsigned i = INDEX;
    if (i < n) y[i] = fmaf(a, x[i], y[i]);
}

// Takes `nanoseconds`, by the device's own clock.
__global__ void sleep_ns(unsigned long long nanoseconds) {
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - start < nanoseconds);
}

}
