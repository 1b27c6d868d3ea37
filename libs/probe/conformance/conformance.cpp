// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/conformance.hpp>

#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace ridge::probe::conformance {
namespace {

void expect_row(const model::ceiling& row) {
  SCOPED_TRACE(row.id);
  EXPECT_GT(row.value, 0);
  EXPECT_TRUE(row.ci.contains(row.value)) << row.ci.lo << " .. " << row.ci.hi;
  EXPECT_TRUE(row.unit.ends_with("/s")) << row.unit;
  EXPECT_FALSE(row.variant.empty());
  EXPECT_FALSE(row.what.empty());
  EXPECT_GE(row.threads, 1);
}

}  // namespace

void expect_prober(prober& subject, const measure::clock& clock, const probe_options& options) {
  const model::peak first{.ceilings = subject.measure(clock, options)};
  std::set<std::pair<std::string, int>> seen;
  for (const auto& row : first.ceilings) {
    expect_row(row);
    EXPECT_TRUE(seen.emplace(row.id, row.threads).second)
        << row.id << " twice at " << row.threads << " threads";
  }
  const auto second = subject.measure(clock, options);
  EXPECT_EQ(second.size(), first.ceilings.size());
  for (const auto& row : second) {
    const auto* before = first.find(row.id, row.threads);
    ASSERT_NE(before, nullptr) << row.id;
    expect_row(row);
  }
}

}  // namespace ridge::probe::conformance
