// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/results/analysis.hpp>

namespace ridge::results {

const analysis* analysis_named(std::string_view name) {
  const auto all = analyses();
  const auto found = std::ranges::find(all, name, &analysis::name);
  return found == all.end() ? nullptr : &*found;
}

result<answer> answer_of(std::string_view name, store::store& results,
                         const std::map<std::string, std::string>& given) {
  const auto* const found = analysis_named(name);
  if (found == nullptr) {
    std::vector<std::string> names;
    for (const auto& one : analyses()) names.emplace_back(one.name);
    return error{fmt::format("there is no analysis '{}'", name),
                 fmt::format("there are {}", join(names, ", "))};
  }
  const auto parsed = arguments::parse(found->parameters, given);
  if (!parsed) return parsed.why();
  return found->run(results, *parsed);
}

}  // namespace ridge::results
