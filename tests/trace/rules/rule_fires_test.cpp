// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <gmock/gmock.h>

#include "rule_case.hpp"

namespace ridge::trace {
namespace {

using fixtures::rule_case;

diagnosis judged(const rule_case& c, std::vector<trace> traces) {
  auto options = c.options;
  std::vector<trace> baseline;
  if (c.compared) {
    baseline.push_back(std::move(traces.back()));
    traces.pop_back();
    options.baseline = &baseline.front();
  }
  return diagnose(traces, options);
}

std::vector<finding> findings_of_rule(const diagnosis& d, const std::string& rule) {
  std::vector<finding> found;
  for (const auto* list : {&d.doubts, &d.findings})
    std::ranges::copy_if(*list, std::back_inserter(found), [&](const auto& f) { return f.rule == rule; });
  return found;
}

std::string all_rules(const diagnosis& d) {
  std::string text;
  for (const auto* list : {&d.doubts, &d.findings})
    for (const auto& f : *list) text += f.rule + ": " + f.text + "\n";
  for (const auto& a : d.abstentions) text += a.rule + " abstains: " + a.missing + "\n";
  return text;
}

class rule_fires_test : public ::testing::TestWithParam<rule_case> {};

TEST_P(rule_fires_test, on_the_trace_that_has_it_and_not_on_the_one_without) {
  const auto& c = GetParam();
  const auto loud = judged(c, c.fires());
  const auto found = findings_of_rule(loud, c.rule);
  ASSERT_FALSE(found.empty()) << all_rules(loud);
  for (const auto& f : found) {
    EXPECT_FALSE(f.text.empty());
    EXPECT_EQ(f.text.find('{'), std::string::npos) << f.text;
    EXPECT_FALSE(f.evidence.empty()) << "nothing that it rests on";
    EXPECT_GT(f.confidence, 0);
    EXPECT_LE(f.confidence, 1);
  }
  const auto still = judged(c, c.quiet());
  EXPECT_TRUE(findings_of_rule(still, c.rule).empty()) << all_rules(still);
}

TEST_P(rule_fires_test, promises_no_more_than_the_window) {
  const auto& c = GetParam();
  for (const auto& make : {c.fires, c.quiet}) {
    double sum = 0;
    for (const auto& f : judged(c, make()).findings) sum += f.share;
    EXPECT_LE(sum, 1 + 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(rules, rule_fires_test, ::testing::ValuesIn(fixtures::all_cases()),
                         [](const auto& x) { return x.param.rule; });

TEST(rules, have_a_trace_that_fires_and_one_that_does_not_each) {
  std::set<std::string> with_cases, rows;
  for (const auto& c : fixtures::all_cases()) {
    with_cases.insert(c.rule);
    EXPECT_TRUE(c.fires && c.quiet) << c.rule;
  }
  for (const auto& r : rule_table::built_in().rules) rows.insert(r.id);
  EXPECT_EQ(with_cases, rows);
}

}  // namespace
}  // namespace ridge::trace
