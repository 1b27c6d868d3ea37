// SPDX-License-Identifier: Apache-2.0
#include <ridge/results/comparable.hpp>

#include <gtest/gtest.h>

namespace ridge::results {
namespace {

model::latest_measurement timed_at(const char* variant, double median) {
  model::latest_measurement m;
  m.series.variant = variant;
  m.point.median = median;
  m.point.ci = {0.9 * median, 1.1 * median};
  return m;
}

// The candidate is so many times better than the reference.
model::comparison pair(const char* reference, const char* candidate, double ratio) {
  return {.reference = reference, .candidate = candidate, .ratio = ratio, .ci = {0.99 * ratio, 1.01 * ratio}};
}

TEST(comparable, what_is_invalid_is_not_among_what_decides) {
  model::workload_result seen;
  seen.measurements = {timed_at("plain", 2), timed_at("fast", 1), timed_at("odd", 0.1)};
  seen.comparisons = {pair("plain", "fast", 2), pair("plain", "odd", 20)};
  EXPECT_EQ(deciding(seen).size(), 3u);
  seen.comparisons[1].verdict = model::verdict::invalid;
  ASSERT_EQ(deciding(seen).size(), 2u);
  EXPECT_EQ(deciding(seen)[1]->series.variant, "fast");
}

TEST(comparable, a_ratio_is_read_from_either_side_and_from_its_own_metric) {
  model::workload_result seen;
  seen.measurements = {timed_at("plain", 2), timed_at("fast", 1)};
  auto memory = pair("plain", "fast", 5);
  memory.metric.name = "memory";
  seen.comparisons = {memory, pair("plain", "fast", 2)};
  EXPECT_EQ(ratio_of(seen, "fast", "plain")->ratio, 2);
  EXPECT_EQ(ratio_of(seen, "plain", "fast")->ratio, 0.5);
  EXPECT_DOUBLE_EQ(ratio_of(seen, "plain", "fast")->ci.lo, 1 / 2.02);
  EXPECT_EQ(ratio_in("memory", seen, "fast", "plain")->ratio, 5);
  EXPECT_FALSE(ratio_of(seen, "fast", "other").has_value());
}

}  // namespace
}  // namespace ridge::results
