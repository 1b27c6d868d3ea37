// SPDX-License-Identifier: Apache-2.0
#include "sqlite_file.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <sqlite3.h>

#include <ridge/base/error.hpp>

namespace ridge::backends::trace_sqlite_tables {
namespace {

// Returns the path as a URI, so that SQLite neither locks the file nor looks for a journal beside it.
std::string uri_of(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= 'a' && byte <= 'z') ||
                       std::string_view("/._-").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02x}", byte);
  }
  return uri + "?mode=ro&immutable=1";
}

std::string literal(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

error not_readable(const std::string& path, std::string_view why, std::string_view remedy) {
  return {fmt::format("{} cannot be read as SQLite: {}", path, why), std::string(remedy)};
}

}  // namespace

void table_rows::finalizer::operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }

bool table_rows::next() {
  if (handle_ == nullptr) return false;
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) damage_ = sqlite3_errmsg(sqlite3_db_handle(handle_.get()));
  handle_.reset();
  return false;
}

std::optional<std::int64_t> table_rows::whole(int column) const {
  if (sqlite3_column_type(handle_.get(), column) == SQLITE_NULL) return std::nullopt;
  return sqlite3_column_int64(handle_.get(), column);
}

std::int64_t table_rows::whole_or(int column, std::int64_t otherwise) const {
  return whole(column).value_or(otherwise);
}

double table_rows::real(int column) const {
  if (sqlite3_column_type(handle_.get(), column) == SQLITE_NULL)
    return std::numeric_limits<double>::quiet_NaN();
  return sqlite3_column_double(handle_.get(), column);
}

bool table_rows::is_text(int column) const {
  return sqlite3_column_type(handle_.get(), column) == SQLITE_TEXT;
}

std::string_view table_rows::text(int column) const {
  const auto* bytes = sqlite3_column_text(handle_.get(), column);
  if (bytes == nullptr) return {};
  return {reinterpret_cast<const char*>(bytes),
          static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column))};
}

void sqlite_file::closer::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

sqlite_file::sqlite_file(const std::string& path, std::string_view remedy) {
  sqlite3* handle = nullptr;
  const int code =
      sqlite3_open_v2(uri_of(path).c_str(), &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) throw failure(not_readable(path, sqlite3_errstr(code), remedy));
  for (const auto* setting : {"PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON",
                              "PRAGMA mmap_size = 268435456", "PRAGMA temp_store = FILE"})
    sqlite3_exec(handle, setting, nullptr, nullptr, nullptr);
  probe();
  if (tables_.empty()) throw failure(not_readable(path, sqlite3_errmsg(handle), remedy));
}

// Only real tables count: a view or virtual table of a known name would run whatever its author wrote.
void sqlite_file::probe() {
  auto names =
      query("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'");
  while (names.next()) tables_.try_emplace(std::string(names.text(0)));
  for (auto& [table, columns] : tables_) {
    auto found = query(fmt::format("SELECT name FROM pragma_table_info({})", literal(table)));
    while (found.next()) columns.emplace_back(found.text(0));
  }
}

bool sqlite_file::has(std::string_view table, std::string_view column) const {
  const auto at = tables_.find(table);
  return at != tables_.end() && std::ranges::find(at->second, column) != at->second.end();
}

std::vector<std::string> sqlite_file::tables() const {
  std::vector<std::string> names;
  for (const auto& [table, columns] : tables_) names.push_back(table);
  return names;
}

table_rows sqlite_file::query(const std::string& sql) const {
  table_rows rows;
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle_.get(), sql.c_str(), static_cast<int>(sql.size()), &statement, nullptr) !=
      SQLITE_OK)
    rows.damage_ = sqlite3_errmsg(handle_.get());
  rows.handle_.reset(statement);
  return rows;
}

table_rows sqlite_file::rows(std::string_view table, const std::vector<std::string_view>& columns,
                             std::string_view order) const {
  if (!has(table)) return {};
  std::string list;
  for (const auto column : columns)
    list += fmt::format("{}{}", list.empty() ? "" : ", ",
                        has(table, column) ? fmt::format("\"{}\"", column) : "NULL");
  return query(
      fmt::format("SELECT {} FROM \"{}\"{}{}", list, table, order.empty() ? "" : " ORDER BY ", order));
}

}  // namespace ridge::backends::trace_sqlite_tables
