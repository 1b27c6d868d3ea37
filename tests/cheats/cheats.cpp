// SPDX-License-Identifier: Apache-2.0
#include "cheats.hpp"

#include <algorithm>
#include <utility>

#include "informed_cheats.hpp"

namespace ridge::cheats {
namespace {

void append(std::vector<cheat>& every, category kind, std::vector<cheat> some) {
  for (auto& one : some) {
    one.kind = kind;
    every.push_back(std::move(one));
  }
}

}  // namespace

std::string_view name(category kind) {
  switch (kind) {
    case category::timing:
      return "timing";
    case category::output:
      return "output";
    case category::memory:
      return "memory";
    case category::process:
      return "process";
    case category::declarations:
      return "declarations";
    case category::statistics:
      break;
  }
  return "statistics";
}

std::string_view name(gain won) {
  switch (won) {
    case gain::time:
      return "time";
    case gain::report:
      return "report";
    case gain::others:
      break;
  }
  return "others";
}

bool is_asked_for(const std::string& id, const std::vector<std::string>& words) {
  const auto contained = [&](const std::string& word) { return id.find(word) != std::string::npos; };
  return words.empty() || std::ranges::any_of(words, contained);
}

std::vector<cheat> all_cheats() {
  std::vector<cheat> every;
  append(every, category::timing, timing_cheats());
  append(every, category::timing, informed_timing_cheats());
  append(every, category::output, output_cheats());
  append(every, category::output, informed_output_cheats());
  append(every, category::memory, memory_cheats());
  append(every, category::process, process_cheats());
  append(every, category::process, informed_process_cheats());
  append(every, category::process, informed_lone_cheats());
  append(every, category::declarations, declaration_cheats());
  append(every, category::statistics, statistics_cheats());
  append(every, category::statistics, informed_statistics_cheats());
  append(every, category::declarations, informed_claim_cheats());
  return every;
}

}  // namespace ridge::cheats
