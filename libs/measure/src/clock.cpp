// SPDX-License-Identifier: Apache-2.0
#include <ridge/measure/clock.hpp>

#include <algorithm>
#include <vector>

#include <ridge/base/expects.hpp>

namespace ridge::measure {

clock_quality quality_of(std::span<const std::int64_t> readings) {
  expects(readings.size() >= 2 && readings.back() > readings.front(), "quality_of: readings that move on");
  std::vector<std::int64_t> steps(readings.size() - 1);
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = readings[i + 1] - readings[i];
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::ranges::nth_element(steps, middle);
  const double mean =
      static_cast<double>(readings.back() - readings.front()) / static_cast<double>(steps.size());
  const double cost = *middle > 0 ? static_cast<double>(*middle) : mean;
  std::int64_t least = readings.back() - readings.front();
  for (const auto step : steps) {
    if (step > 0) least = std::min(least, step);
  }
  return {least, cost};
}

}  // namespace ridge::measure
