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

// What a reader refuses; `pointer` is a JSON pointer, empty for the whole text.
struct refused {
  std::string pointer{};
  std::string fault{};
  std::string remedy{"libs/model/schema documents every field"};
};

// Visits fields() and reads each one from an object; throws refused at the first field of a wrong type.
// Absent fields stay as they are.
class json_in {
 public:
  json_in(const node& root, std::string path);

  void operator()(std::string_view name, auto& x) {
    const auto at = node_.find(name);
    if (at != node_.end()) take(*at, below(pointer_, name), x);
  }
  void samples(std::string_view name, auto& x) { (*this)(name, x); }

 private:
  [[nodiscard]] static std::string below(const std::string& path, std::string_view name);

  static void take(const node& n, const std::string& path, std::string& x);
  static void take(const node& n, const std::string& path, bool& x);
  static void take(const node& n, const std::string& path, double& x);  // null is NaN
  static void take(const node& n, const std::string& path, axis_value& x);
  static std::uint64_t magnitude(const node& n, const std::string& path, std::uint64_t most);
  static std::int64_t whole(const node& n, const std::string& path);
  static void expect_array(const node& n, const std::string& path);
  static void expect_object(const node& n, const std::string& path);

  template <std::unsigned_integral N>
  static void take(const node& n, const std::string& path, N& x) {
    x = static_cast<N>(magnitude(n, path, std::numeric_limits<N>::max()));
  }
  static void take(const node& n, const std::string& path, int& x);

  template <class T>
    requires std::is_enum_v<T>
  static void take(const node& n, const std::string& path, T& x) {
    std::string word;
    take(n, path, word);
    const auto known = named<T>(word);
    if (!known) throw refused{path, "'" + word + "' is not a word of this field"};
    x = *known;
  }
  template <class T>
  static void take(const node& n, const std::string& path, std::optional<T>& x) {
    if (n.is_null()) return x.reset();
    take(n, path, x.emplace());
  }
  template <class T>
  static void take(const node& n, const std::string& path, std::vector<T>& list) {
    expect_array(n, path);
    list.clear();
    list.reserve(n.size());
    for (const auto& one : n) {
      T x{};
      if constexpr (std::is_arithmetic_v<T>) {
        take(one, path, x);
      } else {
        take(one, path + '/' + std::to_string(list.size()), x);
      }
      list.push_back(std::move(x));
    }
  }
  template <class T>
  static void take(const node& n, const std::string& path, std::vector<std::pair<std::string, T>>& named) {
    expect_object(n, path);
    named.clear();
    for (const auto& [key, one] : n.items()) take(one, below(path, key), named.emplace_back(key, T{}).second);
  }
  template <class T>
    requires std::is_class_v<T>
  static void take(const node& n, const std::string& path, T& x) {
    json_in inner(n, path);
    fields(inner, x);
    if constexpr (std::same_as<T, series>) expect_aligned(x, path);
  }
  static void expect_aligned(const series& x, const std::string& path);

  const node& node_;
  std::string pointer_;
};

}  // namespace ridge::model::detail
