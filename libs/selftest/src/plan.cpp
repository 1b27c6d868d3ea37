// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/base/byte_units.hpp>

#include "rows.hpp"

namespace ridge::selftest {
namespace {

// Rows that one measurement yields together.
struct group {
  std::vector<std::string> rows;
  std::function<std::vector<row>(const surroundings&)> measure;
};

group identical(std::string name, workload kind) {
  return {{name}, [name, kind](const surroundings& surroundings) {
            return std::vector{identical_arms(name, kind, surroundings)};
          }};
}

group tables(const std::string& suffix, std::size_t bytes) {
  const auto name = "aa_private_" + suffix;
  return {{name}, [name, bytes](const surroundings& surroundings) {
            return std::vector{private_tables(name, bytes, surroundings)};
          }};
}

group effects(const std::string& suffix, workload kind) {
  return {{"power_" + suffix, "error_" + suffix}, [suffix, kind](const surroundings& surroundings) {
            return found_effects(suffix, kind, surroundings);
          }};
}

std::vector<group> with_changes(std::vector<group> others) {
  for (const auto& name : change_rows()) {
    others.push_back({{name}, [name](const surroundings& surroundings) {
                        return std::vector{change_figure(name, surroundings)};
                      }});
  }
  return others;
}

const std::vector<group>& groups() {
  static const auto all = with_changes({
      // These come first, since the memory figure of a child includes what its parent held when it started
      // the child.
      {{"list_time", "list_memory"}, list_figures},
      identical("aa_register", workload::registers),
      identical("aa_cache", workload::cache),
      identical("aa_memory", workload::memory),
      tables("16k", 16 * kib),
      tables("64k", 64 * kib),
      tables("256k", 256 * kib),
      tables("512k", 512 * kib),
      tables("1m", mib),
      tables("8m", 8 * mib),
      {{"aa_layout"},
       [](const surroundings& surroundings) { return std::vector{code_layouts("aa_layout", surroundings)}; }},
      effects("register", workload::registers),
      effects("cache", workload::cache),
      effects("memory", workload::memory),
      {{"verdict_time"},
       [](const surroundings& surroundings) { return std::vector{verdict_time(surroundings)}; }},
      {{"iteration_cost"},
       [](const surroundings& surroundings) { return std::vector{iteration_cost(surroundings)}; }},
      {{"store_write", "store_history"}, store_figures},
  });
  return all;
}

}  // namespace

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& g : groups()) all.insert(all.end(), g.rows.begin(), g.rows.end());
  return all;
}

void run(const std::vector<std::string>& wanted, const surroundings& surroundings,
         const std::function<void(const row&)>& report) {
  const auto asked = [&](const std::string& name) {
    return wanted.empty() || std::ranges::find(wanted, name) != wanted.end();
  };
  for (const auto& g : groups()) {
    if (std::ranges::none_of(g.rows, asked)) continue;
    for (const auto& r : g.measure(surroundings)) {
      if (asked(r.name)) report(r);
    }
  }
}

}  // namespace ridge::selftest
