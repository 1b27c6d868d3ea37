// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>

#include <gtest/gtest.h>
#include <ridge/base/sanitized.hpp>
#include <ridge/harness/edge_record.hpp>
#include <ridge/harness/runner.hpp>
#include <ridge/harness/session.hpp>

#include "doubling.hpp"
#include "host_device.hpp"

namespace ridge::harness {
namespace {

// Keeps findings in memory and counts what it is asked.
class kept_findings final : public edge_record {
 public:
  std::optional<edge_finding> find(const experiment&, const variant_facts& variant) override {
    const auto found = all.find(variant.name);
    return found == all.end() ? std::nullopt : std::optional(found->second);
  }
  void keep(const experiment&, const variant_facts& variant, const edge_finding& finding) override {
    all[variant.name] = finding;
    ++kept;
  }
  std::map<std::string, edge_finding> all{};
  int kept = 0;
};

// Right where the number of elements is a multiple of four, as the measured one is.
void forgets_the_tail(doubling_workload& w, call&) {
  for (std::size_t i = 0; i + 4 <= w.x.size(); i += 4) {
    for (std::size_t k = i; k < i + 4; ++k) w.y[k] = 2 * w.x[k];
  }
}
void crashes_on_nothing(doubling_workload& w, call& c) {
  if (w.x.empty()) __builtin_trap();
  twice(w, c);
}

template <auto Run>
ladder<doubling_workload> with() {
  return {{.name = "honest", .is = role::baseline, .run = twice}, {.name = "suspect", .run = Run}};
}

model::run measured(ladder_of<doubling_workload> variants, edge_record& record, const run_options& options) {
  const auto where = host_device_for_tests();
  const instruments equipment{.device = where.get(), .edges = &record};
  const auto e = doubling(variants, 4096);
  listener nobody;
  return run_all({}, *plan({e}, options), equipment, options, nobody);
}

const model::check* edges_of(const model::run& run) {
  const auto& checks = run.families.front().comparisons.front().checks;
  const auto found = std::ranges::find(checks, "edges", &model::check::id);
  return found == checks.end() ? nullptr : &*found;
}

TEST(edge_trials, a_variant_that_forgets_the_tail_is_refused_with_the_size) {
  kept_findings record;
  const auto run = measured(with<forgets_the_tail>, record, short_session(0.02));
  const auto& suspect = run.families.front().measurements[1];
  EXPECT_TRUE(suspect.refused.starts_with("at the edge size n=1: ")) << suspect.refused;
  EXPECT_EQ(suspect.failure, model::failure_kind::wrong_output);
  EXPECT_EQ(suspect.stage, "verification");
  EXPECT_TRUE(run.families.front().comparisons.empty());
  EXPECT_EQ(record.all.at("honest").refused, "");
  EXPECT_EQ(record.all.at("honest").sizes, 4u);
}

TEST(edge_trials, a_crash_at_an_edge_size_is_a_crash) {
  kept_findings record;
  const auto run = measured(with<crashes_on_nothing>, record, short_session(0.02));
  const auto& suspect = run.families.front().measurements[1];
  EXPECT_TRUE(suspect.refused.starts_with("at the edge size n=0: was killed by SIG")) << suspect.refused;
  EXPECT_EQ(suspect.failure, model::failure_kind::crashed);
  EXPECT_NE(suspect.signal, "");
}

ladder<doubling_workload> with_a_library() {
  return {{.name = "honest", .is = role::baseline, .run = twice},
          {.name = "library", .is = role::comparator, .run = forgets_the_tail}};
}

TEST(edge_trials, a_library_is_verified_at_the_measured_size_alone) {
  kept_findings record;
  const auto run = measured(with_a_library, record, short_session(0.02));
  EXPECT_EQ(run.families.front().measurements[1].refused, "");
  EXPECT_FALSE(record.all.contains("library"));
  ASSERT_FALSE(run.families.front().comparisons.empty());
  ASSERT_NE(edges_of(run), nullptr);
  EXPECT_EQ(edges_of(run)->evidence, "honest is right at every edge size");
}

TEST(edge_trials, what_is_known_is_not_tried_again) {
  kept_findings record;
  const auto first = measured(with<twice>, record, short_session(0.02));
  ASSERT_FALSE(first.families.front().comparisons.empty());
  ASSERT_NE(edges_of(first), nullptr);
  EXPECT_EQ(edges_of(first)->result, model::outcome::pass);
  EXPECT_EQ(edges_of(first)->value, 4);
  EXPECT_EQ(record.kept, 2);
  const auto again = measured(with<twice>, record, short_session(0.02));
  EXPECT_EQ(record.kept, 2);
  EXPECT_EQ(edges_of(again)->result, model::outcome::pass);
  // What another run of this build has found holds here, whatever the variant does now.
  record.all["suspect"].refused = "at the edge size n=3: never written";
  EXPECT_EQ(measured(with<twice>, record, short_session(0.02)).families.front().measurements[1].refused,
            "at the edge size n=3: never written");
}

TEST(edge_trials, what_is_not_tried_for_want_of_time_is_said_and_lowers_the_assurance) {
  if (sanitized) GTEST_SKIP() << "what is not timed takes longer here than a budget allows for";
  static const auto at_leisure = [](doubling_workload& w, call& c) {
    const double start = monotonic_seconds();
    while (w.x.size() < 100 && monotonic_seconds() - start < 1) continue;
    twice(w, c);
  };
  kept_findings record;
  auto options = short_session(0.2);
  options.suite_budget_s = 3;
  const auto run = measured(
      []() -> ladder<doubling_workload> {
        return {{.name = "honest", .is = role::baseline, .run = twice},
                {.name = "leisure", .run = at_leisure}};
      },
      record, options);
  ASSERT_FALSE(run.families.empty());
  ASSERT_FALSE(run.families.front().comparisons.empty());
  ASSERT_NE(edges_of(run), nullptr);
  EXPECT_EQ(edges_of(run)->result, model::outcome::skipped);
  EXPECT_NE(edges_of(run)->evidence.find("the budget left no time"), std::string::npos)
      << edges_of(run)->evidence;
  EXPECT_LE(run.families.front().comparisons.front().assurance, 1);
  EXPECT_FALSE(record.all.contains("leisure"));
}

}  // namespace
}  // namespace ridge::harness
