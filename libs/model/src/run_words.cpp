// SPDX-License-Identifier: Apache-2.0
#include <ridge/model/run_words.hpp>

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::model {

std::string failures_in_words(const run& run) {
  std::map<failure_kind, std::size_t> counts;
  for (const auto& f : run.families) {
    for (const auto& m : f.measurements) counts[m.failure] += m.refused.empty() ? 0U : 1U;
  }
  std::vector<std::string> parts;
  for (const auto& [kind, n] : counts) {
    const bool known = kind != failure_kind::none && kind != failure_kind::unknown;
    auto words = std::string(known ? name(kind) : "failed");
    std::ranges::replace(words, '_', ' ');
    if (n > 0) parts.push_back(fmt::format("{} {}", n, words));
  }
  return join(parts, ", ");
}

std::string in_words(const library_use& use) {
  std::vector<std::string> parts;
  if (!use.library.empty()) parts.push_back(use.library);
  parts.push_back(fmt::format("{} thread{}", use.threads, use.threads == 1 ? "" : "s"));
  for (const auto& [name, value] : use.settings) parts.push_back(fmt::format("{}={} is set", name, value));
  return join(parts, ", ");
}

std::string left_out_in_words(const run& run) {
  constexpr std::size_t most = 4;  // of each reason
  std::vector<std::string> reasons, parts;
  for (const auto& each : run.left_out) {
    if (std::ranges::find(reasons, each.reason) == reasons.end()) reasons.push_back(each.reason);
  }
  for (const auto& reason : reasons) {
    std::vector<std::string> problems;
    for (const auto& each : run.left_out) {
      if (each.reason != reason) continue;
      problems.push_back(each.problem.empty() ? each.experiment
                                              : fmt::format("{} {}", each.experiment, text(each.problem)));
    }
    const auto n = problems.size();
    problems.resize(std::min(n, most));
    parts.push_back(
        fmt::format("{} {} ({}): {}", n, n == 1 ? "problem" : "problems", reason, join(problems, ", ")));
    if (n > most) parts.back() += fmt::format(" and {} more", n - most);
  }
  return join(parts, "; ");
}

}  // namespace ridge::model
