// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>
#include <variant>

#include <ridge/base/error.hpp>

namespace ridge {

// Holds a value, or the error that stands in its place. Asking for the one that is not there is a bug in the
// caller.
template <class T>
class [[nodiscard]] result {
 public:
  result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  result(error why) : state_(std::in_place_index<1>, std::move(why)) {}

  // Returns whether the value is there.
  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  // Returns the value; throws precondition_violated when the error stands in its place.
  [[nodiscard]] T& value() & { return check(), *std::get_if<0>(&state_); }
  [[nodiscard]] const T& value() const& { return check(), *std::get_if<0>(&state_); }
  [[nodiscard]] T&& value() && { return check(), std::move(*std::get_if<0>(&state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  // Returns the error; throws precondition_violated when the value is there.
  [[nodiscard]] const error& why() const {
    expects(!ok(), "result: no error, the value is there");
    return *std::get_if<1>(&state_);
  }

 private:
  void check() const { expects(ok(), "result: no value, the error is there"); }
  std::variant<T, error> state_;
};

// The outcome of an action without a value: success, or the error.
template <>
class [[nodiscard]] result<void> {
 public:
  result() = default;
  result(error why) : why_(std::move(why)) {}
  // Returns whether there is no error.
  [[nodiscard]] bool ok() const { return !why_; }
  explicit operator bool() const { return ok(); }
  // Returns the error; throws precondition_violated when there is none.
  [[nodiscard]] const error& why() const {
    expects(!ok(), "result: no error");
    return *why_;
  }

 private:
  std::optional<error> why_{};
};

}  // namespace ridge
