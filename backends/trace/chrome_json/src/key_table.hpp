// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string_view>
#include <utility>

#include <ridge/base/expects.hpp>

namespace ridge::backends::trace_chrome_json {

// A fixed set of texts, each with a value. A text that is looked up must have eight readable bytes.
template <class Value>
class key_table {
 public:
  key_table(std::initializer_list<std::pair<std::string_view, Value>> rows, Value otherwise)
      : otherwise_(otherwise) {
    for (const auto& [key, value] : rows) put(key, value);
  }

  [[nodiscard]] Value find(std::string_view key) const {
    for (auto slot = slot_of(head_of(key.data(), key.size()), key.size());; slot = (slot + 1) % slots) {
      const auto& found = rows_[slot];
      if (found.key.data() == nullptr) return otherwise_;
      if (found.key.size() == key.size() && std::memcmp(found.key.data(), key.data(), key.size()) == 0)
        return found.value;
    }
  }

 private:
  static constexpr std::size_t slots = 256;
  struct row {
    std::string_view key{};
    Value value{};
  };

  static std::uint64_t head_of(const char* position, std::size_t size) {
    std::uint64_t head = 0;
    std::memcpy(&head, position, sizeof head);
    return size >= sizeof head ? head : head & ((std::uint64_t{1} << (8 * size)) - 1);
  }
  static std::size_t slot_of(std::uint64_t head, std::size_t size) {
    return ((head ^ size << 56) * 0x9e3779b97f4a7c15U) >> 56;
  }
  void put(std::string_view key, Value value) {
    expects(++size_ < slots / 2, "key_table: too many keys");
    char head[8]{};
    std::memcpy(head, key.data(), std::min<std::size_t>(key.size(), sizeof head));
    auto slot = slot_of(head_of(head, key.size()), key.size());
    while (rows_[slot].key.data() != nullptr) slot = (slot + 1) % slots;
    rows_[slot] = {key, value};
  }

  std::array<row, slots> rows_{};
  Value otherwise_;
  std::size_t size_ = 0;
};

}  // namespace ridge::backends::trace_chrome_json
