// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ridge/trace/flame.hpp>
#include <ridge/trace/flame_text.hpp>

#include "fixtures/data.hpp"
#include "fixtures/reference_reader.hpp"

namespace ridge::trace {
namespace {

class flame_files : public testing::TestWithParam<const char*> {};

TEST_P(flame_files, lose_no_time) {
  const auto path = fixtures::data_file(std::string("traces/") + GetParam());
  if (path.empty()) GTEST_SKIP() << fixtures::no_data;
  const auto t = fixtures::reference_trace_of(path);
  nanoseconds device = 0;
  for (const auto& w : t.works) device += w.duration_ns();
  const auto by_launch = flame_of_device(t);
  EXPECT_EQ(by_launch.total(), device);
  // A thread's flame covers the union of its events.
  std::map<std::pair<std::uint32_t, std::int64_t>, std::vector<time_range>> threads;
  for (event_id e = 0; e < t.events.size(); ++e) {
    const auto& track = t.tracks[t.events.track[e]];
    const auto c = t.events.kind[e];
    const bool host = c == category::api || c == category::op || c == category::annotation ||
                      c == category::python || c == category::overhead || c == category::os_call;
    if (host && (track.kind == track_kind::thread || track.kind == track_kind::python))
      threads[{track.process, track.thread}].push_back({t.events.start_ns[e], t.events.end_ns(e)});
  }
  nanoseconds covered = 0;
  for (const auto& [thread, ranges] : threads) covered += interval_set(ranges).length_ns();
  const auto host = flame_of_host(t);
  EXPECT_EQ(host.total(), covered);
  EXPECT_EQ(flame_of_collapsed(collapsed(host)).total(), covered);
}

INSTANTIATE_TEST_SUITE_P(
    files, flame_files,
    testing::Values("hta/ns_resolution_trace/rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz",
                    "hta/trace_diff/control/control.json.gz",
                    "tracelens/h100/facebook_timesformer-base-finetuned-k400__1016002.json.gz",
                    "tracelens/mi300/resnet_act_checkpoint.json.gz"));

TEST(flame_files, put_device_work_below_its_operator) {
  const auto path =
      fixtures::data_file("traces/tracelens/h100/gaunernst_bert-small-uncased__1016001.json.gz");
  if (path.empty()) GTEST_SKIP() << fixtures::no_data;
  const auto tree = flame_of_device(fixtures::reference_trace_of(path));
  const auto gemm = std::ranges::find_if(
      tree.nodes, [](const flame_node& n) { return n.self > 0 && n.name.find("gemm") != std::string::npos; });
  ASSERT_NE(gemm, tree.nodes.end());
  EXPECT_THAT(tree.nodes[gemm->parent].name, testing::StartsWith("aten::"));
}

}  // namespace
}  // namespace ridge::trace
