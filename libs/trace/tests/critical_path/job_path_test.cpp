// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/job_path.hpp>

#include <gtest/gtest.h>

#include "made_up_job.hpp"

namespace ridge::trace {
namespace {

const auto job_names = communication_names::built_in();

job_path path_of_job(const std::vector<trace>& traces) {
  std::vector<std::vector<work_class>> classes;
  for (const auto& t : traces) classes.push_back(classes_of(t, job_names));
  const auto matched = match_collectives(traces, job_names);
  return job_path_of(traces, classes, matched, align_clocks(traces, matched));
}

void expect_tiles(const job_path& path) {
  auto at = path.window.start_ns;
  nanoseconds by_class = 0, by_trace = 0;
  for (const auto& s : path.segments) {
    EXPECT_EQ(s.range.start_ns, at);
    EXPECT_LT(s.range.start_ns, s.range.end_ns);
    at = s.range.end_ns;
  }
  EXPECT_EQ(at, path.window.end_ns);
  for (const auto ns : path.by_class) by_class += ns;
  for (const auto& rank : path.by_trace)
    for (const auto ns : rank) by_trace += ns;
  EXPECT_EQ(by_class, path.window.length_ns());
  EXPECT_EQ(by_trace, path.window.length_ns());
}

nanoseconds compute_of_rank(const job_path& path, std::size_t rank) {
  return path.by_trace[rank][static_cast<std::size_t>(path_class::compute)];
}

TEST(job_path, runs_through_the_rank_that_the_others_wait_for) {
  made_up_job job{.ranks = 4, .slower_ns = {0, 0, 150'000, 0}};
  const auto path = path_of_job(job.run());
  expect_tiles(path);
  // 40 steps of 550 us of compute, nearly all of it on the slow rank, and a transfer of 60 us.
  EXPECT_GT(compute_of_rank(path, 2), 38 * 550'000);
  EXPECT_LT(compute_of_rank(path, 0), 2 * 550'000);
  EXPECT_NEAR(static_cast<double>(path.by_class[static_cast<std::size_t>(path_class::communication)]),
              40 * 60'000, 40 * 8'000);
}

TEST(job_path, changes_ranks_where_the_slow_one_changes) {
  made_up_job first{.ranks = 3, .steps = 20, .noise_ns = 60'000};
  const auto path = path_of_job(first.run());
  expect_tiles(path);
  EXPECT_GT(path.crossings, 5U);
  for (std::size_t rank = 0; rank < 3; ++rank) EXPECT_GT(compute_of_rank(path, rank), 0);
}

TEST(job_path, stands_on_one_clock) {
  made_up_job job{.ranks = 4,
                  .slower_ns = {0, 120'000, 0, 0},
                  .offsets_ns = {0, 7'000'000, -3'000'000, 11},
                  .drifts_ppb = {0, 0, 20'000, 0}};
  const auto path = path_of_job(job.run());
  expect_tiles(path);
  EXPECT_GT(compute_of_rank(path, 1), 38 * 520'000);
}

void exchange(fixtures::scene& s, std::string_view operation, std::int64_t sequence, time_range when) {
  const auto row = s.builder().add(collective{.in_elements = 1 << 20,
                                              .out_elements = 1 << 20,
                                              .sequence = sequence,
                                              .operation = s.name(operation),
                                              .dtype = s.name("BFloat16"),
                                              .group = s.name("1"),
                                              .group_size = 2});
  s.kernel("ncclDevKernel_SendRecv(ncclDevKernelArgs)", when.start_ns, when.length_ns(), 9, {},
           {.collective = row});
}

// The first rank of a pipeline computes for 400 us and sends; the second one waits for what it receives and
// computes for 100 us.
std::vector<trace> pipeline(int rounds) {
  std::vector<fixtures::scene> ranks(2);
  nanoseconds at = 0;
  for (int i = 0; i < rounds; ++i, at += 470'000) {
    ranks[0].kernel("gemm", at, 400'000, 7);
    exchange(ranks[0], "send", i, {at + 400'000, at + 460'000});
    exchange(ranks[1], "recv", i, {at + (i == 0 ? 0 : 110'000), at + 460'000});
    ranks[1].kernel("gemm", at + 465'000, 100'000, 7);
  }
  std::vector<trace> traces;
  for (std::size_t r = 0; r < 2; ++r) {
    auto& facts = ranks[r].builder().facts();
    facts.source.rank = static_cast<int>(r);
    facts.source.host = "node";
    facts.epoch_ns = 1;
    traces.push_back(ranks[r].build());
  }
  return traces;
}

TEST(job_path, goes_from_what_is_received_to_the_rank_that_sent_it) {
  const auto path = path_of_job(pipeline(10));
  expect_tiles(path);
  EXPECT_TRUE(path.left_out.empty());
  EXPECT_EQ(path.crossings, 1U);
  EXPECT_NEAR(static_cast<double>(compute_of_rank(path, 0)), 10 * 400'000, 10'000);
  EXPECT_NEAR(static_cast<double>(compute_of_rank(path, 1)), 100'000, 10'000);
  EXPECT_EQ(path.segments.front().trace, 0U);
  EXPECT_EQ(path.segments.back().trace, 1U);
}

TEST(job_path, of_one_rank_is_its_own) {
  made_up_job job{.ranks = 1};
  const auto traces = job.run();
  const auto path = path_of_job(traces);
  expect_tiles(path);
  EXPECT_EQ(path.crossings, 0U);
  const auto own = path_graph(traces[0], classes_of(traces[0], job_names)).path();
  EXPECT_EQ(path.by_class, own.by_class);
}

}  // namespace
}  // namespace ridge::trace
