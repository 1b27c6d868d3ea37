// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <ridge/trace/memory_timeline.hpp>
#include <ridge/trace/steps.hpp>

#include "fixtures/data.hpp"
#include "fixtures/reference_reader.hpp"

namespace ridge::trace {
namespace {

using nlohmann::json;

// What the document itself says of one device.
struct plain_figures {
  std::int64_t most_allocated = 0;
  std::int64_t most_reserved = 0;
  std::int64_t allocations = 0;
  std::int64_t allocated_bytes = 0;
};

plain_figures figures_of(const std::string& path, int device) {
  plain_figures f;
  const auto document = json::parse(fixtures::text_of(path));
  for (const auto& e : document.at("traceEvents")) {
    if (e.value("name", "") != "[memory]" || e.at("args").value("Device Id", -1) != device) continue;
    const auto& args = e.at("args");
    f.most_allocated = std::max(f.most_allocated, args.at("Total Allocated").get<std::int64_t>());
    f.most_reserved = std::max(f.most_reserved, args.at("Total Reserved").get<std::int64_t>());
    const auto bytes = args.at("Bytes").get<std::int64_t>();
    f.allocations += bytes > 0 ? 1 : 0;
    f.allocated_bytes += bytes > 0 ? bytes : 0;
  }
  return f;
}

void expect_figures(const char* name, int device) {
  const auto path = fixtures::data_file(std::string("traces/") + name);
  if (path.empty()) GTEST_SKIP() << fixtures::no_data;
  const auto plain = figures_of(path, device);
  const auto t = fixtures::reference_trace_of(path);
  const auto m = memory_timeline_of(t, std::vector<time_range>{whole_window(t)});
  const auto d = *std::ranges::find(m.devices, device, &memory_of_device::device);
  EXPECT_EQ(d.peak_allocated.allocated, plain.most_allocated);
  EXPECT_EQ(d.peak_reserved.value().reserved, plain.most_reserved);
  auto held = d.live_before_trace;
  for (const auto& h : d.live_at_peak) held += h.bytes;
  EXPECT_EQ(held, plain.most_allocated);
  EXPECT_TRUE(d.totals_told && d.addresses_told);
}

TEST(memory_files, peak_and_its_holders_are_the_document_s_own_figures) {
  expect_figures("hta/df_index_resolver/df_index_resolver.json.gz", 1);
  expect_figures("tracelens/h100/facebook_timesformer-base-finetuned-k400__1016002.json.gz", 0);
  expect_figures("tracelens/h100/gaunernst_bert-small-uncased__1016001.json.gz", 0);
}

TEST(memory_files, training_steps_that_repeat_allocate_alike_and_leak_nothing) {
  const auto path = fixtures::data_file("traces/hta/df_index_resolver/df_index_resolver.json.gz");
  if (path.empty()) GTEST_SKIP() << fixtures::no_data;
  const auto t = fixtures::reference_trace_of(path);
  const auto m = memory_timeline_of(t, steps_of(t).windows());
  const auto& d = m.devices.at(1);
  ASSERT_EQ(d.steps.size(), 5u);
  const auto plain = figures_of(path, 1);
  std::int64_t allocations = 0, bytes = 0;
  for (const auto& s : d.steps) {
    EXPECT_EQ(s.allocations, d.steps[0].allocations);
    EXPECT_EQ(s.unreleased_bytes, 0);
    allocations += s.allocations;
    bytes += s.allocated_bytes;
  }
  EXPECT_LE(plain.allocations - allocations, 60);  // between steps
  EXPECT_LE(bytes, plain.allocated_bytes);
  EXPECT_FALSE(d.growth_per_step);
  EXPECT_FALSE(d.near_limit);
  EXPECT_EQ(d.live_at_peak.front().owner, "aten::mm");
}

TEST(memory_files, says_what_an_old_trace_does_not_tell) {
  const auto path = fixtures::data_file(
      "traces/kineto/samples/resnet50_num_workers_0/worker0.1623143089861.pt.trace.json.gz");
  if (path.empty()) GTEST_SKIP() << fixtures::no_data;
  const auto m = memory_timeline_of(fixtures::reference_trace_of(path));
  EXPECT_TRUE(m.told);
  EXPECT_FALSE(m.devices.at(1).totals_told);
  EXPECT_FALSE(m.devices.at(1).addresses_told);
  EXPECT_FALSE(m.devices.at(1).peak_reserved);
}

}  // namespace
}  // namespace ridge::trace
