// SPDX-License-Identifier: Apache-2.0
#include "kept_keys.hpp"

namespace ridge::plan::serve {

void kept_keys::unlink(std::uint32_t entry) {
  const auto& e = entries_[entry];
  (e.older == key_index::none ? oldest_ : entries_[e.older].newer) = e.newer;
  (e.newer == key_index::none ? newest_ : entries_[e.newer].older) = e.older;
}

void kept_keys::link_newest(std::uint32_t entry) {
  entries_[entry].older = newest_;
  entries_[entry].newer = key_index::none;
  (newest_ == key_index::none ? oldest_ : entries_[newest_].newer) = entry;
  newest_ = entry;
}

std::optional<std::uint64_t> kept_keys::drop_oldest() {
  const auto at = oldest_;
  const auto key = entries_[at].key;
  unlink(at);
  index_.erase(key);
  spare_.push_back(at);
  return key;
}

std::optional<std::uint64_t> kept_keys::keep(std::uint64_t key) {
  if (room_ == 0) {
    return key;
  }
  if (holds(key)) {
    touch(key);
    return {};
  }
  auto left = index_.size() >= room_ ? drop_oldest() : std::nullopt;
  if (spare_.empty()) {
    spare_.push_back(static_cast<std::uint32_t>(entries_.size()));
    entries_.emplace_back();
  }
  const auto at = spare_.back();
  spare_.pop_back();
  entries_[at].key = key;
  index_.insert(key, at);
  link_newest(at);
  return left;
}

void kept_keys::touch(std::uint64_t key) {
  if (room_ == 0) {
    return;
  }
  if (const auto at = index_.find(key); at != key_index::none) {
    unlink(at);
    link_newest(at);
  }
}

void kept_keys::clear() {
  index_.clear();
  entries_.clear();
  spare_.clear();
  oldest_ = newest_ = key_index::none;
}

}  // namespace ridge::plan::serve
