// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/rank_survey.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <ridge/trace/communication.hpp>

#include "made_up_job.hpp"

namespace ridge::trace {
namespace {

const auto survey_names = communication_names::built_in();

survey_report survey_of(std::vector<trace> traces, int ranks_per_node = 0) {
  rank_survey survey({.names = survey_names, .ranks_per_node = ranks_per_node});
  for (auto& t : traces) {
    survey.take(t, {.steps = 40});
    t = {};  // closed: the survey needs it no more
  }
  return survey.report();
}

made_up_job job_with_a_slow_rank(std::size_t slow) {
  made_up_job job{.slower_ns = std::vector<nanoseconds>(8)};
  job.slower_ns[slow] = 150'000;
  return job;
}

TEST(rank_survey, tells_the_waiting_that_traces_held_together_tell) {
  auto job = job_with_a_slow_rank(5);
  auto traces = job.run();
  std::swap(traces[1], traces[6]);  // ranks come in any order
  const auto together = communication_of(traces, survey_names);
  const auto survey = survey_of(std::move(traces));
  ASSERT_EQ(survey.ranks.size(), 8U);
  ASSERT_TRUE(survey.tells_waiting);
  EXPECT_EQ(survey.waited_ns, together.waiting->total());
  EXPECT_EQ(survey.instances, together.matched.instances.size());
  for (std::uint32_t i = 0; i < 8; ++i) {
    const auto rank = static_cast<std::size_t>(together.matched.participants[i].rank);
    EXPECT_EQ(survey.ranks[rank].member.who.label, fmt::format("rank {}", rank));
    EXPECT_EQ(survey.ranks[rank].waited_ns, together.ranks[i].wait_ns);
    EXPECT_EQ(survey.ranks[rank].kept_others_ns, together.waiting->caused_by(i));
  }
  nanoseconds of_pairs = 0;
  for (const auto& pair : survey.pairs) {
    of_pairs += pair.waited_ns;
    const auto at = [&](std::uint32_t rank) {
      return static_cast<std::uint32_t>(
          std::ranges::find(together.matched.participants, static_cast<int>(rank), &participant::rank) -
          together.matched.participants.begin());
    };
    EXPECT_EQ(pair.waited_ns, together.waiting->caused(at(pair.causer), at(pair.sufferer)));
  }
  EXPECT_EQ(of_pairs, survey.waited_ns);
}

TEST(rank_survey, names_the_rank_that_is_slow_and_where) {
  auto job = job_with_a_slow_rank(3);
  const auto survey = survey_of(job.run());
  ASSERT_TRUE(survey.fleet.slowest);
  EXPECT_EQ(survey.fleet.slowest->member, 3U);
  EXPECT_EQ(survey.fleet.slowest->state, fleet_measure::compute);
  EXPECT_EQ(survey.pairs.front().causer, 3U);
}

TEST(rank_survey, divides_collectives_by_the_nodes_of_their_ranks) {
  made_up_job job{.ranks = 4, .hosts = {"a", "a", "b", "b"}};
  const auto hosts = survey_of(job.run());
  const auto& between = hosts.reaches.at(static_cast<std::size_t>(node_reach::between));
  EXPECT_EQ(between.instances, 40U);
  EXPECT_EQ(between.parts, 160U);
  EXPECT_EQ(between.waited_ns, hosts.waited_ns);
  EXPECT_GT(hosts.ranks[0].between_ns, 0);
  EXPECT_EQ(hosts.ranks[0].inside_ns, 0);

  made_up_job same{.ranks = 4};
  const auto one_node = survey_of(same.run(), 4);
  EXPECT_EQ(one_node.reaches.at(static_cast<std::size_t>(node_reach::inside)).instances, 40U);
  EXPECT_EQ(one_node.ranks[3].node, "node 0");
  made_up_job untold{.ranks = 4};
  const auto unknown = survey_of(untold.run());
  EXPECT_EQ(unknown.reaches.at(static_cast<std::size_t>(node_reach::unknown)).instances, 40U);
}

TEST(rank_survey, counts_traces_without_a_kernel_and_ranks_that_share_nothing) {
  rank_survey survey;
  auto idle = fixtures::scene().op("aten::mm", 0, 10).build();
  idle.source.path = "host.json";
  auto alone = fixtures::scene().kernel("gemm", 0, 10).build();
  survey.take(idle, {});
  survey.take(alone, {});
  EXPECT_EQ(survey.size(), 2U);
  const auto report = survey.report();
  EXPECT_THAT(report.without_device, testing::ElementsAre("host.json"));
  ASSERT_EQ(report.ranks.size(), 1U);
  EXPECT_FALSE(report.tells_waiting);
  EXPECT_FALSE(report.ranks[0].waited_ns);
  EXPECT_TRUE(report.pairs.empty());
}

}  // namespace
}  // namespace ridge::trace
