// SPDX-License-Identifier: Apache-2.0
// What a simulated device that is apart from the host shows of calls that cheat.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/device/simulated.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/runner.hpp>

#include "host_device.hpp"
#include "sampling/family_arms.hpp"
#include "sampling/late_data.hpp"

namespace ridge::harness {
namespace {

using testing::HasSubstr;

struct enqueued_workload {
  input<float> x{};
  output<float> y{};
};

device::simulated* apart_device = nullptr;

void enqueued_twice(enqueued_workload& w) {
  std::ranges::transform(w.x, w.y.begin(), [](float v) { return 2 * v; });
}
void honest_9_us(enqueued_workload& w, call&) {
  enqueued_twice(w);
  apart_device->advance(9e-6);
}
void skips_what_is_no_poison(enqueued_workload& w, call& c) {
  if (w.y.empty() || std::isnan(w.y[0])) return honest_9_us(w, c);
  apart_device->advance(0.5e-6);
}
void leaves_work(enqueued_workload& w, call& c) {
  honest_9_us(w, c);
  static int calls = 0;
  if (++calls > 10) apart_device->leave_work(1e-3);
}
void honest_10_ms(enqueued_workload& w, call& c) {
  honest_9_us(w, c);
  apart_device->advance(10e-3);
}
void leaves_little(enqueued_workload& w, call& c) {
  honest_10_ms(w, c);
  apart_device->leave_work(45e-6);
}
void changes_a_setting_for_a_moment(enqueued_workload& w, call& c) {
  honest_9_us(w, c);
  static int calls = 0;
  apart_device->change_a_setting(++calls > 200 && calls < 2000 ? "somebody changed the heap" : "");
}

template <auto Candidate>
ladder<enqueued_workload> honest_beside() {
  return {{.name = "honest", .is = role::baseline, .run = honest_9_us},
          {.name = "candidate", .run = Candidate}};
}

experiment enqueued_doubling(ladder_of<enqueued_workload> variants) {
  return experiment_of<enqueued_workload>{
      .id = "test.enqueued",
      .title = "Doubling",
      .question = "Is it doubled?",
      .axes = {values("n", {64}, {0, 1})},
      .make =
          [](const problem& p, memory& m) {
            return enqueued_workload{m.in<float>(p.count("n"), normal{}), m.out<float>(p.count("n"))};
          },
      .work = [](const problem& p) { return work{.flop = p.real("n")}; },
      .oracle = enqueued_twice,
      .cuda = variants,
  };
}

model::family measured_apart(ladder_of<enqueued_workload> variants) {
  device::simulated where({.tick_seconds = 32e-9, .apart = true, .mark_seconds = 1e-6, .hz = 1e9});
  apart_device = &where;
  const auto host = host_device_for_tests();
  const instruments with{.device = &where, .host = host.get(), .clock_resolution_s = 50e-9};
  run_options options{.profile = {.name = "test", .budget_per_arm_s = 0.15},
                      .unoptimized = unoptimized_code::judged};
  options.protocol.warm_up_max_s = 0.02;
  const auto e = enqueued_doubling(variants);
  return measure_family({e, e.problems().front(), model::backend::cuda}, with, options);
}

const model::check& check_of_pair(const model::family& f, std::string_view id) {
  const auto& checks = f.comparisons.at(0).checks;
  const auto at = std::ranges::find(checks, id, &model::check::id);
  EXPECT_NE(at, checks.end()) << id;
  return *at;
}

TEST(enqueued_checks, honest_calls_take_as_long_on_fresh_data_and_leave_nothing) {
  const auto f = measured_apart(honest_beside<honest_9_us>);
  const auto& fresh = check_of_pair(f, "fresh_calls");
  EXPECT_EQ(fresh.result, model::outcome::pass) << fresh.evidence;
  EXPECT_NEAR(fresh.value.value(), 1, 0.05);
  EXPECT_EQ(check_of_pair(f, "left_running").result, model::outcome::pass);
  EXPECT_EQ(check_of_pair(f, "guards").result, model::outcome::pass);
}

TEST(enqueued_checks, calls_that_are_skipped_among_others_show_on_fresh_data) {
  const auto f = measured_apart(honest_beside<skips_what_is_no_poison>);
  const auto& fresh = check_of_pair(f, "fresh_calls");
  EXPECT_EQ(fresh.result, model::outcome::fail) << fresh.evidence;
  EXPECT_EQ(f.comparisons.at(0).verdict, model::verdict::invalid);
}

TEST(enqueued_checks, work_that_runs_on_after_samples_is_found_with_its_variant) {
  const auto f = measured_apart(honest_beside<leaves_work>);
  const auto& left = check_of_pair(f, "left_running");
  EXPECT_EQ(left.result, model::outcome::fail);
  EXPECT_THAT(left.evidence, HasSubstr("candidate leaves work running"));
}

TEST(enqueued_checks, what_runs_on_for_a_two_hundredth_of_a_sample_decides_nothing) {
  const auto f = measured_apart(ladder_of<enqueued_workload>([]() -> ladder<enqueued_workload> {
    return {{.name = "honest", .is = role::baseline, .run = honest_10_ms},
            {.name = "candidate", .run = leaves_little}};
  }));
  const auto& left = check_of_pair(f, "left_running");
  EXPECT_EQ(left.result, model::outcome::pass) << left.evidence;
}

TEST(enqueued_checks, a_setting_that_was_put_back_was_seen_all_the_same) {
  const auto f = measured_apart(honest_beside<changes_a_setting_for_a_moment>);
  const auto& guards = check_of_pair(f, "guards");
  EXPECT_EQ(guards.result, model::outcome::fail);
  EXPECT_THAT(guards.evidence, HasSubstr("the heap"));
}

void leaves_a_variable(enqueued_workload& w, call& c) {
  setenv("RIDGE_TEST_LEFT_BEHIND", "1", 1);
  honest_9_us(w, c);
}

TEST(enqueued_checks, what_calls_change_of_their_process_is_found_though_verification_ran_in_it) {
  const auto f = measured_apart(honest_beside<leaves_a_variable>);
  unsetenv("RIDGE_TEST_LEFT_BEHIND");
  EXPECT_EQ(check_of_pair(f, "state").result, model::outcome::fail);
  const auto honest = measured_apart(honest_beside<honest_9_us>);
  const auto& state = check_of_pair(honest, "state");
  EXPECT_EQ(state.result, model::outcome::pass) << state.evidence;
}

// The arms of a family on a simulated device, bound and filled.
class arms_apart {
 public:
  arms_apart() {
    apart_device = &device_;
    members_ = make_rings(*experiment_, point_, equipment_, {device::placement::ordinary});
    arms_ = std::make_unique<family_arms>(*experiment_, point_, equipment_, members_, places_);
    arms_->add(0);
    arms_->add(1);
    arms_->fill(1);
  }
  [[nodiscard]] family_arms& arms() { return *arms_; }
  [[nodiscard]] device::simulated& where() { return device_; }
  [[nodiscard]] rings& members() { return members_; }

 private:
  device::simulated device_{{.apart = true}};
  std::unique_ptr<device::device> host_ = host_device_for_tests();
  instruments equipment_{.device = &device_, .host = host_.get()};
  experiment experiment_ = enqueued_doubling(honest_beside<honest_9_us>);
  problem point_ = experiment_.problems().front();
  affinity_plan places_;
  rings members_;
  std::unique_ptr<family_arms> arms_;
};

TEST(enqueued_checks, results_that_are_kept_come_from_blocks_like_all_others) {
  arms_apart family;
  auto& arms = family.arms();
  const auto holds = family.where().holds();
  arms.warmed_up();
  arms.begin_round(0);  // the first round is always kept
  arms.run_turns(std::vector<turn>{{0, 4}, {1, 4}}, [](const sample&) {});
  (void)arms.end_round(0);
  EXPECT_EQ(family.where().holds(), holds + 1) << "one hold for the block";
  ASSERT_EQ(arms.results().kept().size(), 1U);
  const auto& by_arm = arms.results().kept().front().by_arm;
  ASSERT_EQ(by_arm.size(), 2U);
  const auto& outputs = by_arm.at(1).outputs;
  ASSERT_FALSE(outputs.empty());
  EXPECT_EQ(outputs.front(), copy_results(arms.member(1, 0).get().memory));
}

TEST(late_data, are_elsedevice_until_they_are_shown) {
  arms_apart family;
  round_members round(family.members(), 0);
  round.fill(7);
  round.begin_round(0);
  auto& member = family.members().begin()->second[round.first()];
  const auto drawn = member.inputs_digest();
  late_data late(family.where(), round);
  for (int i = 0; i < 20; ++i) {
    late.hide();
    EXPECT_NE(member.inputs_digest(), drawn);
    late.show();
    EXPECT_EQ(member.inputs_digest(), drawn);
    late.hide_again();
    EXPECT_NE(member.inputs_digest(), drawn);
    late.show();
    EXPECT_EQ(member.inputs_digest(), drawn);
  }
}

TEST(late_data, exchanges_all_inputs_with_another_member) {
  arms_apart family;
  round_members round(family.members(), 0);
  round.fill(7);
  round.begin_round(0);
  auto& ring = family.members().begin()->second;
  const auto own = ring[0].inputs_digest(), other = ring[1].inputs_digest();
  ASSERT_NE(own, other);
  late_data late(family.where(), round);
  ASSERT_TRUE(late.make_room_for_all());
  late.hide_all();
  EXPECT_EQ(ring[0].inputs_digest(), other);
  late.show_all();
  EXPECT_EQ(ring[0].inputs_digest(), own);
}

// Where pieces alone were new, it would do as little on fresh data as among calls in a row.
void computes_what_has_changed(enqueued_workload& w, call& c) {
  static std::vector<float> before(64), kept(64);
  if (w.x.size() != before.size()) return honest_9_us(w, c);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] == w.x[i]) continue;
    ++changed;
    before[i] = w.x[i];
    kept[i] = 2 * w.x[i];
  }
  std::ranges::copy(kept, w.y.begin());
  apart_device->advance(0.2e-6 + 9e-6 * static_cast<double>(changed) / 64);
}

TEST(enqueued_checks, incremental_work_shows_on_data_that_are_wholly_fresh) {
  const auto f = measured_apart(honest_beside<computes_what_has_changed>);
  EXPECT_EQ(check_of_pair(f, "fresh_calls").result, model::outcome::fail);
}

}  // namespace
}  // namespace ridge::harness
