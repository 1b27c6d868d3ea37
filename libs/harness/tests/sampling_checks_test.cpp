// SPDX-License-Identifier: Apache-2.0
// Families whose gain depends on how their samples come about.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstring>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <ridge/base/sanitized.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/runner.hpp>

#include "doubling.hpp"
#include "host_device.hpp"

namespace ridge::harness {
namespace {

template <auto Candidate, auto Baseline = in_passes<8>>
ladder<doubling_workload> eight_passes_and() {
  return {{.name = "eight passes", .is = role::baseline, .run = Baseline},
          {.name = "candidate", .run = Candidate}};
}

model::family sampled(ladder_of<doubling_workload> variants, std::int64_t elements, bool lone_pass = false) {
  const auto where = host_device_for_tests();
  const instruments equipment{.device = where.get()};
  const auto e = doubling(variants, elements);
  auto options = short_session(0.05);
  options.lone_pass = lone_pass;
  return measure_family_in_child({e, e.problems().front(), model::backend::cpu}, equipment, options);
}

// The candidate's check, or one that says why there is none.
model::check check_in(const model::family& f, std::string_view id) {
  for (const auto& c : f.comparisons) {
    for (const auto& each : c.checks) {
      if (each.id == id) return each;
    }
  }
  std::string why = f.skipped;
  for (const auto& m : f.measurements) why += m.variant + ": " + m.skipped + m.refused + "; ";
  return {.id = "none", .evidence = why};
}

void expect_only(const model::family& f, std::string_view wanted) {
  for (const std::string_view id : {"clock", "fresh_data", "repeats", "mean"}) {
    const auto check = check_in(f, id);
    EXPECT_EQ(check.result, id == wanted ? model::outcome::fail : model::outcome::pass)
        << id << ": " << check.evidence;
  }
}

// Tests are compiled without optimization: calls of a part of a microsecond, and of some hundred.
constexpr std::int64_t brief = 2, lengthy = 1 << 10;

TEST(sampling_checks, an_honest_gain_stays) {
  expect_only(sampled(eight_passes_and<in_passes<2>>, brief), "");
  expect_only(sampled(eight_passes_and<in_passes<2>>, lengthy), "");
}

// Calls that find results leave them as they are. A sample of 20 us has to hold far more calls than there are
// members, also where a pass takes 0.2 us.
void unless_written(doubling_workload& w, call& c) {
  if (std::isnan(w.y.back())) in_passes<2>(w, c);
}
TEST(sampling_checks, a_gain_of_calls_on_the_same_data_is_found) {
  if (sanitized) GTEST_SKIP() << "the gain drowns in what a sanitizer adds to it";
  expect_only(sampled(eight_passes_and<unless_written, in_passes<2>>, brief), "repeats");
}

// Keeps data and results of the last call on each member, and computes what differs.
auto updating(doubling_workload& made_for, setup&) {
  return [before = std::vector<float>(made_for.x.size(), NAN), kept = std::vector<float>(made_for.x.size())](
             doubling_workload& w, call& c) mutable {
    constexpr std::size_t piece = 64;
    for (std::size_t first = 0; first < w.x.size(); first += piece) {
      const auto count = std::min(piece, w.x.size() - first);
      if (std::memcmp(&w.x[first], &before[first], 4 * count) == 0) continue;
      doubling_workload part{w.x.subspan(first, count), w.y.subspan(first, count)};
      in_passes<8>(part, c);
      std::copy_n(&w.y[first], count, &kept[first]);
      std::copy_n(&w.x[first], count, &before[first]);
    }
    std::memcpy(w.y.data(), kept.data(), 4 * kept.size());
  };
}
TEST(sampling_checks, a_gain_on_data_that_hardly_changed_is_found) {
  if (sanitized) GTEST_SKIP() << "the gain drowns in what a sanitizer adds to it";
  const auto variants = []() -> ladder<doubling_workload> {
    return {{.name = "eight passes", .is = role::baseline, .run = in_passes<8>},
            {.name = "candidate", .run = updating}};
  };
  const auto f = sampled(variants, 4 * lengthy);
  ASSERT_EQ(f.comparisons.size(), 1u);
  // On a busy machine all data may be drawn anew in most rounds, and then there is no gain.
  EXPECT_NE(f.comparisons.front().verdict, model::verdict::better)
      << check_in(f, "fresh_data").evidence << "; " << check_in(f, "repeats").evidence;
}

void wastes(doubling_workload& w, call& c, int passes) {
  static std::vector<float> kept(w.y.size());
  doubling_workload elsewhere{w.x, kept};
  for (int pass = 0; pass < passes; ++pass) {
    twice(elsewhere, c);
    asm volatile("" ::: "memory");
  }
}
void upkeep_in_each_call(doubling_workload& w, call& c) {
  in_passes<4>(w, c);
  wastes(w, c, 4);
}
void upkeep_in_every_fourth_call(doubling_workload& w, call& c) {
  static unsigned calls = 0;
  in_passes<4>(w, c);
  if (++calls % 4 == 0) wastes(w, c, 16);
}
TEST(sampling_checks, work_that_is_saved_up_is_found) {
  if (sanitized) GTEST_SKIP() << "the gain drowns in what a sanitizer adds to it";
  expect_only(sampled(eight_passes_and<upkeep_in_every_fourth_call, upkeep_in_each_call>, lengthy), "mean");
}

doubling_workload unfinished{};
std::span<std::byte> closed{};
void open_and_finish(int, siginfo_t*, void*) {
  mprotect(closed.data(), closed.size(), PROT_READ | PROT_WRITE);
  call none{call_resources{}};
  twice(unfinished, none);
}
// Leaves the second half to whoever reads it first.
void finished_by_a_fault(doubling_workload& w, call& c) {
  struct sigaction action {};
  action.sa_sigaction = open_and_finish;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSEGV, &action, nullptr);
  constexpr std::uintptr_t page = 4096;
  const auto start = (reinterpret_cast<std::uintptr_t>(&w.y[w.y.size() / 2]) + page - 1) / page * page;
  const auto first = (start - reinterpret_cast<std::uintptr_t>(w.y.data())) / sizeof(float);
  const auto count = (w.y.size() - first) * sizeof(float) / page * page / sizeof(float);
  twice(w, c);
  unfinished = {w.x.subspan(first, count), w.y.subspan(first, count)};
  closed = std::as_writable_bytes(w.y.subspan(first, count));
  mprotect(closed.data(), closed.size(), PROT_NONE);
}
TEST(sampling_checks, no_handler_of_a_fault_finishes_results_while_they_are_read) {
  const auto f = sampled(eight_passes_and<finished_by_a_fault>, 1 << 16);
  const auto seen = std::ranges::find(f.measurements, "candidate", &model::measurement::variant);
  EXPECT_NE(seen->refused.find("SIGSEGV"), std::string::npos) << seen->refused;
}

// A thread of a variant's own that computes between samples and rests in them.
void rests_in_samples(doubling_workload& w, call& c) {
  static std::atomic<bool> between{false};
  static const bool started = [] {
    std::thread([] {
      while (true) {
        between.wait(false);
        while (between.load()) {
        }
      }
    }).detach();
    return true;
  }();
  (void)started;
  between = false;
  in_passes<8>(w, c);
  between = true;
  between.notify_one();
}
// The answer of the baseline, which has run on the same data.
std::vector<float> answered{}, answers{};
void leaves_answers(doubling_workload& w, call& c) {
  in_passes<8>(w, c);
  answered.assign(w.x.begin(), w.x.end());
  answers.assign(w.y.begin(), w.y.end());
}
void takes_answers_left(doubling_workload& w, call& c) {
  if (!std::ranges::equal(w.x, answered)) return leaves_answers(w, c);
  std::ranges::copy(answers, w.y.begin());
}
TEST(sampling_checks, a_gain_by_what_others_leave_in_the_process_is_found) {
  if (sanitized) GTEST_SKIP() << "the gain drowns in what a sanitizer adds to it";
  const auto slow_ones = []() -> ladder<doubling_workload> {
    return {{.name = "eight passes", .is = role::baseline, .run = in_passes<8>},
            {.name = "candidate", .run = takes_answers_left},
            {.name = "first", .run = leaves_answers},
            {.name = "second", .run = leaves_answers}};
  };
  const auto alone = check_in(sampled(slow_ones, lengthy, true), "alone");
  EXPECT_EQ(alone.result, model::outcome::fail) << alone.evidence;
}
// A variant whose process ends keeps the others from nothing.
void ends_its_process_when_alone(doubling_workload& w, call& c) {
  static int calls = 0;
  if (++calls == 6) _exit(0);
  twice(w, c);
}
TEST(sampling_checks, a_variant_that_ends_its_process_hides_no_other_one) {
  if (sanitized) GTEST_SKIP() << "the gain drowns in what a sanitizer adds to it";
  const auto with_one_that_ends = []() -> ladder<doubling_workload> {
    return {{.name = "eight passes", .is = role::baseline, .run = leaves_answers},
            {.name = "ends", .run = ends_its_process_when_alone},
            {.name = "candidate", .run = takes_answers_left},
            {.name = "slow", .run = leaves_answers}};
  };
  const auto f = sampled(with_one_that_ends, lengthy, true);
  const auto seen = std::ranges::find(f.measurements, "ends", &model::measurement::variant);
  EXPECT_NE(seen->refused.find("in a process of its own"), std::string::npos) << seen->refused;
  const auto alone = check_in(f, "alone");
  EXPECT_EQ(alone.result, model::outcome::fail) << alone.evidence;
}
TEST(sampling_checks, a_gain_of_its_own_is_left_to_a_variant_that_is_alone) {
  for (const auto n : {brief, lengthy}) {
    const auto alone = check_in(sampled(eight_passes_and<in_passes<2>>, n, true), "alone");
    EXPECT_EQ(alone.result, model::outcome::pass) << alone.evidence;
  }
}

TEST(sampling_checks, threads_that_compute_between_samples_are_found) {
  const auto seen = check_in(sampled(eight_passes_and<in_passes<2>, rests_in_samples>, lengthy), "cpu_time");
  EXPECT_EQ(seen.result, model::outcome::fail) << seen.evidence;
}

}  // namespace
}  // namespace ridge::harness
