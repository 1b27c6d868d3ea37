// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rules.hpp"

namespace ridge::trace {

// As about(), of a judged kernel: its time, share, figures and grade; fills {kernel} and {share}.
[[nodiscard]] candidate about_kernel(const evidence& e, const judged_kernel& k, nanoseconds at_most);

// What to ask for when no kernel could be judged.
[[nodiscard]] std::vector<std::string> missing_to_judge(const evidence& e);

// A candidate for each kernel of that limit whose share of the window reaches the rule's "share"; abstains
// where no kernel could be judged at all.
template <class Make>
[[nodiscard]] outcome each_kernel(const evidence& e, const rule& r, kernel_limit limit, Make make) {
  outcome out;
  for (const auto& k : e.kernels) {
    if (k.verdict.limit == limit && k.share >= r.limit("share")) out.found.push_back(make(k));
  }
  if (out.found.empty()) out.missing = missing_to_judge(e);
  return out;
}

}  // namespace ridge::trace
