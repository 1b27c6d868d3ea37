// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <string>

#include <ridge/host/child_process.hpp>

#include "child/message.hpp"

namespace ridge::harness {

// A child's answer, or the text of the exception that prevented it.
template <class T>
struct child_answer {
  std::string threw{};
  std::optional<T> value{};
};

template <class T>
void fields(auto& visit, child_answer<T>& x) {
  visit("threw", x.threw);
  visit("value", x.value);
}
template <class T>
void fields(auto& visit, const child_answer<T>& x) {
  visit("threw", x.threw);
  visit("value", x.value);
}

// The answer, or why there is none.
template <class T>
struct child_result {
  std::optional<T> value{};
  std::string why{};
  bool timed_out = false;  // killed because it did not end in time
  explicit operator bool() const { return value.has_value(); }
};

// Sends what this process writes to its standard output from now on to /dev/null.
void discard_standard_output();

// Why a child gave no answer: "was killed by SIGSEGV (an access outside its arrays)", "did not end
// within 60 s", "ended the process it ran in".
[[nodiscard]] std::string text_of_silent_end(const host::child_outcome& outcome);

// How often a child's watch is asked whether it goes on.
inline constexpr double child_look_s = 0.1;

// Runs `work` in a forked child and returns its answer; none when it threw, crashed, exited or did not end
// within `limit_s` seconds, or when `goes_on`, where there is one, said no. The child holds a copy of
// everything and changes nothing here; other threads of this process do not exist in it. Throws io_failure
// when no child can be made.
template <class T>
[[nodiscard]] child_result<T> in_child(const std::function<T()>& work, double limit_s,
                                       const std::function<bool()>& goes_on = {}) {
  const auto answer = [&]() -> std::string {
    discard_standard_output();
    try {
      return encode(child_answer<T>{.value = work()});
    } catch (const std::exception& thrown) {
      return encode(child_answer<T>{.threw = thrown.what()});
    }
  };
  host::child_process child(answer);
  const auto done = goes_on ? child.wait_watched(limit_s, child_look_s, goes_on) : child.wait(limit_s);
  if (!succeeded(done.outcome) || done.output.empty()) {
    return {.why = text_of_silent_end(done.outcome),
            .timed_out = std::holds_alternative<host::child_timed_out>(done.outcome)};
  }
  auto told = decode<child_answer<T>>(done.output);
  if (!told) return {.why = told.why().text()};
  return {.value = std::move(told->value), .why = std::move(told->threw)};
}

}  // namespace ridge::harness
