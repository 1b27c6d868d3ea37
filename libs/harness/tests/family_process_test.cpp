// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <ridge/base/sanitized.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/runner.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/host/shared_region.hpp>

#include "doubling.hpp"
#include "host_device.hpp"

namespace ridge::harness {
namespace {

// Does `Deed` in one call of its process, after so many that only timing makes.
template <auto Deed>
void late(doubling_workload& w, call& c) {
  static int calls = 0;
  if (++calls == 10) Deed();
  twice(w, c);
}

void wait_forever() {
  while (true) pause();
}
void sleep_at_once(doubling_workload&, call&) { wait_forever(); }
void crash_now() { std::raise(SIGABRT); }
void leave_now() { _exit(0); }
void handle_a_signal() {
  std::signal(SIGUSR2, [](int) {});
}
void print_a_verdict() { std::puts("ridge: BETTER by 100x"); }
void start_a_process() {
  if (fork() == 0) {
    sleep(100);
    _exit(0);
  }
}

// Half of the work on another thread, in timing alone.
void with_a_helper(doubling_workload& w, call& c) {
  static int calls = 0;
  if (++calls < 10) return twice(w, c);
  const auto half = w.x.size() / 2;
  doubling_workload first{w.x.first(half), w.y.first(half)}, second{w.x.subspan(half), w.y.subspan(half)};
  std::thread helper([&] { twice(first, c); });
  twice(second, c);
  helper.join();
}

template <auto Run>
ladder<doubling_workload> honest_and() {
  return {{.name = "honest", .is = role::baseline, .run = twice},
          {.name = "suspect", .run = Run},
          {.name = "other", .run = twice}};
}

model::family measured_in_child(ladder_of<doubling_workload> variants, double stall_limit_s = 60) {
  const auto where = host_device_for_tests();
  const instruments equipment{.device = where.get()};
  const auto e = doubling(variants, 1 << 15);
  auto options = short_session(0.2);
  options.stall_limit_s = stall_limit_s;
  return measure_family_in_child({e, e.problems().front(), model::backend::cpu}, equipment, options);
}

const model::measurement& measurement_of(const model::family& f, std::string_view variant) {
  return *std::ranges::find(f.measurements, variant, &model::measurement::variant);
}

std::string objection(const model::family& f, std::string_view variant, std::string_view check) {
  for (const auto& c : f.comparisons) {
    if (c.candidate != variant || c.reference != "honest") continue;
    for (const auto& each : c.checks) {
      if (each.id == check && each.result == model::outcome::fail) return each.evidence;
    }
  }
  return {};
}

TEST(family_process, a_variant_that_crashes_while_timed_is_refused_and_the_others_are_measured) {
  const auto f = measured_in_child(honest_and<late<crash_now>>);
  EXPECT_EQ(measurement_of(f, "suspect").refused, "was killed by SIGABRT while it was timed");
  EXPECT_EQ(measurement_of(f, "suspect").failure, model::failure_kind::crashed);
  EXPECT_EQ(measurement_of(f, "suspect").signal, "SIGABRT");
  EXPECT_EQ(measurement_of(f, "suspect").stage, "timing");
  EXPECT_GT(measurement_of(f, "other").metrics.size(), 0u);
  ASSERT_EQ(f.comparisons.size(), 1u);
  EXPECT_EQ(f.comparisons.front().candidate, "other");
}

void crash_at_once(doubling_workload&, call&) { std::raise(SIGSEGV); }
void throw_at_once(doubling_workload&, call&) { throw std::runtime_error("boom"); }
void want_all_memory(doubling_workload&, call&) { throw std::bad_alloc(); }
void leave_the_last(doubling_workload& w, call&) {
  for (std::size_t i = 0; i + 1 < w.x.size(); ++i) w.y[i] = 2 * w.x[i];
}

TEST(family_process, failures_of_each_kind_are_told_apart) {
  using enum model::failure_kind;
  const auto failed = [](ladder_of<doubling_workload> variants) {
    return measurement_of(measured_in_child(variants), "suspect");
  };
  const auto crashed_early = failed(honest_and<crash_at_once>);
  EXPECT_EQ(crashed_early.failure, crashed);
  EXPECT_EQ(crashed_early.signal, "SIGSEGV");
  EXPECT_EQ(crashed_early.stage, "verification");
  const auto thrown = failed(honest_and<throw_at_once>);
  EXPECT_EQ(thrown.failure, threw);
  EXPECT_EQ(thrown.refused, "threw: boom");
  const auto hungry = failed(honest_and<want_all_memory>);
  EXPECT_EQ(hungry.failure, out_of_memory);
  EXPECT_NE(hungry.refused.find("an allocation failed"), std::string::npos) << hungry.refused;
  const auto wrong = failed(honest_and<leave_the_last>);
  EXPECT_EQ(wrong.failure, wrong_output);
  EXPECT_EQ(wrong.signal, "");
  EXPECT_EQ(failed(honest_and<twice>).failure, none);
}

TEST(family_process, a_limit_of_one_call_holds_while_variants_are_verified_and_timed) {
  for (const auto variants : {honest_and<late<wait_forever>>, honest_and<sleep_at_once>}) {
    const auto where = host_device_for_tests();
    auto options = short_session(0.05);
    options.call_limit_s = 0.7;
    const auto e = doubling(variants, 1 << 12);
    const double start = monotonic_seconds();
    const auto f = measure_family_in_child({e, e.problems().front(), model::backend::cpu},
                                           {.device = where.get()}, options);
    EXPECT_LT(monotonic_seconds() - start, 20);
    EXPECT_EQ(measurement_of(f, "suspect").failure, model::failure_kind::timed_out)
        << measurement_of(f, "suspect").refused;
    EXPECT_GT(measurement_of(f, "other").metrics.size(), 0u);
  }
}

// As Ctrl-C in a terminal does, which reaches every process of the group at the same moment: this process is
// told by a flag that it shares with its children.
std::atomic<bool>& interrupt_seen() {
  static const host::shared_region memory(sizeof(std::atomic<bool>));
  static auto* const flag = new (memory.bytes().data()) std::atomic<bool>(false);
  return *flag;
}
void interrupt_the_group() {
  interrupt_seen() = true;
  std::signal(SIGINT, SIG_DFL);
  std::raise(SIGINT);
}

// In verification, where a process of its own calls the variant: the one of the family is its parent.
void interrupt_the_group_at_once(doubling_workload&, call&) {
  interrupt_seen() = true;
  kill(getppid(), SIGINT);
  std::signal(SIGINT, SIG_DFL);
  std::raise(SIGINT);
}

TEST(family_process, a_child_that_an_interrupt_ends_is_not_a_refused_variant) {
  for (const auto variants :
       {honest_and<late<interrupt_the_group>>, honest_and<interrupt_the_group_at_once>}) {
    interrupt_seen() = false;
    const auto where = host_device_for_tests();
    auto options = short_session(0.05);
    options.stop_requested = [] { return interrupt_seen().load(); };
    const auto e = doubling(variants, 1 << 12);
    const auto f = measure_family_in_child({e, e.problems().front(), model::backend::cpu},
                                           {.device = where.get()}, options);
    EXPECT_TRUE(interrupt_seen());
    EXPECT_EQ(f.skipped, "was interrupted");
    EXPECT_TRUE(f.comparisons.empty());
    for (const auto& m : f.measurements) EXPECT_EQ(m.refused, "") << m.variant;
  }
}

TEST(family_process, a_variant_that_ends_the_process_is_refused) {
  EXPECT_EQ(measurement_of(measured_in_child(honest_and<late<leave_now>>), "suspect").refused,
            "ended the process it ran in while it was timed");
}

TEST(family_process, a_variant_that_makes_no_progress_is_refused_and_the_others_are_measured) {
  const auto f = measured_in_child(honest_and<late<wait_forever>>, 1.5);
  EXPECT_TRUE(measurement_of(f, "suspect").refused.starts_with("did not end within"))
      << measurement_of(f, "suspect").refused;
  EXPECT_TRUE(measurement_of(f, "suspect").refused.ends_with("while it was timed"));
  EXPECT_GT(measurement_of(f, "other").metrics.size(), 0u);
}

TEST(family_process, a_timed_call_has_a_limit_of_its_own) {
  const auto where = host_device_for_tests();
  auto options = short_session(0.05);
  options.stall_limit_s = 600;
  options.timed_stall_limit_s = 1.5;
  const auto e = doubling(honest_and<late<wait_forever>>, 1 << 12);
  const auto f = measure_family_in_child({e, e.problems().front(), model::backend::cpu},
                                         {.device = where.get()}, options);
  const std::string begin = "did not end within ";
  const auto& why = measurement_of(f, "suspect").refused;
  ASSERT_TRUE(why.starts_with(begin) && why.ends_with("while it was timed")) << why;
  EXPECT_LT(std::stod(why.substr(begin.size())), 60) << "20 times what was seen is more on a busy machine";
  EXPECT_EQ(measurement_of(f, "suspect").failure, model::failure_kind::timed_out);
  EXPECT_GT(measurement_of(f, "other").metrics.size(), 0u);
}

TEST(family_process, a_signal_handler_left_behind_is_found) {
  const auto f = measured_in_child(honest_and<late<handle_a_signal>>);
  EXPECT_NE(objection(f, "suspect", "state").find("the handler of SIGUSR2"), std::string::npos)
      << objection(f, "suspect", "state");
}

TEST(family_process, a_process_left_running_is_found_and_ended) {
  const auto f = measured_in_child(honest_and<late<start_a_process>>);
  const auto why = objection(f, "suspect", "state");
  EXPECT_NE(why.find("process"), std::string::npos) << why;
}

TEST(family_process, threads_that_a_variant_does_not_declare_are_found_where_they_are_timed) {
  const auto f = measured_in_child(honest_and<with_a_helper>);
  EXPECT_NE(objection(f, "suspect", "cpu_time").find("suspect declares one thread"), std::string::npos)
      << f.skipped << measurement_of(f, "suspect").refused << f.comparisons.size();
  EXPECT_EQ(objection(f, "other", "cpu_time"), "");
}

// Past the buffer of this process, which a child that ends at once never writes out.
void print_at_once(doubling_workload& w, call& c) {
  std::puts("ridge: BETTER by 100x");
  std::fflush(stdout);
  (void)!write(STDOUT_FILENO, "{}\n", 3);
  twice(w, c);
}

TEST(family_process, what_bodies_print_stays_out_of_the_output) {
  for (const auto variants : {honest_and<late<print_a_verdict>>, honest_and<print_at_once>}) {
    testing::internal::CaptureStdout();
    const auto f = measured_in_child(variants);
    std::fflush(stdout);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(measurement_of(f, "suspect").refused, "");
    EXPECT_EQ(objection(f, "suspect", "state"), "");
  }
}

// Options whose stop is requested `seconds` from now on.
run_options stopped_after(double seconds, double budget_s) {
  auto options = short_session(budget_s);
  options.stop_requested = [end = monotonic_seconds() + seconds] { return monotonic_seconds() > end; };
  return options;
}

model::family measured_until_stopped(ladder_of<doubling_workload> variants, const run_options& options) {
  const auto host = host_device_for_tests();
  const instruments equipment{.device = host.get()};
  const auto e = doubling(variants, 4096);
  return measure_family_in_child({e, e.problems().front(), model::backend::cpu}, equipment, options);
}

TEST(family_process, a_session_that_is_to_stop_ends_with_the_results_it_has) {
  if (sanitized) GTEST_SKIP() << "what follows a session takes longer here than a stop allows";
  model::family f;
  for (const double seconds : {1.5, 6.0, 24.0}) {  // on a busy machine it has not begun after the first
    const double start = monotonic_seconds();
    f = measured_until_stopped(honest_and<twice>, stopped_after(seconds, 600));
    EXPECT_LT(monotonic_seconds() - start, seconds + 5);
    if (!f.comparisons.empty()) break;
  }
  ASSERT_FALSE(f.comparisons.empty()) << f.skipped;
  EXPECT_GT(f.comparisons.front().ratio, 0);
}

TEST(family_process, a_variant_that_does_not_stop_is_ended_and_nobody_calls_it_wrong) {
  const double start = monotonic_seconds();
  const auto f = measured_until_stopped(honest_and<late<wait_forever>>, stopped_after(2, 0.05));
  EXPECT_LT(monotonic_seconds() - start, 5);
  EXPECT_TRUE(f.comparisons.empty());
  EXPECT_EQ(f.skipped, "was interrupted");
}

}  // namespace
}  // namespace ridge::harness
