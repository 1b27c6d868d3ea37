// SPDX-License-Identifier: Apache-2.0
#include "statement.hpp"

#include <cerrno>
#include <limits>

#include <sqlite3.h>

#include <ridge/base/expects.hpp>

#include "database.hpp"

namespace ridge::backends::store_sqlite {

void statement::finalizer::operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }

statement::statement(database& connection, std::string_view sql) : connection_(&connection) {
  sqlite3_stmt* handle = nullptr;
  check(sqlite3_prepare_v2(connection.handle_.get(), sql.data(), static_cast<int>(sql.size()), &handle,
                           nullptr));
  handle_.reset(handle);
}

void statement::check(int code) const {
  if (code != SQLITE_OK) connection_->fail("use");
}

bool statement::step() {
  errno = 0;
  const int code = sqlite3_step(handle_.get());
  const int seen_errno = errno;
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  sqlite3_reset(handle_.get());
  connection_->fail("use", seen_errno);
}

void statement::execute() {
  expects(!step(), "statement: execute() is for statements without rows");
  reset();
}

statement& statement::reset() {
  sqlite3_reset(handle_.get());
  sqlite3_clear_bindings(handle_.get());
  return *this;
}

void statement::bind(int parameter, std::string_view text) {
  check(sqlite3_bind_text64(handle_.get(), parameter, text.empty() ? "" : text.data(), text.size(),
                            SQLITE_STATIC, SQLITE_UTF8));
}

void statement::bind(int parameter, double x) { check(sqlite3_bind_double(handle_.get(), parameter, x)); }

void statement::bind(int parameter, const std::optional<double>& x) {
  x ? bind(parameter, *x) : check(sqlite3_bind_null(handle_.get(), parameter));
}

void statement::bind(int parameter, std::span<const std::byte> bytes) {
  check(sqlite3_bind_blob64(handle_.get(), parameter, bytes.data(), bytes.size(), SQLITE_STATIC));
}

void statement::bind_whole(int parameter, std::int64_t n) {
  check(sqlite3_bind_int64(handle_.get(), parameter, n));
}

std::string_view statement::text(int column) const {
  const auto* bytes = sqlite3_column_text(handle_.get(), column);
  const auto size = sqlite3_column_bytes(handle_.get(), column);
  if (!bytes) return {};
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

std::int64_t statement::whole(int column) const { return sqlite3_column_int64(handle_.get(), column); }

double statement::real(int column) const {
  return maybe_real(column).value_or(std::numeric_limits<double>::quiet_NaN());
}

std::optional<double> statement::maybe_real(int column) const {
  if (sqlite3_column_type(handle_.get(), column) == SQLITE_NULL) return std::nullopt;
  return sqlite3_column_double(handle_.get(), column);
}

std::span<const std::byte> statement::blob(int column) const {
  const auto* bytes = static_cast<const std::byte*>(sqlite3_column_blob(handle_.get(), column));
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column))};
}

}  // namespace ridge::backends::store_sqlite
