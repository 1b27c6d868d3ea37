// SPDX-License-Identifier: Apache-2.0
#include <ridge/store/run_import.hpp>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/store/store_scale.hpp>

namespace ridge::store {
namespace {

model::run sound_run() { return generated_run(1, {.runs = 1, .samples_per_run = 10}); }

TEST(run_import, takes_what_the_program_writes) {
  EXPECT_TRUE(importable(sound_run()).ok());
  auto odd = sound_run();
  odd.wall_s = std::numeric_limits<double>::quiet_NaN();
  odd.families.push_back({.experiment = "ch01.skipped", .skipped = "no such device"});
  odd.families[0].measurements[0].metrics[0].median = std::numeric_limits<double>::quiet_NaN();
  odd.families[0].comparisons[0].ratio = std::numeric_limits<double>::quiet_NaN();
  odd.families[0].comparisons[0].reference = "of another family";
  EXPECT_TRUE(importable(odd).ok());
}

TEST(run_import, refuses_what_could_not_be_found_or_would_be_wrong) {
  struct fault {
    std::string place;
    std::function<void(model::run&)> make;
  };
  const std::vector<fault> faults{
      {"/id: ", [](auto& r) { r.id = ""; }},
      {"/id: ", [](auto& r) { r.id = "01*"; }},
      {"/id: ", [](auto& r) { r.id = "../etc/passwd"; }},
      {"/id: ", [](auto& r) { r.id = std::string(65, 'A'); }},
      {"/started: ", [](auto& r) { r.started = ""; }},
      {"/started: ", [](auto& r) { r.started = "yesterday"; }},
      {"/started: ", [](auto& r) { r.started = "2026-13-28T12:00:00Z"; }},
      {"/started: ", [](auto& r) { r.started = "2026-11-28T12:00:00+01"; }},
      {"/environment/machine: ", [](auto& r) { r.environment.machine = ""; }},
      {"/wall_s: ", [](auto& r) { r.wall_s = -1; }},
      {"/families/0/experiment: ", [](auto& r) { r.families[0].experiment = ""; }},
      {"/families/0/experiment: ", [](auto& r) { r.families[0].experiment = std::string(1'000'000, 'x'); }},
      {"/families/0/problem: ",
       [](auto& r) {
         r.families[0].problem = {{"n", std::string(2000, 'x')}};
       }},
      {"/families/0/measurements/1/variant: ",
       [](auto& r) { r.families[0].measurements[1].variant = r.families[0].measurements[0].variant; }},
      {"/families/0/measurements/0/metrics/0/median: ",
       [](auto& r) { r.families[0].measurements[0].metrics[0].median = -1e-9; }},
      {"/families/0/measurements/0/metrics/1/metric/name: ",
       [](auto& r) {
         auto& metrics = r.families[0].measurements[0].metrics;
         metrics.push_back(metrics[0]);
       }},
      {"/families/0/measurements/0/samples/0/value: ",
       [](auto& r) { r.families[0].measurements[0].samples[0].value[1] = -1; }},
      {"/families/0/comparisons/0/ratio: ", [](auto& r) { r.families[0].comparisons[0].ratio = 0; }},
      {"/families/0/comparisons/0/candidate: ",
       [](auto& r) { r.families[0].comparisons[0].candidate = ""; }}};
  for (std::size_t i = 0; i < faults.size(); ++i) {
    auto run = sound_run();
    faults[i].make(run);
    const auto seen = importable(run);
    ASSERT_FALSE(seen.ok()) << i;
    EXPECT_TRUE(seen.why().message.starts_with(faults[i].place)) << seen.why().message;
    EXPECT_FALSE(seen.why().remedy.empty()) << i;
    EXPECT_LT(seen.why().text().size(), 1000U) << "a long name is not repeated";
  }
}

}  // namespace
}  // namespace ridge::store
