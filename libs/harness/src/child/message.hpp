// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <ridge/base/interval.hpp>
#include <ridge/base/result.hpp>

// What a child process tells its parent. Values carry their types and record fields their names, doubles
// cross bit by bit, and text may hold any byte. A struct crosses once its fields are named:
//     void fields(auto& visit, record_of<side_effects> auto& x) { visit("peak_bytes", x.peak_bytes); ... }
namespace ridge::harness {

struct message_field;
struct message_value {
  using list = std::vector<message_value>;
  using record = std::vector<message_field>;
  std::variant<bool, std::int64_t, double, std::string, list, record> value;
};
struct message_field {
  std::string name{};
  message_value value{};
};

template <class X, class T>
concept record_of = std::same_as<std::remove_const_t<X>, T>;

void fields(auto& visit, record_of<interval> auto& x) {
  visit("lo", x.lo);
  visit("hi", x.hi);
}

// The bytes of a value. Both ends are the same program on the same machine, so numbers are in its byte order.
[[nodiscard]] std::string message_bytes(const message_value& value);
// The value in these bytes; an error when any is missing, superfluous or of no known type.
[[nodiscard]] result<message_value> message_in(std::string_view bytes);

namespace detail {

// Thrown while a message is read; decode() makes it an error.
struct unexpected_message {
  std::string fault{};
};

[[nodiscard]] const message_value& field_of(const message_value::record& record, std::string_view name);
[[noreturn]] void refuse_type(std::string_view expected);

template <class T>
const T& expect_type(const message_value& value, std::string_view name) {
  const auto* found = std::get_if<T>(&value.value);
  if (found == nullptr) refuse_type(name);
  return *found;
}

template <class T>
struct crossing;  // make(x) makes a message_value, read(value, x) reads one

template <>
struct crossing<bool> {
  static message_value make(bool x) { return {x}; }
  static void read(const message_value& value, bool& x) { x = expect_type<bool>(value, "a truth value"); }
};

template <std::integral T>
struct crossing<T> {
  static message_value make(T x) { return {static_cast<std::int64_t>(x)}; }
  static void read(const message_value& value, T& x) {
    const auto number = expect_type<std::int64_t>(value, "a whole number");
    x = static_cast<T>(number);
    if (static_cast<std::int64_t>(x) != number) refuse_type("a number of the field's range");
  }
};

template <>
struct crossing<double> {
  static message_value make(double x) { return {x}; }
  static void read(const message_value& value, double& x) { x = expect_type<double>(value, "a real number"); }
};

template <>
struct crossing<std::string> {
  static message_value make(const std::string& x) { return {x}; }
  static void read(const message_value& value, std::string& x) {
    x = expect_type<std::string>(value, "a text");
  }
};

template <class T>
struct crossing<std::vector<T>> {
  static message_value make(const std::vector<T>& x) {
    message_value::list all;
    for (const auto& one : x) all.push_back(crossing<T>::make(one));
    return {std::move(all)};
  }
  static void read(const message_value& value, std::vector<T>& x) {
    x.clear();
    for (const auto& one : expect_type<message_value::list>(value, "a list"))
      crossing<T>::read(one, x.emplace_back());
  }
};

template <class T>
struct crossing<std::optional<T>> {
  static message_value make(const std::optional<T>& x) {
    message_value::list all;
    if (x) all.push_back(crossing<T>::make(*x));
    return {std::move(all)};
  }
  static void read(const message_value& value, std::optional<T>& x) {
    const auto& all = expect_type<message_value::list>(value, "a list");
    if (all.size() > 1) refuse_type("at most one value");
    x.reset();
    if (!all.empty()) crossing<T>::read(all.front(), x.emplace());
  }
};

struct record_writer {
  message_value::record record{};
  template <class T>
  void operator()(const char* name, const T& x) {
    record.push_back({name, crossing<T>::make(x)});
  }
};

struct record_reader {
  const message_value::record& record;
  template <class T>
  void operator()(const char* name, T& x) {
    crossing<T>::read(field_of(record, name), x);
  }
};

template <class T>
  requires std::is_class_v<T>
struct crossing<T> {
  static message_value make(const T& x) {
    record_writer writer;
    fields(writer, x);
    return {std::move(writer.record)};
  }
  static void read(const message_value& value, T& x) {
    record_reader reader{expect_type<message_value::record>(value, "a record")};
    fields(reader, x);
  }
};

}  // namespace detail

template <class T>
[[nodiscard]] std::string encode(const T& x) {
  return message_bytes(detail::crossing<T>::make(x));
}

// The value that was encoded; an error when bytes are missing or superfluous, or when a field is missing or
// of another type.
template <class T>
[[nodiscard]] result<T> decode(std::string_view bytes) {
  const auto value = message_in(bytes);
  if (!value) return value.why();
  try {
    T x{};
    detail::crossing<T>::read(*value, x);
    return x;
  } catch (const detail::unexpected_message& refused) {
    return error{refused.fault, "both processes must be of the same build"};
  }
}

}  // namespace ridge::harness
