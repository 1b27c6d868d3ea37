// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "rows.hpp"

namespace ridge::selftest {
namespace {

// Rows that one measurement yields together.
struct group {
  std::vector<std::string> rows;
  std::function<std::vector<row>(const surroundings&)> measure;
};

group identical(std::string name, workload what) {
  return {{name},
          [name, what](const surroundings& in) { return std::vector{identical_arms(name, what, in)}; }};
}

group effects(const std::string& suffix, workload what) {
  return {{"power_" + suffix, "error_" + suffix},
          [suffix, what](const surroundings& in) { return found_effects(suffix, what, in); }};
}

const std::vector<group>& groups() {
  static const std::vector<group> all{
      // First: a child's memory figure includes what its parent held when it started it.
      {{"list_time", "list_memory"}, list_figures},
      identical("aa_register", workload::registers),
      identical("aa_cache", workload::cache),
      identical("aa_memory", workload::memory),
      effects("register", workload::registers),
      effects("cache", workload::cache),
      effects("memory", workload::memory),
      {{"verdict_time"}, [](const surroundings& in) { return std::vector{verdict_time(in)}; }},
      {{"iteration_cost"}, [](const surroundings& in) { return std::vector{iteration_cost(in)}; }},
      {{"store_write", "store_history"}, store_figures},
  };
  return all;
}

}  // namespace

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& g : groups()) all.insert(all.end(), g.rows.begin(), g.rows.end());
  return all;
}

void run(const std::vector<std::string>& wanted, const surroundings& in,
         const std::function<void(const row&)>& report) {
  const auto asked = [&](const std::string& name) {
    return wanted.empty() || std::ranges::find(wanted, name) != wanted.end();
  };
  for (const auto& g : groups()) {
    if (std::ranges::none_of(g.rows, asked)) continue;
    for (const auto& r : g.measure(in)) {
      if (asked(r.name)) report(r);
    }
  }
}

}  // namespace ridge::selftest
