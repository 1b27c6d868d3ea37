// SPDX-License-Identifier: Apache-2.0
#include "rocprof_json.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "rocprof_record.hpp"

namespace ridge::backends::trace_rocprof_json {
namespace {

using trace::category;
using trace::copy_kind;

// Two GPUs, of which node 2 comes first in the list; one HIP launch, its kernel, two copies, a range and a
// mark.
constexpr std::string_view document = R"json({"rocprofiler-sdk-tool": [{
 "metadata": {"pid": 77, "node": {"hostname": "mi300"}, "command": ["./train"]},
 "agents": [
  {"id": {"handle": 9}, "type": 2, "node_id": 2, "name": "gfx942", "product_name": "MI300X", "cu_count":
   304, "wave_front_size": 64, "simd_per_cu": 4, "max_waves_per_simd": 8, "lds_size_in_kb": 64,
   "max_engine_clk_fcompute": 2100, "mem_banks": [{"size_in_bytes": 100}, {"size_in_bytes": 28}]},
  {"id": {"handle": 5}, "type": 1, "node_id": 0, "name": "cpu"},
  {"id": {"handle": 8}, "type": 2, "node_id": 1, "name": "gfx942"}],
 "counters": [{"id": {"handle": 3}, "name": "SQ_WAVES"}],
 "strings": {
  "buffer_records": [
   {"kind": "NONE", "operations": []},
   {"kind": "HIP_RUNTIME_API", "operations": ["hipMalloc", "hipLaunchKernel"]},
   {"kind": "MARKER_CORE_API", "operations": ["roctxMarkA", "roctxRangePushA"]}],
  "marker_api": [
   {"key": 40, "value": "forward"}]},
 "kernel_symbols": [
  {"kernel_id": 1, "kernel_name": "_Z3gemmv", "formatted_kernel_name": "gemm()"}],
 "buffer_records": {
  "kernel_dispatch": [
   {"kind": 11, "correlation_id": {"internal": 31, "external": 0}, "start_timestamp": 1000, "end_timestamp":
    1500, "dispatch_info": {"agent_id": {"handle": 9}, "queue_id": {"handle": 2}, "kernel_id": 1,
    "dispatch_id": 1, "private_segment_size": 16, "group_segment_size": 4096, "workgroup_size": {"x": 256,
    "y": 1, "z": 1}, "grid_size": {"x": 1000, "y": 2, "z": 1}}}],
  "memory_copy": [
   {"correlation_id": {"internal": 32}, "start_timestamp": 2000, "end_timestamp": 2600, "src_agent_id":
    {"handle": 5}, "dst_agent_id": {"handle": 8}, "bytes": 4096},
   {"correlation_id": {"internal": 33}, "start_timestamp": 3000, "end_timestamp": 3600, "src_agent_id":
    {"handle": 8}, "dst_agent_id": {"handle": 9}, "bytes": 64, "stream_id": {"handle": 6}}],
  "hip_api": [
   {"kind": 1, "operation": 1, "correlation_id": {"internal": 31}, "start_timestamp": 900, "end_timestamp":
    950, "thread_id": 78}],
  "marker_api": [
   {"kind": 2, "operation": 1, "correlation_id": {"internal": 40}, "start_timestamp": 800, "end_timestamp":
    4000, "thread_id": 78},
   {"kind": 2, "operation": 0, "correlation_id": {"internal": 41}, "start_timestamp": 850, "end_timestamp":
    850, "thread_id": 78}]},
 "callback_records": {"counter_collection": [{"dispatch_data": {"dispatch_info": {"kernel_id": 1,
  "dispatch_id": 1, "queue_id": {"handle": 2}}}, "records": [{"counter_id": {"handle": 3}, "value": 1.5},
  {"counter_id": {"handle": 3}, "value": 2}]}]}
}]})json";

result<trace::trace> read(std::string_view text, const trace::read_limits& limits = {}) {
  const auto source = trace::source_of(text);
  return rocprof_json().read(*source, {.path = "t.json"}, limits);
}

trace::trace made() { return *read(document); }

TEST(rocprof_json, is_known_by_its_root) {
  EXPECT_TRUE(rocprof_json().recognises(document));
  EXPECT_FALSE(rocprof_json().recognises(R"({"traceEvents": []})"));
}

TEST(rocprof_json, joins_a_kernel_to_its_call_and_counts_blocks) {
  const auto t = made();
  const auto works = t.works_of(1);
  ASSERT_EQ(works.size(), 1U);
  const auto& kernel = works[0];
  EXPECT_EQ(t.names[kernel.name], "gemm()");
  EXPECT_EQ(kernel.duration_ns(), 500);
  EXPECT_EQ(kernel.stream, 2);
  EXPECT_EQ(kernel.grid, (std::array<std::uint32_t, 3>{4, 2, 1}));
  EXPECT_EQ(kernel.block[0], 256U);
  EXPECT_EQ(kernel.shared_bytes, 4096U);
  EXPECT_EQ(kernel.local_bytes, 16U);
  ASSERT_NE(kernel.launch, trace::none);
  EXPECT_EQ(t.name_of(kernel.launch), "hipLaunchKernel");
  EXPECT_EQ(t.processes[kernel.process].id, 77);
  EXPECT_EQ(t.processes[kernel.process].name, "./train");
}

TEST(rocprof_json, tells_the_direction_of_copies_by_their_agents) {
  const auto t = made();
  const auto works = t.works_of(0);
  ASSERT_EQ(works.size(), 2U);
  EXPECT_EQ(works[0].copy, copy_kind::host_to_device);
  EXPECT_EQ(works[0].bytes, 4096);
  EXPECT_EQ(works[0].stream, -1);
  EXPECT_EQ(works[1].copy, copy_kind::peer_to_peer);
  EXPECT_EQ(works[1].stream, 6);
}

TEST(rocprof_json, reads_ranges_marks_devices_and_counters) {
  const auto t = made();
  const auto range = t.names.find("forward"), mark = t.names.find("roctxMarkA");
  ASSERT_TRUE(range && mark);
  for (trace::event_id e = 0; e < t.events.size(); ++e) {
    EXPECT_EQ(t.events.name[e] == *range, t.events.kind[e] == category::annotation);
    EXPECT_EQ(t.events.name[e] == *mark, t.events.kind[e] == category::mark);
  }
  const auto* gpu = t.facts_of(1);
  ASSERT_NE(gpu, nullptr);
  EXPECT_EQ(gpu->name, "MI300X");
  EXPECT_EQ(gpu->sms, 304);
  EXPECT_EQ(gpu->threads_per_sm, 2048);
  EXPECT_EQ(gpu->memory_bytes, 128);
  EXPECT_EQ(t.facts_of(0)->name, "gfx942");
  EXPECT_EQ(t.source.host, "mi300");
  ASSERT_EQ(t.kernel_metrics.size(), 1U);
  EXPECT_EQ(t.kernel_metrics[0].value, 3.5);
  EXPECT_EQ(t.names[t.kernel_metrics[0].metric], "SQ_WAVES");
}

// The document with its counters before this text; "" leaves them out.
std::string with_counters(std::string_view before) {
  std::string moved(document);
  const std::string counters = R"( "counters": [{"id": {"handle": 3}, "name": "SQ_WAVES"}],
)";
  moved.erase(moved.find(counters), counters.size());
  if (!before.empty()) moved.insert(moved.find(before), counters);
  return moved;
}

std::string metric_of(const std::string& text) {
  const auto t = *read(text);
  EXPECT_EQ(t.works.size(), 3U);
  EXPECT_EQ(t.kernel_metrics.size(), 1U);
  return std::string(t.names[t.kernel_metrics[0].metric]);
}

TEST(rocprof_json, names_counters_wherever_their_names_stand) {
  EXPECT_EQ(metric_of(with_counters(" \"callback_records\"")), "SQ_WAVES");
  EXPECT_EQ(metric_of(with_counters(" \"metadata\"")), "SQ_WAVES");
  EXPECT_EQ(metric_of(with_counters("")), "counter 3");
  auto behind = with_counters("");
  behind.insert(behind.rfind("}]}"), R"(, "counters": [{"id": {"handle": 3}, "name": "SQ_WAVES"}])");
  EXPECT_EQ(metric_of(behind), "SQ_WAVES");
}

TEST(rocprof_json, stands_objects_in_objects_without_end_and_times_below_zero) {
  std::string nested, closed;
  for (int i = 0; i < 300'000; ++i) nested += R"({"queue_id":)", closed += '}';
  for (const auto& record :
       {nested + "1" + closed, nested,
        std::string(R"({"start_timestamp":-9223372036854775808,"end_timestamp":9223372036854775807})")}) {
    const auto read_back =
        read(R"({"rocprofiler-sdk-tool": [{"buffer_records": {"kernel_dispatch": [)" + record + "]}}]}");
    if (read_back.ok()) {
      for (const auto& w : read_back->works) EXPECT_LE(w.start_ns, w.end_ns);
    }
  }
}

TEST(rocprof_json, stands_parts_that_are_missing_or_of_another_kind) {
  for (const auto* odd :
       {R"({"rocprofiler-sdk-tool": {}})", R"({"rocprofiler-sdk-tool": [null, 3]})",
        R"({"rocprofiler-sdk-tool": [{"buffer_records": {"kernel_dispatch": [{}, 1], "memory_copy": 4}}]})",
        R"({"rocprofiler-sdk-tool": [{"agents": [{"type": 2, "id": 4}], "strings": []}]})"})
    EXPECT_TRUE(read(odd).ok()) << odd;
}

// Records may stand before what explains them.
TEST(rocprof_json, does_not_depend_on_the_order_of_members) {
  const auto whole = nlohmann::json::parse(document)["rocprofiler-sdk-tool"][0];
  nlohmann::ordered_json reversed;
  std::vector<std::string> keys;
  for (const auto& [key, value] : whole.items()) keys.push_back(key);
  std::ranges::sort(keys, std::greater{});
  keys.insert(keys.begin(), "buffer_records");
  for (const auto& key : keys) reversed[key] = whole[key];
  const auto text = R"({"rocprofiler-sdk-tool": [)" + reversed.dump(2) + "]}";
  const auto t = *read(text), expected = made();
  ASSERT_EQ(t.works.size(), expected.works.size());
  for (std::size_t i = 0; i < t.works.size(); ++i) {
    EXPECT_EQ(t.names[t.works[i].name], expected.names[expected.works[i].name]);
    EXPECT_EQ(t.works[i].start_ns, expected.works[i].start_ns);
    EXPECT_EQ(t.works[i].launch == trace::none, expected.works[i].launch == trace::none);
    EXPECT_EQ(t.works[i].grid, expected.works[i].grid);
  }
  EXPECT_EQ(t.events.size(), expected.events.size());
  EXPECT_EQ(t.kernel_metrics.size(), expected.kernel_metrics.size());
}

TEST(rocprof_json, leaves_numbers_that_fit_no_field_and_keys_with_escapes) {
  const auto t = *read(R"({"rocprofiler-sdk-tool": [{"metadata": {"pid": 5}, "buffer_records": {"hip_api": [
    {"kind": 1, "op\"eration": [{"}": "\\"}], "start_timestamp": 18446744073709551615, "end_timestamp": 7.5,
     "thread_id": "8", "correlation_id": {"internal": 3, "external": {"handle": 9}}},
    {"start_timestamp": 10, "end_timestamp": 30, "thread_id": 8}]}}]})");
  ASSERT_EQ(t.events.size(), 2U);
  EXPECT_EQ(t.events.duration_ns[0] + t.events.duration_ns[1], 20);
}

TEST(rocprof_json, refuses_what_is_cut_off_or_over_the_limit) {
  const auto cut = read(document.substr(0, document.size() / 2));
  ASSERT_FALSE(cut.ok());
  EXPECT_NE(cut.why().message.find("cut off"), std::string::npos);
  const auto large = read(document, {.memory_bytes = 1000});
  ASSERT_FALSE(large.ok());
  EXPECT_NE(large.why().remedy.find("--max-memory"), std::string::npos);
}

rocprof_record one_of(record_reader& reader, std::string text) {
  text += std::string(400, ' ');  // records that are alike are compared where more text follows
  trace::json_walk walk{.end = text.data() + text.size()};
  rocprof_record record;
  const auto* behind = reader.read(walk, text.data(), record);
  EXPECT_EQ(behind == nullptr ? 0 : behind[-1], '}') << text;
  return record;
}

TEST(rocprof_record, is_read_alike_whatever_was_read_before) {
  const std::vector<std::string> texts{
      R"({"kind": 11, "start_timestamp": 1700000000000000000, "end_timestamp": 7, "dispatch_info": {"kernel_id": 3, "grid_size": {"x": 5, "y": 2, "z": 1}}})",
      R"({"kind": 2, "start_timestamp": -4, "end_timestamp": 9223372036854775807, "dispatch_info": {"kernel_id": 30, "grid_size": {"x": 512, "y": 2, "z": 1}}})",
      R"({"kind": 2, "start_timestamp": 4, "end_timestamp": 9223372036854775808, "dispatch_info": {"kernel_id": 1.5, "grid_size": {"x": 5, "y": 2, "z": 1}}})",
      R"({"kind": 11, "start_timestamp": 4e3, "end_timestamp": 7, "dispatch_info": {"kernel_id": 3}})",
      R"({"kind": 11, "other": {"inside": {"kind": 8}}, "end_timestamp": 70})",
      R"({"kind": 12, "other": {"inside": {"kind": 9}}, "end_timestamp": 71})",
      R"({"end_timestamp": 7, "kind": 11, "grid_size": {"x": 99}, "name": "a\"}"})"};
  record_reader reader;
  for (int round = 0; round < 3; ++round) {
    for (const auto& text : texts) {
      record_reader fresh;
      const auto seen = one_of(reader, text), alone = one_of(fresh, text);
      EXPECT_EQ(seen.kind, alone.kind) << text;
      EXPECT_EQ(seen.start, alone.start) << text;
      EXPECT_EQ(seen.end, alone.end) << text;
      EXPECT_EQ(seen.kernel, alone.kernel) << text;
      EXPECT_EQ(seen.grid, alone.grid) << text;
      EXPECT_EQ(one_of(reader, text).end, alone.end) << "read once more: " << text;
    }
  }
  EXPECT_EQ(one_of(reader, texts[1]).grid[0], 512);
  EXPECT_EQ(one_of(reader, texts[1]).end, 9223372036854775807);
  EXPECT_EQ(one_of(reader, texts[2]).end, -1) << "too large for its field: not told";
  EXPECT_EQ(one_of(reader, texts[3]).start, 0) << "a timestamp that is no integer: not told";
  EXPECT_EQ(one_of(reader, texts[5]).kind, 12) << "not the one inside another object";
}

}  // namespace
}  // namespace ridge::backends::trace_rocprof_json
