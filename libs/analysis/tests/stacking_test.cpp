// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gmock/gmock.h>

#include <ridge/analysis/stacking.hpp>
#include <ridge/stats/counter_random.hpp>

namespace ridge::analysis {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

const technique& known(const std::string& id) {
  const auto all = known_techniques();
  const auto at = std::ranges::find(all, id, &technique::id);
  EXPECT_NE(at, all.end()) << id;
  return *at;
}

stacking_case serving() {
  return {.shares = {{"launches", 0.2}, {"attention", 0.3}, {"products", 0.4}},
          .gains = {{.technique = "cuda_graphs", .phase = "launches", .ratio = 4},
                    {.technique = "eager_dynamic_shapes", .phase = "launches", .ratio = 1.1},
                    {.technique = "flash_attention", .phase = "attention", .ratio = 2},
                    {.technique = "fp8_kv_cache", .phase = "attention", .ratio = 1.5},
                    {.technique = "fp8_products", .phase = "products", .ratio = 1.6}},
          .holds = {"static_shapes", "fp8_units", "fp8_conversion"}};
}

// Time 1 - 0.2·(1 - 1/4) - 0.4·(1 - 1/1.6) = 0.70; the product of 4 and 1.6 would promise 6.4 times.
TEST(Stacking, AddsSharesOfTimeAndNeverMultipliesSpeedups) {
  const std::vector<std::string> both{"cuda_graphs", "fp8_products"};
  const auto c = combine(both, serving());
  EXPECT_NEAR(c.speedup, 1 / 0.70, 1e-12);
  EXPECT_NEAR(c.speedup_at_most, c.speedup, 1e-12);
  EXPECT_THAT(c.unmeasured, IsEmpty());
}

TEST(Stacking, UnmeasuredPairOnOnePhaseIsABand) {
  const std::vector<std::string> both{"flash_attention", "fp8_kv_cache"};
  const auto c = combine(both, serving());
  EXPECT_NEAR(c.speedup, 1 / (1 - 0.3 * (1 - 1 / 2.0)), 1e-12);
  EXPECT_NEAR(c.speedup_at_most, 1 / (1 - 0.3 * (1 - 1 / 3.0)), 1e-12);
  EXPECT_THAT(c.unmeasured, ElementsAre("flash_attention + fp8_kv_cache on attention"));
}

TEST(Stacking, MeasuredPairReplacesTheBand) {
  auto given = serving();
  given.measured = {{"fp8_kv_cache", "flash_attention", "attention", 2.4}};
  const auto c = combine(std::vector<std::string>{"flash_attention", "fp8_kv_cache"}, given);
  EXPECT_NEAR(c.speedup, 1 / (1 - 0.3 * (1 - 1 / 2.4)), 1e-12);
  EXPECT_THAT(c.unmeasured, IsEmpty());
  EXPECT_EQ(judge_pair(known("flash_attention"), known("fp8_kv_cache"), given).basis, pair_basis::measured);
}

TEST(Stacking, KnowsConflictsFromWhatTheyBreak) {
  const auto v = judge_pair(known("cuda_graphs"), known("eager_dynamic_shapes"), {});
  EXPECT_EQ(v.basis, pair_basis::conflict);
  EXPECT_THAT(v.why, HasSubstr("breaks static_shapes"));
  EXPECT_EQ(judge_pair(known("speculative_decoding"), known("large_batches"), {}).basis,
            pair_basis::conflict);
  EXPECT_EQ(judge_pair(known("async_loader"), known("flash_attention"), {}).basis, pair_basis::derived);
  EXPECT_EQ(judge_pair(known("fp8_products"), known("int4_weights"), {}).basis, pair_basis::unknown);
}

TEST(Stacking, BestStackLeavesOutConflictsUnmetNeedsAndIdleTechniques) {
  auto given = serving();
  const auto best = best_stack(given, known_techniques());
  EXPECT_THAT(best.techniques, UnorderedElementsAre("cuda_graphs", "flash_attention", "fp8_products"));
  given.holds = {"fp8_units"};  // shapes vary: buckets make them static
  EXPECT_THAT(best_stack(given, known_techniques()).techniques,
              UnorderedElementsAre("cuda_graphs", "shape_buckets", "flash_attention", "fp8_products"));
  given.holds = {};
  EXPECT_THAT(best_stack(given, known_techniques()).techniques,
              UnorderedElementsAre("cuda_graphs", "shape_buckets", "flash_attention"));
}

TEST(Stacking, BestStackKeepsWithinMemory) {
  auto given = serving();
  given.gains[0].memory_bytes = 3e9;
  const auto best = best_stack(given, known_techniques(), 1e9);
  EXPECT_EQ(std::ranges::find(best.techniques, "cuda_graphs"), best.techniques.end());
}

// Compares branch and bound with trying every set, on random cases.
TEST(Stacking, BestStackIsExact) {
  const auto all = known_techniques();
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    stacking_case given{.shares = {{"a", 0.3}, {"b", 0.4}, {"c", 0.2}},
                        .holds = {"static_shapes", "fast_links", "kv_blocks"}};
    std::vector<technique> few;
    for (std::size_t i = 0; i < 9; ++i) {
      const auto& t = all[stats::random_bits(seed, 0, i) % all.size()];
      if (std::ranges::find(few, t.id, &technique::id) != few.end()) continue;
      few.push_back(t);
      const std::string phase(1, static_cast<char>('a' + stats::random_bits(seed, 1, i) % 3));
      given.gains.push_back(
          {.technique = t.id, .phase = phase, .ratio = 0.8 + 2 * stats::random_uniform(seed, 2, i)});
    }
    double exact = 1;
    for (unsigned set = 0; set < (1U << few.size()); ++set) {
      std::vector<std::string> chosen;
      std::vector<std::string> have = given.holds, lost;
      for (std::size_t i = 0; i < few.size(); ++i) {
        if ((set >> i & 1) == 0) continue;
        chosen.push_back(few[i].id);
        have.insert(have.end(), few[i].provides.begin(), few[i].provides.end());
      }
      bool sound = true;
      for (std::size_t i = 0; i < few.size(); ++i) {
        if ((set >> i & 1) == 0) continue;
        for (const auto& need : few[i].needs) sound = sound && std::ranges::find(have, need) != have.end();
        for (std::size_t j = 0; j < few.size(); ++j)
          sound = sound && (i == j || (set >> j & 1) == 0 ||
                            judge_pair(few[i], few[j], given).basis != pair_basis::conflict);
      }
      if (sound) exact = std::max(exact, combine(chosen, given).speedup);
    }
    EXPECT_NEAR(best_stack(given, few).speedup, exact, 1e-9) << seed;
  }
}

TEST(Stacking, ReadsACaseAndNamesWhatIsWrong) {
  const auto good = parse_stacking_case(
      R"({"shares": {"launches": 0.5}, "gains": [{"technique": "cuda_graphs", "phase": "launches", "ratio": 3, "lo": 2.8, "hi": 3.1}], "holds": ["static_shapes"]})",
      "case.json", known_techniques());
  ASSERT_TRUE(good);
  EXPECT_DOUBLE_EQ(good->gains[0].band.lo, 2.8);
  const auto why = [](std::string_view text) {
    const auto c = parse_stacking_case(text, "case.json", known_techniques());
    return c ? std::string() : c.why().text();
  };
  EXPECT_THAT(why("[]"), HasSubstr("is not a JSON object"));
  EXPECT_THAT(why(R"({"shares": {"a": 0.7, "b": 0.6}})"), HasSubstr("/shares: sum to 1.3"));
  EXPECT_THAT(why(R"({"shares": {"a": -0.7}})"), HasSubstr("/shares/a"));
  EXPECT_THAT(why(R"({"shares": {"a": 0.7}, "gains": [{"technique": "magic", "phase": "a", "ratio": 2}]})"),
              HasSubstr("/gains/0/technique: \"magic\" is not a technique"));
  EXPECT_THAT(
      why(R"({"shares": {"a": 0.7}, "gains": [{"technique": "cuda_graphs", "phase": "b", "ratio": 2}]})"),
      HasSubstr("/gains/0/phase"));
  EXPECT_THAT(
      why(R"({"shares": {"a": 0.7}, "gains": [{"technique": "cuda_graphs", "phase": "a", "ratio": 0}]})"),
      HasSubstr("/gains/0/ratio"));
}

}  // namespace
}  // namespace ridge::analysis
