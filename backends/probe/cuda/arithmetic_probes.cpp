// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include <ridge/gpu/check.hpp>

#include "burst_rate.hpp"
#include "matrix_kernels.cuh"
#include "multiply_add.cuh"
#include "probe_lists.hpp"

namespace ridge::backends::probe_cuda {
namespace {

using probe::depth, probe::request;
using rows = std::vector<model::ceiling>;

rows multiplying_in_fp32(gpu_bench& on, const request& how) {
  return {burst_rate({.id = "cuda.fma.fp32",
                      .what = "fp32 multiply-adds on registers",
                      .unit = "FLOP/s",
                      .variant = on.gpu().name},
                     how,
                     [&](int rounds) { return multiply_add(on.to(), rounds, on.processors(), nullptr); })};
}

// Whether the first block wrote numbers that are not 0: what this build has no code for does nothing,
// quickly.
bool was_computed(gpu_bench& on) {
  std::array<float, block_threads> sums{};
  gpu::check(cudaMemcpy(sums.data(), on.to(), std::span(sums).size_bytes(), cudaMemcpyDeviceToHost),
             "cudaMemcpy of the probe's sums");
  return std::ranges::all_of(sums, [](float x) { return std::isfinite(x) && x != 0; });
}

rows multiplying_matrices(gpu_bench& on, const request& how, operand type, matrix_unit unit) {
  const bool by_warp = unit == matrix_unit::warp;
  const auto multiply = by_warp ? multiply_by_warps : multiply_by_warpgroups;
  gpu::check(cudaMemset(on.to(), 0, block_threads * sizeof(float)), "cudaMemset of the probe's sums");
  auto found =
      burst_rate({.id = "cuda.mma." + std::string(name(type)),
                  .what = std::string(name(type)) + " products of random operands, sums in fp32",
                  .unit = "FLOP/s",
                  .variant = by_warp ? "mma.sync" : "wgmma"},
                 how, [&](int rounds) { return multiply(type, on.to(), rounds, on.processors(), nullptr); });
  return was_computed(on) ? rows{std::move(found)} : rows{};
}

}  // namespace

void add_arithmetic_probes(probe_list& to, gpu_bench& on) {
  to.push_back({"cuda.fma.fp32", "fp32 multiply-adds", "no fp32 code outside the matrix units does more",
                depth::essential, [&on](const request& how) { return multiplying_in_fp32(on, how); }});
  for (const auto type : operands) {
    const auto unit = unit_for(type, on.gpu().major, on.gpu().minor);
    if (unit == matrix_unit::none) continue;
    const std::string word(name(type));
    to.push_back(
        {"cuda.mma." + word, word + " matrix units", "bounds products in " + word, depth::essential,
         [&on, type, unit](const request& how) { return multiplying_matrices(on, how, type, unit); }});
  }
}

}  // namespace ridge::backends::probe_cuda
