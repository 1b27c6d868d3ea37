// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/store/conformance/store_scene.hpp>

// Workloads, their series, points and notes.
namespace ridge::store {

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

TEST_P(store_conformance, one_series_and_its_workload_are_found_by_the_id_of_the_series) {
  const auto store = open();
  enter(*store, header("01A", "m"), family("ch01.a"), 2);
  enter(*store, header("01B", "n"), family("ch01.b", 8), 3);
  const auto all = store->series({});
  ASSERT_EQ(all.size(), 4u);
  for (const auto& one : all) {
    const auto found = store->series({.series = one.id});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].id, one.id);
    EXPECT_EQ(found[0].variant, one.variant);
    const auto workloads = store->workloads({.series = one.id});
    ASSERT_EQ(workloads.size(), 1u);
    EXPECT_EQ(workloads[0].id, one.workload);
    EXPECT_EQ(store->latest({.series = one.id}).at(0).workload.id, one.workload);
    EXPECT_EQ(store->series({.variant = "nothing", .series = one.id}).size(), 0u);
  }
  EXPECT_EQ(store->series({.series = 123456}).size(), 0u);
  EXPECT_EQ(store->workloads({.series = -1}).size(), 0u);
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

TEST_P(store_conformance, a_variant_is_what_its_newest_run_says) {
  const auto store = open();
  auto swapped = family("ch01.a", 4096, 1.25);
  for (auto& m : swapped.measurements) {
    m.role = m.variant == "naive" ? model::role::optimized : model::role::baseline;
    for (auto& e : m.metrics) e.metric.unit = "J";
  }
  enter(*store, header("01A", "m"), family("ch01.a", 4096, 1.25), 3);
  EXPECT_EQ(store->latest({}).at(0).measurements.at(0).series.role, model::role::baseline);
  enter(*store, header("01C", "m"), swapped, 3);
  enter(*store, header("01B", "m"), family("ch01.a", 4096, 1.25), 3);  // an older one that is imported
  const auto latest = store->latest({});
  ASSERT_EQ(latest.size(), 1U);
  for (const auto& seen : latest[0].measurements) {
    const bool is_naive = seen.series.variant == "naive";
    EXPECT_EQ(seen.series.role, is_naive ? model::role::optimized : model::role::baseline);
    EXPECT_EQ(seen.series.metric.unit, "J");
    EXPECT_EQ(seen.series.points, 3U);
  }
}

TEST_P(store_conformance, the_newest_results_are_those_of_now_however_often_they_were_asked_for) {
  const auto store = open();
  enter(*store, header("01B", "m"), family("ch01.a", 4096, 1.25), 3);
  enter(*store, header("01C", "m"), family("ch02.b", 4096, 1.5), 7);
  EXPECT_EQ(store->latest({}).size(), 2U);
  const auto other = open();  // a second writer, whose results the first must see
  enter(*other, header("01A", "m"), family("ch01.a", 4096, 1.75), 2);
  const auto with_older = store->latest({.experiment = "ch01.a"});
  ASSERT_EQ(with_older.size(), 1U);
  EXPECT_EQ(with_older[0].run, "01B");
  EXPECT_EQ(with_older[0].measurements.at(1).point.median, 3);
  EXPECT_EQ(with_older[0].measurements.at(1).series.points, 2U);
  enter(*other, header("01D", "m"), family("ch01.a", 4096, 2.5), 5);
  const auto with_newer = store->latest({.experiment = "ch01.a"});
  ASSERT_EQ(with_newer.size(), 1U);
  EXPECT_EQ(with_newer[0].run, "01D");
  EXPECT_EQ(with_newer[0].measurements.at(1).point.median, 5);
  EXPECT_EQ(with_newer[0].comparisons.at(0).ratio, 2.5);
  EXPECT_EQ(store->latest({.experiment = "ch02.b"}).at(0).measurements.at(1).point.median, 7);
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

TEST_P(store_conformance, every_note_is_kept_in_order) {
  const auto store = open();
  enter(*store, header("01A", "m"), family("ch01.a"), 2);
  const auto id = store->series({.variant = "fast"}).at(0).id;
  for (const auto* state : {"untriaged", "confirmed", "noise"})
    store->note({.series = id, .run = "01A", .state = state, .note = "", .stated = "2025-11-20T10:00:00Z"});
  const auto all = open()->all_notes();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].state, "untriaged");
  EXPECT_EQ(all[2].state, "noise");
  EXPECT_EQ(all[2].stated, "2025-11-20T10:00:00Z");
  EXPECT_EQ(store->notes().at(0).state, "noise");
}

}  // namespace ridge::store
