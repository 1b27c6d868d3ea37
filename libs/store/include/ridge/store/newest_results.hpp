// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>

#include <ridge/model/measured_series.hpp>

namespace ridge::store {

// What a backend has read of the newest families of workloads, so that asking again reads only what is new. A
// family never changes once it is stored: what was read of one is right as long as its workload has as many
// families, of which it is the newest. Holds 20,000 workloads at most, with a few kB each.
class newest_results {
 public:
  // Gives a result, of which all but its measurements and comparisons is known, those of its newest family;
  // returns false where they have not been kept.
  [[nodiscard]] bool complete(std::int64_t family, model::workload_result& result) const;

  // Keeps a whole result; it takes the place of what was kept of the workload.
  void keep(std::int64_t family, const model::workload_result& result);

 private:
  struct kept_result {
    std::int64_t family = 0;
    model::workload_result result{};
  };
  std::unordered_map<std::int64_t, kept_result> by_workload_{};
};

}  // namespace ridge::store
