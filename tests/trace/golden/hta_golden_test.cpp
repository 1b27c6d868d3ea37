// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gmock/gmock.h>

#include "fixtures/data.hpp"
#include "hta_cases.hpp"

namespace ridge::trace {
namespace {

using golden::hta_case;
using json = nlohmann::json;

double us(double ns) { return ns / 1000; }
double us(nanoseconds ns) { return us(static_cast<double>(ns)); }

// HTA without rounding adds up microseconds since 1970 as doubles: a quarter of a microsecond each.
double slack_us(const hta_case& c, std::size_t works) {
  return c.options.round_to_us ? 1e-6 : 0.25 * static_cast<double>(works) / 1000;
}

void expect_near(const json& printed, double found, double slack, const std::string& what) {
  if (printed.is_null()) {
    EXPECT_TRUE(std::isnan(found)) << what << ": " << found;
    return;
  }
  EXPECT_NEAR(printed.get<double>(), found, slack) << what;
}

void expect_distribution(const json& printed, const std::string& prefix, const hta_distribution& found,
                         double slack) {
  expect_near(printed.at(prefix + "mean"), found.mean, slack, prefix + "mean");
  expect_near(printed.at(prefix + "std"), found.deviation, slack, prefix + "std");
  expect_near(printed.at(prefix + "min"), found.min, slack, prefix + "min");
  expect_near(printed.at(prefix + "25%"), found.p25, slack, prefix + "25%");
  expect_near(printed.at(prefix + "50%"), found.p50, slack, prefix + "50%");
  expect_near(printed.at(prefix + "75%"), found.p75, slack, prefix + "75%");
  expect_near(printed.at(prefix + "max"), found.max, slack, prefix + "max");
}

void expect_temporal(const hta_case& c, std::size_t rank, const hta_figures& f) {
  if (c.printed.at("temporal_breakdown").is_object()) {  // HTA failed: no device work
    EXPECT_EQ(f.works, 0U);
    return;
  }
  const auto& printed = c.printed.at("temporal_breakdown").at(rank);
  const auto slack = slack_us(c, f.works);
  expect_near(printed.at("idle_time(us)"), us(f.temporal.idle_ns), slack, "idle");
  expect_near(printed.at("compute_time(us)"), us(f.temporal.compute_ns), slack, "compute");
  expect_near(printed.at("non_compute_time(us)"), us(f.temporal.non_compute_ns), slack, "non compute");
  expect_near(printed.at("kernel_time(us)"), us(f.temporal.kernel_ns), slack, "kernel");
  const auto percent =
      100.0 * static_cast<double>(f.temporal.idle_ns) / static_cast<double>(f.temporal.kernel_ns);
  expect_near(printed.at("idle_time_pctg"), percent, 0.00501, "idle percent");
}

void expect_overlap(const hta_case& c, std::size_t rank, const hta_figures& f) {
  const auto& printed = c.printed.at("comm_comp_overlap").at(rank).at("comp_comm_overlap_pctg");
  expect_near(printed, f.overlap_percent.value_or(std::nan("")), 0.00501, "overlap");
}

void expect_types(const hta_case& c, std::span<const hta_figures> ranks) {
  const auto found = hta_types_of(ranks);
  nanoseconds all = 0;
  for (const auto& t : found) all += t.sum_ns;
  std::size_t compared = 0;
  for (const auto& printed : c.printed.at("kernel_breakdown").at("by_type")) {
    if (printed.at("sum") == 0) continue;
    const auto at =
        std::ranges::find(found, printed.at("kernel_type").get<std::string>(), &hta_type_time::types);
    ASSERT_NE(at, found.end()) << printed;
    expect_near(printed.at("sum"), us(at->sum_ns), c.options.round_to_us ? 0 : 40, at->types);
    expect_near(printed.at("percentage"), 100.0 * us(at->sum_ns) / us(all), 0.0501, at->types);
    ++compared;
  }
  EXPECT_EQ(compared, found.size());
}

void expect_kernels(const hta_case& c, std::size_t rank, const hta_figures& f) {
  std::size_t compared = 0;
  const auto slack = slack_us(c, f.works);
  for (const auto& printed : c.printed.at("kernel_breakdown").at("kernels")) {
    if (printed.at("rank") != rank) continue;
    const auto at = std::ranges::find_if(f.kernels, [&](const hta_kernel_time& k) {
      return k.name == printed.at("name") &&
             (k.type == hta_kernel_type::computation) == (printed.at("kernel_type") == "COMPUTATION") &&
             (k.type == hta_kernel_type::memory) == (printed.at("kernel_type") == "MEMORY");
    });
    ASSERT_NE(at, f.kernels.end()) << printed;
    expect_near(printed.at("sum (us)"), us(at->sum_ns), slack, at->name);
    expect_near(printed.at("max (us)"), us(at->max_ns), slack, at->name);
    expect_near(printed.at("min (us)"), us(at->min_ns), slack, at->name);
    expect_near(printed.at("mean (us)"), us(at->mean_ns), slack, at->name);
    expect_near(printed.at("stddev"), us(at->deviation_ns), slack, at->name);
    ++compared;
  }
  constexpr std::size_t rows_kept = 60;  // of the golden file, all ranks together
  const bool whole = c.printed.at("kernel_breakdown").at("kernels").size() < rows_kept;
  EXPECT_TRUE(!whole || compared == f.kernels.size()) << compared << " of " << f.kernels.size();
}

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

double of_launches(const hta_figures& f, nanoseconds hta_launch::*field, const std::string& what) {
  std::vector<double> x;
  for (const auto& l : f.launches) x.push_back(us(l.*field));
  std::ranges::sort(x);
  if (x.empty()) return std::nan("");
  if (what == "min") return x.front();
  if (what == "max") return x.back();
  double mean = 0;
  for (const auto v : x) mean += v / static_cast<double>(x.size());
  return mean;
}

void expect_launches(const hta_case& c, std::size_t rank, const hta_figures& f) {
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

// Causes add up from the exact partition to what HTA printed.
void expect_differences(const hta_case& c, std::size_t rank, const trace& t, const hta_figures& f) {
  const auto classes = classes_of(t, communication_names::built_in());
  const auto all = hta_differences(t, classes, c.options);
  const auto exact = partition_devices(t, classes);
  if (exact.size() != 1) return;
  EXPECT_EQ(all[0].exact_ns, exact[0].window.length_ns());
  EXPECT_EQ(all[1].exact_ns, exact[0].idle_ns);
  EXPECT_EQ(all[2].exact_ns, exact[0].compute_ns);
  EXPECT_EQ(all[3].exact_ns, exact[0].exposed_communication_ns + exact[0].exposed_copy_ns);
  EXPECT_EQ(all[0].hta_ns, f.temporal.kernel_ns) << rank;
  EXPECT_EQ(all[1].hta_ns, f.temporal.idle_ns);
  EXPECT_EQ(all[2].hta_ns, f.temporal.compute_ns);
  EXPECT_EQ(all[3].hta_ns, f.temporal.non_compute_ns);
  for (const auto& d : all) {
    nanoseconds sum = 0;
    for (const auto& cause : d.causes) sum += cause.adds_ns;
    EXPECT_EQ(d.exact_ns + sum, d.hta_ns) << d.figure;
  }
}

class hta_golden : public ::testing::TestWithParam<std::string> {};

TEST_P(hta_golden, gives_what_hta_printed) {
  const auto c = golden::hta_case_of(GetParam());
  if (c.ranks.empty()) GTEST_SKIP() << fixtures::no_data;
  std::vector<hta_figures> all;
  for (const auto& t : c.ranks) all.push_back(hta_figures_of(t, c.options));
  ASSERT_EQ(c.printed.at("ranks").size(), all.size());
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    SCOPED_TRACE("rank " + std::to_string(rank));
    expect_temporal(c, rank, all[rank]);
    expect_overlap(c, rank, all[rank]);
    expect_kernels(c, rank, all[rank]);
    expect_launches(c, rank, all[rank]);
    expect_queues(c, rank, all[rank]);
    expect_copies(c, rank, all[rank]);
    expect_idle(c, rank, all[rank]);
    expect_differences(c, rank, c.ranks[rank], all[rank]);
  }
  expect_types(c, all);
}

INSTANTIATE_TEST_SUITE_P(files, hta_golden, ::testing::ValuesIn(golden::hta_case_names()),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

}  // namespace
}  // namespace ridge::trace
