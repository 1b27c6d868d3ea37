// SPDX-License-Identifier: Apache-2.0
#include "synchronization/atomic_kernels.hpp"

#include <cstdint>
#include <numeric>

#include "tests/on_gpu.hpp"

namespace ridge::backends::probe_cuda {
namespace {

using atomics_on_gpu = on_gpu;

TEST_F(atomics_on_gpu, add_as_often_as_they_count_whatever_the_pattern) {
  constexpr int processors = 2, rounds = 3;
  const gpu::device_memory results(processors * 2048 * sizeof(float)), target(target_bytes);
  for (const bool returning : {false, true}) {
    for (const auto& pattern : address_patterns) {
      gpu::check(cudaMemset(target.as<float>(), 0, target_bytes), "cudaMemset of the target");
      const double done =
          update_atomically({.results = results.as<float>(), .processors = processors, .rounds = rounds},
                            atomic_op::u32, target.as<float>(), pattern, returning);
      const auto counts = read<std::uint32_t>(target.as<float>(), std::size_t{pattern.mask} + 1);
      EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0.0), done) << pattern.name;
      EXPECT_EQ(done, 8.0 * processors * 2048 * rounds);
    }
  }
}

TEST_F(atomics_on_gpu, of_shared_memory_count_in_one_word_or_in_each_bank) {
  const gpu::device_memory results(2048 * sizeof(float));
  constexpr int rounds = 5;
  (void)update_shared({.results = results.as<float>(), .processors = 1, .rounds = rounds}, true);
  EXPECT_EQ(read<float>(results.as<float>(), 2), (std::vector<float>{256 * 8 * rounds, 0}));
  (void)update_shared({.results = results.as<float>(), .processors = 1, .rounds = rounds}, false);
  EXPECT_EQ(read<float>(results.as<float>(), 2), (std::vector<float>{8 * 8 * rounds, 8 * 8 * rounds}));
}

TEST(address_patterns, stay_within_the_target) {
  for (const auto& pattern : address_patterns)
    EXPECT_LE((pattern.mask + 1) * sizeof(std::uint64_t), target_bytes);
}

}  // namespace
}  // namespace ridge::backends::probe_cuda
