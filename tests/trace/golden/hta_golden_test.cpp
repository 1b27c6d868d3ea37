// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gmock/gmock.h>

#include <ridge/trace/hta_differences.hpp>

#include "fixtures/data.hpp"
#include "hta_cases.hpp"
#include "hta_expect.hpp"

namespace ridge::trace {
namespace {

using golden::expect_near, golden::hta_case, golden::slack_us, golden::us;
using json = nlohmann::json;

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
    const std::string name = printed.at("name"), type = printed.at("kernel_type");
    const auto at = std::ranges::find_if(f.kernels, [&](const hta_kernel_time& k) {
      return k.name == name && (k.type == hta_kernel_type::computation) == (type == "COMPUTATION") &&
             (k.type == hta_kernel_type::memory) == (type == "MEMORY");
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
    expect_differences(c, rank, c.ranks[rank], all[rank]);
  }
  expect_types(c, all);
}

INSTANTIATE_TEST_SUITE_P(files, hta_golden, ::testing::ValuesIn(golden::hta_case_names()),
                         [](const auto& entry) {
                           std::string name = entry.param;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

}  // namespace
}  // namespace ridge::trace
