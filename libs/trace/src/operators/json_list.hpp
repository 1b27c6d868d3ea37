// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::trace {

// A value of the small JSON lists that describe arguments: a list, a text or an integer.
struct list_item {
  enum class kind : std::uint8_t { list, text, integer } form = kind::text;
  std::vector<list_item> items{};
  std::string text{};
  std::int64_t integer = 0;
};

// Returns the items of "[[64, 1024], [], \"x\"]"; an item that cannot be read ends the list. Nesting beyond
// 16 is not read.
[[nodiscard]] std::vector<list_item> items_of(std::string_view json);

}  // namespace ridge::trace
