// SPDX-License-Identifier: Apache-2.0
// Everything that one store holds, in another: of the same backend, and there and back between two.
#include <ridge/store/store_copy.hpp>

#include <fmt/format.h>

#include <ridge/model/json.hpp>
#include <ridge/store/store_failure.hpp>
#include <ridge/store/store_scale.hpp>

#include "postgresql_server.hpp"
#include "scene.hpp"

#ifdef RIDGE_WITH_POSTGRESQL
namespace ridge::backends::store_postgresql {
std::unique_ptr<ridge::store::store> make(const ridge::store::options& given);
}  // namespace ridge::backends::store_postgresql
#endif

namespace ridge::store::tests {
namespace {

constexpr store_scale small{.runs = 12, .samples_per_run = 10};

// Returns all that a store returns as one text, without the numbers that are its own.
std::string document_of(store& held) {
  std::string all;
  for (const auto& entry : held.runs({.limit = 1000})) {
    all += fmt::format("{} {} {}\n", entry.id, entry.wall_s.value_or(-1), entry.families);
    all += model::to_json(*held.load(entry.id)) + '\n';
  }
  all += model::history_json(held.history({.limit = 10'000, .with_checks = true}), held.counts());
  std::map<std::int64_t, std::string> names;
  for (const auto& w : held.workloads({}))
    names[w.id] =
        fmt::format("{} {} {} {} {} {}", w.machine, w.experiment, w.problem, w.title, w.families, w.flop);
  for (const auto& s : held.series({})) {
    all += fmt::format("\n{} {} {} {}:", names.at(s.workload), s.variant, s.metric.name, s.points);
    for (const auto& p : held.points({.series = s.id}))
      all += fmt::format(" {} {} {} {} {} {} {} {}", p.run, p.started, p.median, p.ci.lo, p.samples,
                         p.memory_bytes.value_or(-1), p.energy_j.value_or(-1),
                         held.environment(p.environment)->facts.back().second);
    for (const auto& n : held.all_notes())
      if (n.series == s.id) all += fmt::format(" note {} {} {} {}", n.run, n.state, n.note, n.stated);
  }
  return all;
}

class copying : public scene {
 protected:
  std::unique_ptr<store> file_store(const std::string& name) {
    return backends::store_sqlite::make({.location = folder() / name});
  }

  // Generated runs, a run that never finished, one with numbers that were not seen, two notes on one change.
  static void fill_all(store& target) {
    ASSERT_TRUE(fill(target, small).ok());
    auto odd = generated_run(3, small);
    odd.id = "01ODD";
    auto& m = odd.families[0].measurements;
    m[0].metrics[0].median = m[1].samples[0].value[0] = std::nan("");
    m[2].refused = "wrong output";
    m[3].samples[0].value[0] = 5e-324;
    m[3].samples[0].value[1] = 0.1 + 0.2;
    m[4].energy_j.reset();
    odd.families[0].comparisons[0].ratio = std::nan("");
    target.enter(odd, false);
    const auto series = target.series({}).at(0).id;
    target.note(
        {.series = series, .run = "01ODD", .state = "noise", .note = "it's\ta \\tab", .stated = "t1"});
    target.note({.series = series, .run = "01ODD", .state = "expected", .note = "no\nnoise", .stated = "t2"});
  }
};

TEST_F(copying, into_an_empty_store_gives_the_same_documents) {
  const auto source = file_store("a.db"), target = file_store("b.db");
  fill_all(*source);
  std::uint64_t told = 0;
  const auto done = copy_all(*source, *target, [&](std::uint64_t count, std::uint64_t all) {
    told = count;
    EXPECT_EQ(all, 13u);
  });
  EXPECT_EQ(told, 13u);
  EXPECT_EQ(done.runs, 13u);
  EXPECT_TRUE(done.left.empty());
  EXPECT_EQ(done.notes, source->all_notes().size());
  EXPECT_EQ(document_of(*target), document_of(*source));
}

TEST_F(copying, again_changes_nothing) {
  const auto source = file_store("a.db"), target = file_store("b.db");
  fill_all(*source);
  (void)copy_all(*source, *target);
  const auto done = copy_all(*source, *target);
  EXPECT_EQ(done.runs, 0u);
  EXPECT_EQ(done.present, 13u);
  EXPECT_EQ(done.notes, 0u);
  EXPECT_EQ(document_of(*target), document_of(*source));
}

TEST_F(copying, goes_on_where_it_was_broken_off) {
  const auto source = file_store("a.db"), target = file_store("b.db");
  fill_all(*source);
  const auto stop = [](std::uint64_t count, std::uint64_t) {
    if (count == 5) throw std::runtime_error("stopped");
  };
  EXPECT_THROW((void)copy_all(*source, *target, stop), std::runtime_error);
  EXPECT_EQ(target->counts().runs, 5u);
  const auto done = copy_all(*source, *target);
  EXPECT_EQ(done.runs, 8u);
  EXPECT_EQ(done.present, 5u);
  EXPECT_EQ(document_of(*target), document_of(*source));
}

TEST_F(copying, brings_a_run_up_to_date_that_was_going_on) {
  const auto source = file_store("a.db"), target = file_store("b.db");
  auto run = generated_run(1, small);
  run.families.push_back(generated_run(2, small).families[0]);
  auto begun = run;
  begun.families.resize(1);
  source->enter(begun, false);
  (void)copy_all(*source, *target);
  source->commit(run.id, run.families[1]);
  source->finish(run);
  const auto done = copy_all(*source, *target);
  EXPECT_EQ(done.runs, 1u);
  EXPECT_EQ(done.families, 1u);
  EXPECT_EQ(document_of(*target), document_of(*source));
}

TEST_F(copying, leaves_a_run_of_which_the_target_knows_more) {
  const auto source = file_store("a.db"), target = file_store("b.db");
  auto run = generated_run(1, small);
  source->enter(run, true);
  run.families.push_back(run.families[0]);
  target->enter(run, true);
  const auto before = document_of(*target);
  const auto done = copy_all(*source, *target);
  ASSERT_EQ(done.left.size(), 1u);
  EXPECT_NE(done.left[0].message.find("2 families there"), std::string::npos) << done.left[0].message;
  EXPECT_EQ(document_of(*target), before);
}

#ifdef RIDGE_WITH_POSTGRESQL
TEST_F(copying, there_and_back_between_two_backends_gives_the_same_documents) {
  const auto& url = postgresql_server::running().url();
  if (url.empty()) GTEST_SKIP() << "no PostgreSQL server can be started here";
  const auto source = file_store("a.db"), back = file_store("b.db");
  fill_all(*source);
  const auto between = backends::store_postgresql::make({.location = url});
  EXPECT_EQ(copy_all(*source, *between).runs, 13u);
  EXPECT_EQ(document_of(*between), document_of(*source));
  EXPECT_EQ(copy_all(*between, *back).runs, 13u);
  EXPECT_EQ(document_of(*back), document_of(*source));
}
#endif

TEST_F(copying, generated_stores_grow_and_refuse_results_of_others) {
  const auto held = file_store("a.db");
  EXPECT_EQ(*fill(*held, {.runs = 5, .samples_per_run = 10}), 5u);
  EXPECT_EQ(*fill(*held, {.runs = 8, .samples_per_run = 10}), 3u);
  EXPECT_EQ(held->counts().samples, 80u);
  for (const auto& seen : measure_queries(*held, {.runs = 8, .samples_per_run = 10}, 2)) {
    EXPECT_GT(seen.p99_s, 0) << seen.query;
    EXPECT_LE(seen.p50_s, seen.p99_s) << seen.query;
  }
  held->begin({.id = "02"});
  EXPECT_FALSE(fill(*held, {.runs = 9, .samples_per_run = 10}).ok());
}

}  // namespace
}  // namespace ridge::store::tests
