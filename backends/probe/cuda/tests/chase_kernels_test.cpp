// SPDX-License-Identifier: Apache-2.0
#include "latency/chase_kernels.cuh"

#include <vector>

#include <gtest/gtest.h>

#include <ridge/gpu/memory.hpp>

#include "tests/skip_without_gpu.hpp"

namespace ridge::backends::probe_cuda {
namespace {

class place_of : public testing::TestWithParam<std::uint64_t> {};

TEST_P(place_of, holds_each_place_once) {
  std::vector<int> seen(GetParam());
  for (std::uint64_t k = 0; k < GetParam(); ++k) {
    const auto at = place_in_order(k, GetParam());
    ASSERT_LT(at, GetParam());
    ++seen[at];
  }
  for (const int times : seen) EXPECT_EQ(times, 1);
}

INSTANTIATE_TEST_SUITE_P(counts, place_of, testing::Values(1, 2, 3, 64, 96, 1000, 1024, 98304, 131072));

// A prefetcher of neighbouring lines would profit from many steps of one line; a random permutation has two
// on average.
TEST(place_in_order, goes_to_neighbours_seldom) {
  constexpr std::uint64_t count = 1 << 16;
  int near = 0;
  for (std::uint64_t k = 0; k + 1 < count; ++k) {
    const auto a = place_in_order(k, count), b = place_in_order(k + 1, count);
    near += (a > b ? a - b : b - a) <= 4;
  }
  EXPECT_LT(near, 64);  // 8 expected
}

TEST(chase, comes_back_after_a_lap_and_not_before) {
  RIDGE_SKIP_WITHOUT_GPU();
  constexpr std::size_t lines = 96, bytes = lines * line_bytes;
  const gpu::device_memory array(bytes), result(sizeof(chase_result));
  make_cycle(array.data(), bytes, nullptr);
  for (const std::uint64_t loads : {32u, 64u, 96u, 192u}) {
    chase(array.data(), 0, loads, result.as<chase_result>(), nullptr);
    chase_result seen;
    ASSERT_EQ(cudaMemcpy(&seen, result.data(), sizeof seen, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(seen.place == reinterpret_cast<std::uint64_t>(array.data()), loads % lines == 0) << loads;
    EXPECT_GT(seen.cycles, 20 * loads);
  }
}

TEST(chase, goes_on_from_where_the_untimed_loads_came_to) {
  RIDGE_SKIP_WITHOUT_GPU();
  constexpr std::size_t lines = 96, bytes = lines * line_bytes;
  const gpu::device_memory array(bytes), result(sizeof(chase_result));
  make_cycle(array.data(), bytes, nullptr);
  for (const std::uint64_t before : {0u, 32u, 64u}) {
    chase(array.data(), before, 64, result.as<chase_result>(), nullptr);
    chase_result seen;
    ASSERT_EQ(cudaMemcpy(&seen, result.data(), sizeof seen, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(seen.place == reinterpret_cast<std::uint64_t>(array.data()), before == 32) << before;
  }
}

TEST(chase_on_the_chip, comes_back_after_a_lap) {
  RIDGE_SKIP_WITHOUT_GPU();
  const gpu::device_memory result(sizeof(chase_result));
  for (const auto follow : {chase_in_shared, chase_in_constant}) {
    for (const std::uint64_t loads : {32u, 1024u}) {
      follow(loads, result.as<chase_result>(), nullptr);
      chase_result seen;
      ASSERT_EQ(cudaMemcpy(&seen, result.data(), sizeof seen, cudaMemcpyDeviceToHost), cudaSuccess);
      EXPECT_EQ(seen.place == 0, loads == 1024) << loads;
    }
  }
}

}  // namespace
}  // namespace ridge::backends::probe_cuda
