// SPDX-License-Identifier: Apache-2.0
#include "connection.hpp"

#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include <fmt/format.h>
#include <pqxx/version>

#include <ridge/store/location.hpp>

namespace ridge::backends::store_postgresql {
namespace {

constexpr int most_attempts = 8;

// Names are those of this schema. Numbers come exact and bytes as hexadecimal; a query of a page is over
// before code for it would be compiled; another writer is waited for ten seconds.
constexpr const char* settings =
    "SET search_path = ridge; SET client_encoding = 'UTF8'; SET standard_conforming_strings = on; "
    "SET extra_float_digits = 3; SET bytea_output = 'hex'; SET client_min_messages = warning; SET jit = off; "
    "SET lock_timeout = '10s'";

// Ten seconds to connect, unless the URL says how long.
std::string with_defaults(const std::string& url) {
  auto all = url;
  const auto add = [&](std::string_view name, std::string_view value) {
    if (!store::parameter_of(url, name).empty()) return;
    all += fmt::format("{}{}={}", all.find('?') == std::string::npos ? "?" : "&", name, value);
  };
  add("connect_timeout", "10");
  add("application_name", "ridge");
  return all;
}

int digit_of(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  throw pqxx::failure("the server sent bytes that are not hexadecimal");
}

#if PQXX_VERSION_MAJOR >= 7
pqxx::params bound(std::span<const value> parameters) {
  pqxx::params all;
  for (const auto& one : parameters) {
    if (one) {
      all.append(*one);
    } else {
      all.append();
    }
  }
  return all;
}
#else
std::vector<const char*> texts_of(std::span<const value> parameters) {
  std::vector<const char*> all;
  all.reserve(parameters.size());
  for (const auto& one : parameters) all.push_back(one ? one->c_str() : nullptr);
  return all;
}
#endif

// Older versions of the library throw some errors by their type alone.
std::string code_of(const pqxx::sql_error& e) {
  if (!e.sqlstate().empty()) return e.sqlstate();
  if (dynamic_cast<const pqxx::insufficient_privilege*>(&e) != nullptr) return "42501";
  if (dynamic_cast<const pqxx::disk_full*>(&e) != nullptr) return "53100";
  return {};
}

}  // namespace

value as_value(double x) { return std::isnan(x) ? value{} : fmt::format("{}", x); }

value as_value(const std::optional<double>& x) { return x ? as_value(*x) : value{}; }

value as_value(std::span<const std::byte> bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "\\x";
  text.resize(2 + 2 * bytes.size());
  auto* next = text.data() + 2;
  for (const auto one : bytes) {
    const auto n = static_cast<unsigned>(one);
    *next++ = digits[n >> 4U];
    *next++ = digits[n & 15U];
  }
  return text;
}

std::string_view row::text(int column) const {
  const auto field = row_[static_cast<pqxx::row::size_type>(column)];
  return {field.c_str(), static_cast<std::size_t>(field.size())};
}

std::int64_t row::whole(int column) const {
  const auto digits = text(column);
  std::int64_t n = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), n);
  return n;
}

double row::real(int column) const {
  return maybe_real(column).value_or(std::numeric_limits<double>::quiet_NaN());
}

std::optional<double> row::maybe_real(int column) const {
  const auto digits = text(column);
  if (digits.empty()) return std::nullopt;
  double x = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), x);
  return x;
}

std::vector<std::byte> row::blob(int column) const {
  const auto hex = text(column);
  if (!hex.starts_with("\\x")) throw pqxx::failure("the server sent bytes that are not hexadecimal");
  std::vector<std::byte> bytes(hex.size() / 2 - 1);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(16 * digit_of(hex[2 * i + 2]) + digit_of(hex[2 * i + 3]));
  return bytes;
}

rows session::ask(const std::string& sql, std::span<const value> parameters) {
#if PQXX_VERSION_MAJOR > 7 || (PQXX_VERSION_MAJOR == 7 && PQXX_VERSION_MINOR >= 9)
  return rows(transaction_.exec(sql, bound(parameters)));
#elif PQXX_VERSION_MAJOR == 7
  return rows(transaction_.exec_params(sql, bound(parameters)));
#else
  return rows(transaction_.exec_params(sql, pqxx::prepare::make_dynamic_params(texts_of(parameters))));
#endif
}

rows session::prepared(const std::string& sql, std::span<const value> parameters) {
  auto known = prepared_.find(sql);
  if (known == prepared_.end()) {
    const auto name = fmt::format("ridge{}", prepared_.size());
    transaction_.conn().prepare(name, sql);
    known = prepared_.emplace(sql, name).first;
  }
#if PQXX_VERSION_MAJOR > 7 || (PQXX_VERSION_MAJOR == 7 && PQXX_VERSION_MINOR >= 9)
  return rows(transaction_.exec(pqxx::prepped{known->second}, bound(parameters)));
#elif PQXX_VERSION_MAJOR == 7
  return rows(transaction_.exec_prepared(known->second, bound(parameters)));
#else
  return rows(
      transaction_.exec_prepared(known->second, pqxx::prepare::make_dynamic_params(texts_of(parameters))));
#endif
}

pqxx::stream_to session::stream_into(const char* table, std::span<const char* const> columns) {
#if PQXX_VERSION_MAJOR >= 7
  std::string names;
  for (const auto* one : columns) names += fmt::format("{}{}", names.empty() ? "" : ",", one);
  return pqxx::stream_to::raw_table(transaction_, table, names);
#else
  return {transaction_, table, columns.begin(), columns.end()};
#endif
}

connection::connection(std::string url) : url_(std::move(url)), place_(store::place_of(url_)) { connect(); }

void connection::fail(std::string_view action, std::string_view code, const std::string& message) {
  const bool connected = link_ && link_->is_open();
  if (!connected) link_.reset();
  throw failure_of(kind_of(code, message, connected), action, place_, store::without_password(message, url_));
}

void connection::attempt(std::string_view action, const std::function<void()>& work) {
  try {
    work();
  } catch (const pqxx::in_doubt_error& e) {
    link_.reset();
    fail(action, "", fmt::format("{} (it is not known whether the last result was stored)", e.what()));
  } catch (const pqxx::transaction_rollback& e) {
    fail(action, "40001", e.what());
  } catch (const pqxx::sql_error& e) {
    fail(action, code_of(e), e.what());
  } catch (const pqxx::broken_connection& e) {
    link_.reset();
    fail(action, "", e.what());
  } catch (const pqxx::failure& e) {
    fail(action, "", e.what());
  } catch (const pqxx::usage_error& e) {
    fail(action, "", e.what());
  }
}

void connection::connect() {
  if (link_ && link_->is_open()) return;
  prepared_.clear();
  attempt("open", [&] {
    link_ = std::make_unique<pqxx::connection>(with_defaults(url_));
    pqxx::nontransaction(*link_).exec(settings);
  });
}

void connection::write(const std::function<void(session&)>& body) {
  connect();
  attempt("write", [&] {
    for (int attempts = 1;; ++attempts) {
      try {
        pqxx::work transaction(*link_);
        session statements(transaction, prepared_);
        body(statements);
        transaction.commit();
        return;
      } catch (const pqxx::transaction_rollback&) {
        if (attempts == most_attempts) throw;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1 << attempts));
    }
  });
}

void connection::read(const std::function<void(session&)>& body) {
  connect();
  attempt("read", [&] {
    pqxx::work transaction(*link_);
    session statements(transaction, prepared_);
    statements.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    body(statements);
  });
}

rows connection::ask(const std::string& sql, std::span<const value> parameters) {
  connect();
  std::optional<rows> found;
  attempt("read", [&] {
    pqxx::nontransaction transaction(*link_);
    found = session(transaction, prepared_).ask(sql, parameters);
  });
  return *found;
}

}  // namespace ridge::backends::store_postgresql
