// SPDX-License-Identifier: Apache-2.0
#include "json_in.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

namespace ridge::model::detail {
namespace {

[[noreturn]] void wrong(const node& n, const std::string& path, std::string_view wanted) {
  throw refused{path, fmt::format("{} expected, {} found", wanted, n.type_name())};
}

// Escapes `~` and `/` inside a name (RFC 6901).
std::string escaped(std::string_view name) {
  std::string out;
  for (const char c : name) out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return out;
}

}  // namespace

json_in::json_in(const node& root, std::string path) : node_(root), pointer_(std::move(path)) {
  expect_object(node_, pointer_);
}

std::string json_in::below(const std::string& path, std::string_view name) {
  return path + '/' + escaped(name);
}

void json_in::expect_object(const node& n, const std::string& path) {
  if (!n.is_object()) wrong(n, path, "an object");
}

void json_in::expect_array(const node& n, const std::string& path) {
  if (!n.is_array()) wrong(n, path, "an array");
}

void json_in::take(const node& n, const std::string& path, std::string& x) {
  if (!n.is_string()) wrong(n, path, "a string");
  x = n.get_ref<const std::string&>();
  if (x.find('\0') != std::string::npos) throw refused{path, "a text holds a zero byte"};
}

void json_in::take(const node& n, const std::string& path, bool& x) {
  if (!n.is_boolean()) wrong(n, path, "true or false");
  x = n.get<bool>();
}

void json_in::take(const node& n, const std::string& path, double& x) {
  if (n.is_null()) {
    x = std::numeric_limits<double>::quiet_NaN();
  } else if (n.is_number()) {
    x = n.get<double>();
  } else {
    wrong(n, path, "a number or null");
  }
}

void json_in::take(const node& n, const std::string& path, axis_value& x) {
  if (n.is_number_integer()) {
    x = whole(n, path);
  } else if (n.is_number()) {
    x = n.get<double>();
  } else if (n.is_string()) {
    x = n.get<std::string>();
  } else {
    wrong(n, path, "a number or a string");
  }
}

std::uint64_t json_in::magnitude(const node& n, const std::string& path, std::uint64_t most) {
  if (!n.is_number_unsigned()) wrong(n, path, "a whole number from 0 up");
  const auto x = n.get<std::uint64_t>();
  if (x > most) throw refused{path, fmt::format("{} is more than the {} this field can hold", x, most)};
  return x;
}

std::int64_t json_in::whole(const node& n, const std::string& path) {
  if (!n.is_number_integer()) wrong(n, path, "a whole number");
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return n.is_number_unsigned() ? static_cast<std::int64_t>(magnitude(n, path, most)) : n.get<std::int64_t>();
}

void json_in::take(const node& n, const std::string& path, int& x) {
  const auto wide = whole(n, path);
  if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max()) {
    throw refused{path, fmt::format("{} is beyond what this field can hold", wide)};
  }
  x = static_cast<int>(wide);
}

void json_in::expect_aligned(const series& x, const std::string& path) {
  const auto fits = [&](std::size_t size) { return size == 0 || size == x.value.size(); };
  if (fits(x.block.size()) && fits(x.position.size()) && fits(x.marked.size())) return;
  throw refused{path, "block, position and marked must be as long as value, or empty"};
}

}  // namespace ridge::model::detail
