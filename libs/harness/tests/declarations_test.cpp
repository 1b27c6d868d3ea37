// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/runner.hpp>

#include "host_device.hpp"

namespace ridge::harness {
namespace {

struct scaled_workload {
  input<float> x{};
  output<float> y{};
  std::span<float> answers{};  // of a variant that computes them before it is called
};

void in_seven_passes(scaled_workload& w, call&) {
  for (int pass = 0; pass < 7; ++pass) {
    std::ranges::transform(w.x, w.y.begin(), [](float v) { return 3 * v; });
    asm volatile("" ::: "memory");
  }
}
void in_one_pass(scaled_workload& w, call&) {
  std::ranges::transform(w.x, w.y.begin(), [](float v) { return 3 * v; });
}

// The answers are computed where inputs may be converted; the call copies them.
auto copying(scaled_workload& w, setup& s) {
  w.answers = s.workspace<float>(w.x.size());
  return [](scaled_workload& called, call&) { std::ranges::copy(called.answers, called.y.begin()); };
}
void compute_answers(scaled_workload& w, setup&) {
  for (int pass = 0; pass < 20; ++pass) {
    std::ranges::transform(w.x, w.answers.begin(), [](float v) { return 3 * v; });
    asm volatile("" ::: "memory");
  }
}

experiment tripling(ladder_of<scaled_workload> variants) {
  return experiment_of<scaled_workload>{
      .id = "test.scaling",
      .title = "Scaling",
      .question = "Is it scaled?",
      .axes = {values("n", {1 << 14})},
      .make =
          [](const problem& p, memory& m) {
            return scaled_workload{m.in<float>(p.count("n"), normal{}), m.out<float>(p.count("n"))};
          },
      .oracle =
          [](scaled_workload& w) { std::ranges::transform(w.x, w.y.begin(), [](float v) { return 3 * v; }); },
      .within = tolerance{.abs = 1e-5},
      .cpu = variants,
  };
}

model::family judged(ladder_of<scaled_workload> variants) {
  const auto where = host_device_for_tests();
  const instruments equipment{.device = where.get()};
  run_options options{.profile = {.name = "test", .budget_per_arm_s = 0.15},
                      .unoptimized = unoptimized_code::judged};
  options.protocol.warm_up_max_s = 0.02;
  const auto e = tripling(variants);
  return measure_family({e, e.problems().front(), model::backend::cpu}, equipment, options);
}

const model::check& declared(const model::family& f, std::string_view id) {
  static const model::check none{};
  if (f.comparisons.empty()) return none;
  const auto& all = f.comparisons.front().checks;
  const auto found = std::ranges::find(all, id, &model::check::id);
  return found == all.end() ? none : *found;
}

// The checks of the comparison that did not pass, for messages.
std::string objections(const model::family& f) {
  std::string all;
  for (const auto& c : f.comparisons.front().checks) {
    if (c.result == model::outcome::warn || c.result == model::outcome::fail)
      all += c.id + ": " + c.evidence + "; ";
  }
  return all;
}

ladder<scaled_workload> against_seven_passes(variant<scaled_workload> candidate) {
  return {{.name = "seven passes", .is = role::baseline, .idea = "a pass a turn", .run = in_seven_passes},
          std::move(candidate)};
}

TEST(declarations, the_same_tolerance_passes) {
  const auto f = judged([] {
    return against_seven_passes(
        {.name = "one pass", .run = in_one_pass, .explanation = "a busy machine interrupts long calls"});
  });
  EXPECT_EQ(declared(f, "tolerance").result, model::outcome::pass);
  EXPECT_EQ(f.comparisons.front().assurance, 2) << objections(f);
}

TEST(declarations, a_tolerance_that_its_arithmetic_does_not_explain_fails) {
  const auto f = judged([] {
    return against_seven_passes({.name = "loose", .run = in_one_pass, .within = tolerance{.abs = 1e-3}});
  });
  EXPECT_EQ(declared(f, "tolerance").result, model::outcome::fail) << declared(f, "tolerance").evidence;
  EXPECT_EQ(f.comparisons.front().verdict, model::verdict::invalid);
}

TEST(declarations, a_tolerance_with_a_reason_lowers_the_assurance) {
  const auto f = judged([] {
    return against_seven_passes({.name = "loose",
                                 .run = in_one_pass,
                                 .within = tolerance{.abs = 1e-3},
                                 .tolerance_reason = "it rounds its sums twice"});
  });
  EXPECT_EQ(declared(f, "tolerance").result, model::outcome::warn);
  EXPECT_EQ(f.comparisons.front().verdict, model::verdict::better) << objections(f);
  EXPECT_EQ(f.comparisons.front().assurance, 1) << objections(f);
}

TEST(declarations, a_lower_arithmetic_explains_a_looser_tolerance) {
  const auto f = judged([] {
    return against_seven_passes({.name = "bf16",
                                 .run = in_one_pass,
                                 .within = tolerance{.abs = 0.1},
                                 .arithmetic = arithmetic::bf16});
  });
  EXPECT_EQ(declared(f, "tolerance").result, model::outcome::pass) << declared(f, "tolerance").evidence;
}

TEST(declarations, a_tolerance_that_accepts_zeros_is_refused) {
  const auto f = judged([] {
    return against_seven_passes({.name = "anything",
                                 .run = in_one_pass,
                                 .within = tolerance{.abs = 100},
                                 .arithmetic = arithmetic::fp8});
  });
  const auto& m = *std::ranges::find(f.measurements, "anything", &model::measurement::variant);
  EXPECT_NE(m.refused.find("accepts an output of zeros"), std::string::npos) << m.refused;
}

TEST(declarations, computing_where_inputs_are_converted_is_found) {
  const auto f = judged(
      [] { return against_seven_passes({.name = "staged", .run = copying, .stage = compute_answers}); });
  EXPECT_EQ(declared(f, "stage").result, model::outcome::fail) << declared(f, "stage").evidence;
  EXPECT_EQ(f.comparisons.front().verdict, model::verdict::invalid);
}

// Computes the answers to lines that differ from those of the last time.
void compute_changed_answers(scaled_workload& w, setup&) {
  static std::map<const float*, std::vector<float>> seen;
  auto& before = seen[w.x.data()];
  before.resize(w.x.size());
  constexpr std::size_t line = 16;
  for (std::size_t first = 0; first < w.x.size(); first += line) {
    if (std::equal(&w.x[first], &w.x[first] + line, &before[first])) continue;
    for (int pass = 0; pass < 20; ++pass) {
      for (auto i = first; i < first + line; ++i) w.answers[i] = 3 * w.x[i];
      asm volatile("" ::: "memory");
    }
    std::copy_n(&w.x[first], line, &before[first]);
  }
}

TEST(declarations, a_conversion_that_costs_more_where_all_data_are_new_counts_as_there) {
  const auto f = judged([] {
    return against_seven_passes({.name = "staged", .run = copying, .stage = compute_changed_answers});
  });
  EXPECT_EQ(declared(f, "stage").result, model::outcome::fail) << declared(f, "stage").evidence;
}

TEST(declarations, a_conversion_with_a_reason_lowers_the_assurance) {
  const auto f = judged([] {
    return against_seven_passes({.name = "staged",
                                 .run = copying,
                                 .stage = compute_answers,
                                 .stage_reason = "weights are converted once"});
  });
  EXPECT_EQ(declared(f, "stage").result, model::outcome::warn) << declared(f, "stage").evidence;
  EXPECT_EQ(f.comparisons.front().assurance, 1) << objections(f);
}

}  // namespace
}  // namespace ridge::harness
