// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/conformance.hpp>

#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <ridge/probe/measure_peaks.hpp>

namespace ridge::probe::conformance {
namespace {

const std::set<std::string> units{"FLOP/s", "B/s", "op/s", "Hz", "s"};

void expect_row(const model::ceiling& row) {
  SCOPED_TRACE(row.id);
  EXPECT_GT(row.value, 0);
  EXPECT_TRUE(row.ci.contains(row.value)) << row.ci.lo << " .. " << row.ci.hi;
  EXPECT_TRUE(units.contains(row.unit)) << row.unit;
  EXPECT_FALSE(row.variant.empty());
  EXPECT_FALSE(row.what.empty());
  EXPECT_GE(row.threads, 1);
}

void expect_own(const outcome& of) {
  for (const auto& row : of.rows)
    EXPECT_TRUE(row.id == of.of->id || row.id.starts_with(of.of->id + ".")) << row.id << " of " << of.of->id;
}

void expect_descriptions(prober& subject) {
  std::set<std::string> seen;
  for (const auto& one : subject.probes()) {
    EXPECT_TRUE(seen.insert(one.id).second) << one.id << " twice";
    EXPECT_FALSE(one.title.empty()) << one.id;
    EXPECT_FALSE(one.means.empty()) << one.id;
    EXPECT_NE(one.measure, nullptr) << one.id;
  }
}

}  // namespace

void expect_prober(prober& subject, const request& what) {
  expect_descriptions(subject);
  const model::peak first{.ceilings = measure_peaks(subject, what, {}, expect_own)};
  std::set<std::pair<std::string, int>> seen;
  for (const auto& row : first.ceilings) {
    expect_row(row);
    EXPECT_TRUE(seen.emplace(row.id, row.threads).second)
        << row.id << " twice at " << row.threads << " threads";
  }
  const auto second = measure_peaks(subject, what);
  EXPECT_EQ(second.size(), first.ceilings.size());
  for (const auto& row : second) {
    ASSERT_NE(first.find(row.id, row.threads), nullptr) << row.id;
    expect_row(row);
  }
}

}  // namespace ridge::probe::conformance
