// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include <gmock/gmock.h>

#include <ridge/trace/clock_alignment.hpp>

#include "made_up_job.hpp"

namespace ridge::trace {
namespace {

clock_alignment aligned(const std::vector<trace>& traces) {
  return align_clocks(traces, match_collectives(traces, communication_names::built_in()));
}

// Every time of the job, by every rank's clock, comes back to the true one within what the alignment states.
void expect_recovered(const made_up_job& job, const clock_alignment& clocks, nanoseconds last) {
  for (std::uint32_t r = 1; r < clocks.maps.size(); ++r) {
    ASSERT_TRUE(clocks.maps[r].uncertainty_ns) << r;
    for (nanoseconds t = 0; t <= last; t += last / 16) {
      const auto apart = clocks.maps[r].to_common(job.own(r, t)) - t;
      EXPECT_LE(std::abs(apart), *clocks.maps[r].uncertainty_ns) << "rank " << r << " at " << t;
    }
  }
}

TEST(clock_alignment, recovers_offsets_of_other_hosts) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    made_up_job job{.draw = std::mt19937_64(seed)};
    std::uniform_int_distribution<nanoseconds> offset(-20'000'000'000, 20'000'000'000);
    job.offsets_ns = {0};
    for (int r = 1; r < job.ranks; ++r) job.offsets_ns.push_back(offset(job.draw));
    const auto clocks = aligned(job.run());
    expect_recovered(job, clocks, 20'000'000);
    EXPECT_EQ(clocks.maps[3].source, clock_source::collective_ends);
    EXPECT_EQ(clocks.maps[3].drift_ppb, 0);  // 20 ms are too short for drift to show
    EXPECT_LT(*clocks.uncertainty_ns(), 30'000);
  }
}

TEST(clock_alignment, recovers_drift_where_it_is_plain) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    made_up_job job{.steps = 60, .compute_ns = 500'000'000, .draw = std::mt19937_64(seed)};
    job.offsets_ns = {0, 5'000'000, -7'000'000'000};
    job.drifts_ppb = {0, 20'000, -45'000};
    job.ranks = 3;
    const auto clocks = aligned(job.run());
    expect_recovered(job, clocks, 30'000'000'000);
    EXPECT_NEAR(static_cast<double>(clocks.maps[1].drift_ppb), 20'000, 200);
    EXPECT_NEAR(static_cast<double>(clocks.maps[2].drift_ppb), -45'000, 200);
    EXPECT_LT(*clocks.maps[2].uncertainty_ns, 20'000);
  }
}

TEST(clock_alignment, ranks_of_one_host_keep_their_clock) {
  made_up_job job{.ranks = 3};
  job.offsets_ns = {0, 1'000'000, -250'000};
  job.epochs_ns = {1'700'000'000'000'000'000, 1'700'000'000'001'000'000, 1'699'999'999'999'750'000};
  const auto clocks = aligned(job.run());
  EXPECT_EQ(clocks.maps[1].source, clock_source::shared_host);
  EXPECT_EQ(clocks.maps[1].offset_ns, 1'000'000);  // exactly: the epochs tell, ends only measure
  EXPECT_EQ(clocks.maps[2].offset_ns, -250'000);
  EXPECT_LE(*clocks.maps[1].uncertainty_ns, 3'000);
}

TEST(clock_alignment, unix_times_of_different_hosts_are_not_believed) {
  made_up_job job{.ranks = 2};
  job.offsets_ns = {0, 4'000'000};
  job.epochs_ns = {1'700'000'000'000'000'000, 1'700'000'000'000'000'000};  // 4 ms off, as NTP leaves them
  const auto clocks = aligned(job.run());
  EXPECT_EQ(clocks.maps[1].source, clock_source::collective_ends);
  expect_recovered(job, clocks, 20'000'000);

  job.offsets_ns = {0, 30'000};
  job.hosts = {"node1", "node2"};
  EXPECT_EQ(aligned(job.run()).maps[1].source, clock_source::collective_ends);
}

// Two ranks of a second host: their Unix times are 4 ms off, but off by the same.
TEST(clock_alignment, ranks_of_another_host_keep_their_common_clock) {
  made_up_job job{.ranks = 4};
  job.hosts = {"one", "one", "two", "two"};
  job.offsets_ns = {0, 50'000, 4'000'000, 4'700'000};
  constexpr nanoseconds epoch = 1'700'000'000'000'000'000;
  job.epochs_ns = {epoch, epoch + 50'000, epoch, epoch + 700'000};
  const auto clocks = aligned(job.run());
  EXPECT_EQ(clocks.maps[1].source, clock_source::shared_host);
  EXPECT_EQ(clocks.maps[2].source, clock_source::collective_ends);
  EXPECT_EQ(clocks.maps[3].source, clock_source::shared_host);
  EXPECT_EQ(clocks.maps[3].to_common(0) - clocks.maps[2].to_common(0), 700'000);  // exactly
  expect_recovered(job, clocks, 20'000'000);
}

// Rank 2 shares collectives with rank 1 alone, which shares others with rank 0.
TEST(clock_alignment, reaches_ranks_over_others_and_adds_their_uncertainty) {
  std::vector<fixtures::scene> scenes(3);
  const nanoseconds offset[] = {0, 500'000'000, 900'000'000};
  for (int k = 0; k < 10; ++k) {
    const auto end = 1'000'000 * (k + 1) + 7'000 * (k % 3);
    for (int r : {0, 1})
      scenes[static_cast<std::size_t>(r)].kernel("ncclAllReduce", end - 50'000 - offset[r],
                                                 50'000 + 2'000 * r * (k % 2));
    for (int r : {1, 2})
      scenes[static_cast<std::size_t>(r)].kernel("ncclAllGather", end + 400'000 - offset[r],
                                                 60'000 + 1'000 * r * (k % 2));
  }
  std::vector<trace> traces;
  for (auto& s : scenes) traces.push_back(s.build());
  const auto clocks = aligned(traces);
  EXPECT_EQ(clocks.maps[2].source, clock_source::collective_ends);
  EXPECT_NEAR(static_cast<double>(clocks.maps[2].to_common(0)), 900'000'000, 3'000);
  EXPECT_GT(*clocks.maps[2].uncertainty_ns, *clocks.maps[1].uncertainty_ns);
}

TEST(clock_alignment, refuses_what_the_clocks_cannot_tell) {
  made_up_job job{.ranks = 2};
  job.offsets_ns = {0, 77'000'000};
  const auto clocks = aligned(job.run());
  const auto between = *clocks.uncertainty_ns(0, 1);
  EXPECT_GT(between, 7'000);
  EXPECT_FALSE(clocks.tells(0, 1, between));
  EXPECT_FALSE(clocks.tells(0, 1, -between));
  EXPECT_TRUE(clocks.tells(0, 1, -between - 1));
  EXPECT_TRUE(clocks.tells(0, 0, 1));
}

TEST(clock_alignment, says_what_nothing_relates) {
  made_up_job job{.ranks = 3, .lonely = 2};
  const auto clocks = aligned(job.run());
  // Both began at their own zero, and nothing says that these are the same.
  EXPECT_EQ(clocks.maps[2].source, clock_source::unrelated);
  EXPECT_FALSE(clocks.maps[2].uncertainty_ns);
  EXPECT_FALSE(clocks.uncertainty_ns());
  EXPECT_FALSE(clocks.tells(0, 2, 1'000'000'000'000));
}

TEST(clock_alignment, with_unix_times_alone_claims_nothing) {
  made_up_job job{.ranks = 2, .lonely = 1};
  job.epochs_ns = {1'700'000'000'000'000'000, 1'700'000'000'250'000'000};
  const auto clocks = aligned(job.run());
  EXPECT_EQ(clocks.maps[1].source, clock_source::epoch);
  EXPECT_EQ(clocks.maps[1].to_common(0), 250'000'000);
  EXPECT_FALSE(clocks.tells(0, 1, 1'000'000'000'000));
  job.hosts = {"one", "one"};
  EXPECT_EQ(aligned(job.run()).maps[1].source, clock_source::shared_host);
}

TEST(clock_map, stays_exact_over_days_of_drift) {
  const clock_map map{.offset_ns = 5, .anchor_ns = 1'000, .drift_ppb = 100'000};
  constexpr nanoseconds day = 86'400'000'000'000;
  EXPECT_EQ(map.to_common(1'000 + 7 * day), 1'000 + 7 * day + 5 + 7 * 8'640'000'000);
  EXPECT_EQ(map.to_common(1'000), 1'005);
}

}  // namespace
}  // namespace ridge::trace
