// SPDX-License-Identifier: Apache-2.0
#include "nsys_names.hpp"

#include <algorithm>

namespace ridge::backends::trace_nsys_sqlite {

nsys_names::nsys_names(const nsys_file& file) {
  auto rows = file.rows("StringIds", {"id", "value"});
  while (rows.next()) texts_.insert_or_assign(rows.whole_or(0, 0), std::string(rows.text(1)));
}

std::string_view nsys_names::text(std::int64_t id) const {
  const auto at = texts_.find(id);
  return at == texts_.end() ? std::string_view{} : std::string_view(at->second);
}

std::string_view nsys_names::text_in(const table_rows& row, int column) const {
  if (row.is_text(column)) return row.text(column);
  const auto id = row.whole(column);
  return id ? text(*id) : std::string_view{};
}

std::string_view without_version(std::string_view api) {
  constexpr std::size_t shortest = 4;  // cuMemcpyHtoDAsync_v2 is a function's own name
  const auto at = api.rfind("_v");
  if (at == std::string_view::npos) return api;
  const auto digits = api.substr(at + 2);
  const bool is_version =
      digits.size() >= shortest && std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  return is_version ? api.substr(0, at) : api;
}

}  // namespace ridge::backends::trace_nsys_sqlite
