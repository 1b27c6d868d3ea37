// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include <ridge/host/child_process.hpp>
#include <ridge/model/names.hpp>

#include "child/message.hpp"

namespace ridge::harness {

// A child's answer, or the text of the exception that prevented it.
template <class T>
struct child_answer {
  std::string threw{};
  std::optional<T> value{};
  bool no_memory = false;  // the exception said that memory ran out
};

template <class T>
void fields(auto& visit, child_answer<T>& x) {
  visit("threw", x.threw);
  visit("value", x.value);
  visit("no_memory", x.no_memory);
}
template <class T>
void fields(auto& visit, const child_answer<T>& x) {
  visit("threw", x.threw);
  visit("value", x.value);
  visit("no_memory", x.no_memory);
}

// The answer, or why there is none.
template <class T>
struct child_result {
  std::optional<T> value{};
  std::string why{};
  bool timed_out = false;  // killed because it did not end in time
  model::failure_kind failure{model::failure_kind::none};
  std::string signal{};  // that ended it
  explicit operator bool() const { return value.has_value(); }
};

// Sends what this process writes to its standard output from now on to /dev/null.
void discard_standard_output();

// Whether the kernel has killed processes of this one's control group for want of memory since this was made.
class memory_watch {
 public:
  // Reads the counter below `root`, which tests make up.
  explicit memory_watch(std::filesystem::path root = "/");
  [[nodiscard]] bool ran_out() const;

 private:
  std::filesystem::path root_;
  std::optional<std::uint64_t> before_;
};

// Why a child gave no answer: "was killed by SIGSEGV (an access outside its arrays)", "did not end within 60
// s", "ended the process it ran in", "was killed by SIGKILL, since its control group had no more memory".
struct silent_end {
  std::string why{};
  model::failure_kind failure{model::failure_kind::crashed};
  std::string signal{};
};
// Returns it from how the child ended; `memory` was made before the child was started.
[[nodiscard]] silent_end silent_end_of(const host::child_outcome& outcome, const memory_watch& memory);

// What an exception says of a variant or of the harness: that memory ran out, or else that it threw.
struct thrown_end {
  std::string why{};
  model::failure_kind failure{model::failure_kind::threw};
};
[[nodiscard]] thrown_end thrown_end_of(const std::exception& thrown);

// How often a child's watch is asked whether it goes on.
inline constexpr double child_look_s = 0.1;

// Runs `work` in a forked child and returns its answer; none when it threw, crashed, exited or did not end
// within `limit_s` seconds, or when `goes_on`, where there is one, said no. The child holds a copy of
// everything and changes nothing here; other threads of this process do not exist in it. Throws io_failure
// when no child can be made.
template <class T>
[[nodiscard]] child_result<T> in_child(const std::function<T()>& work, double limit_s,
                                       const std::function<bool()>& goes_on = {}) {
  using enum model::failure_kind;
  const auto answer = [&]() -> std::string {
    discard_standard_output();
    try {
      return encode(child_answer<T>{.value = work()});
    } catch (const std::exception& thrown) {
      const auto end = thrown_end_of(thrown);
      return encode(child_answer<T>{.threw = end.why, .no_memory = end.failure == out_of_memory});
    }
  };
  const memory_watch memory;
  host::child_process child(answer);
  const auto done = goes_on ? child.wait_watched(limit_s, child_look_s, goes_on) : child.wait(limit_s);
  if (!succeeded(done.outcome) || done.output.empty()) {
    auto end = silent_end_of(done.outcome, memory);
    return {.why = std::move(end.why),
            .timed_out = std::holds_alternative<host::child_timed_out>(done.outcome),
            .failure = end.failure,
            .signal = std::move(end.signal)};
  }
  auto told = decode<child_answer<T>>(done.output);
  if (!told) return {.why = told.why().text(), .failure = crashed};
  const auto failure = told->threw.empty() ? none : told->no_memory ? out_of_memory : threw;
  return {.value = std::move(told->value), .why = std::move(told->threw), .failure = failure};
}

}  // namespace ridge::harness
