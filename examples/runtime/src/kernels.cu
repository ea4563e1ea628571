// The kernels on a CUDA device. One thread an element, or a row where that is said: the grid must have at
// least as many threads. NVRTC with `--gpu-architecture=compute_52` makes `kernels.ptx` of it.

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" {

// out = a + b, over n elements.
__global__ void add_f32(float *out, const float *a, const float *b, unsigned n) {
    unsigned i = INDEX;
    if (i < n) out[i] = a[i] + b[i];
}

// Gaussian error linear unit in its tanh form, over n elements.
__global__ void gelu_f32(float *out, const float *a, unsigned n) {
    unsigned i = INDEX;
    if (i >= n) return;
    float x = a[i];
    out[i] = 0.5f * x * (1.0f + tanhf(0.7978846f * (x + 0.044715f * x * x * x)));
}

// Each row of n becomes positive and sums to one. One thread a row.
__global__ void softmax_f32(float *out, const float *a, unsigned rows, unsigned n) {
    unsigned row = INDEX;
    if (row >= rows) return;
    a += (size_t)row * n;
    out += (size_t)row * n;
    float largest = __int_as_float(0xff800000); // minus infinity
    for (unsigned i = 0; i < n; ++i) largest = fmaxf(largest, a[i]);
    float sum = 0.0f;
    for (unsigned i = 0; i < n; ++i) {
        out[i] = expf(a[i] - largest);
        sum += out[i];
    }
    for (unsigned i = 0; i < n; ++i) out[i] /= sum;
}

// Each row of n gets mean 0 and variance 1, then gamma and beta, of n elements each. One thread a row.
__global__ void layernorm_f32(float *out, const float *a, const float *gamma, const float *beta, unsigned rows, unsigned n,
                              float epsilon) {
    unsigned row = INDEX;
    if (row >= rows) return;
    a += (size_t)row * n;
    out += (size_t)row * n;
    float mean = 0.0f;
    for (unsigned i = 0; i < n; ++i) mean += a[i];
    mean /= n;
    float variance = 0.0f;
    for (unsigned i = 0; i < n; ++i) variance += (a[i] - mean) * (a[i] - mean);
    float scale = 1.0f / sqrtf(variance / n + epsilon);
    for (unsigned i = 0; i < n; ++i) out[i] = (a[i] - mean) * scale * gamma[i] + beta[i];
}

// out[l] = a[l] x b[l], of m x k and k x n, for each of `batch` lanes. One thread an element of out.
__global__ void matmul_f32(float *out, const float *a, const float *b, unsigned batch, unsigned m, unsigned k, unsigned n) {
    unsigned i = INDEX;
    if (i >= batch * m * n) return;
    unsigned lane = i / (m * n), row = i / n % m, column = i % n;
    float sum = 0.0f;
    for (unsigned j = 0; j < k; ++j) sum = fmaf(a[((size_t)lane * m + row) * k + j], b[((size_t)lane * k + j) * n + column], sum);
    out[i] = sum;
}

// Rows become columns, in each of `batch` blocks of m x n. One thread an element.
__global__ void transpose_f32(float *out, const float *a, unsigned batch, unsigned m, unsigned n) {
    unsigned i = INDEX;
    if (i >= batch * m * n) return;
    unsigned lane = i / (m * n), row = i / n % m, column = i % n;
    out[((size_t)lane * n + column) * m + row] = a[i];
}

}
