// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <ridge/trace/copies.hpp>
#include <ridge/trace/device_partition.hpp>
#include <ridge/trace/idle.hpp>
#include <ridge/trace/launches.hpp>
#include <ridge/trace/phases.hpp>
#include <ridge/trace/synchronization.hpp>

#include "fixtures/data.hpp"
#include "golden.hpp"

namespace ridge::trace {
namespace {

constexpr auto exact_timelines = "traces/golden/timeline_exact_ns.json";

TEST(copies_golden, equal_the_exact_copies_of_every_trace_and_their_groups_add_up) {
  if (fixtures::data_file(exact_timelines).empty()) GTEST_SKIP() << fixtures::no_data;
  const communication_names names{{{"nccl", "NCCL"}, {"rccl", "RCCL"}, {"cross_device_reduce", "custom"}}};
  const auto check = [&](const auto& figures, const trace& t) {
    const auto classes = classes_of(t, names);
    for (const auto device : t.working_devices()) {
      const auto& exact = figures.at("devices").at(std::to_string(device));
      const auto found = copies_of(t, classes, device);
      EXPECT_EQ(exact.at("memcpy_total_ns"), found.busy_ns);
      EXPECT_EQ(exact.at("exposed_memcpy_ns"), found.exposed_ns);
      std::uint64_t count = 0;
      for (const auto& g : found.groups) {
        EXPECT_NE(g.kind, copy_kind::unknown);
        EXPECT_LE(g.exposed_ns, g.busy_ns);
        EXPECT_LE(g.busy_ns, g.all.ns);
        for (const auto& size : g.sizes) count += size.count;
      }
      EXPECT_EQ(count, found.all.count);
    }
  };
  EXPECT_GE(fixtures::for_each_golden(exact_timelines, "traces/", check), fixtures::traces_expected(18, 12));
}

TEST(host_golden, phases_tile_the_window_of_every_trace) {
  if (fixtures::data_file(exact_timelines).empty()) GTEST_SKIP() << fixtures::no_data;
  fixtures::for_each_golden(exact_timelines, "traces/", [](const auto& figures, const trace& t) {
    for (const auto device : t.working_devices()) {
      const auto& exact = figures.at("devices").at(std::to_string(device));
      const auto found = phases_of(t, device);
      nanoseconds busy = 0, idle = 0;
      for (const auto& p : found.phases) {
        busy += p.busy_ns;
        idle += p.idle_ns;
      }
      EXPECT_EQ(exact.at("busy_ns"), busy);
      EXPECT_EQ(exact.at("idle_ns"), idle);
    }
  });
}

trace opened_if_there(const std::string& path_below_traces) {
  const auto path = fixtures::data_file("traces/" + path_below_traces);
  return path.empty() ? trace{} : fixtures::opened(path);
}

double data_loading_share(const trace& t) {
  const auto r = idle_of(t, 0);
  return static_cast<double>(r.of(idle_cause::data_loading).ns) / static_cast<double>(r.window.length_ns());
}

// The same training, without and with four workers that load ahead.
TEST(host_golden, idle_time_of_a_loader_is_told_from_that_of_one_that_runs_ahead) {
  const auto alone =
      opened_if_there("kineto/samples/resnet50_num_workers_0/worker0.1623143089861.pt.trace.json.gz");
  const auto ahead =
      opened_if_there("kineto/samples/resnet50_num_workers_4/worker0.1623212756351.pt.trace.json.gz");
  if (alone.works.empty() || ahead.works.empty()) GTEST_SKIP() << fixtures::no_data;
  EXPECT_GT(data_loading_share(alone), 0.25);
  EXPECT_LT(data_loading_share(ahead), 0.02);
}

// AMD's queue holds more than NVIDIA's 1,024: another tool's count of this trace is 1,840 too.
TEST(host_golden, queue_of_an_mi300_grows_past_the_limit_of_nvidia) {
  const auto t = opened_if_there("tracelens/mi300/resnet_act_checkpoint.json.gz");
  if (t.works.empty()) GTEST_SKIP() << fixtures::no_data;
  EXPECT_EQ(launches_of(t).queues.front().longest, 1840);
}

// Whether a call of the API stands in an operator; a tensor of the host is read without one.
bool calls_the_device(const trace& t, event_id op) {
  for (auto e = op + 1; e < t.events.size() && t.events.track[e] == t.events.track[op]; ++e) {
    if (t.events.start_ns[e] >= t.events.end_ns(op)) return false;
    if (t.events.kind[e] == category::api) return true;
  }
  return false;
}

TEST(host_golden, every_operator_that_reads_a_scalar_of_the_device_is_one_read) {
  const auto t = opened_if_there("hta/trace_diff/control/control.json.gz");
  if (t.works.empty()) GTEST_SKIP() << fixtures::no_data;
  const std::string_view reader = "aten::_local_scalar_dense";
  std::uint64_t operators = 0, reads = 0;
  for (event_id e = 0; e < t.events.size(); ++e)
    operators += t.name_of(e) == reader && calls_the_device(t, e) ? 1U : 0U;
  const auto found = host_waits_of(t);
  for (const auto& w : found.waits)
    reads += w.reads_scalar && w.op != none && t.name_of(w.op) == reader ? 1U : 0U;
  EXPECT_EQ(operators, 24U);
  EXPECT_EQ(reads, operators);
  EXPECT_GE(found.scalar_reads, reads);  // other small copies to the host are reads too
}

TEST(host_golden, phases_of_a_serving_trace_are_decode) {
  const auto t = opened_if_there("tracelens/inference/vllm_decode_graph_execution.json.gz");
  if (t.works.empty()) GTEST_SKIP() << fixtures::no_data;
  const auto found = phases_of(t, t.working_devices().front());
  EXPECT_EQ(found.inference_source, phase_source::annotations);
  EXPECT_EQ(found.of(phase::decode).works, t.works.size());
}

}  // namespace
}  // namespace ridge::trace
