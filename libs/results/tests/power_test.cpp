// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ridge/results/analysis.hpp>

#include "made_store.hpp"

namespace ridge::results {
namespace {

using report::text_of;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

// 2 GFLOP on 8 MB for 100 items.
model::family work_with_energy() {
  model::family f{.experiment = "ch01.made", .backend = model::backend::cuda};
  f.flop = 2e9, f.bytes_read = 6e6, f.bytes_written = 2e6, f.items = 100;
  f.measurements = {made_variant("slow", 0.02, model::role::baseline), made_variant("fast", 0.01),
                    made_variant("frugal", 0.016), made_variant("unmetered", 0.001)};
  f.measurements[0].energy_j = 8;
  f.measurements[1].energy_j = 5;
  f.measurements[1].flop = 4e9;  // twice the work: what is done in vain is not counted
  f.measurements[2].energy_j = 4;
  return f;
}

TEST(power, counts_the_work_of_the_workload_per_joule_of_the_meter) {
  made_store store;
  store.add({work_with_energy()}, "NVIDIA H100 80GB HBM3");
  const auto found = answer_of("power", store.get(), {}).value();
  const auto text = text_of(found.document, {.columns = 200});
  EXPECT_THAT(text, ContainsRegex("1  frugal +optimized +4.00 J +250 W +500 MFLOP +1.91 MiB +25 +2"));
  EXPECT_THAT(text, ContainsRegex("2  fast +optimized +5.00 J +500 W +400 MFLOP +1.53 MiB +20 +1.6"));
  EXPECT_THAT(text, ContainsRegex("3  slow +baseline +8.00 J +400 W +250 MFLOP +977 KiB +12.5 *\n"));
  EXPECT_THAT(text, Not(HasSubstr("unmetered"))) << "nothing is known of it";
  ASSERT_EQ(found.charts.size(), 1);
  EXPECT_EQ(found.charts[0].series.size(), 3);
}

TEST(power, energies_within_one_percent_share_a_rank) {
  auto family = work_with_energy();
  family.measurements[1].energy_j = 4.03;
  made_store store;
  store.add({family}, "NVIDIA H100 80GB HBM3");
  const auto text = text_of(answer_of("power", store.get(), {})->document, {.columns = 200});
  EXPECT_THAT(text, ContainsRegex("1  frugal"));
  EXPECT_THAT(text, ContainsRegex("1  fast"));
  EXPECT_THAT(text, ContainsRegex("3  slow"));
}

TEST(power, what_the_workload_does_not_state_is_unknown) {
  auto family = work_with_energy();
  family.flop = 0, family.items = 0;
  made_store store;
  store.add({family}, "NVIDIA H100 80GB HBM3");
  const auto found = answer_of("power", store.get(), {}).value();
  const auto json = report::json_of(found.document);
  EXPECT_THAT(json, HasSubstr("\"flop_per_j\": null"));
  EXPECT_THAT(json, Not(ContainsRegex("\"items_per_j\": [0-9]")));
}

// The setting that meters depends on where the variants run.
TEST(power, says_what_would_meter_the_rest) {
  model::family cpu{.experiment = "ch01.made"};
  cpu.measurements = {made_variant("slow", 0.02, model::role::baseline)};
  auto gpu = cpu;
  gpu.backend = model::backend::cuda;
  made_store store;
  store.add({cpu, gpu}, "NVIDIA H100 80GB HBM3");
  const auto text = text_of(answer_of("power", store.get(), {})->document, {.columns = 200});
  EXPECT_THAT(text, HasSubstr("No stored result has energy"));
  EXPECT_THAT(text, ContainsRegex("cpu +1 .*RAPL"));
  EXPECT_THAT(text, ContainsRegex("cuda +1 .*--profile deep"));
}

}  // namespace
}  // namespace ridge::results
