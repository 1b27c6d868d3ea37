// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "key_index.hpp"

namespace ridge::plan::serve {

// The blocks in a tier below the GPU: a bounded set of keys with least-recently-used replacement.
class kept_keys {
 public:
  explicit kept_keys(std::uint64_t room) : room_(room) {}
  // Adds a key and returns the one that was replaced, if any.
  std::optional<std::uint64_t> keep(std::uint64_t key);
  // Makes a key the last to be replaced, if it is here.
  void touch(std::uint64_t key);
  [[nodiscard]] std::size_t size() const { return index_.size(); }
  [[nodiscard]] bool holds(std::uint64_t key) const {
    return room_ > 0 && index_.find(key) != key_index::none;
  }
  void clear();

 private:
  struct entry {
    std::uint64_t key = 0;
    std::uint32_t older = key_index::none, newer = key_index::none;
  };
  void unlink(std::uint32_t entry);
  void link_newest(std::uint32_t entry);
  [[nodiscard]] std::optional<std::uint64_t> drop_oldest();

  std::uint64_t room_;
  key_index index_{};
  std::vector<entry> entries_{};
  std::vector<std::uint32_t> spare_{};
  std::uint32_t oldest_ = key_index::none, newest_ = key_index::none;
};

}  // namespace ridge::plan::serve
