// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <ridge/model/comparison.hpp>
#include <ridge/model/run.hpp>

#include "statement.hpp"

// What several queries read and bind alike.
namespace ridge::backends::store_sqlite {

// Returns the enumerator of a stored word; the first one for a word of a newer program.
template <class Enum>
Enum word(const statement& s, int column) {
  return model::named<Enum>(s.text(column)).value_or(Enum{});
}

[[nodiscard]] inline std::string owned(const statement& s, int column) { return std::string(s.text(column)); }

// Reads a comparison without checks from the columns metric, unit, better, clock, ratio, lo, hi, level,
// verdict, judged, headline, assurance, pairs, aa_lo, aa_hi, reference ... candidate: `first` is the column
// of the metric, the variants have columns of their own.
[[nodiscard]] model::comparison comparison_at(const statement& s, int first, int reference, int candidate);

// Reads axes; most rows of a history have the same axes as the row before.
class axes_reader {
 public:
  const model::problem_point& read(std::string_view text);

 private:
  std::string text_{};
  model::problem_point axes_{};
};

// Returns a glob for SQLite: the globs of Ridge have only `*` and `?`, those of SQLite also `[`.
[[nodiscard]] std::string sqlite_glob(std::string_view glob);
[[nodiscard]] bool is_glob(std::string_view text);
[[nodiscard]] std::int64_t limit_of(std::size_t limit);

}  // namespace ridge::backends::store_sqlite
