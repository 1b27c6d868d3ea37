// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <ridge/model/json.hpp>
#include <ridge/store/store.hpp>

// What every store must do. A backend's test opens one folder of tests by
//   INSTANTIATE_TEST_SUITE_P(name, store_conformance, testing::Values(open));
// where open() gives a store that holds nothing, and open() of the same location again a second view of it.
namespace ridge::store {

using store_factory = std::function<std::unique_ptr<store>(const std::string& name)>;

// Gives every test a location of its own.
class store_conformance : public testing::TestWithParam<store_factory> {
 protected:
  std::unique_ptr<store> open() {
    return GetParam()(testing::UnitTest::GetInstance()->current_test_info()->name());
  }

  static model::run header(std::string id, std::string machine = "intel-xeon-x2") {
    model::run r{.id = std::move(id),
                 .started = "2025-11-20T10:00:00Z",
                 .command = {"ridge", "run"},
                 .profile = "minimal",
                 .seed = 1ull << 63};
    r.environment.machine = std::move(machine);
    r.environment.facts = {{"governor", "performance"}};
    r.peak.ceilings = {{.id = "cpu.triad", .unit = "B/s", .value = 1e10}};
    return r;
  }

  static model::family family(std::string experiment, std::int64_t n = 4096, double ratio = 1.5) {
    model::family f{.experiment = std::move(experiment), .title = "µ", .problem = {{"n", n}}, .seed = ~0ull};
    f.measurements = {{.variant = "naive", .metrics = {{.median = 3, .ci = {2, 4}}}},
                      {.variant = "fast",
                       .metrics = {{.median = 2, .ci = {1, 3}}},
                       .memory = {.reserved_bytes = 4096},
                       .energy_j = 0.5,
                       .of_ceiling = 0.8,
                       .ceiling = "cpu.triad, 2 threads",
                       .bound = model::bound::memory}};
    f.measurements[1].samples = {
        {.value = {1.5, std::nan("")}, .block = {0, 1}, .position = {2, 3}, .marked = {0, 1}},
        {.value = {4}}};
    f.comparisons = {{.reference = "naive",
                      .candidate = "fast",
                      .ratio = ratio,
                      .ci = {1.4, 1.6},
                      .verdict = model::verdict::better,
                      .headline = false,
                      .assurance = 2,
                      .pairs = 40,
                      .aa = {0.99, 1.01},
                      .checks = {{.id = "drift", .result = model::outcome::pass}}}};
    return f;
  }
};

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

// A run on a machine with one family of a variant of this median.
inline void enter(store& target, model::run run, model::family family, double median) {
  family.measurements[1].metrics[0].median = median;
  target.begin(run);
  target.commit(run.id, family);
  target.finish(run);
}

TEST_P(store_conformance, a_workload_is_one_row_however_often_it_was_measured) {
  const auto store = open();
  enter(*store, header("01A", "m"), family("ch01.a"), 2);
  enter(*store, header("01B", "m"), family("ch01.a"), 3);
  enter(*store, header("01C", "n"), family("ch01.a"), 4);
  enter(*store, header("01D", "m"), family("ch01.b", 8), 5);
  const auto all = open()->workloads({});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].machine, "m");
  EXPECT_EQ(all[0].experiment, "ch01.a");
  EXPECT_EQ(all[0].families, 2u);
  EXPECT_EQ(model::text(all[0].axes), all[0].problem);
  EXPECT_EQ(all[1].experiment, "ch01.b");
  EXPECT_EQ(all[2].machine, "n");
  EXPECT_EQ(store->workloads({.experiment = "ch01.b"}).size(), 1u);
  EXPECT_EQ(store->workloads({.experiment = "ch*.a", .machine = "m"}).size(), 1u);
  EXPECT_EQ(store->workloads({.problem = all[1].problem}).size(), 1u);
  EXPECT_EQ(store->workloads({.backend = model::backend::cuda}).size(), 0u);
  EXPECT_EQ(store->workloads({.limit = 2}).size(), 2u);
}

TEST_P(store_conformance, the_newest_result_of_a_workload_is_that_of_the_newest_run_not_of_the_last_import) {
  const auto store = open();
  enter(*store, header("01B", "m"), family("ch01.a", 4096, 1.25), 3);
  enter(*store, header("01A", "m"), family("ch01.a", 4096, 1.75), 2);
  const auto latest = store->latest({});
  ASSERT_EQ(latest.size(), 1u);
  EXPECT_EQ(latest[0].run, "01B");
  ASSERT_EQ(latest[0].measurements.size(), 2u);
  EXPECT_EQ(latest[0].measurements[0].series.variant, "naive");
  EXPECT_EQ(latest[0].measurements[0].series.role, model::role::baseline);
  const auto& fast = latest[0].measurements[1];
  EXPECT_EQ(fast.series.points, 2u);
  EXPECT_EQ(fast.point.median, 3);
  EXPECT_EQ(fast.point.ci.hi, 3);
  EXPECT_EQ(fast.point.samples, 2u);
  EXPECT_EQ(fast.point.energy_j, 0.5);
  EXPECT_EQ(fast.point.array_bytes, 4096);
  EXPECT_EQ(fast.point.of_ceiling, 0.8);
  EXPECT_EQ(fast.point.ceiling, "cpu.triad, 2 threads");
  EXPECT_EQ(fast.point.bound, model::bound::memory);
  EXPECT_FALSE(fast.point.memory_bytes.has_value()) << "it was not seen";
  ASSERT_EQ(latest[0].comparisons.size(), 1u);
  EXPECT_EQ(latest[0].comparisons[0].ratio, 1.25);
  EXPECT_EQ(latest[0].comparisons[0].verdict, model::verdict::better);
}

TEST_P(store_conformance, the_points_of_a_series_are_in_order_of_their_runs) {
  const auto store = open();
  for (const auto* id : {"01B", "01A", "01D", "01C"})
    enter(*store, header(id, "m"), family("ch01.a"), 2 + id[2] - 'A');
  const auto series = store->series({.variant = "fast"});
  ASSERT_EQ(series.size(), 1u);
  EXPECT_EQ(series[0].points, 4u);
  const auto points = store->points({.series = series[0].id});
  ASSERT_EQ(points.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(points[i].run, std::string("01") + static_cast<char>('A' + i));
    EXPECT_EQ(points[i].median, 2 + static_cast<double>(i));
    EXPECT_EQ(points[i].started, header("").started);
    EXPECT_EQ(points[i].environment, points[0].environment) << "equal environments have one number";
  }
  const auto some = store->points({.series = series[0].id, .first_run = "01B", .last_run = "01C"});
  ASSERT_EQ(some.size(), 2u);
  EXPECT_EQ(some[0].run, "01B");
  const auto newest = store->points({.series = series[0].id, .limit = 1});
  ASSERT_EQ(newest.size(), 1u);
  EXPECT_EQ(newest[0].run, "01D");
  const auto environment = store->environment(points[0].environment);
  ASSERT_TRUE(environment.ok());
  EXPECT_EQ(environment->facts.at(0).second, "performance");
  EXPECT_FALSE(store->environment(123456).ok());
}

TEST_P(store_conformance, variants_that_were_refused_have_no_points) {
  auto bad = family("ch01.a");
  bad.measurements[1].refused = "wrong output";
  const auto store = open();
  enter(*store, header("01A", "m"), bad, 2);
  EXPECT_EQ(store->series({.variant = "fast"}).size(), 0u);
  EXPECT_EQ(store->series({}).size(), 1u);
}

TEST_P(store_conformance, the_last_word_on_a_change_holds) {
  const auto store = open();
  enter(*store, header("01A", "m"), family("ch01.a"), 2);
  const auto id = store->series({.variant = "fast"}).at(0).id;
  store->note({.series = id,
               .run = "01A",
               .state = "confirmed",
               .note = "new driver",
               .stated = "2025-11-20T10:00:00Z"});
  store->note({.series = id,
               .run = "01A",
               .state = "expected",
               .note = "it's \"new\"; --",
               .stated = "2025-11-21T10:00:00Z"});
  const auto notes = open()->notes();
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].state, "expected");
  EXPECT_EQ(notes[0].note, "it's \"new\"; --");
}

TEST_P(store_conformance, runs_before_one_are_the_next_page) {
  const auto store = open();
  for (const auto* id : {"01A", "01B", "01C"}) enter(*store, header(id, "m"), family("ch01.a"), 2);
  const auto page = store->runs({.before = "01C", .limit = 1});
  ASSERT_EQ(page.size(), 1u);
  EXPECT_EQ(page[0].id, "01B");
}

}  // namespace ridge::store
