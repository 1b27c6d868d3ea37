// SPDX-License-Identifier: Apache-2.0
// What variants claim, held against what the harness saw.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <utility>

#include <gtest/gtest.h>
#include <ridge/base/sanitized.hpp>
#include <ridge/harness/runner.hpp>

#include "host_device.hpp"

namespace ridge::harness {
namespace {

struct claimed_workload {
  input<float> x{};
  output<float> y{};
};
using claimed_variant = variant<claimed_workload>;

float claimed_answer(float v) { return 1 / std::sqrt(v); }
void claimed_part(claimed_workload& w, std::size_t first, std::size_t last) {
  for (auto i = first; i < last; ++i) w.y[i] = claimed_answer(w.x[i]);
}
void plain(claimed_workload& w, call&) { claimed_part(w, 0, w.x.size()); }
void plain_five_times(claimed_workload& w, call& c) {
  for (int i = 0; i < 5; ++i) {
    plain(w, c);
    asm volatile("" ::: "memory");
  }
}

constexpr observable claimed_latency{"latency"};
constexpr phase claimed_useful{"useful"};

void observes_all(claimed_workload& w, call& c) {
  const auto start = c.now();
  plain(w, c);
  c.observe(claimed_latency, start, c.now());
}
void observes_a_half(claimed_workload& w, call& c) {
  const auto start = c.now();
  claimed_part(w, 0, w.x.size() / 2);
  c.observe(claimed_latency, start, c.now());
  claimed_part(w, w.x.size() / 2, w.x.size());
}
void observes_now_and_then(claimed_workload& w, call& c) {
  static int calls = 0;
  const auto start = c.now();
  plain(w, c);
  if (++calls % 4 != 0) c.observe(claimed_latency, start, c.now());
}
void marks_a_half(claimed_workload& w, call& c) {
  claimed_part(w, 0, w.x.size() / 2);
  const auto marked = c.in(claimed_useful);
  claimed_part(w, w.x.size() / 2, w.x.size());
}
void marks_all(claimed_workload& w, call& c) {
  const auto marked = c.in(claimed_useful);
  plain(w, c);
}

experiment claiming(claimed_variant reference, claimed_variant candidate, std::vector<metric> metrics) {
  reference.name = "reference", candidate.name = "candidate";
  reference.is = role::baseline;
  static ladder<claimed_workload> both;
  both = {std::move(reference), std::move(candidate)};
  return experiment_of<claimed_workload>{
      .id = "test.claims",
      .title = "Claims",
      .question = "Is it so?",
      .axes = {values("n", {1 << 14})},
      .make =
          [](const problem& p, memory& m) {
            return claimed_workload{m.in<float>(p.count("n"), uniform{.lo = 0.5, .hi = 2}),
                                    m.out<float>(p.count("n"))};
          },
      .work =
          [](const problem& p) {
            return work{.flop = p.real("n"), .bytes_read = 4 * p.real("n"), .bytes_written = 4 * p.real("n")};
          },
      .oracle = [](claimed_workload& w) { claimed_part(w, 0, w.x.size()); },
      .within = tolerance{.rel = 1e-2},
      .metrics = std::move(metrics),
      .phases = {claimed_useful},
      .observed = {claimed_latency},
      .cpu = [] { return both; },
  };
}

model::family measured_claims(const experiment& e) {
  const auto where = host_device_for_tests();
  const instruments equipment{.device = where.get()};
  run_options options{.profile = {.name = "test", .budget_per_arm_s = 0.1},
                      .lone_pass = false,
                      .unoptimized = unoptimized_code::judged};
  options.protocol.warm_up_max_s = 0.02;
  return measure_family({e, e.problems().front(), model::backend::cpu}, equipment, options);
}

model::check finding(claimed_variant reference, claimed_variant candidate, std::string_view id,
                     std::vector<metric> metrics = {time_per_call()}) {
  const auto f = measured_claims(claiming(std::move(reference), std::move(candidate), std::move(metrics)));
  if (f.comparisons.empty()) return {.evidence = "there is no comparison"};
  const auto& all = f.comparisons.front().checks;
  const auto found = std::ranges::find(all, id, &model::check::id);
  return found == all.end() ? model::check{.evidence = "there is no such check"} : *found;
}

using enum model::outcome;

TEST(claims, spans_that_leave_a_part_of_the_call_out_fail) {
  const std::vector<metric> metrics{quantile(claimed_latency, 0.5)};
  EXPECT_EQ(finding({.run = observes_all}, {.run = observes_all}, "spans", metrics).result, pass);
  EXPECT_EQ(finding({.run = observes_all}, {.run = observes_a_half}, "spans", metrics).result, fail);
  EXPECT_EQ(finding({.run = observes_all}, {.run = observes_now_and_then}, "spans", metrics).result, fail);
  EXPECT_EQ(finding({.run = observes_a_half}, {.run = observes_a_half}, "spans", metrics).result, skipped);
}

TEST(claims, marking_more_of_the_same_time_is_asked_about) {
  EXPECT_EQ(finding({.run = marks_a_half}, {.run = marks_a_half}, "spans", {goodput(claimed_useful)}).result,
            pass);
  // What interrupts calls may make the candidate's longer than the reference's, so that marking more is no
  // doubt.
  model::check more;
  for (int tries = 0; tries < 3 && more.result != warn; ++tries)
    more = finding({.run = marks_a_half}, {.run = marks_all}, "spans", {goodput(claimed_useful)});
  EXPECT_EQ(more.result, warn) << more.evidence;
}

claimed_variant with_traffic(double share, std::string reason = {}) {
  return {.run = plain,
          .traffic = [share](const problem& p) { return share * 8 * p.real("n"); },
          .traffic_reason = std::move(reason)};
}
TEST(claims, traffic_below_what_the_arrays_hold_or_far_above_others_needs_a_reason) {
  EXPECT_EQ(finding({.run = plain}, with_traffic(1), "traffic").result, pass);
  EXPECT_EQ(finding({.run = plain}, with_traffic(0.1), "traffic").result, warn);
  EXPECT_EQ(finding({.run = plain}, with_traffic(3), "traffic").result, warn);
  const auto reason = finding({.run = plain}, with_traffic(3, "each line is fetched three times"), "traffic");
  EXPECT_EQ(reason.result, pass);
  EXPECT_NE(reason.evidence.find("each line is fetched three times"), std::string::npos) << reason.evidence;
  EXPECT_EQ(finding({.idea = "five times",
                     .run = plain_five_times,
                     .traffic = [](const problem& p) { return 5 * 8 * p.real("n"); }},
                    {.run = plain}, "traffic")
                .result,
            pass);
}

TEST(claims, arithmetic_that_the_arrays_or_the_error_contradict_is_asked_about) {
  EXPECT_EQ(finding({.run = plain}, {.run = plain}, "arithmetic").result, pass);
  EXPECT_EQ(finding({.run = plain}, {.run = plain, .arithmetic = arithmetic::fp64}, "arithmetic").result,
            warn);
  EXPECT_EQ(finding({.run = plain}, {.run = plain, .arithmetic = arithmetic::bf16}, "arithmetic").result,
            warn);
}

TEST(claims, a_baseline_far_slower_than_the_oracle_says_why) {
  const auto unsaid = finding({.run = plain_five_times}, {.run = plain}, "baseline");
  EXPECT_EQ(unsaid.result, warn) << unsaid.evidence;
  EXPECT_EQ(finding({.idea = "five times", .run = plain_five_times}, {.run = plain}, "baseline").result,
            pass);
  const auto equal = finding({.run = plain}, {.run = plain}, "baseline");
  EXPECT_EQ(equal.result, pass) << equal.evidence;
}

TEST(claims, work_that_no_processor_does_fails) {
  auto e = experiment_of<claimed_workload>{
      .id = "test.much",
      .title = "Much",
      .question = "So much?",
      .axes = {values("n", {1 << 14})},
      .make =
          [](const problem& p, memory& m) {
            return claimed_workload{m.in<float>(p.count("n"), uniform{.lo = 0.5, .hi = 2}),
                                    m.out<float>(p.count("n"))};
          },
      .work = [](const problem& p) { return work{.flop = 1e9 * p.real("n"), .bytes_read = 1}; },
      .oracle = [](claimed_workload& w) { claimed_part(w, 0, w.x.size()); },
      .within = tolerance{.rel = 1e-2},
      .cpu = []() -> ladder<claimed_workload> {
        return {{.name = "reference", .is = role::baseline, .run = plain},
                {.name = "candidate", .run = plain}};
      },
  };
  const auto f = measured_claims(e);
  const auto& all = f.comparisons.front().checks;
  EXPECT_EQ(std::ranges::find(all, "work", &model::check::id)->result, fail);
}

pid_t timed_by = 0;
void rough_when_timed(claimed_workload& w, call& c) {
  plain(w, c);
  if (::getpid() != timed_by) return;
  for (float& y : w.y) y *= 1.001F;
}
TEST(claims, an_error_that_only_timed_results_have_fails) {
  timed_by = ::getpid();
  const auto f = measured_claims(claiming({.run = plain}, {.run = rough_when_timed}, {relative_error()}));
  const auto& checks = f.comparisons.front().checks;
  const auto error = *std::ranges::find(checks, "error", &model::check::id);
  EXPECT_EQ(error.result, fail) << error.evidence;
  EXPECT_NEAR(f.measurements[1].max_rel_error, 1e-3, 1e-4);
  EXPECT_EQ(finding({.run = plain}, {.run = plain}, "error").result, pass);
}

void rough(claimed_workload& w, call& c) {
  plain(w, c);
  for (float& y : w.y) y *= 1.001F;
}
TEST(claims, the_root_mean_square_of_the_error_can_be_a_metric) {
  const auto f = measured_claims(claiming({.run = plain}, {.run = rough}, {relative_rms_error()}));
  EXPECT_LT(f.measurements[0].rms_error.value(), 1e-6);
  EXPECT_NEAR(f.measurements[1].rms_error.value(), 1e-3, 1e-6);
  const auto& metrics = f.measurements[1].metrics;
  const auto error = std::ranges::find(metrics, "rms_error", [](const auto& m) { return m.metric.name; });
  ASSERT_NE(error, metrics.end());
  EXPECT_NEAR(error->median, 1e-3, 1e-6);
}

// Variants are verified by two calls, on arrays that look the same as those on which they are watched.
void ends_where_it_is_watched(claimed_workload& w, call& c) {
  static int calls = 0;
  plain(w, c);
  if (::getpid() != timed_by && ++calls > 2) ::_exit(0);
}
TEST(claims, a_body_that_ends_the_process_that_watches_it_fails) {
  timed_by = ::getpid();
  const auto audit = finding({.run = plain}, {.run = ends_where_it_is_watched}, "audit");
  EXPECT_EQ(audit.result, fail);
  EXPECT_EQ(audit.evidence, "candidate ended the process it ran in while it was watched");
}

template <auto Deed>
void leaves(claimed_workload& w, call& c) {
  plain(w, c);
  static pid_t done_in = 0;
  if (std::exchange(done_in, ::getpid()) != ::getpid()) Deed();
}
void locale() { std::setlocale(LC_ALL, "C.UTF-8"); }
void slack() { ::prctl(PR_SET_TIMERSLACK, 1); }
void a_file() { (void)::open("/dev/null", O_RDONLY | O_CLOEXEC); }
void a_mapping() { (void)::mmap(nullptr, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }

TEST(claims, what_a_first_call_leaves_behind_fails) {
  const auto why = [](claimed_variant v) {
    const auto found = finding({.run = plain}, std::move(v), "audit");
    return found.result == fail ? found.evidence : "it did not fail";
  };
  EXPECT_NE(why({.run = leaves<locale>}).find("the locale"), std::string::npos);
  EXPECT_NE(why({.run = leaves<slack>}).find("the slack of its timers"), std::string::npos);
  EXPECT_NE(why({.run = leaves<a_file>}).find("/dev/null was opened"), std::string::npos);
  EXPECT_EQ(why({.run = plain}), "it did not fail");
  const auto mapping = why({.run = leaves<a_mapping>});
  const bool told = mapping.find("stayed mapped") != std::string::npos;
  EXPECT_EQ(told, !sanitized) << mapping;
}

}  // namespace
}  // namespace ridge::harness
