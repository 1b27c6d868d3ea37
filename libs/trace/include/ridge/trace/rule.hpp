// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::trace {

// Which question a rule answers, in the order of reasoning.
enum class rule_level : std::uint8_t { trust, where, why, kernels, host, ranks };
[[nodiscard]] std::string_view name(rule_level l);

// What a rule's findings take of the window's time, so that no nanosecond is promised twice.
enum class rule_claim : std::uint8_t {
  nothing,  // it promises no time
  cause,    // a named cause: served first, the largest first
  rest,     // what causes leave of the whole that it describes
};

struct threshold {
  std::string name{};
  double value = 0;
  std::string unit{};
  std::string means{};
};

// One row of the table: what is looked for, in data. The function that looks is bound by `id`.
struct rule {
  std::string id{};  // "I3"
  rule_level level = rule_level::why;
  std::string title{};
  std::string text{};  // of a finding; {words} are filled in
  std::string advice{};
  std::vector<std::string> experiments{};  // ids of our catalogue that teach or test it
  std::string next{};                      // the command to type next; {file}
  std::string source{};                    // whose idea it is
  std::vector<threshold> thresholds{};
  std::vector<std::string> needs{};  // names of needs, without which it abstains
  rule_claim claims = rule_claim::nothing;

  [[nodiscard]] double limit(std::string_view threshold_name) const;  // a bug where it has none of that name
};

// Something that a rule cannot do without.
struct rule_need {
  std::string name{};
  std::string missing{};  // how to say that it is not there
  std::string get{};      // what to type to get it
};

struct rule_table {
  std::vector<rule> rules{};
  std::vector<rule_need> needs{};

  [[nodiscard]] static rule_table built_in();
  [[nodiscard]] const rule* find(std::string_view id) const;              // nullptr: none
  [[nodiscard]] const rule_need& need(std::string_view need_name) const;  // a bug where there is none
  // "I1.idle_share=0.2". An error names what there is where a rule, a threshold or the number is wrong.
  [[nodiscard]] result<void> set(std::string_view setting);
};

// A table from its JSON text (libs/trace/data/rules.json shows every field); an error names the row.
[[nodiscard]] result<rule_table> parse_rules(std::string_view json);

}  // namespace ridge::trace
