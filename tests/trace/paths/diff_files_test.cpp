// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <map>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <ridge/trace/count_changes.hpp>
#include <ridge/trace/steps.hpp>
#include <ridge/trace/trace_diff.hpp>

#include "fixtures/data.hpp"
#include "fixtures/reference_reader.hpp"

namespace ridge::trace {
namespace {

using nlohmann::json;

struct side {
  std::string path;
  trace source = fixtures::reference_trace_of(path);
  std::vector<work_class> classes = classes_of(source, communication_names::built_in());
  std::vector<time_range> steps = steps_of(source).windows();
  [[nodiscard]] diff_side whole() const { return {.source = &source, .classes = classes}; }
  op_tree ops = op_tree_of(source);
  scope_tree modules = scopes_of(source, ops, scope_kind::modules);
  [[nodiscard]] diff_side by_step() const { return {.source = &source, .classes = classes, .steps = steps}; }
  [[nodiscard]] diff_side all() const {
    return {.source = &source,
            .classes = classes,
            .all_devices = true,
            .ops = &ops,
            .modules = &modules,
            .steps = steps};
  }
};

std::string file(const std::string& name) { return fixtures::data_file("traces/" + name); }

void expect_adds_up(const trace_diff& d) {
  diff_time sum{};
  for (const auto& r : d.rows) {
    sum = {sum.before_ns + r.time.before_ns, sum.after_ns + r.time.after_ns};
    EXPECT_EQ(r.calls_ns + r.speed_ns, r.time.delta_ns()) << r.name;
  }
  EXPECT_EQ(sum.before_ns, d.total.before_ns);
  EXPECT_EQ(sum.after_ns, d.total.after_ns);
  EXPECT_EQ(d.remainder_ns, 0);
}

class pair_of_traces : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(pair_of_traces, causes_add_up_to_the_nanosecond) {
  const auto before_path = file(GetParam().first), after_path = file(GetParam().second);
  if (before_path.empty() || after_path.empty()) GTEST_SKIP() << fixtures::no_data;
  const side before{before_path}, after{after_path};
  expect_adds_up(diff_of(before.whole(), after.whole()));
  expect_adds_up(diff_of(before.by_step(), after.by_step()));
  expect_adds_up(diff_of(after.by_step(), before.whole()));
  const auto all = diff_of(before.all(), after.all());
  expect_adds_up(all);
  diff_time tree{};
  for (const auto& node : all.tree)
    tree = {tree.before_ns + node.own.before_ns, tree.after_ns + node.own.after_ns};
  EXPECT_EQ(tree.before_ns, all.total.before_ns);
  EXPECT_EQ(tree.after_ns, all.total.after_ns);
}

// How often each name of device work, or of operators, stands in the document itself.
std::map<std::string, std::int64_t> plain_counts(const std::string& path, counted kind) {
  std::map<std::string, std::int64_t> counts;
  const auto document = json::parse(fixtures::text_of(path));
  for (const auto& e : document.at("traceEvents")) {
    if (!e.contains("cat") || e.value("ph", "") != "X") continue;
    const auto cat = e.at("cat").get<std::string>();
    const bool work = cat == "kernel" || cat == "Kernel" || cat == "gpu_memcpy" || cat == "Memcpy" ||
                      cat == "gpu_memset" || cat == "Memset";
    if (kind == counted::device_work ? work : cat == "cpu_op" || cat == "Operator")
      ++counts[e.at("name").get<std::string>()];
  }
  return counts;
}

TEST_P(pair_of_traces, counts_equal_a_plain_count_of_names) {
  const auto before_path = file(GetParam().first), after_path = file(GetParam().second);
  if (before_path.empty() || after_path.empty()) GTEST_SKIP() << fixtures::no_data;
  const side before{before_path}, after{after_path};
  for (const auto what : {counted::device_work, counted::ops}) {
    auto old = plain_counts(before_path, what), fresh = plain_counts(after_path, what);
    const auto changes = count_changes(before.whole(), after.whole(), what);
    for (const auto& c : changes) {
      EXPECT_EQ(c.count.before, old[c.name]) << c.name;
      EXPECT_EQ(c.count.after, fresh[c.name]) << c.name;
    }
    for (const auto& [name, n] : fresh) old.try_emplace(name, 0);
    EXPECT_EQ(changes.size(), old.size());
  }
}

INSTANTIATE_TEST_SUITE_P(
    files, pair_of_traces,
    testing::Values(std::pair{"hta/trace_diff/control/control.json.gz", "hta/trace_diff/test/test.json.gz"},
                    std::pair{"kineto/samples/resnet50_num_workers_0/worker0.1623143089861.pt.trace.json.gz",
                              "kineto/samples/resnet50_num_workers_4/worker0.1623212756351.pt.trace.json.gz"},
                    std::pair{"tracelens/labelled/test01_moe_fused_vs_unfused/trace1.json",
                              "tracelens/labelled/test01_moe_fused_vs_unfused/trace2.json"},
                    std::pair{"tracelens/labelled/test04_gemm_mm_vs_linear/trace1.json",
                              "tracelens/labelled/test04_gemm_mm_vs_linear/trace2.json"},
                    std::pair{"tracelens/labelled/test06_conv_gap_exceeds_roofline/trace1.json",
                              "tracelens/labelled/test06_conv_gap_exceeds_roofline/trace2.json"}));

TEST(diff_files, states_are_those_of_the_exact_timeline) {
  const auto golden = file("golden/timeline_exact_ns.json");
  if (golden.empty()) GTEST_SKIP() << fixtures::no_data;
  const auto all = json::parse(std::ifstream(golden));
  int compared = 0;
  for (const auto* name : {"hta/trace_diff/control/control.json.gz", "hta/trace_diff/test/test.json.gz",
                           "tracelens/mi300/resnet_act_checkpoint.json.gz",
                           "hta/ns_resolution_trace/rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz",
                           "tracelens/h100/gaunernst_bert-small-uncased__1016001.json.gz"}) {
    const auto path = file(name);
    if (path.empty()) continue;
    ++compared;
    const side s{path};
    const auto d = diff_of(s.whole(), s.whole());
    const auto& device = all.at(name).at("devices").begin().value();
    EXPECT_EQ(device.at("span_ns"), d.total.before_ns);
    EXPECT_EQ(device.at("comp_ns"), d.state(diff_state::compute).before_ns);
    EXPECT_EQ(device.at("exposed_comm_ns"), d.state(diff_state::exposed_communication).before_ns);
    EXPECT_EQ(device.at("exposed_memcpy_ns"), d.state(diff_state::exposed_copies).before_ns);
    EXPECT_EQ(device.at("idle_ns"), d.state(diff_state::idle).before_ns);
    for (const auto& row : d.rows) EXPECT_EQ(row.cause, diff_cause::unchanged) << row.name;
  }
  EXPECT_EQ(compared, fixtures::traces_expected(5, 2));
}

}  // namespace
}  // namespace ridge::trace
