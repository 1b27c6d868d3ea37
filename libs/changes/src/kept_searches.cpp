// SPDX-License-Identifier: Apache-2.0
#include <ridge/changes/kept_searches.hpp>

namespace ridge::changes {
namespace {

constexpr std::size_t most_searches = 50'000;

}  // namespace

std::optional<series_changes> kept_searches::find(const model::measured_series& series,
                                                  std::size_t tests) const {
  const std::lock_guard guard(mutex_);
  const auto found = kept_.find({series.id, tests});
  if (found == kept_.end()) return std::nullopt;
  // The number of a series could be given again in a store that was replaced.
  const auto& known = found->second.series;
  if (known.points != series.points || known.workload != series.workload || known.variant != series.variant ||
      known.metric.name != series.metric.name)
    return std::nullopt;
  return found->second;
}

void kept_searches::keep(const series_changes& found, std::size_t tests) {
  const std::lock_guard guard(mutex_);
  if (kept_.size() >= most_searches && !kept_.contains({found.series.id, tests})) kept_.clear();
  kept_.insert_or_assign({found.series.id, tests}, found);
}

}  // namespace ridge::changes
