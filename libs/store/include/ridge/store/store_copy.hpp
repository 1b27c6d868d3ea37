// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/store/store.hpp>

namespace ridge::store {

// What a copy did.
struct copied {
  std::uint64_t runs = 0;      // entered, or brought up to date
  std::uint64_t present = 0;   // were there already, and are the same
  std::uint64_t families = 0;  // entered
  std::uint64_t notes = 0;     // entered
  std::vector<error> left{};   // runs and notes that were not copied, and why
};

// Enters everything that `source` holds in `target`: runs with their families and samples, oldest first, and
// all notes. A run that the target holds already gets the families that it lacks; one of which the target
// holds more families than the source is left as it is. So a copy that was broken off is continued by another
// call, and one that is complete changes nothing. `progress` is told after each run how many are done and how
// many there are. Throws store_failure.
[[nodiscard]] copied copy_all(store& source, store& target,
                              const std::function<void(std::uint64_t, std::uint64_t)>& progress = {});

}  // namespace ridge::store
