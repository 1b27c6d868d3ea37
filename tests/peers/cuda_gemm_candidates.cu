// SPDX-License-Identifier: Apache-2.0
// Ways to divide fp32 products among the threads of a GPU, against cuBLAS and what the experiments ship, on
// random data, in turns. Prints the median of each with its ratio to cuBLAS and the largest difference from
// it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/event.hpp>
#include <ridge/vendor/cublas.hpp>

#include "gemm_candidate.cuh"
#include "square_products.hpp"

namespace {

using namespace ridge;
using gemm_candidates::edges;
using gemm_candidates::factors;
using gemm_candidates::tile;

struct shape {
  int count, n;
};
constexpr shape shapes[] = {{40, 256}, {512, 128}, {40, 128}, {40, 64}, {1, 2048}};
constexpr int members = 4;  // of the ring: 31 MB each in the first shape, so that inputs come from memory
constexpr int rounds = 40;

struct room {
  float* at = nullptr;
  explicit room(std::size_t floats) { gpu::check(cudaMalloc(&at, floats * sizeof(float)), "cudaMalloc"); }
  ~room() { (void)cudaFree(at); }
  room(const room&) = delete;
  room& operator=(const room&) = delete;
};

__global__ void fill_normal(float* to, std::size_t count, unsigned key) {
  for (std::size_t i = blockIdx.x * std::size_t{256} + threadIdx.x; i < count;
       i += gridDim.x * std::size_t{256}) {
    float sum = 0;
    for (unsigned k = 0; k < 4; ++k) {
      unsigned x = (static_cast<unsigned>(i) * 4 + k + key) * 2654435761u;
      x = (x ^ (x >> 15)) * 2246822519u;
      x = (x ^ (x >> 13)) * 3266489917u;
      sum += static_cast<float>((x ^ (x >> 16)) >> 8) * 0x1p-24F - 0.5F;
    }
    to[i] = sum * 1.7320508F;
  }
}

__global__ void largest_difference(const float* x, const float* y, std::size_t count, float* to) {
  float most = 0;
  for (std::size_t i = blockIdx.x * std::size_t{256} + threadIdx.x; i < count;
       i += gridDim.x * std::size_t{256}) {
    const float d = fabsf(x[i] - y[i]);
    most = d <= 1e30F ? fmaxf(most, d) : 1e30F;  // NaN as well
  }
  atomicMax(reinterpret_cast<int*>(to), __float_as_int(most));
}

using product = std::function<void(const float* a, const float* b, float* c, shape of)>;

template <class Tile, edges Edges>
void launch(const float* a, const float* b, float* c, shape of) {
  constexpr int bytes = static_cast<int>(gemm_candidates::shared_bytes<Tile>);
  const auto kernel = gemm_candidates::tiled_product<Tile, Edges>;
  static const bool allowed = [&] {
    gpu::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
               "cudaFuncSetAttribute");
    gpu::check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                    cudaSharedmemCarveoutMaxShared),
               "cudaFuncSetAttribute");
    return true;
  }();
  (void)allowed;
  const auto across = static_cast<unsigned>((of.n + Tile::cols - 1) / Tile::cols);
  const auto down = static_cast<unsigned>((of.n + Tile::rows - 1) / Tile::rows);
  kernel<<<dim3(across, down, static_cast<unsigned>(of.count)), Tile::threads, bytes>>>({a, b, c, of.n});
  gpu::check_launch("tiled_product");
}

template <class Tile>
product by() {
  return [](const float* a, const float* b, float* c, shape of) {
    const bool whole = of.n % Tile::rows == 0 && of.n % Tile::cols == 0 && of.n % Tile::depth == 0;
    if (whole) return launch<Tile, edges::none>(a, b, c, of);
    if (of.n % 4 == 0) return launch<Tile, edges::aligned>(a, b, c, of);
    launch<Tile, edges::any>(a, b, c, of);
  };
}

struct candidate {
  std::string name;
  product run;
  std::function<int()> blocks_per_sm;
};

template <class Tile>
candidate one(std::string name) {
  return {std::move(name), by<Tile>(), [] {
            int blocks = 0;
            (void)cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                &blocks, gemm_candidates::tiled_product<Tile, edges::none>, Tile::threads,
                gemm_candidates::shared_bytes<Tile>);
            return blocks;
          }};
}

std::vector<candidate> candidates(cublasContext* handle) {
  std::vector<candidate> all;
  all.push_back({"cublas",
                 [handle](const float* a, const float* b, float* c, shape of) {
                   const float alpha = 1, beta = 0;
                   const long long step = static_cast<long long>(of.n) * of.n;
                   const auto code =
                       of.count == 1 ? cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, of.n, of.n, of.n, &alpha,
                                                   b, of.n, a, of.n, &beta, c, of.n)
                                     : cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, of.n, of.n,
                                                                 of.n, &alpha, b, of.n, step, a, of.n, step,
                                                                 &beta, c, of.n, step, of.count);
                   vendor::check_cublas(code, "cublasSgemm");
                 },
                 nullptr});
  all.push_back({"shipped",
                 [](const float* a, const float* b, float* c, shape of) {
                   experiments::ch01_gemm::multiply({of.count, of.n, a, b, c}, stream(nullptr));
                 },
                 nullptr});
  //                   down across groups rows cols depth stages blocks ahead
  all.push_back(one<tile<4, 2, 1, 8, 8, 8, 4, 2, true>>("128x128 8x8 d8 s4 b2 ahead"));
  all.push_back(one<tile<4, 2, 1, 8, 8, 16, 3, 2, true>>("128x128 8x8 d16 s3 b2 ahead"));
  all.push_back(one<tile<4, 2, 1, 8, 8, 16, 3, 2, false>>("128x128 8x8 d16 s3 b2"));
  all.push_back(one<tile<2, 2, 1, 16, 8, 8, 4, 2, true>>("128x128 16x8 d8 s4 b2 ahead"));
  all.push_back(one<tile<4, 2, 1, 16, 8, 8, 4, 1, true>>("256x128 16x8 d8 s4 b1 ahead"));
  all.push_back(one<tile<4, 2, 1, 16, 8, 16, 3, 1, true>>("256x128 16x8 d16 s3 b1 ahead"));
  all.push_back(one<tile<4, 1, 1, 8, 8, 16, 3, 4, true>>("128x64 8x8 d16 s3 b4 ahead"));
  all.push_back(one<tile<4, 1, 1, 8, 8, 16, 3, 3, true>>("128x64 8x8 d16 s3 b3 ahead"));
  all.push_back(one<tile<2, 2, 1, 8, 4, 16, 3, 5, true>>("64x64 8x4 d16 s3 b5 ahead"));
  all.push_back(one<tile<2, 2, 1, 8, 4, 16, 3, 5, false>>("64x64 8x4 d16 s3 b5"));
  all.push_back(one<tile<2, 2, 1, 8, 4, 8, 4, 5, true>>("64x64 8x4 d8 s4 b5 ahead"));
  all.push_back(one<tile<2, 2, 1, 8, 4, 32, 2, 5, true>>("64x64 8x4 d32 s2 b5 ahead"));
  all.push_back(one<tile<2, 1, 2, 8, 8, 16, 3, 5, false>>("64x64 8x8 g2 d16 s3 b5"));
  all.push_back(one<tile<2, 1, 2, 8, 8, 16, 3, 4, true>>("64x64 8x8 g2 d16 s3 b4 ahead"));
  all.push_back(one<tile<2, 1, 1, 8, 8, 16, 3, 8, true>>("64x64 8x8 d16 s3 b8 ahead"));
  all.push_back(one<tile<2, 2, 1, 4, 4, 32, 3, 5, false>>("32x64 4x4 d32 s3 b5"));
  all.push_back(one<tile<2, 2, 1, 4, 4, 16, 4, 5, true>>("32x64 4x4 d16 s4 b5 ahead"));
  all.push_back(one<tile<2, 1, 2, 4, 4, 32, 3, 5, true>>("32x32 4x4 g2 d32 s3 b5 ahead"));
  return all;
}

std::size_t floats_of(shape s) { return static_cast<std::size_t>(s.count) * s.n * s.n; }

float difference(const float* x, const float* y, std::size_t count) {
  const room most(1);
  gpu::check(cudaMemset(most.at, 0, sizeof(float)), "cudaMemset");
  largest_difference<<<512, 256>>>(x, y, count, most.at);
  gpu::check_launch("largest_difference");
  float seen = 0;
  gpu::check(cudaMemcpy(&seen, most.at, sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
  return seen;
}

double median(std::vector<double> x) {
  std::ranges::nth_element(x, x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2));
  return x[x.size() / 2];
}

// Against cuBLAS's answer, c poisoned before.
float error_of(const candidate& one, const float* a, const float* b, float* c, const float* right, shape s) {
  gpu::check(cudaMemset(c, 0xFF, floats_of(s) * sizeof(float)), "cudaMemset");
  one.run(a, b, c, s);
  return difference(c, right, floats_of(s));
}

void compare(const std::vector<candidate>& all, shape s) {
  const auto floats = floats_of(s);
  const room a(members * floats), b(members * floats), c(floats), right(floats);
  fill_normal<<<512, 256>>>(a.at, members * floats, 1);
  fill_normal<<<512, 256>>>(b.at, members * floats, 77777);
  gpu::check_launch("fill_normal");
  all.front().run(a.at, b.at, right.at, s);
  std::vector<float> errors;
  for (const auto& one : all) errors.push_back(error_of(one, a.at, b.at, c.at, right.at, s));
  std::vector<std::vector<double>> seconds(all.size());
  gpu::event start(gpu::timing::on), end(gpu::timing::on);
  for (int r = -3; r < rounds; ++r) {
    for (std::size_t k = 0; k < all.size(); ++k) {
      const std::size_t i = r % 2 == 0 ? k : all.size() - 1 - k;
      const auto member = static_cast<std::size_t>(r + 3) * all.size() + k;
      const std::size_t skipped = member % members * floats;
      start.record(nullptr);
      all[i].run(a.at + skipped, b.at + skipped, c.at, s);
      end.record(nullptr);
      end.synchronize();
      if (r >= 0) seconds[i].push_back(end.seconds_since(start));
    }
  }
  const double flop = 2.0 * s.count * s.n * s.n * s.n, base = median(seconds.front());
  const double tolerance = 8 * 0x1p-24 * s.n;
  std::printf("%d x %d^3, median of %d\n", s.count, s.n, rounds);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double t = median(seconds[i]);
    std::printf("  %-30s %8.1f us %6.1f TFLOP/s %6.3fx  err %.1e%s", all[i].name.c_str(), t * 1e6,
                flop / t / 1e12, base / t, static_cast<double>(errors[i]),
                static_cast<double>(errors[i]) <= tolerance ? "" : " WRONG");
    if (all[i].blocks_per_sm) std::printf("  %d blocks an SM", all[i].blocks_per_sm());
    std::printf("\n");
  }
  std::fflush(stdout);
}

// Sizes that fill no tile, each against cuBLAS.
void check_ragged(const std::vector<candidate>& all) {
  for (const shape s : {shape{3, 17}, shape{2, 68}, shape{1, 130}, shape{1, 257}, shape{2, 1}}) {
    const auto floats = floats_of(s);
    const room a(floats), b(floats), c(floats), right(floats);
    fill_normal<<<64, 256>>>(a.at, floats, 5);
    fill_normal<<<64, 256>>>(b.at, floats, 99);
    gpu::check_launch("fill_normal");
    all.front().run(a.at, b.at, right.at, s);
    for (const auto& one : all) {
      const double error = error_of(one, a.at, b.at, c.at, right.at, s);
      if (error > 8 * 0x1p-24 * s.n)
        std::printf("  %s is WRONG at %d x %d^3: %.1e\n", one.name.c_str(), s.count, s.n, error);
    }
  }
  std::printf("ragged sizes checked\n");
}

}  // namespace

int main() {
  try {
    room workspace(vendor::cublas_workspace_bytes / sizeof(float));
    const auto handle = vendor::open_cublas(
        nullptr, {reinterpret_cast<std::byte*>(workspace.at), vendor::cublas_workspace_bytes});
    const auto all = candidates(handle.get());
    for (const auto s : shapes) compare(all, s);
    check_ragged(all);
    return 0;
  } catch (const std::exception& thrown) {
    std::fprintf(stderr, "cuda_gemm_candidates: %s\n", thrown.what());
    return 1;
  }
}
