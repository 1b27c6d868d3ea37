// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

#include <ridge/trace/interval_set.hpp>

#include "fixtures/data.hpp"
#include "nsys_sqlite.hpp"

namespace ridge::backends::trace_nsys_sqlite {
namespace {

using nlohmann::json;
using trace::category;
using trace::interval_set;

class golden : public testing::TestWithParam<const char*> {};

trace::trace read(const std::string& path) {
  const auto source = trace::open_member({.path = path});
  auto made = nsys_sqlite().read(**source, {.path = path}, {});
  if (!made) throw std::runtime_error(made.why().text());
  return std::move(*made);
}

json figures_of(const char* file) {
  std::ifstream text(trace::fixtures::data_file("traces/golden/nsys.json"));
  return json::parse(text).at(file);
}

bool is_communication(const trace::trace& t, const trace::device_work& w) {
  return w.kind == category::kernel && t.names[w.name].find("nccl") != std::string_view::npos;
}

template <class Wanted>
interval_set times_of(const trace::trace& t, std::int32_t device, Wanted wanted) {
  std::vector<trace::time_range> ranges;
  for (const auto& w : t.works_of(device)) {
    if (wanted(w)) ranges.push_back({w.start_ns, w.end_ns});
  }
  return interval_set(std::move(ranges));
}

double percent(trace::nanoseconds part, trace::nanoseconds whole) {
  return std::round(1e6 * static_cast<double>(part) / static_cast<double>(whole)) / 1e4;
}

void expect_device(const trace::trace& t, std::int32_t device, const json& want) {
  const auto is_kernel = [](const auto& w) {
    return w.kind != category::copy;
  };  // fills stand among them there
  const auto busy = times_of(t, device, [](const auto&) { return true; });
  const auto comm = times_of(t, device, [&](const auto& w) { return is_communication(t, w); });
  const auto comp =
      times_of(t, device, [&](const auto& w) { return is_kernel(w) && !is_communication(t, w); });
  const auto copies = times_of(t, device, [](const auto& w) { return w.kind == category::copy; });
  const auto window = busy.span().length_ns();
  EXPECT_EQ(window, want.at("span_ns").get<trace::nanoseconds>());
  EXPECT_EQ(busy.length_ns(), want.at("busy_ns").get<trace::nanoseconds>());
  EXPECT_EQ(comm.length_ns(), want.at("comm_ns").get<trace::nanoseconds>());
  EXPECT_DOUBLE_EQ(percent(window - busy.length_ns(), window), want.at("idle_pct").get<double>());
  EXPECT_DOUBLE_EQ(percent(comp.length_ns(), window), want.at("comp_pct").get<double>());
  EXPECT_DOUBLE_EQ(percent(comm.without(comp).length_ns(), window),
                   want.at("exposed_comm_pct").get<double>());
  EXPECT_DOUBLE_EQ(percent(copies.without(comp.united_with(comm)).length_ns(), window),
                   want.at("exposed_copy_pct").get<double>());
  EXPECT_EQ(std::ranges::count_if(t.works_of(device), is_kernel), want.at("kernels").get<std::ptrdiff_t>());
  EXPECT_EQ(std::ranges::count(t.works_of(device), category::copy, &trace::device_work::kind),
            want.at("copies").get<std::ptrdiff_t>());
  trace::nanoseconds longest = 0;
  std::ptrdiff_t over_1_ms = 0;
  const auto gaps = busy.gaps_in(busy.span());
  for (const auto& gap : gaps.ranges()) {
    longest = std::max(longest, gap.length_ns());
    over_1_ms += gap.length_ns() >= 1'000'000;
  }
  EXPECT_EQ(longest, want.at("largest_gap_ns").get<trace::nanoseconds>());
  EXPECT_EQ(over_1_ms, want.at("gaps_ge_1ms").get<std::ptrdiff_t>());
}

void expect_launches(const trace::trace& t, const json& want) {
  std::vector<trace::nanoseconds> delays;
  std::ptrdiff_t uncorrelated = 0, impossible = 0, brief = 0;
  for (const auto& w : t.works) {
    if (w.kind != category::kernel) continue;
    brief += w.duration_ns() < 10'000;
    if (w.launch == trace::none) {
      ++uncorrelated;
    } else {
      delays.push_back(w.start_ns - t.events.end_ns(w.launch));
      impossible += w.start_ns < t.events.start_ns[w.launch];
    }
  }
  EXPECT_EQ(delays.size(), want.at("correlated").get<std::size_t>());
  EXPECT_EQ(uncorrelated, want.at("uncorrelated").get<std::ptrdiff_t>());
  EXPECT_EQ(impossible, want.at("kernel_before_launch").get<std::ptrdiff_t>());
  EXPECT_EQ(brief, want.at("kern_lt_10us").get<std::ptrdiff_t>());
  std::ranges::sort(delays);
  EXPECT_EQ(delays.at(delays.size() / 2), want.at("delay_from_api_end_p50").get<trace::nanoseconds>());
}

TEST_P(golden, figures_come_out_exactly) {
  const auto path = trace::fixtures::data_file(std::string("traces/nsys/") + GetParam());
  if (path.empty()) GTEST_SKIP() << trace::fixtures::no_data;
  const auto t = read(path);
  const auto want = figures_of(GetParam());
  for (const auto& [device, figures] : want.at("devices").items()) {
    SCOPED_TRACE("device " + device);
    expect_device(t, std::stoi(device), figures);
  }
  expect_launches(t, want.at("launch"));
  EXPECT_EQ(t.working_devices().size(), want.at("devices").size());
  EXPECT_EQ(t.quality.count(trace::flaw::launched_after_start), 0U);
  const auto apis = std::ranges::count(t.events.kind, category::api);
  EXPECT_EQ(apis, want.at("tables").at("CUPTI_ACTIVITY_KIND_RUNTIME").get<std::ptrdiff_t>());
}

TEST_P(golden, most_used_kernels_have_their_full_names) {
  const auto path = trace::fixtures::data_file(std::string("traces/nsys/") + GetParam());
  if (path.empty()) GTEST_SKIP() << trace::fixtures::no_data;
  const auto t = read(path);
  const auto figures = figures_of(GetParam());
  for (const auto& top : figures.at("top")) {
    const auto id = t.names.find(top.at(0).get<std::string>());
    ASSERT_TRUE(id);
    EXPECT_EQ(std::ranges::count(t.works, *id, &trace::device_work::name), top.at(1).get<std::ptrdiff_t>());
  }
}

INSTANTIATE_TEST_SUITE_P(nsys, golden,
                         testing::Values("h100_2gpu_1s.sqlite", "mfu_2gpu_before.sqlite",
                                         "healthy_1pct.sqlite"),
                         [](const auto& file) {
                           const std::string name = file.param;
                           return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace ridge::backends::trace_nsys_sqlite
