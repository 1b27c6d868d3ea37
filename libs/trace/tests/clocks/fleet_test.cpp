// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ridge/trace/fleet.hpp>

#include "made_up_job.hpp"

namespace ridge::trace {
namespace {

const auto communication_kernels = communication_names::built_in();

std::vector<fleet_window> forty_steps() { return std::vector<fleet_window>(8, fleet_window{.steps = 40}); }

TEST(fleet, names_the_rank_that_computes_longer) {
  made_up_job job{.slower_ns = std::vector<nanoseconds>(8)};
  job.slower_ns[5] = 150'000;
  const auto report = fleet_of(job.run(), communication_kernels, forty_steps());
  ASSERT_TRUE(report.slowest);
  EXPECT_EQ(report.members[report.slowest->member].who.rank, 5);
  EXPECT_EQ(report.slowest->state, fleet_measure::compute);
  EXPECT_NEAR(static_cast<double>(report.slowest->excess_ns), 150'000, 5'000);
  EXPECT_GT(report.slowest->robust_z, 3.5);
  // The others only wait for it: it is the one with the least exposed communication.
  const auto wait =
      std::ranges::find(report.outliers, fleet_measure::exposed_communication, &fleet_outlier::measure);
  ASSERT_NE(wait, report.outliers.end());
  EXPECT_EQ(wait->member, report.slowest->member);
  EXPECT_LT(wait->robust_z, 0);
}

TEST(fleet, names_the_rank_that_its_host_holds_up) {
  made_up_job job{.later_ns = std::vector<nanoseconds>(8)};
  job.later_ns[2] = 90'000;
  const auto report = fleet_of(job.run(), communication_kernels, forty_steps());
  ASSERT_TRUE(report.slowest);
  EXPECT_EQ(report.members[report.slowest->member].who.rank, 2);
  EXPECT_EQ(report.slowest->state, fleet_measure::idle);
  EXPECT_NEAR(static_cast<double>(report.slowest->state_excess_ns), 90'000, 5'000);
}

TEST(fleet, finds_nothing_among_equals) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    made_up_job job{.draw = std::mt19937_64(seed)};
    const auto report = fleet_of(job.run(), communication_kernels, forty_steps());
    EXPECT_EQ(report.members.size(), 8U);
    EXPECT_FALSE(report.slowest);
    EXPECT_TRUE(report.outliers.empty());
    EXPECT_FALSE(report.too_few);
  }
}

TEST(fleet, three_ranks_are_too_few) {
  made_up_job job{.ranks = 3, .slower_ns = {0, 900'000, 0}};
  const auto report = fleet_of(job.run(), communication_kernels);
  EXPECT_TRUE(report.too_few);
  EXPECT_FALSE(report.slowest);
  EXPECT_EQ(report.members.size(), 3U);
}

// 2000 ns of two steps: 300 compute, 200 exposed communication, 100 exposed copies, 1400 idle.
TEST(fleet, states_of_a_step_by_hand) {
  fixtures::scene s;
  s.kernel("gemm", 1'000, 300).kernel("ncclAllReduce", 1'200, 300, 9);
  s.copy(copy_kind::device_to_host, 64, 1'450, 150, 11);
  const auto t = s.build();
  const std::vector<fleet_window> windows{{.window = time_range{1'000, 3'000}, .steps = 2}};
  const auto report = fleet_of({&t, 1}, communication_kernels, windows);
  ASSERT_EQ(report.members.size(), 1U);
  const auto& m = report.members[0];
  EXPECT_EQ(m.value(fleet_measure::step), 1'000);
  EXPECT_EQ(m.value(fleet_measure::compute), 150);
  EXPECT_EQ(m.value(fleet_measure::exposed_communication), 100);
  EXPECT_EQ(m.value(fleet_measure::exposed_copies), 50);
  EXPECT_EQ(m.value(fleet_measure::idle), 700);
  EXPECT_EQ(m.value(fleet_measure::own_time), 900);
  EXPECT_FALSE(m.value(fleet_measure::clock));
}

TEST(fleet, steady_steps_leave_out_the_first_and_the_last) {
  fixtures::scene s;
  for (int k = 0; k < 5; ++k) {
    s.annotation("ProfilerStep#" + std::to_string(k), 1'000 * k, 1'000);
    s.kernel("gemm", 1'000 * k, k == 0 ? 900 : 300);
  }
  const auto stepped = s.build();
  const auto windows = steady_windows_of({&stepped, 1});
  ASSERT_EQ(windows.size(), 1U);
  EXPECT_EQ(windows[0].window, (time_range{1'000, 4'000}));
  EXPECT_EQ(windows[0].steps, 3);
  const auto report = fleet_of({&stepped, 1}, communication_kernels, windows);
  EXPECT_EQ(report.members[0].value(fleet_measure::compute), 300);

  fixtures::scene plain;
  plain.kernel("gemm", 0, 10);
  const auto unstepped = plain.build();
  EXPECT_FALSE(steady_windows_of({&unstepped, 1})[0].window);
}

std::vector<trace> with_clocks(const std::vector<double>& mhz) {
  std::vector<trace> traces;
  for (const auto clock : mhz) {
    fixtures::scene s;
    s.kernel("gemm", 0, 1'000);
    const auto series = s.builder().series(s.name("SM Clock Frequency"), 0);
    for (int k = 0; k < 3; ++k) s.builder().add(counter_value{100 * k, clock + k - 1, series});
    s.builder().facts().source.rank = static_cast<int>(traces.size());
    traces.push_back(s.build());
  }
  return traces;
}

TEST(fleet, a_device_that_clocks_lower_stands_out) {
  const auto report =
      fleet_of(with_clocks({1'980, 1'980, 1'979, 1'981, 1'980, 1'410}), communication_kernels);
  ASSERT_EQ(report.outliers.size(), 1U);
  EXPECT_EQ(report.outliers[0].measure, fleet_measure::clock);
  EXPECT_EQ(report.outliers[0].value, 1'410);
  EXPECT_EQ(report.outliers[0].median, 1'980);
  EXPECT_EQ(report.members[report.outliers[0].member].who.rank, 5);
}

}  // namespace
}  // namespace ridge::trace
