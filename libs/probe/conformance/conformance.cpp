// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/conformance.hpp>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

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
  EXPECT_FALSE(row.description.empty());
  EXPECT_GE(row.threads, 1);
}

void expect_own(const outcome& outcome) {
  for (const auto& row : outcome.rows)
    EXPECT_TRUE(row.id == outcome.probe->id || row.id.starts_with(outcome.probe->id + "."))
        << row.id << " of " << outcome.probe->id;
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

using row_key = std::pair<std::string, int>;  // id and threads

std::set<row_key> keys_of(const std::vector<model::ceiling>& rows) {
  std::set<row_key> keys;
  for (const auto& row : rows) keys.emplace(row.id, row.threads);
  return keys;
}

// Returns the rows of each probe that skipped nothing: on a busy machine some rows cannot be measured now and
// then.
std::map<std::string, std::vector<model::ceiling>> measured(prober& subject, const request& request) {
  std::map<std::string, std::vector<model::ceiling>> whole;
  measure_peaks(subject, request, {}, [&](const outcome& outcome) {
    expect_own(outcome);
    if (outcome.skipped.empty()) whole[outcome.probe->id] = outcome.rows;
  });
  return whole;
}

}  // namespace

void expect_prober(prober& subject, const request& request) {
  expect_descriptions(subject);
  const auto first = measured(subject, request);
  EXPECT_FALSE(first.empty()) << "every probe skipped something";
  std::set<row_key> seen;
  for (const auto& [key, rows] : first) {
    for (const auto& row : rows) {
      expect_row(row);
      EXPECT_TRUE(seen.emplace(row.id, row.threads).second)
          << row.id << " twice at " << row.threads << " threads";
    }
  }
  for (const auto& [probe, rows] : measured(subject, request)) {
    for (const auto& row : rows) expect_row(row);
    const auto before = first.find(probe);
    if (before == first.end()) continue;
    EXPECT_EQ(keys_of(rows), keys_of(before->second)) << probe;
  }
}

}  // namespace ridge::probe::conformance
