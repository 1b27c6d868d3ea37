// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <ridge.h>

// Compares two functions of your own program, measured as `ridge run` measures variants: interleaved in a
// random and mirrored order, stopped once the verdict is clear. docs/guide/cpp.md has an example of ten
// lines. Nothing here is shared between calls; two comparisons at the same time disturb each other.
namespace ridge {

// Makes the compiler compute x, and believe that x and all memory may have been read and changed.
template <class T>
[[gnu::always_inline]] inline void do_not_optimize(T&& x) {
  if constexpr (std::is_trivially_copyable_v<std::remove_reference_t<T>> && sizeof(x) <= sizeof(void*) &&
                !std::is_const_v<std::remove_reference_t<T>>) {
    asm volatile("" : "+m,r"(x) : : "memory");
  } else {
    asm volatile("" : : "m"(x) : "memory");
  }
}

// How a comparison is made.
struct compare_options {
  // Returns whether what was computed last is right. Called untimed: after the first call of each function,
  // and after samples that are drawn once they ran. Without it the assurance of the result is 0.
  std::function<bool()> check{};
  // Makes the inputs of the next round from a key, the same for both functions; untimed.
  std::function<void(std::uint64_t key)> prepare{};
  double budget_s = 1;       // wall time of the rounds; a clear verdict ends them sooner
  double min_effect = 0.01;  // the smallest relative difference that matters
  std::optional<std::uint64_t> seed{};
  std::string title{};
  bool print = true;  // whether the summary is printed to stdout
};

// A comparison could not be made: it was used wrongly, or the machine failed.
class compare_failed final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What a comparison found. Times are in seconds; a ratio says how many times as fast as the first function
// the second one is.
class compare_result final {
 public:
  // Takes over a session that was run.
  explicit compare_result(ridge_session* session) : session_(session, ridge_close) {}

  // Returns the verdict on the second function.
  [[nodiscard]] ridge_verdict verdict() const {
    return static_cast<ridge_verdict>(ridge_verdict_on(get(), 1));
  }
  // Whether the second function is faster by more than the smallest difference that matters.
  [[nodiscard]] bool better() const { return verdict() == ridge_better; }
  // Whether it is slower by more than that.
  [[nodiscard]] bool worse() const { return verdict() == ridge_worse; }
  // Whether an output was wrong.
  [[nodiscard]] bool invalid() const { return verdict() == ridge_invalid; }
  // Return the ratio and the ends of its interval; NaN where an output was wrong.
  [[nodiscard]] double ratio() const { return ridge_ratio(get(), 1); }
  [[nodiscard]] double ratio_low() const { return ridge_ratio_low(get(), 1); }
  [[nodiscard]] double ratio_high() const { return ridge_ratio_high(get(), 1); }
  // Returns the median time of a call of the first function (0) or the second (1).
  [[nodiscard]] double seconds(std::size_t function) const { return ridge_seconds(get(), function); }
  // Returns how far from 1 the ratio of the first function to itself was.
  [[nodiscard]] double noise_floor() const { return ridge_noise_floor(get()); }
  // Returns how many rounds were measured.
  [[nodiscard]] std::uint64_t rounds() const { return ridge_rounds(get()); }
  // Returns 0 where nothing was checked, 1 where the outputs were.
  [[nodiscard]] int assurance() const { return ridge_assurance(get()); }
  // Returns what compare() prints.
  [[nodiscard]] std::string summary() const { return ridge_summary(get()); }
  // Returns a ridge.run/1 document with all samples.
  [[nodiscard]] std::string json() const { return ridge_json(get(), 1); }
  // Returns the handle of the C interface, for its functions that read a result; this object closes it. The
  // functions that were compared are gone: it must not be given to ridge_run() again.
  [[nodiscard]] ridge_session* handle() const { return session_.get(); }

 private:
  [[nodiscard]] ridge_session* get() const { return session_.get(); }
  std::unique_ptr<ridge_session, decltype(&ridge_close)> session_;
};

namespace bench_detail {

// Whether the source that includes this header is compiled with optimization. Internal linkage: each source
// states its own.
#ifdef __OPTIMIZE__
[[maybe_unused]] static constexpr int optimized_here = 1;
#else
[[maybe_unused]] static constexpr int optimized_here = 0;
#endif

// A function and what it threw.
template <class Function>
struct body {
  Function& function;
  std::exception_ptr& thrown;

  [[gnu::noinline, gnu::aligned(64)]] void loop(std::uint64_t calls) {
    for (std::uint64_t i = 0; i < calls; ++i) {
      if constexpr (std::is_void_v<std::invoke_result_t<Function&>>) {
        function();
        asm volatile("" : : : "memory");
      } else {
        auto computed = function();
        do_not_optimize(computed);
      }
    }
  }
  // Calls the function; what it throws is kept and ends the session.
  static int run(void* user, std::uint64_t calls) {
    auto& self = *static_cast<body*>(user);
    try {
      self.loop(calls);
      return ridge_go_on;
    } catch (...) {
      self.thrown = std::current_exception();
      return ridge_fail;
    }
  }
};

// The callbacks of the options, and what they threw.
struct untimed {
  const compare_options& options;
  std::exception_ptr& thrown;

  // Makes the inputs of a round.
  static int prepare(void* user, std::uint64_t key) {
    auto& self = *static_cast<untimed*>(user);
    try {
      self.options.prepare(key);
      return ridge_go_on;
    } catch (...) {
      self.thrown = std::current_exception();
      return ridge_fail;
    }
  }
  // Looks at the last output.
  static int check(void* user, std::size_t, char* text, std::size_t capacity) {
    auto& self = *static_cast<untimed*>(user);
    try {
      if (self.options.check()) return ridge_output_right;
      std::snprintf(text, capacity, "the check says that it is wrong");
      return ridge_output_wrong;
    } catch (...) {
      self.thrown = std::current_exception();
      return ridge_fail;
    }
  }
};

// Throws what a callback threw, else compare_failed, unless the status is ridge_ok.
inline void expect(ridge_session* session, int status, const std::exception_ptr& thrown) {
  if (status == ridge_ok) return;
  if (thrown) std::rethrow_exception(thrown);
  throw compare_failed(ridge_error(session));
}

// Tells the session the options.
inline void set_options(ridge_session* session, const compare_options& options, untimed& callbacks) {
  const auto expected = [&](int status) { expect(session, status, {}); };
  expected(ridge_set_budget(session, options.budget_s));
  expected(ridge_set_min_effect(session, options.min_effect));
  if (options.seed) expected(ridge_set_seed(session, *options.seed));
  if (options.prepare) expected(ridge_set_prepare(session, untimed::prepare, &callbacks));
  if (options.check) expected(ridge_set_check(session, untimed::check, &callbacks));
}

}  // namespace bench_detail

// Compares two functions without arguments; the first is the reference. What they return is kept from the
// optimizer; what else they compute needs do_not_optimize(), or must be looked at by the check. Prints the
// summary and returns the result. Throws compare_failed, and what a function or callback throws. `optimized`
// is that of the source that calls it; without optimization the verdict is ridge_invalid.
template <class First, class Second>
compare_result compare(const std::string& first_name, First&& first, const std::string& second_name,
                       Second&& second, const compare_options& options = {},
                       int optimized = bench_detail::optimized_here) {
  std::exception_ptr thrown;
  bench_detail::body<std::remove_reference_t<First>> one{first, thrown};
  bench_detail::body<std::remove_reference_t<Second>> other{second, thrown};
  bench_detail::untimed callbacks{options, thrown};
  compare_result result(ridge_open(options.title.c_str()));
  auto* session = result.handle();
  bench_detail::set_options(session, options, callbacks);
  bench_detail::expect(session, ridge_add_loop(session, first_name.c_str(), one.run, &one), thrown);
  bench_detail::expect(session, ridge_add_loop(session, second_name.c_str(), other.run, &other), thrown);
  for (std::size_t arm = 0; arm < 2; ++arm)
    bench_detail::expect(session, ridge_set_optimized(session, arm, optimized), thrown);
  bench_detail::expect(session, ridge_run(session), thrown);
  if (options.print) std::puts(ridge_summary(session));
  return result;
}

}  // namespace ridge
