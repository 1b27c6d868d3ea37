// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "fields.hpp"

namespace ridge::model::detail {

using node = nlohmann::ordered_json;

// What a reader refuses; `where` is a JSON pointer, empty for the whole text.
struct refused {
  std::string where{};
  std::string what{};
};

// Visits fields() and reads each one from an object; throws refused at the first of a wrong type. Absent
// fields stay as they are.
class json_in {
 public:
  json_in(const node& from, std::string where);

  void operator()(std::string_view name, auto& x) {
    const auto at = from_.find(name);
    if (at != from_.end()) take(*at, below(where_, name), x);
  }
  void samples(std::string_view name, auto& x) { (*this)(name, x); }

 private:
  [[nodiscard]] static std::string below(const std::string& where, std::string_view name);

  static void take(const node& n, const std::string& where, std::string& x);
  static void take(const node& n, const std::string& where, bool& x);
  static void take(const node& n, const std::string& where, double& x);  // null is NaN
  static void take(const node& n, const std::string& where, axis_value& x);
  static std::uint64_t magnitude(const node& n, const std::string& where, std::uint64_t most);
  static std::int64_t whole(const node& n, const std::string& where);
  static void expect_array(const node& n, const std::string& where);
  static void expect_object(const node& n, const std::string& where);

  template <std::unsigned_integral N>
  static void take(const node& n, const std::string& where, N& x) {
    x = static_cast<N>(magnitude(n, where, std::numeric_limits<N>::max()));
  }
  static void take(const node& n, const std::string& where, int& x);

  template <class T>
    requires std::is_enum_v<T>
  static void take(const node& n, const std::string& where, T& x) {
    std::string word;
    take(n, where, word);
    const auto known = named<T>(word);
    if (!known) throw refused{where, "'" + word + "' is not a word of this field"};
    x = *known;
  }
  template <class T>
  static void take(const node& n, const std::string& where, std::optional<T>& x) {
    if (n.is_null()) return x.reset();
    take(n, where, x.emplace());
  }
  template <class T>
  static void take(const node& n, const std::string& where, std::vector<T>& list) {
    expect_array(n, where);
    list.clear();
    list.reserve(n.size());
    for (const auto& one : n) {
      T x{};
      if constexpr (std::is_arithmetic_v<T>) {
        take(one, where, x);
      } else {
        take(one, where + '/' + std::to_string(list.size()), x);
      }
      list.push_back(std::move(x));
    }
  }
  template <class T>
  static void take(const node& n, const std::string& where, std::vector<std::pair<std::string, T>>& named) {
    expect_object(n, where);
    named.clear();
    for (const auto& [key, one] : n.items())
      take(one, below(where, key), named.emplace_back(key, T{}).second);
  }
  template <class T>
    requires std::is_class_v<T>
  static void take(const node& n, const std::string& where, T& x) {
    json_in inner(n, where);
    fields(inner, x);
    if constexpr (std::same_as<T, series>) expect_aligned(x, where);
  }
  static void expect_aligned(const series& x, const std::string& where);

  const node& from_;
  std::string where_;
};

}  // namespace ridge::model::detail
