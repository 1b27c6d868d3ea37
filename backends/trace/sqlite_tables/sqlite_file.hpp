// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace ridge::backends::trace_sqlite_tables {

// The rows of one table. Columns are numbered as they were requested; one that the table lacks is null in
// each row.
class table_rows {
 public:
  [[nodiscard]] bool next();  // false at the end, and where the file is damaged: damage() then says how
  [[nodiscard]] std::optional<std::int64_t> whole(int column) const;
  [[nodiscard]] std::int64_t whole_or(int column, std::int64_t otherwise) const;
  [[nodiscard]] double real(int column) const;  // NaN for null
  [[nodiscard]] bool is_text(int column) const;
  [[nodiscard]] std::string_view text(int column) const;  // valid until next()
  [[nodiscard]] const std::optional<std::string>& damage() const { return damage_; }

 private:
  friend class sqlite_file;
  struct finalizer {
    void operator()(sqlite3_stmt* handle) const;
  };
  std::unique_ptr<sqlite3_stmt, finalizer> handle_{};
  std::optional<std::string> damage_{};
};

// A SQLite file opened for reading only, even while others hold it open.
class sqlite_file {
 public:
  // Throws failure where it is not a SQLite file; `remedy` then says how to make one.
  sqlite_file(const std::string& path, std::string_view remedy);

  [[nodiscard]] bool has(std::string_view table) const { return tables_.contains(table); }
  [[nodiscard]] bool has(std::string_view table, std::string_view column) const;
  [[nodiscard]] std::vector<std::string> tables() const;
  // Returns the rows of a table; a missing table has none. `order` is a list of column names, or "" for the
  // stored order.
  [[nodiscard]] table_rows rows(std::string_view table, const std::vector<std::string_view>& columns,
                                std::string_view order = {}) const;

 private:
  struct closer {
    void operator()(sqlite3* handle) const;
  };
  [[nodiscard]] table_rows query(const std::string& sql) const;
  void probe();

  std::unique_ptr<sqlite3, closer> handle_{};
  std::map<std::string, std::vector<std::string>, std::less<>> tables_{};
};

}  // namespace ridge::backends::trace_sqlite_tables
