// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/trace/diagnosis.hpp>

#include "rules/rules.hpp"

namespace ridge::trace {

// The candidates of all rules, which become findings by sharing out time.
class found_candidates {
 public:
  // Adds a candidate. Candidates of one rule about one subject on several devices become one.
  void add(const rule& source, candidate c);
  void share_out(const evidence& e, double least_alarm_share, diagnosis& out) &&;

 private:
  struct entry {
    const rule* origin = nullptr;
    candidate found{};
    nanoseconds wanted_ns = 0;  // time of the largest part, whose texts are shown
    std::size_t devices = 1;
    nanoseconds granted_ns = 0, alone_ns = 0;
  };
  nanoseconds grant(const evidence& e);
  std::vector<entry> entries_{};
};

// Returns a text with its {words} replaced; a word without a value is a bug.
[[nodiscard]] std::string filled(std::string_view text, const std::map<std::string, std::string>& words);

}  // namespace ridge::trace
