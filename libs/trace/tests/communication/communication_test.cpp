// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ridge/trace/communication.hpp>

#include "made_up_job.hpp"

namespace ridge::trace {
namespace {

const auto known_names = communication_names::built_in();

// A kernel with all that NCCL and the framework tell of it.
struct recorded_collective {
  std::string_view operation = "allreduce";
  std::string_view group = "0";
  std::int64_t sequence = -1;
  std::int64_t elements = -1;
  std::uint32_t group_size = 2;
  std::string_view kernel = "ncclDevKernel_Generic";
};

void add_collective(fixtures::scene& scene, const recorded_collective& t, nanoseconds start,
                    nanoseconds length, std::int32_t stream = 9) {
  const auto row = scene.builder().add(collective{.in_elements = t.elements,
                                                  .out_elements = t.elements,
                                                  .sequence = t.sequence,
                                                  .operation = scene.name(t.operation),
                                                  .dtype = scene.name("BFloat16"),
                                                  .group = scene.name(t.group),
                                                  .group_size = t.group_size});
  scene.kernel(t.kernel, start, length, stream, {}, {.collective = row});
}

std::vector<trace> built(std::vector<fixtures::scene>& scenes) {
  std::vector<trace> traces;
  for (auto& s : scenes) {
    s.builder().facts().source.rank = static_cast<int>(traces.size());
    traces.push_back(s.build());
  }
  return traces;
}

TEST(communication, two_ranks_by_hand) {
  std::vector<fixtures::scene> scenes(2);
  add_collective(scenes[0], {.sequence = 1, .elements = 50'000}, 1'000, 9'000);  // waits for 8 us
  add_collective(scenes[1], {.sequence = 1, .elements = 50'000}, 9'000, 1'000);
  scenes[0].kernel("gemm", 2'000, 3'000);
  const auto traces = built(scenes);
  const auto r = communication_of(traces, known_names);

  ASSERT_EQ(r.matched.instances.size(), 1U);
  const auto& i = r.matched.instances[0];
  EXPECT_EQ(i.kind, collective_kind::all_reduce);
  EXPECT_EQ(i.matched, matched_by::sequence);
  EXPECT_EQ(i.bytes, 100'000);
  EXPECT_EQ(i.complete(), true);
  const auto& t = r.times[0];
  EXPECT_EQ(t.transfer_ns, 1'000);
  EXPECT_EQ(t.total_wait_ns, 8'000);
  EXPECT_EQ(t.latest, 1U);
  EXPECT_DOUBLE_EQ(*t.algorithm_rate, 1e11);
  EXPECT_DOUBLE_EQ(*t.bus_rate, 1e11);  // 2 (2-1) / 2 = 1
  EXPECT_EQ(t.parts[0].exposed_ns, 6'000);
  EXPECT_EQ(t.parts[0].wait_ns, 8'000);
  EXPECT_EQ(t.parts[1].wait_ns, 0);
  EXPECT_FALSE(t.start_skew_ns);  // no clocks were given
  EXPECT_EQ(r.waiting->caused(1, 0), 8'000);
  EXPECT_EQ(r.waiting->caused(0, 1), 0);
  EXPECT_DOUBLE_EQ(*r.wait_share(), 0.8);
  EXPECT_DOUBLE_EQ(*r.ranks[0].overlap_percent(), 100.0 / 3);

  ASSERT_EQ(r.operations.size(), 1U);
  const auto& row = r.operations[0];
  EXPECT_EQ(row.operation, "allreduce");
  EXPECT_EQ(row.total_ns, 10'000);
  EXPECT_EQ(row.exposed_ns, 7'000);
  EXPECT_EQ(row.transfer_ns, 1'000);
  EXPECT_DOUBLE_EQ(*row.rate_with_waiting, 2e10);  // 2 x 100 kB in 10 us
  EXPECT_EQ(r.sizes[0].instances, 0U);
  EXPECT_EQ(r.sizes[1].instances, 1U);  // 64 KiB .. 1 MiB
  EXPECT_EQ(r.sizes[1].total_ns, 10'000);
}

TEST(communication, the_planted_straggler_is_the_culprit) {
  for (int slow = 0; slow < 8; ++slow) {
    made_up_job job{.slower_ns = std::vector<nanoseconds>(8), .draw = std::mt19937_64(7)};
    job.slower_ns[static_cast<std::size_t>(slow)] = 200'000;
    job.offsets_ns = {0,         5'000'000'000, -3, 77,
                      1'000'000, -40'000'000,   9,  1};  // clocks say nothing of waiting
    const auto traces = job.run();
    const auto r = communication_of(traces, known_names);
    ASSERT_TRUE(r.waiting->worst());
    EXPECT_EQ(r.waiting->worst()->participant, static_cast<std::uint32_t>(slow));
    EXPECT_GT(r.waiting->worst()->share, 0.99);
    EXPECT_GE(r.waiting->worst()->caused_ns, 40 * 7 * 190'000);
    EXPECT_EQ(r.waiting->suffered_by(static_cast<std::uint32_t>(slow)) < 40 * 4'000, true);
  }
}

TEST(communication, waiting_adds_up_however_it_is_summed) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    made_up_job job{.ranks = 5, .steps = 20, .noise_ns = 300'000, .draw = std::mt19937_64(seed)};
    const auto traces = job.run();
    const auto r =
        communication_of(traces, known_names, align_clocks(traces, match_collectives(traces, known_names)));
    nanoseconds by_instance = 0, by_rank = 0, by_causer = 0, by_row = 0;
    for (const auto& t : r.times) by_instance += t.total_wait_ns.value();
    for (const auto& rank : r.ranks) by_rank += rank.wait_ns.value();
    for (std::uint32_t c = 0; c < 5; ++c) by_causer += r.waiting->caused_by(c);
    for (const auto& row : r.operations) by_row += row.wait_ns.value();
    EXPECT_EQ(by_instance, r.waiting->total());
    EXPECT_EQ(by_rank, by_instance);
    EXPECT_EQ(by_causer, by_instance);
    EXPECT_EQ(by_row, by_instance);
    EXPECT_EQ(r.implausible, 0U);
    for (const auto& rank : r.ranks) EXPECT_EQ(rank.busy_ns, rank.exposed_ns + rank.overlapped_ns);
  }
}

TEST(communication, one_rank_does_not_tell_waiting) {
  made_up_job job{.ranks = 1};
  const auto r = communication_of(job.run(), known_names);
  EXPECT_EQ(r.matched.instances.size(), 40U);
  EXPECT_FALSE(r.several_ranks);
  EXPECT_FALSE(r.waiting);
  EXPECT_FALSE(r.wait_share());
  EXPECT_FALSE(r.times[0].transfer_ns);
  EXPECT_FALSE(r.operations[0].wait_ns);
  EXPECT_GT(r.ranks[0].exposed_ns, 0);
  EXPECT_EQ(r.matched.unmatched, 0U);
}

TEST(communication, skews_need_clocks_that_are_known) {
  std::vector<fixtures::scene> scenes(2);
  for (int k = 0; k < 4; ++k) {
    scenes[0].kernel("ncclAllReduce", 100'000 * k, 50'000);
    scenes[1].kernel("ncclAllReduce", 100'000 * k + 20'000, 31'000);  // by the same clock
  }
  const auto traces = built(scenes);
  const auto r =
      communication_of(traces, known_names, align_clocks(traces, match_collectives(traces, known_names)));
  EXPECT_EQ(r.times[0].start_skew_ns, 20'000);
  EXPECT_EQ(r.times[0].end_skew_ns, 1'000);
  EXPECT_EQ(r.times[0].skew_uncertainty_ns, 1'000);
}

TEST(communication, collectives_that_do_not_meet_are_implausible) {
  std::vector<fixtures::scene> scenes(2);
  scenes[0].kernel("ncclAllReduce", 0, 10'000);
  scenes[1].kernel("ncclAllReduce", 50'000, 10'000);
  const auto traces = built(scenes);
  clock_alignment one_clock;
  one_clock.maps = {{.uncertainty_ns = 0}, {.uncertainty_ns = 30'000}};
  EXPECT_EQ(communication_of(traces, known_names, one_clock).implausible, 1U);
  one_clock.maps[1].uncertainty_ns = 40'000;  // the clocks may be off by the gap
  EXPECT_EQ(communication_of(traces, known_names, one_clock).implausible, 0U);
}

TEST(communication, counts_collectives_that_lack_ranks) {
  std::vector<fixtures::scene> scenes(2);
  for (auto& s : scenes) add_collective(s, {.sequence = 1, .group_size = 8}, 0, 1'000);
  add_collective(scenes[0], {.sequence = 2}, 5'000, 1'000);
  add_collective(scenes[1], {.sequence = 2}, 5'000, 1'000);
  EXPECT_EQ(communication_of(built(scenes), known_names).incomplete, 1U);
}

TEST(communication, says_how_much_rests_on_doubtful_names) {
  fixtures::scene s;
  s.kernel("ncclAllReduce", 0, 100, 1).kernel("fused_allreduce_rmsnorm", 50, 100, 2);
  const auto t = s.build();
  const auto r = communication_of({&t, 1}, known_names);
  EXPECT_EQ(r.ranks[0].busy_ns, 150);
  EXPECT_EQ(r.ranks[0].heuristic_ns, 50);
}

TEST(communication, busbw_counts_what_the_wires_carry) {
  EXPECT_DOUBLE_EQ(busbw_factor(collective_kind::all_reduce, 8), 1.75);
  EXPECT_DOUBLE_EQ(busbw_factor(collective_kind::all_gather, 8), 0.875);
  EXPECT_DOUBLE_EQ(busbw_factor(collective_kind::reduce_scatter, 4), 0.75);
  EXPECT_DOUBLE_EQ(busbw_factor(collective_kind::all_to_all, 2), 0.5);
  EXPECT_DOUBLE_EQ(busbw_factor(collective_kind::broadcast, 8), 1);
  EXPECT_DOUBLE_EQ(busbw_factor(collective_kind::all_reduce, 1), 1);
}

}  // namespace
}  // namespace ridge::trace
