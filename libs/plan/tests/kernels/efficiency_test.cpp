// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kernels/efficiency.hpp>

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/plan/kernels/engine_profile.hpp>
#include <ridge/plan/kernels/simplex_search.hpp>

#include "small_machine.hpp"

namespace ridge::plan::kernels {
namespace {

using ::testing::HasSubstr;
using distance = efficiency_catalogue::match::distance;

efficiency_entry entry(const std::string& gpu, const std::string& generation, const std::string& format,
                       double share) {
  return {gpu, generation, "product", format, {0, share, share, 0, 0, 0}, 1, 0.05, 0.1, "test", "2026-01-01"};
}

TEST(efficiency_catalogue, prefers_the_gpu_itself_then_its_generation_then_the_nearest) {
  efficiency_catalogue c;
  c.entries = {entry("A", "ada", "bf16", 0.1), entry("H", "hopper", "bf16", 0.2),
               entry("Test", "hopper", "fp8", 0.3)};
  auto gpu = test::machine();
  EXPECT_EQ(c.find(gpu, "product", "fp8").entry->curve.flop_share, 0.3);
  EXPECT_EQ(c.find(gpu, "product", "fp8").nearness, distance::own);
  gpu.name = "Another";
  EXPECT_EQ(c.find(gpu, "product", "bf16").entry->gpu, "H");
  EXPECT_EQ(c.find(gpu, "product", "bf16").nearness, distance::generation);
  gpu.generation = "ampere";
  EXPECT_EQ(c.find(gpu, "product", "bf16").entry->gpu, "A");
  EXPECT_EQ(c.find(gpu, "product", "bf16").nearness, distance::other);
  EXPECT_EQ(c.find(gpu, "experts", "bf16").nearness, distance::assumed);
}

TEST(analytic_times, say_a_wider_band_of_a_gpu_that_borrows) {
  auto gpu = *accelerator_named(hardware::catalogue::embedded(), "H100 SXM");
  const double own = analytic_times(gpu)->relative_band();
  gpu.name = "H100 of another kind";
  const auto borrowed = analytic_times(gpu);
  EXPECT_GT(borrowed->relative_band(), own);
  EXPECT_THAT(borrowed->source(), HasSubstr("borrowed from"));
}

TEST(analytic_times, read_a_curve_again_that_a_fit_has_changed) {
  efficiency_catalogue c;
  c.entries = {entry("Test", "hopper", "bf16", 0.5), entry("Test", "hopper", "fp8", 0.1)};
  const auto times = analytic_times(test::machine(), c);
  const product p{4096, 4096, 4096, *number_format_named("bf16")};
  const double before_s = times->of(p).seconds();
  c.entries.front().curve.flop_share = c.entries.front().curve.bandwidth_share = 0.25;
  EXPECT_DOUBLE_EQ(times->of(p).seconds(), 2 * before_s);
}

// A lender's rows are not the borrower's: an A100 with those of an L40S was bound by work at one row.
TEST(analytic_times, one_row_is_bound_by_the_bytes_of_its_weights_where_it_is_on_the_lender) {
  const auto one_row = [](const char* gpu, const char* format) {
    const product p{1, 8192, 8192, *number_format_named(format)};
    return analytic_times(*accelerator_named(hardware::catalogue::embedded(), gpu))->of(p);
  };
  EXPECT_TRUE(one_row("L40S", "bf16").memory_bound());
  for (const auto* gpu : {"A100 SXM 80 GB", "RTX 4090", "L4", "B200", "MI300X"})
    EXPECT_TRUE(one_row(gpu, "bf16").memory_bound()) << gpu;
  EXPECT_LT(one_row("A100 SXM 80 GB", "int4_g128").seconds(), one_row("A100 SXM 80 GB", "bf16").seconds());
}

// Half of the rate of an L40S' units, which an RTX 4090 reaches almost wholly.
TEST(analytic_times, units_at_a_part_of_their_rate_reach_a_larger_share_of_it) {
  const auto share = [](const char* name) {
    const auto gpu = *accelerator_named(hardware::catalogue::embedded(), name);
    const product p{16384, 16384, 16384, *number_format_named("bf16")};
    return demand_of(p).flop / gpu.peak_flop_per_s("bf16") / analytic_times(gpu)->of(p).seconds();
  };
  EXPECT_LT(share("L40S"), 0.75);
  EXPECT_GT(share("RTX 4090"), 0.9);
  EXPECT_LT(share("RTX 4090"), 1);
}

TEST(analytic_times, never_beat_the_datasheet) {
  for (const auto* name : {"H100 SXM", "H200 SXM", "L40S", "A100 SXM 80GB", "B200"}) {
    const auto gpu = accelerator_named(hardware::catalogue::embedded(), name);
    if (!gpu) continue;
    const auto times = analytic_times(*gpu);
    for (const std::int64_t m : {1, 64, 512, 8192}) {
      const product p{m, 8192, 8192, *number_format_named("bf16")};
      const auto d = demand_of(p);
      const double light =
          std::max(d.flop / gpu->peak_flop_per_s("bf16"), d.bytes / gpu->bandwidth_bytes_per_s);
      EXPECT_GT(times->of(p).seconds(), light) << name;
      EXPECT_LT(times->of(p).seconds(), 4 * light + 50e-6) << name;
    }
  }
}

TEST(embedded_efficiencies, state_source_date_rows_and_errors) {
  const auto& all = embedded_efficiencies().entries;
  ASSERT_FALSE(all.empty());
  for (const auto& e : all) {
    EXPECT_FALSE(e.source.empty());
    EXPECT_EQ(e.date.size(), 10U);
    EXPECT_GT(e.rows, 10);
    EXPECT_GT(e.p90_error, e.median_error);
    EXPECT_LE(e.curve.flop_share, 1);
    EXPECT_LE(e.curve.bandwidth_share, 1);
  }
}

TEST(parse_efficiencies, names_the_member_that_is_wrong) {
  const std::string head =
      R"({"schema": "ridge.plan.efficiency/1", "entries": [{"gpu": "G", "generation": "g", "source": "s", "date": "d", )";
  EXPECT_THAT(
      parse_efficiencies(head + R"("kernel": "product", "flop_share": "much"}]})", "e.json").why().message,
      HasSubstr("e.json: /entries/0/flop_share: \"much\" is not a number"));
  EXPECT_THAT(parse_efficiencies(head + R"("floor_s": 1}]})", "e.json").why().message,
              HasSubstr("/entries/0/kernel: is missing"));
  EXPECT_THAT(parse_efficiencies(R"({"schema": "ridge.plan.efficiency/1"})", "e.json").why().message,
              HasSubstr("/entries"));
}

TEST(efficiencies_json, survives_being_written_and_read) {
  const auto& all = embedded_efficiencies();
  const auto back = parse_efficiencies(efficiencies_json(all), "back");
  ASSERT_TRUE(back.ok()) << back.why().text();
  ASSERT_EQ(back->entries.size(), all.entries.size());
  EXPECT_EQ(back->entries.back().curve.half_rows, all.entries.back().curve.half_rows);
}

TEST(embedded_engines, are_the_three_that_were_measured) {
  for (const auto* name : {"vllm", "sglang", "trtllm"}) {
    const auto e = engine_named(name);
    ASSERT_TRUE(e.ok());
    EXPECT_GT(e->rows, 50);
    EXPECT_FALSE(e->source.empty());
    EXPECT_LE(e->overheads.step_s, 10e-3);
  }
  EXPECT_THAT(engine_named("llama.cpp").why().remedy, HasSubstr("vllm"));
}

TEST(distinct_experts, grow_from_top_k_to_all) {
  EXPECT_NEAR(distinct_experts(1, 128, 8, 1), 8, 1e-9);
  EXPECT_NEAR(distinct_experts(16, 128, 8, 1), 128 * (1 - std::pow(1 - 8.0 / 128, 16)), 1e-9);
  EXPECT_NEAR(distinct_experts(1e6, 128, 8, 1), 128, 1e-6);
  EXPECT_EQ(distinct_experts(0, 128, 8, 1), 0);
  EXPECT_NEAR(distinct_experts(1, 128, 8, 20), 8, 0.1);
  EXPECT_LT(distinct_experts(16, 128, 8, 20), distinct_experts(16, 128, 8, 1));
}

TEST(demand, counts_flop_and_bytes_by_hand) {
  const auto bf16 = *number_format_named("bf16");
  const auto p = demand_of(product{2, 3, 5, bf16});
  EXPECT_EQ(p.flop, 60);
  EXPECT_EQ(p.bytes, 2 * (2 * 5 + 3 * 5 + 2 * 3));
  const head_shape h{8, 2, 64, 64, 2};
  const auto d = demand_of(decode_attention{h, 4, 1000});
  EXPECT_EQ(d.flop, 4.0 * 8 * 64 * 1000);
  EXPECT_EQ(d.bytes, 1000.0 * 2 * 128 * 2 + 2.0 * 4 * 8 * 128);
  // Verifying three additional tokens still reads the cache once.
  const auto verified = demand_of(decode_attention{h, 4, 1000, 4});
  EXPECT_EQ(verified.flop, 4 * d.flop);
  EXPECT_LT(verified.bytes, 1.1 * d.bytes);
  const auto a = demand_of(prefill_attention{h, 1, 100, 5050});
  EXPECT_EQ(a.flop, 4.0 * 8 * 64 * 5050);
  const latent_shape s{16, 512, 64, 128, 128, 2};
  EXPECT_EQ(demand_of(latent_decode{s, 1, 1000}).flop, 2.0 * 16 * (576 + 512) * 1000);
  EXPECT_EQ(demand_of(latent_decode{s, 1, 1000}).bytes, 1000.0 * 576 * 2 + 2.0 * 16 * (576 + 512));
}

TEST(simplex_search, finds_the_valley_of_rosenbrock) {
  const auto valley = [](const std::vector<double>& x) {
    return std::pow(1 - x[0], 2) + 100 * std::pow(x[1] - x[0] * x[0], 2);
  };
  const auto found = simplex_search(valley, {-1.2, 1}, {0.5, 0.5}, 2000);
  EXPECT_NEAR(found.point[0], 1, 1e-3);
  EXPECT_NEAR(found.point[1], 1, 1e-3);
  EXPECT_LE(found.evaluations, 2010);
  EXPECT_LE(simplex_search(valley, {-1.2, 1}, {0.5, 0.5}, 20).evaluations, 25);
}

}  // namespace
}  // namespace ridge::plan::kernels
