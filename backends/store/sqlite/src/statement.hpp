// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

struct sqlite3_stmt;

namespace ridge::backends::store_sqlite {

class database;

// A prepared statement. Texts and blobs passed to bind must live until the last step; texts and blobs that
// are read live until the next one. Doubles that are NaN are stored as null and read back as NaN.
class statement {
 public:
  statement(database& connection,
            std::string_view sql);  // throws store_failure when SQLite rejects the text

  // Binds values to ?1, ?2, ... in order.
  template <class... Values>
  statement& with(const Values&... values) {
    int at = 0;
    (bind(++at, values), ...);
    return *this;
  }

  bool step();     // returns whether there is a row
  void execute();  // for statements without rows; the statement can be bound again
  statement& reset();

  [[nodiscard]] std::string_view text(int column) const;
  [[nodiscard]] std::int64_t whole(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::optional<double> maybe_real(int column) const;
  [[nodiscard]] std::span<const std::byte> blob(int column) const;

 private:
  void bind(int parameter, std::string_view text);
  void bind(int parameter, const std::string& text) { bind(parameter, std::string_view(text)); }
  void bind(int parameter, const char* text) { bind(parameter, std::string_view(text)); }
  void bind(int parameter, double x);
  void bind(int parameter, const std::optional<double>& x);
  void bind(int parameter, std::span<const std::byte> bytes);
  void bind(int parameter, std::integral auto n) { bind_whole(parameter, static_cast<std::int64_t>(n)); }
  void bind_whole(int parameter, std::int64_t n);
  void check(int code) const;

  struct finalizer {
    void operator()(sqlite3_stmt* handle) const;
  };
  database* connection_;
  std::unique_ptr<sqlite3_stmt, finalizer> handle_{};
};

}  // namespace ridge::backends::store_sqlite
