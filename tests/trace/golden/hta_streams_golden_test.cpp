// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gmock/gmock.h>

#include "fixtures/data.hpp"
#include "hta_cases.hpp"
#include "hta_expect.hpp"

namespace ridge::trace {
namespace {

using golden::expect_distribution, golden::expect_near, golden::hta_case, golden::slack_us, golden::us;
using json = nlohmann::json;

const char* cause_name(hta_idle_cause cause) {
  return cause == hta_idle_cause::host_wait     ? "host_wait"
         : cause == hta_idle_cause::kernel_wait ? "kernel_wait"
                                                : "other";
}

void expect_idle(const hta_case& c, std::size_t rank, const hta_figures& f) {
  const auto& printed = c.printed.at("idle_time_breakdown");
  if (printed.contains("error")) {
    EXPECT_TRUE(f.idle.empty());
    return;
  }
  const auto slack = slack_us(c, f.works) + 0.00501;
  const auto row_of = [&](const json& row) {
    return std::ranges::find_if(f.idle, [&](const hta_idle_time& i) {
      return i.stream == row.at("stream") &&
             cause_name(i.cause) == row.at("idle_category").get<std::string>();
    });
  };
  std::size_t compared = 0;
  for (const auto& row : printed.at("idle")) {
    if (row.at("rank") != rank) continue;
    ++compared;
    SCOPED_TRACE(row.dump());
    const auto at = row_of(row);
    ASSERT_NE(at, f.idle.end());
    expect_near(row.at("idle_time"), us(at->sum_ns), slack, "idle");
    expect_near(row.at("idle_time_ratio"), at->share.value_or(std::nan("")), 0.00501, "share");
  }
  EXPECT_EQ(compared, f.idle.size());
  for (const auto& row : printed.at("stats")) {
    if (row.at("rank") != rank) continue;
    SCOPED_TRACE(row.dump());
    const auto at = row_of(row);
    ASSERT_NE(at, f.idle.end());
    EXPECT_EQ(row.at("count"), at->gaps_us.count);
    expect_distribution(row, "", at->gaps_us, slack);
  }
}

double of_launches(const hta_figures& f, nanoseconds hta_launch::*field, const std::string& label) {
  std::vector<double> x;
  for (const auto& l : f.launches) x.push_back(us(l.*field));
  std::ranges::sort(x);
  if (x.empty()) return std::nan("");
  if (label == "min") return x.front();
  if (label == "max") return x.back();
  double mean = 0;
  for (const auto v : x) mean += v / static_cast<double>(x.size());
  return mean;
}

void expect_stream_launches(const hta_case& c, std::size_t rank, const hta_figures& f) {
  const auto& printed = c.printed.at("launch_stats").at(std::to_string(rank));
  ASSERT_EQ(printed.at("rows"), f.launches.size());
  const double slack = c.options.round_to_us ? 1e-5 : 0.3;
  for (const auto& row : printed.at("describe")) {
    const std::string what = row.at("index");
    if (what != "mean" && what != "min" && what != "max") continue;
    expect_near(row.at("cpu_duration"), of_launches(f, &hta_launch::cpu_ns, what), slack, "cpu " + what);
    expect_near(row.at("gpu_duration"), of_launches(f, &hta_launch::gpu_ns, what), slack, "gpu " + what);
    expect_near(row.at("launch_delay"), of_launches(f, &hta_launch::delay_ns, what), slack, "delay " + what);
  }
  const auto count = [&](auto condition) { return std::ranges::count_if(f.launches, condition); };
  EXPECT_EQ(printed.at("short_kernels"), count([](const hta_launch& l) { return l.is_short(); }));
  EXPECT_EQ(printed.at("runtime_outliers_gt50"),
            count([](const hta_launch& l) { return l.cpu_ns > 50'000; }));
  EXPECT_EQ(printed.at("launch_delay_gt100"),
            count([](const hta_launch& l) { return l.delay_ns > 100'000; }));
  for (const auto& row : printed.at("first5")) {
    const auto at =
        std::ranges::find(f.launches, row.at("correlation").get<std::uint32_t>(), &hta_launch::correlation);
    ASSERT_NE(at, f.launches.end()) << row;
    expect_near(row.at("cpu_duration"), us(at->cpu_ns), slack, "cpu");
    expect_near(row.at("gpu_duration"), us(at->gpu_ns), slack, "gpu");
    expect_near(row.at("launch_delay"), us(at->delay_ns), slack, "delay");
  }
}

void expect_queues(const hta_case& c, std::size_t rank, const hta_figures& f) {
  const auto& printed = c.printed.at("queue_length_summary");
  std::size_t compared = 0;
  if (printed.is_null()) {
    EXPECT_TRUE(f.queues.empty());
    return;
  }
  for (const auto& row : printed) {
    if (row.at("rank") != rank) continue;
    SCOPED_TRACE(row.dump());
    const auto at =
        std::ranges::find(f.queues, row.at("stream").get<std::int32_t>(), &hta_queue_length::stream);
    ASSERT_NE(at, f.queues.end());
    EXPECT_EQ(row.at("queue_length_count"), at->length.count);
    expect_near(row.at("queue_length_mean"), at->length.mean - at->open_order / 2, at->open_order / 2 + 1e-6,
                "mean");
    const double step = at->open_order > 0 ? 1.01 : 1e-5;
    expect_distribution(row, "queue_length_", at->length, step);
    EXPECT_LT(at->open_order, 0.1);
    ++compared;
  }
  EXPECT_EQ(compared, f.queues.size());
}

void expect_copies(const hta_case& c, std::size_t rank, const hta_figures& f) {
  const auto& printed = c.printed.at("memory_bw_summary");
  std::size_t compared = 0;
  if (printed.is_null()) {
    EXPECT_TRUE(f.copies.empty());
    return;
  }
  for (const auto& row : printed) {
    if (row.at("rank") != rank) continue;
    SCOPED_TRACE(row.dump());
    const auto at = std::ranges::find(f.copies, row.at("name").get<std::string>(), &hta_copy_bandwidth::name);
    ASSERT_NE(at, f.copies.end());
    const auto& rate = at->gb_per_s;
    const auto count = row.at("memory_bw_gbps_count").get<double>();
    const auto more = count - static_cast<double>(rate.count);
    const bool specks = row.at("memory_bw_gbps_min") < 1e-9;  // HTA counts what rounding leaves of zero
    EXPECT_GE(more, 0);
    EXPECT_TRUE(specks || more <= static_cast<double>(at->ties)) << more << " beside " << at->ties;
    const auto ties = static_cast<double>(at->ties);
    expect_near(row.at("memory_bw_gbps_mean").get<double>() * count,
                rate.mean * static_cast<double>(rate.count), 1e-4 * count + ties * 2 * rate.max, "sum");
    if (at->ties == 0 && !specks) expect_distribution(row, "memory_bw_gbps_", rate, 1e-4);
    ++compared;
  }
  EXPECT_EQ(compared, f.copies.size());
}

class hta_streams_golden : public ::testing::TestWithParam<std::string> {};

TEST_P(hta_streams_golden, gives_what_hta_printed) {
  const auto c = golden::hta_case_of(GetParam());
  if (c.ranks.empty()) GTEST_SKIP() << fixtures::no_data;
  for (std::size_t rank = 0; rank < c.ranks.size(); ++rank) {
    SCOPED_TRACE("rank " + std::to_string(rank));
    const auto f = hta_figures_of(c.ranks[rank], c.options);
    expect_stream_launches(c, rank, f);
    expect_queues(c, rank, f);
    expect_copies(c, rank, f);
    expect_idle(c, rank, f);
  }
}

INSTANTIATE_TEST_SUITE_P(files, hta_streams_golden, ::testing::ValuesIn(golden::hta_case_names()),
                         [](const auto& entry) {
                           std::string name = entry.param;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

}  // namespace
}  // namespace ridge::trace
