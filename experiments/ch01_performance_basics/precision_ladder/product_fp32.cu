// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/launch.cuh>

#include "precision_ladder.hpp"

namespace ridge::experiments::ch01_precision_ladder {
namespace {

// A block of threads makes a tile of 128 x 128 sums, each thread 8 x 8 of them in registers, from slices of
// 16 terms that lie transposed in shared memory, so that a thread reads its operands as four words at once.
constexpr int tile = 128, slice = 16, threads = 256;
constexpr int pitch = tile + 4;  // stores of a slice fall on two words of a bank at most

struct arrays {
  const float* a;
  const float* b;
  float* c;
  std::int64_t m, n, k;
  bool aligned;  // rows of a and b begin on 16 bytes
};

__device__ float4 four_of_row(const float* source, std::int64_t row, std::int64_t rows, std::int64_t term,
                              std::int64_t k, bool aligned) {
  float4 v{0, 0, 0, 0};
  if (row >= rows || term >= k) return v;
  const float* here = source + row * k + term;
  if (aligned) return *reinterpret_cast<const float4*>(here);
  v.x = here[0];
  if (term + 1 < k) v.y = here[1];
  if (term + 2 < k) v.z = here[2];
  if (term + 3 < k) v.w = here[3];
  return v;
}

// A thread's share of a slice is four terms of rows r and r + 64.
struct fetched {
  float4 a[2], b[2];
};

__device__ fetched fetch(const arrays& problem, std::int64_t row, std::int64_t column, std::int64_t begin) {
  fetched f;
  const int r = threadIdx.x / 4, t = threadIdx.x % 4 * 4;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    f.a[half] = four_of_row(problem.a, row + r + 64 * half, problem.m, begin + t, problem.k, problem.aligned);
    f.b[half] =
        four_of_row(problem.b, column + r + 64 * half, problem.n, begin + t, problem.k, problem.aligned);
  }
  return f;
}

__device__ void put_transposed(float (&into)[slice][pitch], const float4 (&of)[2]) {
  const int r = threadIdx.x / 4, t = threadIdx.x % 4 * 4;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    into[t][r + 64 * half] = of[half].x;
    into[t + 1][r + 64 * half] = of[half].y;
    into[t + 2][r + 64 * half] = of[half].z;
    into[t + 3][r + 64 * half] = of[half].w;
  }
}

// Reads words 4 i .. 4 i + 3 of the first half of the row and of the second.
__device__ void eight(const float* row, int i, float (&into)[8]) {
  const float4 low = *reinterpret_cast<const float4*>(row + 4 * i);
  const float4 high = *reinterpret_cast<const float4*>(row + tile / 2 + 4 * i);
  into[0] = low.x, into[1] = low.y, into[2] = low.z, into[3] = low.w;
  into[4] = high.x, into[5] = high.y, into[6] = high.z, into[7] = high.w;
}

__device__ void multiply(const float (&a)[slice][pitch], const float (&b)[slice][pitch], float (&sum)[8][8]) {
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
#if __CUDA_ARCH__ >= 1000
#pragma unroll 8  // for sm_100a the whole slice at once is given more registers than there are
#else
#pragma unroll
#endif
  for (int t = 0; t < slice; ++t) {
    float left[8], right[8];
    eight(a[t], y, left);
    eight(b[t], x, right);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
#pragma unroll
      for (int j = 0; j < 8; ++j) sum[i][j] = fmaf(left[i], right[j], sum[i][j]);
    }
  }
}

__device__ int place(int i) { return i < 4 ? i : tile / 2 + i - 4; }

__device__ void store(const arrays& problem, std::int64_t row, std::int64_t column,
                      const float (&sum)[8][8]) {
  row += threadIdx.x / 16 * 4, column += threadIdx.x % 16 * 4;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const std::int64_t r = row + place(i), c = column + place(j);
      if (r < problem.m && c < problem.n) problem.c[r * problem.n + c] = sum[i][j];
    }
  }
}

__global__ void __launch_bounds__(threads, 2) tiles_fp32(const arrays problem) {
  __shared__ __align__(16) float a[2][slice][pitch], b[2][slice][pitch];
  const std::int64_t row = std::int64_t{blockIdx.y} * tile, column = std::int64_t{blockIdx.x} * tile;
  float sum[8][8] = {};
  int now = 0;
  auto next = fetch(problem, row, column, 0);
  for (std::int64_t from = 0; from < problem.k; from += slice, now ^= 1) {
    put_transposed(a[now], next.a);
    put_transposed(b[now], next.b);
    __syncthreads();
    if (from + slice < problem.k) next = fetch(problem, row, column, from + slice);
    multiply(a[now], b[now], sum);
  }
  store(problem, row, column, sum);
}

bool on_sixteen_bytes(const void* address) { return reinterpret_cast<std::uintptr_t>(address) % 16 == 0; }

unsigned tiles_of(std::int64_t n) { return static_cast<unsigned>((n + tile - 1) / tile); }

}  // namespace

void product_fp32(const workload& w, stream queue) {
  if (w.c.empty()) return;
  const bool aligned = w.k % 4 == 0 && on_sixteen_bytes(w.a.data()) && on_sixteen_bytes(w.b.data());
  const arrays of{w.a.data(), w.b.data(), w.c.data(), w.m, w.n, w.k, aligned};
  gpu::launch(tiles_fp32, {dim3(tiles_of(w.n), tiles_of(w.m)), threads, 0, queue}, of);
}

}  // namespace ridge::experiments::ch01_precision_ladder
