// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <ridge/store/stored_rows.hpp>

#include "statement.hpp"

// What several queries bind alike.
namespace ridge::backends::store_sqlite {

// Returns a glob for SQLite: the globs of Ridge have only `*` and `?`, those of SQLite also `[`.
[[nodiscard]] std::string sqlite_glob(std::string_view glob);
// Returns what a query compares a column with: a glob for SQLite, or the text itself where it is none.
[[nodiscard]] std::string pattern_of(std::string_view text);
// Returns the condition that a column has the text, or matches the glob, that is bound to ?place. Equality
// where the text is no glob: an index serves it.
[[nodiscard]] std::string condition(std::string_view column, std::string_view text, int place);

}  // namespace ridge::backends::store_sqlite
