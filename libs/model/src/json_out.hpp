// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ridge/model/json.hpp>
#include <ridge/model/json_writer.hpp>

#include "fields.hpp"

namespace ridge::model::detail {

// Visits fields() and writes each one.
class json_out {
 public:
  json_out(json_writer& writer, samples keep) : writer_(writer), keep_(keep) {}

  void operator()(std::string_view name, const auto& x) {
    writer_.key(name);
    put(x);
  }
  template <class T>
  void samples(std::string_view name, const std::vector<T>& x) {
    if (keep_ == model::samples::kept) (*this)(name, x);
  }

  void put(const std::string& x) { writer_.value(x); }
  template <class T>
    requires std::is_arithmetic_v<T>
  void put(T x) {
    writer_.value(x);
  }
  template <class T>
    requires std::is_enum_v<T>
  void put(T x) {
    writer_.value(name(x));
  }
  template <class T>
  void put(const std::optional<T>& x) {
    x ? put(*x) : void(writer_.null());
  }
  template <class T>
  void put(const std::vector<T>& list) {
    writer_.begin_array(std::is_arithmetic_v<T>);
    for (const auto& x : list) put(x);
    writer_.end_array();
  }
  template <class T>
  void put(const std::vector<std::pair<std::string, T>>& named) {
    writer_.begin_object();
    for (const auto& [key, x] : named) (*this)(key, x);
    writer_.end_object();
  }
  // A real value of an axis keeps its decimal point, so that it is not read back as a whole number.
  void put(const axis_value& x) {
    const auto* real = std::get_if<double>(&x);
    if (real) return void(writer_.value_with_point(*real));
    std::visit([this](const auto& v) { put(v); }, x);
  }
  template <class T>
    requires std::is_class_v<T>
  void put(const T& x) {
    writer_.begin_object();
    fields(*this, x);
    writer_.end_object();
  }

 private:
  json_writer& writer_;
  model::samples keep_;
};

}  // namespace ridge::model::detail
