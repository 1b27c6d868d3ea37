// SPDX-License-Identifier: Apache-2.0
// Sessions of callbacks with times of their own, so that nothing here depends on a clock.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ridge.h>

#include <ridge/harness/session.hpp>
#include <ridge/model/json.hpp>
#include <ridge/stats/counter_random.hpp>

namespace {

using testing::HasSubstr;

// An arm whose every call takes as long as it says, and that may stop or fail after some samples.
struct scripted {
  double seconds = 1e-3;
  int samples = 0;
  int ends_after = 1 << 30;
  int ends_with = ridge_stop;
  double ends_at_s = 1e300;  // on the clock of sessions: the warm-up takes as many samples as it has time for
  bool restless =
      false;  // takes a millisecond of the wall clock, and gives times that no session could settle on
  std::vector<std::uint64_t> calls{};

  static int run(void* user, std::uint64_t calls, double* seconds) {
    auto& self = *static_cast<scripted*>(user);
    if (++self.samples > self.ends_after || ridge::harness::monotonic_seconds() > self.ends_at_s)
      return self.ends_with;
    self.calls.push_back(calls);
    // Differs a little from sample to sample, for a series without any spread has an interval without width.
    *seconds = static_cast<double>(calls) * self.seconds * (1 + 1e-4 * (self.samples % 5));
    if (self.restless) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      *seconds *= 1 + ridge::stats::random_uniform(1, 2, static_cast<std::uint64_t>(self.samples));
    }
    return ridge_go_on;
  }
};

struct looked_at {
  std::vector<std::size_t> arms{};
  std::size_t wrong_arm = 99;
  int wrong_from = 1 << 30;   // the look from which on it is wrong
  double stops_at_s = 1e300;  // asks to stop from then on, on the clock of sessions
  int stops = 0;

  static int look(void* user, std::size_t arm, char* text, std::size_t capacity) {
    auto& self = *static_cast<looked_at*>(user);
    self.arms.push_back(arm);
    if (ridge::harness::monotonic_seconds() > self.stops_at_s) {
      ++self.stops;
      return ridge_output_stop;
    }
    if (arm != self.wrong_arm || static_cast<int>(self.arms.size()) < self.wrong_from) return 0;
    std::snprintf(text, capacity, "off by one");
    return 1;
  }
};

class session {
 public:
  session() : handle_(ridge_open("test")) {
    ridge_set_budget(handle_, 0.05);
    ridge_set_seed(handle_, 3);
  }
  ~session() { ridge_close(handle_); }
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  ridge_session* operator*() const { return handle_; }
  void add(const char* name, scripted& arm) {
    ASSERT_EQ(ridge_add_sample(handle_, name, scripted::run, &arm), ridge_ok);
  }

 private:
  ridge_session* handle_;
};

TEST(bench_session, times_of_the_arms_give_the_ratio) {
  scripted a{.seconds = 1.5e-3}, b{.seconds = 1e-3};
  session s;
  s.add("a", a);
  s.add("b", b);
  ASSERT_EQ(ridge_run(*s), ridge_ok) << ridge_error(*s);
  EXPECT_EQ(ridge_verdict_on(*s, 1), ridge_better);
  EXPECT_NEAR(ridge_ratio(*s, 1), 1.5, 0.001);
  EXPECT_LE(ridge_ratio_low(*s, 1), ridge_ratio(*s, 1));
  EXPECT_GE(ridge_ratio_high(*s, 1), ridge_ratio(*s, 1));
  EXPECT_NEAR(ridge_seconds(*s, 0), 1.5e-3, 1e-6);
  EXPECT_STREQ(ridge_verdict_word(ridge_verdict_on(*s, 1)), "BETTER");
}

TEST(bench_session, short_calls_share_a_sample_and_single_calls_do_not) {
  scripted a{.seconds = 1e-8}, b{.seconds = 1e-8};
  session s;
  s.add("a", a);
  s.add("b", b);
  ASSERT_EQ(ridge_run(*s), ridge_ok);
  EXPECT_GE(ridge_calls(*s, 0), 1000u);
  EXPECT_EQ(ridge_calls(*s, 0), ridge_calls(*s, 1));
  a.calls.clear();
  ASSERT_EQ(ridge_set_single_calls(*s, 1), ridge_ok);
  ASSERT_EQ(ridge_run(*s), ridge_ok);
  EXPECT_THAT(a.calls, testing::Each(1u));
  EXPECT_EQ(ridge_calls(*s, 0), 1u);
}

TEST(bench_session, a_number_of_calls_that_was_set_is_made_and_told) {
  scripted a{.seconds = 1e-8}, b{.seconds = 2e-8};
  session s;
  s.add("a", a);
  s.add("b", b);
  ASSERT_EQ(ridge_set_calls_per_sample(*s, 50), ridge_ok);
  ASSERT_EQ(ridge_run(*s), ridge_ok);
  EXPECT_THAT(a.calls, testing::Each(50u));
  EXPECT_EQ(ridge_calls(*s, 0), 50u);
  EXPECT_NEAR(ridge_seconds(*s, 0), 1e-8, 1e-10);
  EXPECT_NEAR(ridge_ratio(*s, 1), 0.5, 0.01);
  EXPECT_THAT(ridge_json(*s, 0), HasSubstr("\"iterations\": 50"));
  ASSERT_EQ(ridge_set_calls_per_sample(*s, 0), ridge_ok);
  ASSERT_EQ(ridge_run(*s), ridge_ok);
  EXPECT_GE(ridge_calls(*s, 0), 1000u);
}

TEST(bench_session, one_arm_is_measured_in_every_round) {
  scripted a;
  session s;
  s.add("a", a);
  ASSERT_EQ(ridge_run(*s), ridge_ok);
  std::size_t count = 0;
  ASSERT_NE(ridge_samples(*s, 0, &count), nullptr);
  EXPECT_EQ(count, ridge_rounds(*s));
  EXPECT_EQ(ridge_verdict_on(*s, 1), ridge_unverified);
  EXPECT_TRUE(std::isnan(ridge_noise_floor(*s)));
}

TEST(bench_session, outputs_of_every_arm_are_looked_at_before_and_while_times_are_taken) {
  scripted a, b;
  looked_at looks;
  session s;
  s.add("a", a);
  s.add("b", b);
  ridge_set_check(*s, looked_at::look, &looks);
  ASSERT_EQ(ridge_run(*s), ridge_ok);
  ASSERT_GE(looks.arms.size(), 6u);
  EXPECT_EQ(looks.arms[0], 0u);
  EXPECT_EQ(looks.arms[1], 1u);
  EXPECT_EQ(ridge_assurance(*s), 1);
  EXPECT_THAT(ridge_assurance_text(*s), HasSubstr("verified"));
}

TEST(bench_session, an_output_that_turns_wrong_later_makes_the_verdict_invalid) {
  scripted a{.seconds = 2e-3}, b{.seconds = 1e-3};
  looked_at looks{.wrong_arm = 1, .wrong_from = 5};
  session s;
  s.add("a", a);
  s.add("b", b);
  ridge_set_check(*s, looked_at::look, &looks);
  ASSERT_EQ(ridge_run(*s), ridge_ok);
  EXPECT_EQ(ridge_verdict_on(*s, 1), ridge_invalid);
  EXPECT_STREQ(ridge_invalid_reason(*s), "wrong output of b: off by one");
  EXPECT_TRUE(std::isnan(ridge_seconds(*s, 0)));
  EXPECT_THAT(ridge_summary(*s), HasSubstr("INVALID: wrong output of b: off by one"));
  const auto read = ridge::model::run_from_json(ridge_json(*s, 1));
  ASSERT_TRUE(read) << read.why().text();
  EXPECT_EQ(read->families.front().measurements[1].refused, "off by one");
}

// Arms that note the round of their last sample, which is counted by what prepares the inputs.
struct rounds_of_arms {
  int round = 0;
  std::vector<int> last{-1, -1, -1};
  int compared = 0, stale = 0;

  static int prepare(void* user, std::uint64_t) {
    ++static_cast<rounds_of_arms*>(user)->round;
    return ridge_go_on;
  }
  template <std::size_t Arm>
  static int sample(void* user, std::uint64_t calls, double* seconds) {
    auto& self = *static_cast<rounds_of_arms*>(user);
    self.last[Arm] = self.round;
    const double noise = ridge::stats::random_uniform(Arm, 3, static_cast<std::uint64_t>(self.round));
    *seconds = static_cast<double>(calls) * (Arm == 2 ? 1e-4 : 1e-3) * (1 + 0.3 * noise);
    return ridge_go_on;
  }
  static int agree(void* user, std::size_t*, char*, std::size_t) {
    auto& self = *static_cast<rounds_of_arms*>(user);
    ++self.compared;
    for (const int each : self.last) self.stale += each != self.round;
    return 0;
  }
};

TEST(bench_session, outputs_are_compared_only_where_every_arm_has_one_of_this_round) {
  rounds_of_arms arms;
  session s;
  ASSERT_EQ(ridge_add_sample(*s, "a", rounds_of_arms::sample<0>, &arms), ridge_ok);
  ASSERT_EQ(ridge_add_sample(*s, "b", rounds_of_arms::sample<1>, &arms), ridge_ok);
  ASSERT_EQ(ridge_add_sample(*s, "far", rounds_of_arms::sample<2>, &arms), ridge_ok);
  ridge_set_prepare(*s, rounds_of_arms::prepare, &arms);
  ridge_set_agreement(*s, rounds_of_arms::agree, &arms);
  ridge_set_budget(*s, 0.5);
  ASSERT_EQ(ridge_run(*s), ridge_ok) << ridge_error(*s);
  std::size_t near = 0, far = 0;
  static_cast<void>(ridge_samples(*s, 0, &near));
  static_cast<void>(ridge_samples(*s, 2, &far));
  ASSERT_LT(far, near) << "the arm that is far away did not rest, and nothing was tried";
  EXPECT_GT(arms.compared, 1);
  EXPECT_EQ(arms.stale, 0);
}

TEST(bench_session, a_stop_keeps_the_rounds_that_are_finished) {
  scripted a{.ends_at_s = ridge::harness::monotonic_seconds() + 0.6, .restless = true}, b;
  session s;
  s.add("a", a);
  s.add("b", b);
  ridge_set_budget(*s, 30);
  ASSERT_EQ(ridge_run(*s), ridge_ok) << ridge_error(*s);
  EXPECT_EQ(ridge_was_stopped(*s), 1);
  EXPECT_GE(ridge_rounds(*s), 6u);
  EXPECT_TRUE(std::isfinite(ridge_seconds(*s, 0)));
  EXPECT_THAT(ridge_summary(*s), HasSubstr("stopped early"));
}

TEST(bench_session, a_stop_in_a_check_is_no_wrong_output) {
  scripted a{.restless = true}, b;
  looked_at looks{.stops_at_s = ridge::harness::monotonic_seconds() + 0.6};
  session s;
  s.add("a", a);
  s.add("b", b);
  ridge_set_check(*s, looked_at::look, &looks);
  ridge_set_budget(*s, 30);
  ASSERT_EQ(ridge_run(*s), ridge_ok) << ridge_error(*s);
  EXPECT_EQ(looks.stops, 1) << "a check was called after it asked to stop";
  EXPECT_EQ(ridge_was_stopped(*s), 1);
  EXPECT_STREQ(ridge_invalid_reason(*s), "");
  EXPECT_NE(ridge_verdict_on(*s, 1), ridge_invalid);
  EXPECT_EQ(ridge_assurance(*s), 1);
  looks = {.stops_at_s = 0};
  EXPECT_EQ(ridge_run(*s), ridge_stopped);
}

TEST(bench_session, a_stop_while_outputs_are_compared_is_no_wrong_output) {
  scripted a, b;
  session s;
  s.add("a", a);
  s.add("b", b);
  int compared = 0;
  const auto agree = [](void* user, std::size_t*, char*, std::size_t) {
    return ++*static_cast<int*>(user) >= 2 ? static_cast<int>(ridge_output_stop)
                                           : static_cast<int>(ridge_output_right);
  };
  ridge_set_agreement(*s, agree, &compared);
  const int status = ridge_run(*s);
  EXPECT_EQ(status, ridge_stopped) << "the second look is still of the warm-up: " << ridge_error(*s);
  EXPECT_EQ(compared, 2);
  EXPECT_STREQ(ridge_invalid_reason(*s), "");
  EXPECT_NE(ridge_verdict_on(*s, 1), ridge_invalid);
}

TEST(bench_session, who_watches_may_stop) {
  scripted a, b;
  session s;
  s.add("a", a);
  s.add("b", b);
  ridge_set_budget(*s, 30);
  int told = 0;
  const auto watch = [](void* user, double share, std::uint64_t rounds) {
    ++*static_cast<int*>(user);
    return share >= 0 && rounds >= 1 ? static_cast<int>(ridge_stop) : static_cast<int>(ridge_fail);
  };
  ridge_set_watch(*s, watch, &told);
  ASSERT_EQ(ridge_run(*s), ridge_ok) << ridge_error(*s);
  EXPECT_EQ(told, 1);
  EXPECT_EQ(ridge_was_stopped(*s), 1);
}

TEST(bench_session, a_stop_before_the_first_round_leaves_nothing) {
  scripted a{.ends_after = 1}, b;
  session s;
  s.add("a", a);
  s.add("b", b);
  EXPECT_EQ(ridge_run(*s), ridge_stopped);
  EXPECT_STREQ(ridge_json(*s, 1), "");
}

TEST(bench_session, a_failure_names_the_arm) {
  scripted a, b{.ends_after = 3, .ends_with = ridge_fail};
  session s;
  s.add("a", a);
  s.add("b", b);
  EXPECT_EQ(ridge_run(*s), ridge_failed);
  EXPECT_THAT(ridge_error(*s), HasSubstr("\"b\" failed"));
  scripted none{.seconds = 0};
  session t;
  t.add("none", none);
  EXPECT_EQ(ridge_run(*t), ridge_failed);
  EXPECT_THAT(ridge_error(*t), HasSubstr("gave 0 s"));
}

TEST(bench_session, checks_of_the_caller_are_part_of_the_result) {
  scripted a, b;
  session s;
  s.add("a", a);
  s.add("b", b);
  ASSERT_EQ(ridge_add_check(*s, "mine", ridge_pass, "looked at"), ridge_ok);
  ASSERT_EQ(ridge_run(*s), ridge_ok);
  EXPECT_THAT(ridge_json(*s, 0), HasSubstr("looked at"));
  ASSERT_EQ(ridge_add_check(*s, "late", ridge_check_failed, "it was wrong after all"), ridge_ok);
  EXPECT_EQ(ridge_verdict_on(*s, 1), ridge_invalid);
  EXPECT_STREQ(ridge_invalid_reason(*s), "it was wrong after all");
}

TEST(bench_session, texts_that_are_no_utf8_are_made_so) {
  scripted a, b;
  session s;
  s.add("a\xE2\x82", a);
  s.add("b", b);
  const auto wrong = [](void*, std::size_t, char* text, std::size_t capacity) {
    std::snprintf(text, capacity, "cut \xC3");
    return static_cast<int>(ridge_output_wrong);
  };
  ridge_set_check(*s, wrong, nullptr);
  ASSERT_EQ(ridge_run(*s), ridge_ok) << ridge_error(*s);
  EXPECT_STREQ(ridge_invalid_reason(*s), "wrong output of a\uFFFD\uFFFD: cut \uFFFD");
}

TEST(bench_session, wrong_use_is_refused_in_words) {
  session s;
  EXPECT_EQ(ridge_run(*s), ridge_wrong_use);
  EXPECT_STREQ(ridge_error(*s), "a session needs an arm");
  EXPECT_EQ(ridge_add_sample(*s, "", scripted::run, nullptr), ridge_wrong_use);
  EXPECT_EQ(ridge_add_sample(*s, "a", nullptr, nullptr), ridge_wrong_use);
  EXPECT_EQ(ridge_set_budget(*s, 0), ridge_wrong_use);
  EXPECT_EQ(ridge_add_check(*s, "x", 9, "y"), ridge_wrong_use);
  EXPECT_EQ(ridge_set_budget(nullptr, 1), ridge_wrong_use);
}

TEST(bench_session, the_error_is_that_of_the_last_call_with_a_status) {
  session s;
  EXPECT_STREQ(ridge_error(*s), "");
  EXPECT_EQ(ridge_run(*s), ridge_wrong_use);
  EXPECT_STREQ(ridge_summary(*s), "");
  EXPECT_STREQ(ridge_error(*s), "a session needs an arm") << "reading a result is no call with a status";
  EXPECT_EQ(ridge_set_budget(*s, 0.05), ridge_ok);
  EXPECT_STREQ(ridge_error(*s), "");
  scripted a;
  s.add("a", a);
  ASSERT_EQ(ridge_run(*s), ridge_ok);
  EXPECT_EQ(ridge_set_budget(*s, -1), ridge_wrong_use);
  EXPECT_THAT(ridge_summary(*s), HasSubstr("assurance"));
  EXPECT_THAT(ridge_json(*s, 0), HasSubstr("ridge.run/1"));
  EXPECT_THAT(ridge_error(*s), HasSubstr("the budget is above 0"));
}

// Memory runs out in a callback, as it might in Ridge itself.
TEST(bench_session, memory_that_runs_out_is_a_status_with_a_message) {
  session s;
  const auto starved = [](void*, std::uint64_t, double*) -> int { throw std::bad_alloc(); };
  ASSERT_EQ(ridge_add_sample(*s, "a", starved, nullptr), ridge_ok);
  EXPECT_EQ(ridge_run(*s), ridge_no_memory);
  EXPECT_STREQ(ridge_error(*s), "there is no memory left");
}

}  // namespace
