// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include <ridge/store/conformance/store_scene.hpp>

// Runs that are entered whole, and names that look like something else.
namespace ridge::store {

TEST_P(store_conformance, a_whole_run_is_entered_as_its_parts_are) {
  auto run = header("01A", "m");
  run.families = {family("ch01.a"), family("ch01.b"), family("ch01.a")};
  run.wall_s = 12.5;
  const auto store = open();
  EXPECT_TRUE(store->enter(run, true));
  EXPECT_EQ(model::to_json(*open()->load("01A")), model::to_json(run));
  EXPECT_EQ(store->counts().samples, 9u);
  EXPECT_EQ(store->counts().comparisons, 3u);
  EXPECT_EQ(store->workloads({}).size(), 2u);
  EXPECT_EQ(store->series({.experiment = "ch01.a", .variant = "fast"}).at(0).points, 2u);
  EXPECT_EQ(store->runs({}).at(0).wall_s, 12.5);
  run.id = "01B";
  EXPECT_TRUE(store->enter(run, false));
  EXPECT_FALSE(store->runs({}).at(0).wall_s) << "it did not finish";
}

TEST_P(store_conformance, a_run_is_entered_whole_but_once) {
  auto run = header("01A", "m");
  run.families = {family("ch01.a")};
  const auto store = open();
  EXPECT_TRUE(store->enter(run, true));
  auto other = run;
  other.profile = "deep";
  other.families.push_back(family("ch01.b"));
  EXPECT_FALSE(open()->enter(other, false));
  EXPECT_EQ(model::to_json(*store->load("01A")), model::to_json(run)) << "it is left as it was";
  EXPECT_EQ(store->counts().runs, 1u);
  EXPECT_EQ(store->counts().families, 1u);
  EXPECT_TRUE(store->runs({}).at(0).wall_s);
  std::atomic<int> entered = 0;
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i)
    writers.emplace_back([&] {
      auto same = run;
      same.id = "01B";
      entered += open()->enter(same, true) ? 1 : 0;
    });
  for (auto& one : writers) one.join();
  EXPECT_EQ(entered, 1);
  EXPECT_EQ(store->load("01B")->families.size(), 1u);
}

TEST_P(store_conformance, a_run_of_which_a_part_cannot_be_entered_is_not_entered_at_all) {
  auto run = header("01A", "m");
  run.families = {family("ch01.a"), family("ch01.b")};
  run.families[1].measurements[1].variant = "naive";  // two points of one series in a run
  const auto store = open();
  EXPECT_ANY_THROW(store->enter(run, true));
  EXPECT_EQ(store->counts().runs, 0u);
  EXPECT_EQ(store->counts().families, 0u);
  EXPECT_TRUE(store->workloads({}).empty());
  store->enter(header("01B"), true);
  EXPECT_EQ(store->counts().runs, 1u) << "the store is of use afterwards";
}

TEST_P(store_conformance, names_are_data_whatever_they_hold) {
  const std::string name = R"(ch01.a'); DROP TABLE run; -- $1 ?1 %s \ "x" _%)";
  auto f = family(name);
  f.measurements[1].variant = f.comparisons[0].candidate = "fast'; --\t\n\\N";
  f.title = "tab\tline\nback\\slash";
  const auto store = open();
  auto run = header("01'A", "m'; --");
  run.families = {f};
  store->enter(run, true);
  const auto back = store->load("01'");
  ASSERT_TRUE(back.ok()) << back.why().text();
  EXPECT_EQ(model::family_json(back->families.at(0)), model::family_json(f));
  EXPECT_EQ(store->history({.experiment = name, .candidate = f.comparisons[0].candidate}).size(), 1u);
  EXPECT_EQ(store->runs({.experiment = name}).size(), 1u);
  EXPECT_EQ(store->workloads({.experiment = name, .machine = "m'; --"}).at(0).title, f.title);
  EXPECT_EQ(store->latest({}).at(0).measurements.at(1).series.variant, f.measurements[1].variant);
  EXPECT_EQ(store->series({.variant = f.measurements[1].variant}).size(), 1u);
  EXPECT_EQ(store->workloads({.experiment = "ch01.a_ ; DROP TABLE run; --*"}).size(), 0u);
}

TEST_P(store_conformance, runs_of_an_experiment_are_pages_too) {
  const auto store = open();
  for (const auto* id : {"01A", "01B", "01C", "01D"}) {
    enter(*store, header(id, "m"), family(id == std::string("01C") ? "ch02.b" : "ch01.a"), 2);
    store->commit(id, family("ch01.a", 8));
  }
  const auto page = store->runs({.experiment = "ch0?.*", .before = "01D", .limit = 2});
  ASSERT_EQ(page.size(), 2u);
  EXPECT_EQ(page[0].id, "01C");
  EXPECT_EQ(page[0].families, 2u);
  EXPECT_EQ(page[1].id, "01B");
  EXPECT_EQ(store->runs({.experiment = "ch02.b", .before = "01C"}).size(), 0u);
}

}  // namespace ridge::store
