// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::trace {

// The question that a rule answers, in the order of reasoning.
enum class rule_level : std::uint8_t { trust, where, why, kernels, host, ranks };
[[nodiscard]] std::string_view name(rule_level l);

// Which part of the window's time a rule's findings claim, so that no nanosecond is promised twice.
enum class rule_claim : std::uint8_t {
  nothing,  // it promises no time
  cause,    // the time of a named cause; served first, the largest first
  after,    // a cause that is right only for what named ones leave: launches, after all that delays them
  rest,     // what named causes leave of the whole that the rule describes
};

// The names of causes that findings may have: "host-elsewhere", "read-back" ... What a program does wrong, in
// words that stay the same whichever rule finds it.
[[nodiscard]] std::span<const std::string_view> cause_slugs();

// A number that a rule compares with.
struct threshold {
  std::string name{};
  double value = 0;
  std::string unit{};
  std::string means{};
};

// One row of the table. The function that evaluates the rule is found by `id`.
struct rule {
  std::string id{};  // "I3"
  rule_level level = rule_level::why;
  std::string title{};
  std::string text{};  // text of a finding; {words} are filled in
  std::string advice{};
  std::vector<std::string> experiments{};  // ids of experiments of the catalogue that teach or test it
  std::string next{};                      // the command to type next; {file} is filled in
  std::string source{};                    // where the rule comes from
  std::vector<threshold> thresholds{};
  std::vector<std::string> needs{};  // names of the rule_need rows without which it abstains
  std::string cause{};               // what is wrong with the program: one of cause_slugs(); "": none
  rule_claim claims = rule_claim::nothing;

  // Returns the value of a threshold. It is a bug to ask for one that the rule does not have.
  [[nodiscard]] double limit(std::string_view threshold_name) const;
};

// Data that rules may require of a trace.
struct rule_need {
  std::string name{};
  std::string missing{};  // the text that says that the data are missing
  std::string get{};      // the command that records the data
};

// All rules, and the data that they need.
struct rule_table {
  std::vector<rule> rules{};
  std::vector<rule_need> needs{};

  // Returns the table that the library ships (libs/trace/data/rules.json).
  [[nodiscard]] static rule_table built_in();
  [[nodiscard]] const rule* find(std::string_view id) const;  // nullptr: no such rule
  [[nodiscard]] const rule_need& need(
      std::string_view need_name) const;  // a bug where there is none of that name
  // Changes a threshold: "I1.idle_share=0.2". Where the rule, the threshold or the number is wrong, the error
  // names the valid ones.
  [[nodiscard]] result<void> set(std::string_view setting);
};

// Parses a table from its JSON text (libs/trace/data/rules.json shows every field); an error names the row.
[[nodiscard]] result<rule_table> parse_rules(std::string_view json);

}  // namespace ridge::trace
