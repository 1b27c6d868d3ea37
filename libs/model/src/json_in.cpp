// SPDX-License-Identifier: Apache-2.0
#include "json_in.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

namespace ridge::model::detail {
namespace {

[[noreturn]] void wrong(const node& n, const std::string& where, std::string_view wanted) {
  throw refused{where, fmt::format("{} expected, {} found", wanted, n.type_name())};
}

// RFC 6901: `~` and `/` inside a name.
std::string escaped(std::string_view name) {
  std::string out;
  for (const char c : name) out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return out;
}

}  // namespace

json_in::json_in(const node& from, std::string where) : from_(from), where_(std::move(where)) {
  expect_object(from_, where_);
}

std::string json_in::below(const std::string& where, std::string_view name) {
  return where + '/' + escaped(name);
}

void json_in::expect_object(const node& n, const std::string& where) {
  if (!n.is_object()) wrong(n, where, "an object");
}

void json_in::expect_array(const node& n, const std::string& where) {
  if (!n.is_array()) wrong(n, where, "an array");
}

void json_in::take(const node& n, const std::string& where, std::string& x) {
  if (!n.is_string()) wrong(n, where, "a string");
  x = n.get_ref<const std::string&>();
}

void json_in::take(const node& n, const std::string& where, bool& x) {
  if (!n.is_boolean()) wrong(n, where, "true or false");
  x = n.get<bool>();
}

void json_in::take(const node& n, const std::string& where, double& x) {
  if (n.is_null()) {
    x = std::numeric_limits<double>::quiet_NaN();
  } else if (n.is_number()) {
    x = n.get<double>();
  } else {
    wrong(n, where, "a number or null");
  }
}

void json_in::take(const node& n, const std::string& where, axis_value& x) {
  if (n.is_number_integer()) {
    x = whole(n, where);
  } else if (n.is_number()) {
    x = n.get<double>();
  } else if (n.is_string()) {
    x = n.get<std::string>();
  } else {
    wrong(n, where, "a number or a string");
  }
}

std::uint64_t json_in::magnitude(const node& n, const std::string& where, std::uint64_t most) {
  if (!n.is_number_unsigned()) wrong(n, where, "a whole number from 0 up");
  const auto x = n.get<std::uint64_t>();
  if (x > most) throw refused{where, fmt::format("{} is more than the {} this field can hold", x, most)};
  return x;
}

std::int64_t json_in::whole(const node& n, const std::string& where) {
  if (!n.is_number_integer()) wrong(n, where, "a whole number");
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return n.is_number_unsigned() ? static_cast<std::int64_t>(magnitude(n, where, most))
                                : n.get<std::int64_t>();
}

void json_in::take(const node& n, const std::string& where, int& x) {
  const auto wide = whole(n, where);
  if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max()) {
    throw refused{where, fmt::format("{} is beyond what this field can hold", wide)};
  }
  x = static_cast<int>(wide);
}

void json_in::expect_aligned(const series& x, const std::string& where) {
  const auto fits = [&](std::size_t size) { return size == 0 || size == x.value.size(); };
  if (fits(x.block.size()) && fits(x.position.size()) && fits(x.marked.size())) return;
  throw refused{where, "block, position and marked must be as long as value, or empty"};
}

}  // namespace ridge::model::detail
