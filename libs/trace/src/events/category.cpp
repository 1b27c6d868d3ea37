// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/category.hpp>

#include <array>

namespace ridge::trace {

std::string_view name(category c) {
  constexpr std::array<std::string_view, category_count> names{
      "kernel", "copy", "fill",         "api",      "op",      "annotation",    "device annotation",
      "python", "sync", "device event", "overhead", "os call", "counter range", "sample",
      "mark",   "other"};
  return names.at(static_cast<std::size_t>(c));
}

}  // namespace ridge::trace
