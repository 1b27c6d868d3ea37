// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ridge/results/analysis.hpp>

#include "made_store.hpp"

namespace ridge::results {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using values = std::map<std::string, std::string>;

constexpr const char* h100 = "NVIDIA H100 80GB HBM3";

model::measurement held_by(model::measurement m, model::bound bound, std::string ceiling, double share) {
  m.bound = bound, m.ceiling = std::move(ceiling), m.of_ceiling = share;
  return m;
}

// 36 ms a call, so that a million calls take ten hours; 1000 items.
model::family streaming() {
  model::family f{.experiment = "ch01.made", .backend = model::backend::cuda};
  f.items = 1000;
  f.measurements = {
      held_by(made_variant("slow", 0.072, model::role::baseline), model::bound::memory, "cuda.copy", 0.5),
      held_by(made_variant("fast", 0.036), model::bound::memory, "cuda.copy", 0.9)};
  compare(f, "slow", "fast", 1.9);
  return f;
}

std::string cost_of(std::vector<model::family> families, const values& asked, const std::string& gpu = h100) {
  made_store store;
  store.add(std::move(families), gpu);
  const auto found = answer_of("cost", store.get(), asked);
  return found ? report::text_of(found->document, {.columns = 250}) : found.why().text();
}

TEST(cost, prices_a_time_on_the_gpu_it_was_measured_on_with_the_date_of_the_price) {
  const auto text = cost_of({streaming()}, {});
  EXPECT_THAT(text, HasSubstr("on H100 SXM, basis measured"));
  // $3.50 an hour for ten hours, and the ratio that pairs showed in place of the quotient of medians.
  EXPECT_THAT(text,
              ContainsRegex("fast +optimized +36.0 ms +\\$35.00 +\\$0.0350 +1.9 +1.881 +1.919 +\\$35.00"));
  EXPECT_THAT(text, ContainsRegex("fast .*BETTER"));
  EXPECT_THAT(text, ContainsRegex("slow +baseline +72.0 ms +\\$70.00 +\\$0.0700 *\n"));
  EXPECT_THAT(text, ContainsRegex("H100 SXM +\\$3.50 +on demand, default of the table +2026-11-21"));
}

TEST(cost, carries_a_time_to_another_gpu_by_the_ceiling_that_held_it) {
  const auto text = cost_of({streaming()}, {{"gpu", "A100"}});
  // 3.35 TB/s against 2.039 TB/s, $2 an hour.
  EXPECT_THAT(text, AllOf(HasSubstr("on A100 SXM 80 GB, basis modelled"),
                          HasSubstr("model bandwidth 3.35 TB/s -> 2.04 TB/s")));
  EXPECT_THAT(text,
              ContainsRegex("fast +optimized +59.1 ms +\\$32.86 +\\$0.0329 +1.9 +1.881 +1.919 +\\$32.86"));
  EXPECT_THAT(cost_of({streaming()}, {{"gpu", "h100"}}), HasSubstr("basis measured"));
}

TEST(cost, products_move_with_the_dense_peak_of_their_type) {
  auto family = streaming();
  family.measurements[0] = held_by(family.measurements[0], model::bound::compute, "cuda.mma.bf16", 0.8);
  family.measurements[1] = held_by(family.measurements[1], model::bound::compute, "cuda.mma.fp8", 0.8);
  const auto text = cost_of({family}, {{"gpu", "A100"}});
  EXPECT_THAT(text, HasSubstr("model peak 989 TFLOP/s -> 312 TFLOP/s"));
  EXPECT_THAT(text, ContainsRegex("cuda +1 +no cuda.mma.fp8 is specified of A100 SXM 80 GB"));
}

TEST(cost, no_model_carries_what_no_ceiling_holds) {
  auto family = streaming();
  family.measurements = {held_by(made_variant("waits", 0.001), model::bound::latency, "", 0),
                         held_by(made_variant("unknown", 0.001), model::bound::unknown, "", 0),
                         held_by(made_variant("strided", 0.001), model::bound::memory, "cuda.copy", 0.1),
                         held_by(made_variant("cached", 0.001), model::bound::memory, "cuda.copy", 1.6)};
  const auto text = cost_of({family}, {{"gpu", "A100"}});
  EXPECT_THAT(text, HasSubstr("No stored result has a price"));
  EXPECT_THAT(text, ContainsRegex("cuda +2 +its limit is latency or unknown"));
  EXPECT_THAT(text, ContainsRegex("cuda +1 +it reaches less than half of its ceiling"));
  EXPECT_THAT(text, ContainsRegex("cuda +1 +it exceeds its ceiling"));
}

TEST(cost, a_rate_that_is_given_stands_for_the_catalogues) {
  const auto text = cost_of({streaming()}, {{"rate", "2.5"}});
  EXPECT_THAT(text, ContainsRegex("fast +optimized +36.0 ms +\\$25.00"));
  EXPECT_THAT(text, ContainsRegex("H100 SXM +\\$2.50 +given with the request"));
  EXPECT_THAT(cost_of({streaming()}, {{"spot", "true"}}), ContainsRegex("H100 SXM +\\$2.46 +spot"));
}

TEST(cost, a_processor_has_a_price_only_where_one_is_given) {
  auto family = streaming();
  family.backend = model::backend::cpu;
  EXPECT_THAT(cost_of({family}, {}, ""), ContainsRegex("made +cpu +2 +no price of a processor is known"));
  EXPECT_THAT(cost_of({family}, {{"rate", "0.1"}}, ""), ContainsRegex("fast +optimized +36.0 ms +\\$1.00"));
  EXPECT_THAT(cost_of({family}, {{"gpu", "H100"}}, ""), HasSubstr("it was measured on a CPU"));
}

TEST(cost, a_machine_is_rented_with_all_its_gpus) {
  const auto two = cost_of({streaming()}, {}, "NVIDIA H200, NVIDIA H200");
  EXPECT_THAT(two, HasSubstr("on 2 × H200 SXM"));
  EXPECT_THAT(two, ContainsRegex("fast +optimized +36.0 ms +\\$91.80"));
  EXPECT_THAT(cost_of({streaming()}, {{"gpu", "A100"}}, "NVIDIA H200, NVIDIA H200"),
              HasSubstr("measured with several GPUs"));
}

TEST(cost, gpus_that_nobody_knows_are_refused_or_named) {
  EXPECT_THAT(cost_of({streaming()}, {{"gpu", "H1OO"}}), AllOf(HasSubstr("H1OO"), Not(HasSubstr("$"))));
  EXPECT_THAT(cost_of({streaming()}, {}, "Voodoo 2"), HasSubstr("Voodoo 2 is not in the catalogue"));
}

TEST(cost, an_invalid_variant_has_no_price_and_is_counted) {
  auto family = streaming();
  family.measurements.push_back(made_variant("cheat", 1e-6));
  compare(family, "slow", "cheat", 72'000);
  family.comparisons.back().verdict = model::verdict::invalid;
  const auto text = cost_of({family}, {});
  EXPECT_THAT(text, Not(HasSubstr("cheat")));
  EXPECT_THAT(text, ContainsRegex("cuda +1 +its comparison is INVALID"));
}

}  // namespace
}  // namespace ridge::results
