// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ridge/gpu/check.hpp>
#include <ridge/probe/prober.hpp>

#include "burst_rate.hpp"
#include "device_memory.hpp"
#include "matrix_kernels.cuh"
#include "memory_kernels.cuh"
#include "multiply_add.cuh"

namespace ridge::backends::probe_cuda {
namespace {

constexpr std::size_t array_bytes = std::size_t{1} << 30, array_floats = array_bytes / sizeof(float);
// Of the L2: arrays of an eighth of this, twice the L2, already stream (see ridge::harness::limit_of).
constexpr double streaming_sizes = 16;

// The arrays of all probes, and what they are measured on.
struct bench {
  cudaDeviceProp gpu;
  device_memory from{array_bytes}, to{array_bytes};
  [[nodiscard]] int processors() const { return gpu.multiProcessorCount; }
  [[nodiscard]] double cache_bytes() const { return static_cast<double>(gpu.l2CacheSize); }
};

model::ceiling bandwidth(const bench& on, std::string id, std::string what, double size_bytes) {
  return {.id = std::move(id),
          .what = std::move(what),
          .unit = "B/s",
          .variant = on.gpu.name,
          .size_bytes = size_bytes};
}

model::ceiling copying(const bench& on) {
  const auto named = bandwidth(on, "cuda.copy", "b = a over device memory, bytes read and written",
                               streaming_sizes * on.cache_bytes());
  const auto by_kernel = burst_rate(named, [&](int rounds) {
    for (int i = 0; i < rounds; ++i) copy(on.from.get(), on.to.get(), array_floats, on.processors(), nullptr);
    return 2.0 * array_bytes * rounds;
  });
  const auto by_driver = burst_rate(named, [&](int rounds) {
    for (int i = 0; i < rounds; ++i)
      gpu::check(cudaMemcpyAsync(on.to.get(), on.from.get(), array_bytes, cudaMemcpyDeviceToDevice, nullptr),
                 "cudaMemcpyAsync within the device");
    return 2.0 * array_bytes * rounds;
  });
  return by_kernel.value > by_driver.value ? by_kernel : by_driver;
}

model::ceiling reading(const bench& on) {
  return burst_rate(bandwidth(on, "cuda.read", "sum of an array in device memory, bytes read",
                              streaming_sizes * on.cache_bytes()),
                    [&](int rounds) {
                      double bytes = 0;
                      for (int i = 0; i < rounds; ++i)
                        bytes += read(on.from.get(), on.to.get(), array_floats, on.processors(), nullptr);
                      return bytes;
                    });
}

model::ceiling reading_the_cache(const bench& on) {
  const auto bytes = static_cast<std::size_t>(on.cache_bytes() / 4);
  return burst_rate(
      bandwidth(on, "cuda.l2.read", "sum of an array of a quarter of the L2", static_cast<double>(bytes)),
      [&](int rounds) {
        return read_again(on.from.get(), on.to.get(), bytes / sizeof(float), rounds, on.processors(),
                          nullptr);
      });
}

model::ceiling multiplying_in_fp32(const bench& on) {
  return burst_rate({.id = "cuda.fma.fp32",
                     .what = "fp32 multiply-adds on registers",
                     .unit = "FLOP/s",
                     .variant = on.gpu.name},
                    [&](int rounds) { return multiply_add(on.to.get(), rounds, on.processors(), nullptr); });
}

// Whether the first block wrote numbers that are not 0: what this build has no code for does nothing,
// quickly.
bool was_computed(const bench& on) {
  std::array<float, block_threads> sums{};
  gpu::check(cudaMemcpy(sums.data(), on.to.get(), std::span(sums).size_bytes(), cudaMemcpyDeviceToHost),
             "cudaMemcpy of the probe's sums");
  return std::ranges::all_of(sums, [](float x) { return std::isfinite(x) && x != 0; });
}

void add_products(std::vector<model::ceiling>& to, const bench& on, operand type) {
  const auto unit = unit_for(type, on.gpu.major, on.gpu.minor);
  if (unit == matrix_unit::none) return;
  const bool by_warp = unit == matrix_unit::warp;
  const auto multiply = by_warp ? multiply_by_warps : multiply_by_warpgroups;
  gpu::check(cudaMemset(on.to.get(), 0, block_threads * sizeof(float)), "cudaMemset of the probe's sums");
  auto found =
      burst_rate({.id = "cuda.mma." + std::string(name(type)),
                  .what = std::string(name(type)) + " products of random operands, sums in fp32",
                  .unit = "FLOP/s",
                  .variant = by_warp ? "mma.sync" : "wgmma"},
                 [&](int rounds) { return multiply(type, on.to.get(), rounds, on.processors(), nullptr); });
  if (was_computed(on)) to.push_back(std::move(found));
}

class prober final : public probe::prober {
 public:
  std::vector<model::ceiling> measure(const measure::clock&, const probe::probe_options&) override {
    cudaDeviceProp gpu{};
    gpu::check(cudaGetDeviceProperties(&gpu, 0), "cudaGetDeviceProperties");
    const bench on{.gpu = gpu};
    fill_unlike(on.from.get(), array_floats, nullptr);
    std::vector all{copying(on), reading(on), reading_the_cache(on), multiplying_in_fp32(on)};
    for (const auto type : operands) add_products(all, on, type);
    return all;
  }
};

}  // namespace

// Ceilings of device 0, in a second: those of matrix products where this build has code for its matrix units.
// Throws unavailable where there is no GPU.
std::unique_ptr<probe::prober> make() { return std::make_unique<prober>(); }

}  // namespace ridge::backends::probe_cuda
