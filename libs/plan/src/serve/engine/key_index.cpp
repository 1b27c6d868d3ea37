// SPDX-License-Identifier: Apache-2.0
#include "key_index.hpp"

#include <ridge/base/splitmix.hpp>

namespace ridge::plan::serve {

std::size_t key_index::home(std::uint64_t key) const { return splitmix64(key) & (cells_.size() - 1); }

std::size_t key_index::slot_of(std::uint64_t key) const {
  auto at = home(key);
  while (cells_[at].key != 0 && cells_[at].key != key) {
    at = (at + 1) & (cells_.size() - 1);
  }
  return at;
}

std::uint32_t key_index::find(std::uint64_t key) const { return cells_[slot_of(key)].place; }

bool key_index::insert(std::uint64_t key, std::uint32_t place) {
  if (2 * (size_ + 1) > cells_.size()) {
    grow();
  }
  auto& at = cells_[slot_of(key)];
  if (at.key != 0) {
    return false;
  }
  at = {key, place};
  ++size_;
  return true;
}

void key_index::erase(std::uint64_t key) {
  auto hole = slot_of(key);
  if (cells_[hole].key == 0) {
    return;
  }
  const auto mask = cells_.size() - 1;
  for (auto at = (hole + 1) & mask; cells_[at].key != 0; at = (at + 1) & mask) {
    if (((at - home(cells_[at].key)) & mask) >= ((at - hole) & mask)) {
      cells_[hole] = cells_[at];
      hole = at;
    }
  }
  cells_[hole] = {};
  --size_;
}

void key_index::clear() {
  cells_.assign(64, cell{});
  size_ = 0;
}

void key_index::grow() {
  auto old = std::move(cells_);
  cells_.assign(2 * old.size(), cell{});
  size_ = 0;
  for (const auto& c : old) {
    if (c.key != 0) {
      insert(c.key, c.place);
    }
  }
}

}  // namespace ridge::plan::serve
