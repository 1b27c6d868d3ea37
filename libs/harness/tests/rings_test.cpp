// SPDX-License-Identifier: Apache-2.0
#include "sampling/rings.hpp"

#include <cstdint>

#include <gtest/gtest.h>

#include <ridge/device/simulated.hpp>
#include <ridge/harness/experiment.hpp>

namespace ridge::harness {
namespace {

struct ring_workload {
  output<float> y{};
};

experiment of_floats(std::int64_t count, bool cold) {
  return experiment_of<ring_workload>{
      .id = "test.rings",
      .title = "Rings",
      .question = "How many?",
      .axes = {values("n", {count})},
      .make = [](const problem& p, memory& m) { return ring_workload{m.out<float>(p.count("n"))}; },
      .work = [](const problem&) { return work{}; },
      .oracle = [](ring_workload&) {},
      .cold = cold,
      .cpu =
          [] {
            return ladder<ring_workload>{
                {.name = "only", .is = role::baseline, .run = [](ring_workload&, call&) {}}};
          },
  };
}

TEST(make_rings, makes_all_rings_alike_within_their_share_of_the_free_memory) {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  device::simulated where({.memory_bytes = mebibyte});
  const auto e = of_floats(1 << 14, false);
  const auto all = make_rings(*e, e.problems().front(), {.device = &where},
                              {device::placement::ordinary, device::placement::small_pages});
  ASSERT_EQ(all.size(), 2U);
  // 40 % of 1 MiB are 6 members and a bit: 3 a ring.
  for (const auto& [placement, ring] : all) EXPECT_EQ(ring.size(), 3U);
  EXPECT_LE(static_cast<double>(where.bytes_in_use()), 0.4 * mebibyte);
}

TEST(make_rings, holds_a_limited_number_of_members_of_tiny_problems_that_are_to_be_cold) {
  device::simulated where({.memory_bytes = std::size_t{1} << 30});
  const auto e = of_floats(1, true);
  const auto all = make_rings(*e, e.problems().front(), {.device = &where}, {device::placement::ordinary});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_LE(all.begin()->second.size(), 4096U);
}

}  // namespace
}  // namespace ridge::harness
