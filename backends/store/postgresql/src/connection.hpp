// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pqxx/pqxx>
#include <pqxx/stream_to>

#include "trouble.hpp"

namespace ridge::backends::store_postgresql {

// A value as text, as parameters and copied rows carry it; nothing stands for null. NaN is null and read back
// as NaN.
using value = std::optional<std::string>;
[[nodiscard]] inline value as_value(std::string_view text) { return std::string(text); }
[[nodiscard]] value as_value(double x);
[[nodiscard]] value as_value(const std::optional<double>& x);
[[nodiscard]] value as_value(std::span<const std::byte> bytes);
[[nodiscard]] inline value as_value(std::integral auto n) { return std::to_string(+n); }

// Returns the values of one row, or of the parameters $1, $2, ...
template <class... Values>
[[nodiscard]] std::array<value, sizeof...(Values)> values(const Values&... all) {
  return {as_value(all)...};
}

// The rows that COPY appends to a table with these columns.
template <std::size_t Columns>
struct added_rows {
  const char* table = "";
  std::array<const char*, Columns> columns{};
  std::vector<std::array<value, Columns>> rows{};
};

// A row of a result; texts live as long as the result.
class row {
 public:
  explicit row(pqxx::row columns) : row_(std::move(columns)) {}
  [[nodiscard]] std::string_view text(int column) const;
  [[nodiscard]] std::int64_t whole(int column) const;
  [[nodiscard]] double real(int column) const;  // NaN for null
  [[nodiscard]] std::optional<double> maybe_real(int column) const;
  [[nodiscard]] std::vector<std::byte> blob(int column) const;  // throws pqxx::failure where it is none

 private:
  pqxx::row row_;
};

// The rows of a result.
class rows {
 public:
  explicit rows(pqxx::result all) : all_(std::move(all)) {}
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(all_.size()); }
  [[nodiscard]] row at(std::size_t index) const {
    return row(all_[static_cast<pqxx::result::size_type>(index)]);
  }
  // Calls `use` with every row in order.
  template <class Use>
  void for_each(const Use& use) const {
    for (std::size_t i = 0; i < size(); ++i) use(at(i));
  }

 private:
  pqxx::result all_;
};

// The statements of one transaction. Functions throw exceptions of libpqxx, which `connection` translates.
class session {
 public:
  session(pqxx::transaction_base& transaction, std::map<std::string, std::string>& prepared)
      : transaction_(transaction), prepared_(prepared) {}

  // Runs one or several statements without parameters.
  void run(const std::string& sql) { transaction_.exec(sql); }
  // Runs one statement, planned for these parameters.
  rows ask(const std::string& sql, std::span<const value> parameters = {});
  // Runs one statement that is prepared once for each connection.
  rows prepared(const std::string& sql, std::span<const value> parameters);
  // Appends rows to a table of the schema by COPY.
  template <std::size_t Columns>
  void copy(const added_rows<Columns>& added) {
    if (added.rows.empty()) return;
    auto stream = stream_into(added.table, added.columns);
    std::array<const char*, Columns> texts{};
    for (const auto& one : added.rows) {
      std::ranges::transform(one, texts.begin(), text_or_null);
      stream << texts;
    }
    stream.complete();
  }

 private:
  static const char* text_or_null(const value& text) { return text ? text->c_str() : nullptr; }
  pqxx::stream_to stream_into(const char* table, std::span<const char* const> columns);

  pqxx::transaction_base& transaction_;
  std::map<std::string, std::string>& prepared_;  // names by their SQL
};

// A connection to one database, made anew where it was lost. Failures of the server are store_failures that
// name the place, and never the password.
class connection {
 public:
  explicit connection(std::string url);

  // Runs `body` in a transaction that is committed; where it meets others that wait for each other, again.
  void write(const std::function<void(session&)>& body);
  // Runs `body` so that all its statements see the same state of the database.
  void read(const std::function<void(session&)>& body);
  // Runs one statement by itself.
  rows ask(const std::string& sql, std::span<const value> parameters = {});

  [[nodiscard]] const std::string& place() const { return place_; }

 private:
  void connect();
  void attempt(std::string_view action, const std::function<void()>& work);
  [[noreturn]] void fail(std::string_view action, std::string_view code, const std::string& message);

  std::string url_;
  std::string place_;
  std::unique_ptr<pqxx::connection> link_{};
  std::map<std::string, std::string> prepared_{};
};

}  // namespace ridge::backends::store_postgresql
