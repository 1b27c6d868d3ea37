// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace ridge::backends::probe_host {

// Twelve accumulators of at most sixteen floats: enough to hide a latency of four to six cycles on two ports,
// few enough that AVX2's sixteen registers hold them and both operands.
inline constexpr int accumulators = 12;
inline constexpr int widest_lanes = 16;

struct alignas(64) fma_state {
  std::array<float, accumulators * widest_lanes> x{};
};

// x <- factor x + addend, `rounds` times, in every accumulator at once; no memory is touched in between.
struct fma_kernel {
  std::string_view name;          // scalar, sse2, avx2, avx512
  std::string_view requires_isa;  // empty: every CPU
  int lanes;
  void (*run)(fma_state& state, std::int64_t rounds, float factor, float addend);
  [[nodiscard]] constexpr double flop_per_round() const { return 2.0 * accumulators * lanes; }
};

// The kernels compiled in, narrowest first; those whose requires_isa the CPU lacks must not be run.
[[nodiscard]] std::span<const fma_kernel> fma_kernels();

}  // namespace ridge::backends::probe_host
