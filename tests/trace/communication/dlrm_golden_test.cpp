// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <fstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <ridge/trace/communication.hpp>
#include <ridge/trace/importer.hpp>
#include <ridge/trace/merge.hpp>
#include <ridge/trace/open.hpp>

#include "fixtures/backend_importers.hpp"
#include "fixtures/data.hpp"

namespace ridge::trace {
namespace {

using json = nlohmann::json;

std::vector<trace> eight_ranks() {
  const std::array<const importer*, 1> importers{&backends::trace_chrome_json::chrome_json()};
  auto opened = open(fixtures::data_file("traces/param/dlrm_kineto.tar.gz"), importers, {.cache = false});
  return std::move(opened).value().traces;
}

class dlrm : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto figures = fixtures::data_file("traces/golden/param_dlrm_8rank_collectives.json");
    if (figures.empty()) GTEST_SKIP() << fixtures::no_data;
    golden_figures = json::parse(std::ifstream(figures));
    all_ranks = eight_ranks();
    ASSERT_EQ(all_ranks.size(), 8U);
    const auto names = communication_names::built_in();
    rank_clocks = align_clocks(all_ranks, match_collectives(all_ranks, names));
    found_report = communication_of(all_ranks, names, rank_clocks);
  }

  static nanoseconds us(const json& figure) { return 1000 * figure.get<std::int64_t>(); }

  json golden_figures{};
  std::vector<trace> all_ranks{};
  clock_alignment rank_clocks{};
  communication_report found_report{};
};

TEST_F(dlrm, every_collective_is_as_the_golden_figures_say) {
  const auto& wanted = golden_figures.at("collectives");
  const auto& found = found_report.matched.instances;
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    SCOPED_TRACE("collective " + std::to_string(i));
    const auto& figures = wanted[i];
    const auto& t = found_report.times[i];
    ASSERT_EQ(found[i].parts.size(), 8U);
    for (std::size_t k = 0; k < 8; ++k) {
      const auto rank = std::to_string(found_report.matched.participants[found[i].parts[k].participant].rank);
      EXPECT_EQ(found[i].parts[k].duration_ns(), us(figures.at("dur_us").at(rank)));
      EXPECT_EQ(t.parts[k].wait_ns, us(figures.at("wait_us").at(rank)));
    }
    EXPECT_EQ(t.transfer_ns, us(figures.at("min_dur_us")));
    EXPECT_EQ(t.total_wait_ns, us(figures.at("total_wait_us")));
    EXPECT_EQ(t.latest, figures.at("straggler_by_min_dur").get<std::uint32_t>());
    EXPECT_EQ(t.start_skew_ns, us(figures.at("start_skew_us")));
    EXPECT_EQ(t.end_skew_ns, us(figures.at("end_skew_us")));
  }
}

TEST_F(dlrm, rank_7_caused_35_of_47_ms_of_waiting) {
  ASSERT_TRUE(found_report.waiting);
  const auto& waiting = *found_report.waiting;
  for (std::uint32_t r = 0; r < 8; ++r) {
    const auto rank = std::to_string(r);
    EXPECT_EQ(waiting.suffered_by(r), us(golden_figures.at("wait_us_by_rank").at(rank)));
    EXPECT_EQ(waiting.caused_by(r), us(golden_figures.at("wait_caused_us_by_straggler").at(rank)));
    EXPECT_EQ(found_report.ranks[r].wait_ns, waiting.suffered_by(r));
  }
  EXPECT_EQ(waiting.total(), 46'806'000);
  ASSERT_TRUE(waiting.worst());
  EXPECT_EQ(found_report.matched.participants[waiting.worst()->participant].rank, 7);
  EXPECT_EQ(waiting.worst()->caused_ns, 35'543'000);
  EXPECT_NEAR(waiting.worst()->share, 0.759, 0.001);
}

// The host's ranges around the launches tell what kernels that send and receive are for.
TEST_F(dlrm, tells_all_to_alls_from_all_reduces) {
  const auto of_kind = [&](collective_kind k) {
    return std::ranges::count(found_report.matched.instances, k, &collective_instance::kind);
  };
  EXPECT_EQ(of_kind(collective_kind::all_to_all), 5);
  EXPECT_EQ(of_kind(collective_kind::all_reduce), 3);
  EXPECT_EQ(found_report.matched.unmatched, 0U);
  EXPECT_EQ(found_report.implausible, 0U);
}

TEST_F(dlrm, ranks_share_a_clock_to_within_the_spread_of_ends) {
  for (std::uint32_t r = 1; r < 8; ++r) {
    EXPECT_EQ(rank_clocks.maps[r].source, clock_source::shared_host);
    EXPECT_LE(rank_clocks.maps[r].uncertainty_ns, 7'000);
    EXPECT_EQ(rank_clocks.maps[r].to_common(5), 5);
    EXPECT_TRUE(rank_clocks.tells(0, r, 7'001));
  }
  EXPECT_FALSE(rank_clocks.tells(0, 7, 500));
}

TEST_F(dlrm, parts_of_communication_add_up) {
  for (const auto& r : found_report.ranks) {
    EXPECT_EQ(r.busy_ns, r.exposed_ns + r.overlapped_ns);
    EXPECT_GT(r.busy_ns, 0);
    EXPECT_LT(r.overlap_percent().value_or(100), 10);  // little of this job's communication is hidden
    EXPECT_EQ(r.heuristic_ns, 0);
  }
}

TEST_F(dlrm, one_rank_alone_tells_no_waiting) {
  const auto one = communication_of({all_ranks.data(), 1}, communication_names::built_in());
  EXPECT_EQ(one.matched.instances.size(), 8U);
  EXPECT_FALSE(one.waiting);
  EXPECT_FALSE(one.wait_share());
  EXPECT_EQ(one.ranks.at(0).busy_ns, found_report.ranks.at(0).busy_ns);
  EXPECT_FALSE(one.operations.at(0).wait_ns);
}

TEST_F(dlrm, merged_view_names_all_ranks) {
  const auto view = merge(all_ranks, rank_clocks);
  ASSERT_EQ(view.sources.size(), 8U);
  EXPECT_EQ(view.sources[7].label, "rank 7");
  EXPECT_TRUE(view.unaligned.empty());
}

}  // namespace
}  // namespace ridge::trace
