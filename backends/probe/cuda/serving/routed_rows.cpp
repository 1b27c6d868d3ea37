// SPDX-License-Identifier: Apache-2.0
#include "serving/routed_rows.hpp"

#include <algorithm>
#include <cmath>

#include <ridge/base/splitmix.hpp>

namespace ridge::backends::probe_cuda {

std::vector<int> routed_rows(std::int64_t tokens, std::int64_t experts, std::int64_t top_k) {
  const auto count = static_cast<std::size_t>(experts);
  const double ratio = std::log(20.0);
  std::vector<double> until;  // sums of popularity
  for (std::size_t e = 0; e < count; ++e)
    until.push_back((until.empty() ? 0 : until.back()) +
                    std::exp(ratio * (static_cast<double>(e) + 0.5) / static_cast<double>(count)));
  std::vector<int> rows(count);
  splitmix_generator draw(1);
  for (std::int64_t t = 0; t < tokens; ++t) {
    std::vector<std::size_t> chosen;
    while (static_cast<std::int64_t>(chosen.size()) < std::min(top_k, experts)) {
      const double x = static_cast<double>(draw() >> 11U) * 0x1p-53 * until.back();
      const auto e =
          std::min(static_cast<std::size_t>(std::ranges::upper_bound(until, x) - until.begin()), count - 1);
      if (std::ranges::find(chosen, e) == chosen.end()) chosen.push_back(e);
    }
    for (const auto e : chosen) ++rows[e];
  }
  return rows;
}

}  // namespace ridge::backends::probe_cuda
