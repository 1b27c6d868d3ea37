// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/gpu_families.hpp>

#include <algorithm>
#include <csignal>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/device/simulated.hpp>
#include <ridge/harness/experiment.hpp>

#include "host_device.hpp"

namespace ridge::harness {
namespace {

using testing::HasSubstr;

struct doubled_workload {
  input<float> x{};
  output<float> y{};
};

// The device of the process that runs the bodies below.
device::simulated* opened = nullptr;

void double_all(doubled_workload& w, call&) {
  std::ranges::transform(w.x, w.y.begin(), [](float v) { return 2 * v; });
}
// What a fault of the last kernel does: its own result is there, but every later call fails.
void lose_the_context_at_the_end(doubled_workload& w, call& c) {
  static int calls = 0;
  double_all(w, c);
  if (++calls < 2) return;  // the second data set is the last one
  opened->fail(device::operation::synchronize, 2);
  opened->fail(device::operation::allocate);
}
void crash(doubled_workload&, call&) { std::raise(SIGSEGV); }

ladder<doubled_workload> right() { return {{.name = "only", .is = role::baseline, .run = double_all}}; }
ladder<doubled_workload> losing() {
  return {{.name = "only", .is = role::baseline, .run = lose_the_context_at_the_end}};
}
ladder<doubled_workload> crashing() { return {{.name = "only", .is = role::baseline, .run = crash}}; }

planned_family doubling(ladder_of<doubled_workload> variants) {
  const experiment e = experiment_of<doubled_workload>{
      .id = "test.doubling",
      .title = "Doubling",
      .question = "Is it doubled?",
      .axes = {values("n", {64})},
      .make =
          [](const problem& p, memory& m) {
            return doubled_workload{m.in<float>(p.count("n"), normal{}), m.out<float>(p.count("n"))};
          },
      .work = [](const problem& p) { return work{.flop = p.real("n")}; },
      .oracle =
          [](doubled_workload& w) {
            std::ranges::transform(w.x, w.y.begin(), [](float v) { return 2 * v; });
          },
      .within = exact(),
      .cuda = variants,
  };
  return {e, e.problems().front(), model::backend::cuda};
}

std::vector<model::family> verified(const std::vector<planned_family>& families) {
  const auto host = host_device_for_tests();
  instruments with{.device = host.get()};
  with.open_gpu = [] {
    auto gpu = std::make_unique<device::simulated>(device::simulated_behaviour{.apart = true});
    opened = gpu.get();
    return opened_gpu{.device = std::move(gpu)};
  };
  return verify_gpu_families(families, with, {});
}

TEST(gpu_families, that_follow_a_lost_context_get_a_process_of_their_own) {
  const auto seen = verified({doubling(right), doubling(losing), doubling(right)});
  ASSERT_EQ(seen.size(), 3U);
  for (const auto& family : seen) {
    EXPECT_EQ(family.skipped, "");
    ASSERT_EQ(family.measurements.size(), 1U);
    EXPECT_EQ(family.measurements[0].refused, "");
  }
}

TEST(gpu_families, a_crash_costs_one_family) {
  const auto seen = verified({doubling(right), doubling(crashing), doubling(right)});
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen[0].skipped, "");
  ASSERT_EQ(seen[1].measurements.size(), 1U);
  EXPECT_THAT(seen[1].measurements[0].refused, HasSubstr("SIGSEGV"));
  EXPECT_EQ(seen[2].skipped, "");
}

}  // namespace
}  // namespace ridge::harness
