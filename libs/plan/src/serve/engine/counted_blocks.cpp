// SPDX-License-Identifier: Apache-2.0
#include "counted_blocks.hpp"

#include <algorithm>

namespace ridge::plan::serve {

void counted_blocks::append(const run& r) {
  if (r.count == 0) {
    return;
  }
  if (!runs_.empty() && runs_.back().owner == nobody && r.owner == nobody) {
    runs_.back().count += r.count;
  } else {
    runs_.push_back(r);
  }
}

void counted_blocks::take_from_runs(std::uint32_t n) {
  const auto first = std::min(n, nameless_);
  nameless_ -= first;
  n -= first;
  auto at = runs_.begin();
  for (; n > 0; ++at) {
    const auto taken = std::min(n, at->count);
    at->count -= taken;
    n -= taken;
    if (at->count > 0) {
      break;
    }
  }
  runs_.erase(runs_.begin(), at);
}

void counted_blocks::give_kept(std::uint32_t n, std::uint32_t owner) {
  free_ += n;
  append({n, owner});
}

std::uint32_t counted_blocks::kept(std::uint32_t owner) const {
  const auto at = std::ranges::find(runs_, owner, &run::owner);
  return at == runs_.end() ? 0 : at->count;
}

void counted_blocks::claim(std::uint32_t owner) {
  const auto at = std::ranges::find(runs_, owner, &run::owner);
  if (at != runs_.end()) {
    free_ -= at->count;
    runs_.erase(at);
  }
}

void counted_blocks::disown(std::uint32_t owner) {
  const auto at = std::ranges::find(runs_, owner, &run::owner);
  if (at != runs_.end()) {
    at->owner = nobody;
  }
}

void counted_blocks::clear() {
  runs_.clear();
  free_ = nameless_ = blocks_;
}

}  // namespace ridge::plan::serve
