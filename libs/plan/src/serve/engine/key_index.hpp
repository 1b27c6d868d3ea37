// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace ridge::plan::serve {

// A map of keys to 32-bit values: open addressing, linear probing, deletion by shifting back. Key 0 is not
// allowed.
class key_index {
 public:
  static constexpr std::uint32_t none = 0xffffffffU;

  key_index() : cells_(64) {}
  [[nodiscard]] std::uint32_t find(std::uint64_t key) const;  // or none
  // Adds a key unless it is present; true when it was added.
  bool insert(std::uint64_t key, std::uint32_t place);
  void erase(std::uint64_t key);
  void clear();
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct cell {
    std::uint64_t key = 0;
    std::uint32_t place = none;
  };
  [[nodiscard]] std::size_t home(std::uint64_t key) const;
  [[nodiscard]] std::size_t slot_of(std::uint64_t key) const;
  void grow();

  std::vector<cell> cells_;
  std::size_t size_ = 0;
};

}  // namespace ridge::plan::serve
