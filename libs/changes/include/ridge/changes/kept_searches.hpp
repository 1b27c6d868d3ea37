// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include <ridge/changes/series_changes.hpp>

namespace ridge::changes {

// What was found of each series, so that a later pass searches only those that have new points. Any thread
// may use it. Holds 50,000 searches at most, of which each takes 1 to 2 kB.
class kept_searches {
 public:
  // Returns what search() found of a series with as many points, in a pass of as many tests; nothing where
  // that was not kept.
  [[nodiscard]] std::optional<series_changes> find(const model::measured_series& series,
                                                   std::size_t tests) const;

  // Keeps what search() found; it takes the place of what was found when the series had fewer points.
  void keep(const series_changes& found, std::size_t tests);

 private:
  mutable std::mutex mutex_{};
  std::map<std::pair<std::int64_t, std::size_t>, series_changes> kept_{};
};

}  // namespace ridge::changes
