// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <initializer_list>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <ridge/trace/critical_path.hpp>
#include <ridge/trace/steps.hpp>

#include "fixtures/data.hpp"
#include "fixtures/reference_reader.hpp"

namespace ridge::trace {
namespace {

constexpr const char* files[]{
    "hta/ns_resolution_trace/rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz",
    "hta/df_index_resolver/df_index_resolver.json.gz",
    "hta/trace_diff/control/control.json.gz",
    "hta/trace_diff/test/test.json.gz",
    "hta/cpu_only/rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz",
    "kineto/samples/resnet50_num_workers_0/worker0.1623143089861.pt.trace.json.gz",
    "kineto/samples/resnet50_num_workers_4/worker0.1623212756351.pt.trace.json.gz",
    "tracelens/h100/facebook_timesformer-base-finetuned-k400__1016002.json.gz",
    "tracelens/mi300/resnet_act_checkpoint.json.gz",
    "tracelens/inference/vllm_decode_graph_execution.json.gz",
};

path_graph graph_of(const trace& t, std::optional<time_range> window = {}) {
  return {t, classes_of(t, communication_names::built_in()), {.window = window}};
}

double share(const critical_path& path, std::initializer_list<path_class> classes) {
  nanoseconds sum = 0;
  for (const auto c : classes) sum += path.total(c);
  return static_cast<double>(sum) / static_cast<double>(path.window.length_ns());
}

void expect_sound(const path_graph& graph) {
  const auto path = graph.path();
  auto at = path.window.start_ns;
  for (const auto& s : path.segments) {
    ASSERT_EQ(s.range.start_ns, at);
    ASSERT_GT(s.range.length_ns(), 0);
    at = s.range.end_ns;
  }
  EXPECT_EQ(at, path.window.end_ns);
  EXPECT_EQ(graph.what_if({}).length_ns, path.window.length_ns());
  for (int c = 0; c < path_class_count; ++c) {
    const path_change free{.piece_class = static_cast<path_class>(c)};
    const auto gain = graph.what_if({&free, 1}).gain_ns;
    EXPECT_GE(gain, 0) << name(*free.piece_class);
    EXPECT_LE(gain, path.total(*free.piece_class)) << name(*free.piece_class);
  }
  const auto slack = graph.slack();
  for (const auto& s : path.segments) {
    if (s.work != none && (s.is == path_class::compute || s.is == path_class::communication)) {
      ASSERT_EQ(slack.works[s.work], 0);
    }
  }
}

class real_trace : public testing::TestWithParam<const char*> {};

TEST_P(real_trace, path_tiles_the_trace_and_each_step) {
  const auto path = fixtures::data_file(std::string("traces/") + GetParam());
  if (path.empty()) GTEST_SKIP() << fixtures::no_data;
  const auto t = fixtures::reference_trace_of(path);
  expect_sound(graph_of(t));
  const auto steps = steps_of(t).windows();
  for (std::size_t i = 0; i < std::min<std::size_t>(steps.size(), 2); ++i)
    expect_sound(graph_of(t, steps[i]));
}

INSTANTIATE_TEST_SUITE_P(files, real_trace, testing::ValuesIn(files));

bool are_there(std::initializer_list<std::string> wanted) {
  return std::ranges::none_of(wanted,
                              [](const auto& file) { return fixtures::data_file("traces/" + file).empty(); });
}

critical_path path_of(const char* file) {
  return graph_of(fixtures::reference_trace_of(fixtures::data_file(std::string("traces/") + file))).path();
}

TEST(critical_path_files, goes_through_the_loader_without_workers_and_not_with_them) {
  if (!are_there({files[5], files[6]})) GTEST_SKIP() << fixtures::no_data;
  EXPECT_GT(share(path_of(files[5]), {path_class::data_loading}), 0.25);
  EXPECT_LT(share(path_of(files[6]), {path_class::data_loading}), 0.02);
}

TEST(critical_path_files, tells_what_binds_traces_that_are_known) {
  if (!are_there({files[0], files[1], files[8]})) GTEST_SKIP() << fixtures::no_data;
  EXPECT_EQ(bound_of(path_of(files[0])).first, path_bound::compute);
  EXPECT_EQ(bound_of(path_of(files[1])).first, path_bound::host);
  EXPECT_EQ(bound_of(path_of(files[8])).first, path_bound::communication);
}

// HTA's path of a step goes from the first to the last of the work that the step launched, when the device is
// behind: the same stretch must be spent alike.
TEST(critical_path_files, spends_a_device_bound_step_as_hta_does) {
  const auto golden = fixtures::data_file("traces/golden/hta/hta_ns_resolution_exact.json");
  if (golden.empty()) GTEST_SKIP() << fixtures::no_data;
  const auto hta = nlohmann::json::parse(std::ifstream(golden)).at("critical_path_ProfilerStep_1");
  const auto t = fixtures::reference_trace_of(fixtures::data_file(std::string("traces/") + files[0]));
  const auto step = steps_of(t).windows().at(1);
  time_range span{INT64_MAX, 0};
  for (const auto& w : t.works) {
    if (w.launch == none || t.events.start_ns[w.launch] < step.start_ns ||
        t.events.start_ns[w.launch] >= step.end_ns)
      continue;
    span = {std::min(span.start_ns, w.start_ns), std::max(span.end_ns, w.end_ns)};
  }
  EXPECT_NEAR(hta.at("total_us").get<double>() * 1000, static_cast<double>(span.length_ns()), 100);
  const auto path = graph_of(t, span).path();
  const auto& percent = hta.at("summary_pct");
  EXPECT_NEAR(percent.at("gpu_compute_bound").get<double>() / 100,
              share(path, {path_class::compute, path_class::copy, path_class::fill}), 0.0005);
  EXPECT_NEAR(percent.at("gpu_kernel_kernel_overhead").get<double>() / 100,
              share(path, {path_class::stream_gap}), 0.0005);
}

}  // namespace
}  // namespace ridge::trace
