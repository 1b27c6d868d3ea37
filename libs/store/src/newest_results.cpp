// SPDX-License-Identifier: Apache-2.0
#include <ridge/store/newest_results.hpp>

namespace ridge::store {
namespace {

constexpr std::size_t most_workloads = 20'000;

}  // namespace

bool newest_results::complete(std::int64_t family, model::workload_result& result) const {
  const auto found = by_workload_.find(result.workload.id);
  if (found == by_workload_.end()) return false;
  const auto& kept = found->second;
  // The number of a family could be given again in a store that was replaced: its run could not.
  if (kept.family != family || kept.result.run != result.run ||
      kept.result.workload.families != result.workload.families)
    return false;
  result.measurements = kept.result.measurements;
  result.comparisons = kept.result.comparisons;
  return true;
}

void newest_results::keep(std::int64_t family, const model::workload_result& result) {
  if (by_workload_.size() >= most_workloads && !by_workload_.contains(result.workload.id)) return;
  by_workload_.insert_or_assign(result.workload.id, kept_result{family, result});
}

}  // namespace ridge::store
