// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rules/rules.hpp"

namespace ridge::trace {

// As about(), for a judged kernel: adds its time, share, figures and grade, and fills {kernel} and {share}.
[[nodiscard]] candidate about_kernel(const evidence& e, const judged_kernel& k, nanoseconds at_most);

// Returns the needs to name when no kernel could be judged.
[[nodiscard]] std::vector<std::string> missing_to_judge(const evidence& e);

// Makes a candidate for each kernel of that limit whose share of the window reaches the rule's "share" and
// one of whose figures reaches a threshold of the rule (a `figure` of nullptr asks for none); abstains
// where no kernel could be judged.
template <class Make>
[[nodiscard]] outcome each_kernel(const evidence& e, const rule& r, kernel_limit limit,
                                  std::optional<double> verdict_figures::*figure, std::string_view at_least,
                                  Make make) {
  outcome out;
  for (const auto& k : e.kernels) {
    const bool enough = figure == nullptr || (k.verdict.figures.*figure).value_or(0) >= r.limit(at_least);
    if (k.verdict.limit == limit && enough && k.share >= r.limit("share")) out.found.push_back(make(k));
  }
  if (out.found.empty()) out.missing = missing_to_judge(e);
  return out;
}

}  // namespace ridge::trace
