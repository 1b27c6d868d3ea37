// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fixtures/reference_reader.hpp>
#include <fixtures/scene.hpp>
#include <ridge/trace_report/perfetto.hpp>

namespace ridge::trace_report {
namespace {

using nlohmann::json;
using trace::fixtures::scene;

struct page {
  std::string text{};
  perfetto_counts counts{};
};

page perfetto_page_of(std::vector<placed_trace> traces, std::vector<marker> findings = {}) {
  page made;
  made.counts = write_perfetto(traces, findings, [&](std::string_view piece) { made.text += piece; });
  return made;
}

TEST(perfetto, writes_every_event_with_exact_times_and_reads_back_the_same) {
  const auto t = scene()
                     .op("aten::\"mm\"\n", 1'000'000'000'000'001, 50)
                     .kernel("gemm", 1'000'000'000'000'100, 30, 7,
                             {.call_ns = 1'000'000'000'000'010, .call_length_ns = 5})
                     .build();
  const auto made = perfetto_page_of({{.source = &t}});
  EXPECT_EQ(made.counts.events, 3u);
  EXPECT_EQ(made.counts.arrows, 1u);
  const auto again = trace::fixtures::reference_trace(made.text);
  EXPECT_EQ(again.events.size(), 3u);
  std::vector<trace::nanoseconds> starts(again.events.start_ns.begin(), again.events.start_ns.end());
  EXPECT_THAT(starts, testing::UnorderedElementsAre(1'000'000'000'000'001, 1'000'000'000'000'010,
                                                    1'000'000'000'000'100));
}

TEST(perfetto, gives_events_that_overlap_without_nesting_a_lane_of_their_own) {
  const auto t =
      scene().kernel("first", 0, 120).kernel("dependent", 100, 100).kernel("after", 300, 10).build();
  const auto made = perfetto_page_of({{.source = &t}});
  EXPECT_EQ(made.counts.events, 3u);
  EXPECT_EQ(made.counts.moved, 1u);
  std::map<std::string, std::uint64_t> threads;
  const auto written = json::parse(made.text);
  for (const auto& e : written["traceEvents"]) {
    if (e["ph"] == "X") threads[e["name"]] = e["tid"];
  }
  EXPECT_EQ(threads["first"], threads["after"]);
  EXPECT_NE(threads["first"], threads["dependent"]);
}

TEST(perfetto, moves_clocks_and_keeps_the_processes_of_two_ranks_apart) {
  const auto a = scene().kernel("k", 100, 10).build(), b = scene().kernel("k", 100, 10).build();
  const auto made = perfetto_page_of(
      {{.source = &a, .label = "rank 0"}, {.source = &b, .clock = {.offset_ns = -40}, .label = "rank 1"}},
      {{.start_ns = 0, .end_ns = 50, .name = "I1", .text = "idle"}});
  std::vector<std::pair<std::uint64_t, double>> work;
  int findings = 0;
  const auto written = json::parse(made.text);
  for (const auto& e : written["traceEvents"]) {
    if (e["ph"] == "X" && e["cat"] == "kernel") work.emplace_back(e["pid"], e["ts"]);
    if (e.value("cat", "") == "finding") ++findings;
  }
  ASSERT_EQ(work.size(), 2u);
  EXPECT_NE(work[0].first, work[1].first);
  EXPECT_DOUBLE_EQ(work[0].second - work[1].second, 0.040);
  EXPECT_EQ(findings, 1);
}

}  // namespace
}  // namespace ridge::trace_report
