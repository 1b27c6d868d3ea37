// SPDX-License-Identifier: Apache-2.0
#include "stored/answer_cache.hpp"

#include <utility>

namespace ridge::app_serve {

void answer_cache::begin(const std::string& revision) {
  if (revision == revision_) return;
  kept_.clear();
  bytes_ = 0;
  revision_ = revision;
}

std::shared_ptr<const std::string> answer_cache::find(const std::string& key, const std::string& revision) {
  if (revision.empty()) return nullptr;
  const std::lock_guard guard(mutex_);
  if (revision != revision_) return nullptr;
  const auto found = kept_.find(key);
  return found == kept_.end() ? nullptr : found->second;
}

void answer_cache::keep(const std::string& key, const std::string& revision, std::string document) {
  if (revision.empty() || document.size() > most_bytes_ / 4) return;
  const std::lock_guard guard(mutex_);
  begin(revision);
  if (bytes_ + document.size() + key.size() > most_bytes_) {
    kept_.clear();
    bytes_ = 0;
  }
  auto& place = kept_[key];
  if (place) bytes_ -= place->size() + key.size();
  bytes_ += document.size() + key.size();
  place = std::make_shared<const std::string>(std::move(document));
}

}  // namespace ridge::app_serve
