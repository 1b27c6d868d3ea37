// SPDX-License-Identifier: Apache-2.0
#include <ridge/model/ceiling.hpp>

namespace ridge::model {

const ceiling* peak::find(std::string_view id, int threads) const {
  const ceiling* best = nullptr;
  for (const auto& row : ceilings) {
    if (row.id != id || (threads != 0 && row.threads != threads)) continue;
    const bool better = !best || (lower_is_better(row) ? row.value < best->value : row.value > best->value);
    if (better) best = &row;
  }
  return best;
}

}  // namespace ridge::model
