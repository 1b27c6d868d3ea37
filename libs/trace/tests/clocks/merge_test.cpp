// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <gmock/gmock.h>

#include <ridge/trace/merge.hpp>

#include "made_up_job.hpp"

namespace ridge::trace {
namespace {

merged_view merged(const std::vector<trace>& traces) {
  return merge(traces, align_clocks(traces, match_collectives(traces, communication_names::built_in())));
}

TEST(merge, puts_ranks_on_one_clock) {
  made_up_job job{.ranks = 4};
  job.offsets_ns = {0, 3'000'000'000, -2'000'000'000, 500};
  const auto traces = job.run();
  const auto view = merged(traces);
  ASSERT_EQ(view.sources.size(), 4U);
  EXPECT_TRUE(view.unaligned.empty());
  for (const auto& s : view.sources)
    EXPECT_NEAR(static_cast<double>(s.span.end_ns), static_cast<double>(view.sources[0].span.end_ns), 10'000);
  EXPECT_LT(view.span.length_ns(), 25'000'000);  // the job took 20 ms, whatever the clocks say
  EXPECT_EQ(view.common_ns(1, 5), view.clocks.maps[1].to_common(5));
}

TEST(merge, names_every_track_by_its_rank) {
  fixtures::scene a, b;
  a.kernel("gemm", 0, 10).op("aten::mm", 0, 5);
  a.builder().facts().source.rank = 3;
  b.kernel("gemm", 0, 10).kernel("gemm", 0, 10, 7, {}, {.device = 1});
  b.builder().facts().source.rank = 1;
  std::vector<trace> traces;
  traces.push_back(a.build());
  traces.push_back(b.build());
  const auto view = merged(traces);
  EXPECT_EQ(view.sources[0].label, "rank 1");
  EXPECT_EQ(view.sources[0].trace, 1U);
  std::set<std::string> found;
  for (const auto& t : view.tracks) found.insert(t.name);
  EXPECT_EQ(found, (std::set<std::string>{"rank 1 / device 0 stream 7", "rank 1 / device 1 stream 7",
                                          "rank 3 / stream 7", "rank 3 / thread 1"}));
  EXPECT_EQ(view.tracks.size(), 4U);
}

TEST(merge, labels_are_never_equal) {
  made_up_job job{.ranks = 2};
  auto traces = job.run();
  traces[1].source.rank = 0;
  const auto view = merged(traces);
  EXPECT_EQ(view.sources[0].label, "rank 0");
  EXPECT_EQ(view.sources[1].label, "rank 0 (profile 2)");
}

TEST(merge, says_what_it_could_not_align) {
  made_up_job job{.ranks = 3, .lonely = 1};
  job.offsets_ns = {0, -9'000'000'000'000, 0};
  const auto view = merged(job.run());
  EXPECT_THAT(view.unaligned, ::testing::ElementsAre(1U));
  EXPECT_LT(view.span.length_ns(), 25'000'000);  // its times are not mixed with the others'
}

TEST(merge, of_nothing_is_empty) {
  const auto view = merge({}, {});
  EXPECT_TRUE(view.sources.empty());
  EXPECT_EQ(view.span.length_ns(), 0);
}

}  // namespace
}  // namespace ridge::trace
