// SPDX-License-Identifier: Apache-2.0
#include "rows.hpp"

#include <algorithm>
#include <limits>

#include <ridge/model/json.hpp>

namespace ridge::backends::store_sqlite {

model::comparison comparison_at(const statement& s, int first, int reference, int candidate) {
  return {.reference = owned(s, reference),
          .candidate = owned(s, candidate),
          .metric = {owned(s, first), owned(s, first + 1), word<model::better>(s, first + 2),
                     word<model::clock_kind>(s, first + 3)},
          .ratio = s.real(first + 4),
          .ci = {s.real(first + 5), s.real(first + 6)},
          .level = s.real(first + 7),
          .verdict = word<model::verdict>(s, first + 8),
          .headline = s.whole(first + 10) != 0,
          .judged = s.whole(first + 9) != 0,
          .assurance = static_cast<int>(s.whole(first + 11)),
          .pairs = static_cast<std::uint64_t>(s.whole(first + 12)),
          .aa = {s.real(first + 13), s.real(first + 14)}};
}

const model::problem_point& axes_reader::read(std::string_view text) {
  if (text != text_) {
    text_ = text;
    const auto read = model::axes_from_json(text_);
    axes_ = read ? *read : model::problem_point{};
  }
  return axes_;
}

std::string sqlite_glob(std::string_view glob) {
  std::string out;
  for (const char c : glob) out += c == '[' ? std::string("[[]") : std::string(1, c);
  return out;
}

bool is_glob(std::string_view text) { return text.find_first_of("*?") != std::string_view::npos; }

std::int64_t limit_of(std::size_t limit) {
  return static_cast<std::int64_t>(std::min<std::size_t>(limit, std::numeric_limits<std::int64_t>::max()));
}

}  // namespace ridge::backends::store_sqlite
