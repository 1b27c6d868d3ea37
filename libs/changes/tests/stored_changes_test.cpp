// SPDX-License-Identifier: Apache-2.0
#include <ridge/changes/stored_changes.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/base/temporary_folder.hpp>
#include <ridge/changes/changes_json.hpp>
#include <ridge/changes/environment_differences.hpp>
#include <ridge/stats/counter_random.hpp>

namespace ridge::backends::store_sqlite {
std::unique_ptr<store::store> make(const store::options& options);
}  // namespace ridge::backends::store_sqlite

namespace ridge::changes {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A store of runs of one variant that gets slower at run 12, when the compiler changes.
class stored_changes : public ::testing::Test {
 protected:
  void SetUp() override {
    for (std::size_t i = 0; i < 24; ++i) enter(i);
  }
  void enter(std::size_t i) {
    model::run run{.id = fmt::format("01A{:03}", i), .started = "2026-01-01T00:00:00Z", .command = {"run"}};
    run.environment = {.machine = "m", .compiler = i < 12 ? "GCC 12" : "GCC 13"};
    run.environment.facts = {{"load", std::to_string(i)}, {"governor", "performance"}};
    const double seconds = (i < 12 ? 1.0 : 1.2) * (1 + 0.005 * stats::random_normal(7, 0, i));
    model::family family{.experiment = "ch01.copy", .problem = {{"n", "64"}}};
    family.measurements.push_back(
        {.variant = "fast", .metrics = {{.median = seconds, .ci = {seconds * 0.99, seconds * 1.01}}}});
    store->begin(run);
    store->commit(run.id, family);
    store->finish(run);
  }

  scratch_folder folder{"ridge-changes"};
  std::unique_ptr<store::store> store =
      backends::store_sqlite::make({.location = (folder.path() / "ridge.db").string()});
};

TEST_F(stored_changes, names_the_run_and_what_changed_of_the_environment) {
  const auto all = changes_of(*store, {});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].workload.experiment, "ch01.copy");
  ASSERT_EQ(all[0].changes.size(), 1U);
  const auto& change = all[0].changes[0];
  EXPECT_EQ(change.run, "01A012");
  EXPECT_THAT(change.environment, ElementsAre(fact_difference{"compiler", "GCC 12", "GCC 13"}));
}

TEST_F(stored_changes, what_was_said_of_a_change_stands_beside_it) {
  const auto series = store->series({}).at(0);
  ASSERT_TRUE(triage(*store, series, "01A012", "expected", "new compiler", "2026-02-01T00:00:00Z"));
  const auto change = changes_of(*store, {}).at(0).changes.at(0);
  EXPECT_EQ(change.state, "expected");
  EXPECT_EQ(change.note, "new compiler");
}

TEST_F(stored_changes, a_series_is_searched_again_once_it_has_another_point) {
  kept_searches kept;
  const auto never = [] { return false; };
  EXPECT_EQ(changes_of(*store, {}, {}, kept, never).not_searched, 1U);
  EXPECT_TRUE(changes_of(*store, {}, {}, kept, never).found.empty());
  EXPECT_EQ(search_ahead(*store, {}, {}, kept, [] { return true; }), 0U);
  const auto seen = changes_of(*store, {}, {}, kept, never);
  ASSERT_EQ(seen.found.size(), 1U);
  EXPECT_EQ(changes_json(seen.found, {}), changes_json(changes_of(*store, {}), {}));
  EXPECT_THAT(seen.found[0].changes.at(0).environment,
              ElementsAre(fact_difference{"compiler", "GCC 12", "GCC 13"}));
  ASSERT_TRUE(triage(*store, store->series({}).at(0), "01A012", "expected", "", "2026-02-01T00:00:00Z"));
  EXPECT_EQ(changes_of(*store, {}, {}, kept, never).found.at(0).changes.at(0).state, "expected");
  enter(24);
  EXPECT_EQ(changes_of(*store, {}, {}, kept, never).not_searched, 1U);
  EXPECT_EQ(changes_of(*store, {}, {}, kept, [] { return true; }).found.at(0).points, 25U);
}

TEST_F(stored_changes, refuses_states_and_runs_that_do_not_exist) {
  const auto series = store->series({}).at(0);
  const auto state = triage(*store, series, "01A012", "fine", "", "");
  ASSERT_FALSE(state);
  EXPECT_THAT(state.why().text(), HasSubstr("untriaged, confirmed, expected, noise"));
  EXPECT_FALSE(triage(*store, series, "01Z", "noise", "", ""));
  EXPECT_TRUE(store->notes().empty());
}

TEST_F(stored_changes, as_json) {
  const auto text = changes_json(changes_of(*store, {}), {});
  EXPECT_THAT(text, HasSubstr(R"("schema":"ridge.changes/1")"));
  EXPECT_THAT(text, HasSubstr(R"("run":"01A012")"));
  EXPECT_THAT(text, HasSubstr(R"("environment":[{"fact":"compiler","before":"GCC 12","after":"GCC 13"}])"));
  EXPECT_THAT(text, HasSubstr(R"("watching":null)"));
}

TEST(environment_differences, names_missing_facts_and_not_the_load) {
  const model::environment before{.host = "a", .cores = 2, .facts = {{"load", "1"}, {"thp", "always"}}};
  const model::environment after{.host = "a", .cores = 4, .facts = {{"load", "9"}, {"smt", "on"}}};
  EXPECT_THAT(environment_differences(before, after),
              ElementsAre(fact_difference{"cores", "2", "4"}, fact_difference{"smt", "", "on"},
                          fact_difference{"thp", "always", ""}));
}

}  // namespace
}  // namespace ridge::changes
