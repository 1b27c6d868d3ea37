// SPDX-License-Identifier: Apache-2.0
#include <ridge/changes/environment_differences.hpp>

#include <map>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

namespace ridge::changes {
namespace {

std::map<std::string, std::string> facts_of(const model::environment& e) {
  std::map<std::string, std::string> all(e.facts.begin(), e.facts.end());
  all.erase("load");
  all["machine"] = e.machine;
  all["host"] = e.host;
  all["cpu"] = e.cpu;
  all["kernel"] = e.kernel;
  all["compiler"] = e.compiler;
  all["flags"] = e.flags;
  all["build"] = e.build;
  if (e.cores > 0) all["cores"] = std::to_string(e.cores);
  if (e.memory_bytes > 0) all["memory"] = format_quantity(e.memory_bytes, "B");
  return all;
}

}  // namespace

std::vector<fact_difference> environment_differences(const model::environment& before,
                                                     const model::environment& after) {
  auto left = facts_of(before), right = facts_of(after);
  for (const auto& [fact, value] : right) left.try_emplace(fact);
  std::vector<fact_difference> differences;
  for (const auto& [fact, value] : left) {
    if (const auto& other = right[fact]; other != value) differences.push_back({fact, value, other});
  }
  return differences;
}

}  // namespace ridge::changes
