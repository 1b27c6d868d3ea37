// SPDX-License-Identifier: Apache-2.0
// Every real trace, read fast and read the plain way, gives the same.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <ridge/trace/importer.hpp>

#include "fixtures/backend_importers.hpp"
#include "fixtures/data.hpp"
#include "fixtures/reference_reader.hpp"
#include "traces_in_folder.hpp"

namespace ridge::trace {
namespace {

trace read(std::string_view text) {
  auto made = backends::trace_chrome_json::chrome_json().read(*source_of(text), {}, {});
  EXPECT_TRUE(made.ok()) << (made ? "" : made.why().text());
  return made ? std::move(made).value() : trace{};
}

// Lists are compared without their spaces.
std::string packed(std::string_view list) {
  if (list.empty() || list.front() != '[') return std::string(list);
  return nlohmann::json::parse(list).dump();
}

std::string track_text(const trace& t, track_id id) {
  if (id == none) return "-";
  const auto& k = t.tracks[id];
  const auto& p = t.processes[k.process];
  return std::to_string(static_cast<int>(k.kind)) + "|" + std::to_string(p.id) + "|" + p.name + "|" +
         p.labels + "|" + std::to_string(k.thread) + "|" + k.name + "|" + std::to_string(k.device);
}

void same_events(const trace& a, const trace& b) {
  ASSERT_EQ(a.events.size(), b.events.size());
  for (event_id e = 0; e < a.events.size(); ++e) {
    ASSERT_EQ(a.events.start_ns[e], b.events.start_ns[e]) << e;
    ASSERT_EQ(a.events.duration_ns[e], b.events.duration_ns[e]) << e;
    ASSERT_EQ(a.name_of(e), b.name_of(e)) << e;
    ASSERT_EQ(a.events.track[e], b.events.track[e]) << e;
    ASSERT_EQ(a.events.correlation[e], b.events.correlation[e]) << e;
    ASSERT_EQ(a.events.external[e], b.events.external[e]) << e;
    ASSERT_EQ(a.events.kind[e], b.events.kind[e]) << e;
    ASSERT_EQ(a.events.flags[e], b.events.flags[e]) << e;
    if (a.events.kind[e] == category::synchronization) continue;
    ASSERT_EQ(a.events.detail[e], b.events.detail[e]) << e;
  }
}

void same_tracks(const trace& a, const trace& b) {
  ASSERT_EQ(a.tracks.size(), b.tracks.size());
  for (track_id t = 0; t < a.tracks.size(); ++t) EXPECT_EQ(track_text(a, t), track_text(b, t));
}

bool same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void same_collective(const trace& a, std::uint32_t i, const trace& b, std::uint32_t k) {
  ASSERT_EQ(i == none, k == none);
  if (i == none) return;
  const auto &x = a.collectives[i], &y = b.collectives[k];
  EXPECT_EQ(
      std::tuple(x.in_elements, x.out_elements, x.sequence, x.group_size, x.source_rank, x.target_rank),
      std::tuple(y.in_elements, y.out_elements, y.sequence, y.group_size, y.source_rank, y.target_rank));
  for (const auto field : {&collective::operation, &collective::dtype, &collective::group,
                           &collective::group_description, &collective::ranks})
    EXPECT_EQ(packed(a.names[x.*field]), packed(b.names[y.*field]));
}

void same_work(const trace& a, const trace& b, work_id w) {
  const auto &x = a.works[w], &y = b.works[w];
  ASSERT_EQ(std::tuple(x.start_ns, x.end_ns, x.bytes, x.graph_node, x.device, x.stream, x.context, x.process,
                       x.correlation, x.external, x.graph, x.event, x.launch, x.op),
            std::tuple(y.start_ns, y.end_ns, y.bytes, y.graph_node, y.device, y.stream, y.context, y.process,
                       y.correlation, y.external, y.graph, y.event, y.launch, y.op))
      << w;
  ASSERT_EQ(std::tuple(x.grid, x.block, x.shared_bytes, x.local_bytes, x.registers, x.kind, x.copy, x.source,
                       x.destination, x.flags),
            std::tuple(y.grid, y.block, y.shared_bytes, y.local_bytes, y.registers, y.kind, y.copy, y.source,
                       y.destination, y.flags))
      << w;
  ASSERT_EQ(a.names[x.name], b.names[y.name]);
  ASSERT_TRUE(same(x.blocks_per_sm, y.blocks_per_sm)) << w;
  ASSERT_TRUE(same(x.warps_per_sm, y.warps_per_sm)) << w;
  ASSERT_TRUE(same(x.occupancy, y.occupancy)) << w;
  same_collective(a, x.collective, b, y.collective);
}

void same_ops(const trace& a, const trace& b) {
  ASSERT_EQ(a.ops.size(), b.ops.size());
  for (std::size_t i = 0; i < a.ops.size(); ++i) {
    const auto &x = a.ops[i], &y = b.ops[i];
    ASSERT_EQ(x.sequence, y.sequence);
    ASSERT_EQ(x.forward_thread, y.forward_thread);
    for (const auto field : {&op_detail::input_dims, &op_detail::input_types, &op_detail::input_strides,
                             &op_detail::concrete_inputs})
      ASSERT_EQ(packed(a.names[x.*field]), packed(b.names[y.*field])) << i;
    same_collective(a, x.collective, b, y.collective);
  }
}

void same_rest(const trace& a, const trace& b) {
  ASSERT_EQ(a.memory.size(), b.memory.size());
  for (std::size_t i = 0; i < a.memory.size(); ++i) {
    const auto &x = a.memory[i], &y = b.memory[i];
    ASSERT_EQ(
        std::tuple(x.time_ns, x.address, x.bytes, x.total_allocated, x.total_reserved, x.device, x.track),
        std::tuple(y.time_ns, y.address, y.bytes, y.total_allocated, y.total_reserved, y.device, y.track));
  }
  ASSERT_EQ(a.flows.size(), b.flows.size());
  for (std::size_t i = 0; i < a.flows.size(); ++i) {
    const auto &x = a.flows[i], &y = b.flows[i];
    ASSERT_EQ(std::tuple(x.id, x.from_ns, x.to_ns, x.from_track, x.to_track),
              std::tuple(y.id, y.from_ns, y.to_ns, y.from_track, y.to_track));
  }
  ASSERT_EQ(a.counter_values.size(), b.counter_values.size());
  for (std::size_t i = 0; i < a.counter_values.size(); ++i) {
    const auto &x = a.counter_values[i], &y = b.counter_values[i];
    ASSERT_EQ(std::tuple(x.time_ns, x.value, a.names[a.counters[x.series].name]),
              std::tuple(y.time_ns, y.value, b.names[b.counters[y.series].name]));
  }
}

void same_facts(const trace& a, const trace& b) {
  EXPECT_EQ(a.epoch_ns, b.epoch_ns);
  EXPECT_EQ(a.source.rank, b.source.rank);
  EXPECT_EQ(a.source.world_size, b.source.world_size);
  ASSERT_EQ(a.devices.size(), b.devices.size());
  for (std::size_t i = 0; i < a.devices.size(); ++i)
    EXPECT_EQ(std::tuple(a.devices[i].id, a.devices[i].name, a.devices[i].memory_bytes, a.devices[i].sms),
              std::tuple(b.devices[i].id, b.devices[i].name, b.devices[i].memory_bytes, b.devices[i].sms));
}

void expect_same(const trace& a, const trace& b) {
  same_tracks(a, b);
  same_events(a, b);
  ASSERT_EQ(a.works.size(), b.works.size());
  for (work_id w = 0; w < a.works.size() && !testing::Test::HasFailure(); ++w) same_work(a, b, w);
  same_ops(a, b);
  same_rest(a, b);
  same_facts(a, b);
}

class real_traces : public testing::TestWithParam<const char*> {};

TEST_P(real_traces, read_as_by_the_reference) {
  const auto paths = traces_in_folder(GetParam());
  if (paths.empty()) GTEST_SKIP() << fixtures::no_data;
  for (const auto& path : paths) {
    SCOPED_TRACE(path);
    const auto text = fixtures::text_of(path);
    expect_same(read(text), fixtures::reference_trace(text));
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(all, real_traces,
                         testing::Values("traces/hta", "traces/kineto/samples", "traces/kineto/golden",
                                         "traces/param", "traces/tracelens/h100",
                                         "traces/tracelens/inference", "traces/tracelens/labelled",
                                         "traces/tracelens/mi300"),
                         [](const auto& folder) {
                           std::string name = folder.param;
                           std::ranges::replace(name, '/', '_');
                           return name;
                         });

}  // namespace
}  // namespace ridge::trace
