// SPDX-License-Identifier: Apache-2.0
#include "screens/ratio_bar.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::tui {

void ratio_scale::hold(double ratio, double least, double greatest) {
  if (!std::isfinite(ratio) || !(ratio > 0)) return;
  ratio = std::clamp(ratio, least, greatest);
  least_ = std::min(least_, ratio);
  greatest_ = std::max(greatest_, ratio);
}

std::size_t ratio_scale::place(double ratio, std::size_t columns) const {
  const double share = (std::log(ratio) - std::log(least_)) / (std::log(greatest_) - std::log(least_));
  return static_cast<std::size_t>(
      std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(columns - 1)));
}

std::string ratio_scale::bar(double ratio, interval ci, std::size_t columns) const {
  std::vector<std::string> cells(columns, " ");
  cells[place(1, columns)] = "│";
  const bool drawable = std::isfinite(ratio) && ratio > 0 && ci.lo > 0 && std::isfinite(ci.hi);
  if (!drawable) return join(cells, "");
  const auto first = place(ci.lo, columns), last = place(ci.hi, columns);
  for (auto i = first; i <= last; ++i) cells[i] = i == place(1, columns) ? "┼" : "─";
  if (last > first) {
    cells[first] = "├";
    cells[last] = "┤";
  }
  cells[place(ratio, columns)] = "●";
  if (ci.lo < least_) cells.front() = "‹";
  if (ci.hi > greatest_) cells.back() = "›";
  return join(cells, "");
}

std::string ratio_scale::least() const { return fmt::format("{:.2g}×", least_); }
std::string ratio_scale::greatest() const { return fmt::format("{:.3g}×", greatest_); }

}  // namespace ridge::tui
