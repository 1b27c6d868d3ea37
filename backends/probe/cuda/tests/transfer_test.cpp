// SPDX-License-Identifier: Apache-2.0
#include "copies/transfer.hpp"

#include <gtest/gtest.h>

#include "launches/launch_kernels.cuh"
#include "tests/skip_without_gpu.hpp"
#include "timing/held_timer.hpp"

namespace ridge::backends::probe_cuda {
namespace {

TEST(fitted, finds_what_was_put_in) {
  std::vector<transfer_time> times;
  for (double bytes = 1; bytes < 1e9; bytes *= 8) times.push_back({bytes, 2e-6 + bytes / 50e9});
  const auto fit = fitted(times);
  EXPECT_NEAR(fit.latency_s, 2e-6, 1e-12);
  EXPECT_NEAR(fit.bytes_per_s, 50e9, 1e3);
}

TEST(fitted, claims_no_rate_where_size_does_not_matter) {
  EXPECT_EQ(fitted({{1, 1e-6}, {1e6, 1e-6}}).bytes_per_s, 0);
}

TEST(held_timer, leaves_the_hosts_gaps_out) {
  RIDGE_SKIP_WITHOUT_GPU();
  held_timer timer;
  launch_empty(nullptr);
  const double seconds = timer.seconds([] {
    for (int i = 0; i < 100; ++i) launch_empty(nullptr);
  });
  EXPECT_GT(seconds, 20e-6);
  EXPECT_LT(seconds, 2e-3);
}

TEST(held_timer, lets_go_by_itself) {
  RIDGE_SKIP_WITHOUT_GPU();
  held_timer timer;
  timer.hold();
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_FALSE(timer.release());
}

}  // namespace
}  // namespace ridge::backends::probe_cuda
