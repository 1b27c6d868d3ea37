// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/store/conformance/store_scene.hpp>

// Runs, their families and comparisons.
namespace ridge::store {

TEST_P(store_conformance, a_run_is_loaded_as_it_was_stored) {
  auto run = header("01A", "m");
  const auto store = open();
  store->begin(run);
  run.families = {family("ch01.a"), family("ch01.b")};
  for (const auto& f : run.families) store->commit(run.id, f);
  run.wall_s = 12.5;
  store->finish(run);
  const auto back = open()->load("01A");
  ASSERT_TRUE(back.ok()) << back.why().text();
  EXPECT_EQ(model::to_json(*back), model::to_json(run));
}

TEST_P(store_conformance, what_a_run_left_out_is_known_at_its_end_and_kept) {
  auto run = header("01A");
  const auto store = open();
  store->begin(run);
  store->commit(run.id, family("ch01.a"));
  run.left_out = {{"ch01.b", model::backend::cpu, {{"n", std::int64_t{8}}}, "the budget of 5 s was used up"}};
  store->finish(run);
  const auto back = open()->load("01A");
  ASSERT_TRUE(back.ok()) << back.why().text();
  ASSERT_EQ(back->left_out.size(), 1u);
  EXPECT_EQ(back->left_out[0].experiment, "ch01.b");
  EXPECT_EQ(model::text(back->left_out[0].problem), "n=8");
  EXPECT_EQ(back->left_out[0].reason, "the budget of 5 s was used up");
  EXPECT_EQ(back->families.size(), 1u);
}

TEST_P(store_conformance, a_run_that_never_finished_keeps_what_it_committed) {
  const auto store = open();
  store->begin(header("01A"));
  store->commit("01A", family("ch01.a"));
  const auto runs = open()->runs({});
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_FALSE(runs[0].wall_s);
  EXPECT_EQ(runs[0].families, 1u);
  EXPECT_EQ(runs[0].comparisons, 1u);
  EXPECT_EQ(runs[0].machine, "intel-xeon-x2");
}

TEST_P(store_conformance, beginning_again_replaces_the_header_and_keeps_the_families) {
  const auto store = open();
  store->begin(header("01A", "before"));
  store->commit("01A", family("ch01.a"));
  store->begin(header("01A", "after"));
  const auto back = store->load("01A");
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->environment.machine, "after");
  EXPECT_EQ(back->families.size(), 1u);
}

TEST_P(store_conformance, committing_to_a_run_that_has_not_begun_is_a_bug) {
  const auto store = open();
  EXPECT_THROW(store->commit("none", family("ch01.a")), precondition_violated);
  EXPECT_THROW(store->finish(header("none")), precondition_violated);
  EXPECT_EQ(store->counts().families, 0u);
}

TEST_P(store_conformance, runs_come_newest_first_and_by_experiment) {
  const auto store = open();
  for (const auto* id : {"01A", "01C", "01B"}) {
    store->begin(header(id));
    store->commit(id, family(id == std::string("01C") ? "ch02.x" : "ch01.x"));
  }
  const auto all = store->runs({});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].id, "01C");
  EXPECT_EQ(all[2].id, "01A");
  EXPECT_EQ(store->runs({.limit = 2}).size(), 2u);
  const auto some = store->runs({.experiment = "ch01.*"});
  ASSERT_EQ(some.size(), 2u);
  EXPECT_EQ(some[0].id, "01B");
}

TEST_P(store_conformance, load_takes_a_prefix_and_says_when_it_fits_none_or_several) {
  const auto store = open();
  for (const auto* id : {"01AX", "01AY", "02%_"}) store->begin(header(id));
  EXPECT_EQ(store->load("01AX")->id, "01AX");
  EXPECT_EQ(store->load("02")->id, "02%_");
  EXPECT_NE(store->load("01A").why().message.find("01AX, 01AY"), std::string::npos);
  EXPECT_NE(store->load("%").why().message.find("no run"), std::string::npos);
  EXPECT_FALSE(store->load("").ok());
}

TEST_P(store_conformance, an_id_that_starts_another_is_found_itself) {
  const auto store = open();
  for (const auto* id : {"01A", "01AB"}) store->begin(header(id));
  ASSERT_TRUE(store->load("01A").ok());
  EXPECT_EQ(store->load("01A")->id, "01A");
}

TEST_P(store_conformance, history_gives_whole_rows_newest_first) {
  const auto store = open();
  for (const auto* id : {"01A", "01B"}) {
    store->begin(header(id));
    store->commit(id, family("ch01.a", 4096, id == std::string("01A") ? 1.5 : 1.25));
  }
  const auto rows = store->history({.with_checks = true});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].run, "01B");
  EXPECT_EQ(rows[0].machine, "intel-xeon-x2");
  EXPECT_EQ(rows[0].started, "2025-11-20T10:00:00Z");
  const auto expected = family("ch01.a", 4096, 1.25);
  const model::stored_comparison whole{"01B", rows[0].started, rows[0].machine,
                                       model::row(expected, expected.comparisons[0])};
  EXPECT_EQ(model::history_json(std::span(&rows[0], 1), {}), model::history_json(std::span(&whole, 1), {}));
}

TEST_P(store_conformance, history_is_narrowed_by_experiment_problem_candidate_and_limit) {
  const auto store = open();
  store->begin(header("01A"));
  for (const auto n : {1024, 2048}) {
    for (const auto* id : {"ch01.a", "ch01.[b]", "ch02.a"}) store->commit("01A", family(id, n));
  }
  const auto count = [&](const history_query& q) { return store->history(q).size(); };
  EXPECT_EQ(count({}), 6u);
  EXPECT_EQ(count({.experiment = "ch01.*"}), 4u);
  EXPECT_EQ(count({.experiment = "ch0?.a"}), 4u);
  EXPECT_EQ(count({.experiment = "ch01.a"}), 2u);
  EXPECT_EQ(count({.experiment = "ch01.[b]"}), 2u);
  EXPECT_EQ(count({.experiment = "*[b]"}), 2u);
  EXPECT_EQ(count({.problem = "n=2^10"}), 3u);
  EXPECT_EQ(count({.candidate = "fast"}), 6u);
  EXPECT_EQ(count({.candidate = "slow"}), 0u);
  EXPECT_EQ(count({.experiment = "ch01.*", .limit = 3}), 3u);
  EXPECT_TRUE(store->history({})[0].row.comparison.checks.empty());
}

TEST_P(store_conformance, numbers_that_were_not_seen_stay_unseen) {
  const auto store = open();
  store->begin(header("01A"));
  auto f = family("ch01.a");
  f.measurements[0].metrics.clear();
  f.comparisons[0].ratio = std::nan("");
  store->commit("01A", f);
  const auto row = store->history({}).at(0).row;
  EXPECT_TRUE(std::isnan(row.comparison.ratio));
  EXPECT_TRUE(std::isnan(row.arms[0].median));
  EXPECT_FALSE(row.arms[0].of_ceiling);
  EXPECT_EQ(row.arms[1].of_ceiling, 0.8);
}

TEST_P(store_conformance, counts_what_it_holds) {
  const auto store = open();
  EXPECT_EQ(store->counts().samples, 0u);
  store->begin(header("01A"));
  store->commit("01A", family("ch01.a"));
  store->commit("01A", family("ch01.a"));
  const auto held = store->counts();
  EXPECT_EQ(held.runs, 1u);
  EXPECT_EQ(held.families, 2u);
  EXPECT_EQ(held.comparisons, 2u);
  EXPECT_EQ(held.samples, 6u);
}

}  // namespace ridge::store
