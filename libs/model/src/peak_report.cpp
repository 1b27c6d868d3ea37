// SPDX-License-Identifier: Apache-2.0
#include <ridge/model/peak_report.hpp>

#include <algorithm>

namespace ridge::model {

// A file that another program wrote may count wrong, so rows beyond the end are left out.
std::span<const ceiling> rows_of(const peak_report& report, std::size_t subject) {
  std::size_t first = 0;
  const auto count = [](const probed& probe) { return static_cast<std::size_t>(std::max(probe.rows, 0)); };
  for (std::size_t i = 0; i < subject; ++i) first += count(report.probes[i]);
  const std::span all(report.peak.ceilings);
  const auto from = std::min(first, all.size());
  return all.subspan(from, std::min(count(report.probes[subject]), all.size() - from));
}

}  // namespace ridge::model
