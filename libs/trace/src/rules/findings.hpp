// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/trace/diagnosis.hpp>

#include "rules/rules.hpp"

namespace ridge::trace {

// Candidates of all rules; makes findings of them by sharing out time.
class found_candidates {
 public:
  // Candidates of one rule about one subject, on several devices, become one.
  void add(const rule& of, candidate c);
  void share_out(const evidence& e, double least_alarm_share, diagnosis& out) &&;

 private:
  struct entry {
    const rule* of = nullptr;
    candidate what{};
    nanoseconds wanted_ns = 0;  // of its largest part: whose texts are shown
    std::size_t devices = 1;
  };
  std::vector<entry> entries_{};
};

// A text with its {words} replaced; a bug where one has no value.
[[nodiscard]] std::string filled(std::string_view text, const std::map<std::string, std::string>& words);

}  // namespace ridge::trace
