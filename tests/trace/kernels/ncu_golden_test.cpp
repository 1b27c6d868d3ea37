// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include <fixtures/backend_importers.hpp>
#include <fixtures/data.hpp>
#include <ridge/trace/importer.hpp>
#include <ridge/trace/kernel_verdict.hpp>

namespace ridge::trace {
namespace {

using json = nlohmann::json;

trace table_of(const std::string& name) {
  const auto path = fixtures::data_file("traces/ncu/olajide/ncu__" + name + ".csv");
  const auto text = fixtures::text_of(path);
  return std::move(backends::trace_ncu_csv::ncu_csv().read(*source_of(text), {.path = path}, {})).value();
}

std::string dims_text(const std::uint32_t (&d)[3]) {
  return "(" + std::to_string(d[0]) + ", " + std::to_string(d[1]) + ", " + std::to_string(d[2]) + ")";
}

json golden(const char* file) {
  return json::parse(fixtures::text_of(fixtures::data_file("traces/golden/" + std::string(file))));
}

// The device of these tables, as its makers and the tables' author state it: 48 SMs of 128 lanes at 2.625
// GHz, 192 bits at 14.001 GHz with two transfers a cycle.
device_peaks device() {
  device_peaks p{.name = "RTX 5070", .bytes_per_s = 672.048e9, .sms = 48, .clock_hz = 2.625e9};
  p.vector_flop_per_s[static_cast<std::size_t>(number_type::fp32)] = 32.256e12;
  return p;
}

// What each computes: 2048 x 2048 x 2048 products, and a multiply-add for each of 2^24 elements.
double flops_of(std::string_view kernel) {
  return kernel.starts_with("gemm") ? 2.0 * 2048 * 2048 * 2048 : kernel == "saxpy" ? 2.0 * (1 << 24) : 0;
}

constexpr auto kernels = {"gemm_naive", "gemm_tiled",      "gemm_register_blocked", "gemm_vectorized",
                          "saxpy",      "transpose_naive", "transpose_tiled"};

kernel_verdict verdict(const std::string& name, bool with_flops) {
  const auto t = table_of(name);
  const auto all = counters_of(t, device());
  verdict_context context{.peaks = device()};
  if (with_flops) context.flops = flops_of(name);
  return verdict_of(all.at(0), context);
}

bool shows(const kernel_verdict& v, kernel_symptom symptom) {
  return std::ranges::find(v.symptoms, symptom, &symptom::kind) != v.symptoms.end();
}

TEST(ncu_golden, every_metric_is_as_written) {
  if (fixtures::data_file("traces/golden/ncu_olajide_parsed.json").empty()) GTEST_SKIP() << fixtures::no_data;
  const auto file = golden("ncu_olajide_parsed.json");
  for (const auto& [key, expected] : file.items()) {
    const auto name = key.substr(5, key.find(".csv") - 5);
    const auto t = table_of(name);
    ASSERT_EQ(t.profiled_kernels.size(), 1U) << key;
    const auto& k = t.profiled_kernels[0];
    EXPECT_TRUE(t.names[k.name].starts_with(expected["kernel"].get<std::string>())) << key;
    EXPECT_EQ(dims_text(k.grid), expected["grid"].get<std::string>()) << key;
    EXPECT_EQ(dims_text(k.block), expected["block"].get<std::string>()) << key;
    EXPECT_EQ(t.kernel_metrics.size(), expected.size() - 3) << key;
    for (const auto& m : t.kernel_metrics) {
      const auto& want = expected.at(std::string(t.names[m.metric]));
      EXPECT_EQ(m.value, want[0].get<double>()) << key << ' ' << t.names[m.metric];
      EXPECT_EQ(t.names[m.unit], want[1].get<std::string>()) << key;
    }
    EXPECT_TRUE(t.quality.defects.empty()) << key;
  }
}

TEST(ncu_golden, derived_figures_are_equal) {
  if (fixtures::data_file("traces/golden/ncu_olajide_derived.json").empty())
    GTEST_SKIP() << fixtures::no_data;
  const auto file = golden("ncu_olajide_derived.json");
  for (const auto& [name, want] : file.items()) {
    const auto t = table_of(name);
    const auto c = counters_of(t, device()).at(0);
    const auto v = verdict(name, true);
    const auto near = [&](double value, const char* key, double step) {
      EXPECT_LE(std::abs(value - want[key].get<double>()), step / 2 + 1e-9) << name << ' ' << key;
    };
    near(*c.duration_s * 1e6, "time_us", 0.1);
    near(*c.dram_bytes_per_s() / 1e9, "dram_gbps", 0.1);
    near(*c.dram * 100, "dram_pct_peak", 0.1);
    near(flops_of(name) / *c.duration_s / 1e12, "tflops", 0.001);
    near(*v.figures.f * 100, "flops_pct_peak", 0.1);
    near(*c.sm * 100, "sm_throughput_pct", 0.01);
    near(*c.occupancy * 100, "occ_pct", 0.01);
    near(*c.load_sectors_per_request, "ld_sectors_per_req", 0.1);
    near(*c.store_sectors_per_request, "st_sectors_per_req", 0.1);
    near(*c.l2_hit * 100, "l2_hit", 0.01);
    near(*c.bank_conflicts, "smem_conflicts", 1);
  }
}

// 97 % SM throughput is not arithmetic: the naive product reaches 6 % of it. Sources: the figures above.
TEST(ncu_golden, verdicts_are_right) {
  if (fixtures::data_file("traces/ncu/olajide/ncu__saxpy.csv").empty()) GTEST_SKIP() << fixtures::no_data;
  const std::map<std::string, kernel_limit> truth{{"gemm_naive", kernel_limit::on_chip},
                                                  {"gemm_tiled", kernel_limit::on_chip},
                                                  {"gemm_register_blocked", kernel_limit::on_chip},
                                                  {"gemm_vectorized", kernel_limit::on_chip},
                                                  {"saxpy", kernel_limit::dram},
                                                  {"transpose_naive", kernel_limit::latency},
                                                  {"transpose_tiled", kernel_limit::latency}};
  for (const auto& [name, limit] : truth) {
    for (const auto with_flops : {false, true}) {
      const auto v = verdict(name, with_flops);
      EXPECT_EQ(v.limit, limit) << name << ": " << v.why;
      const auto proven = with_flops || limit != kernel_limit::on_chip;
      EXPECT_EQ(v.grade, proven ? evidence_grade::counters : evidence_grade::models) << name;
      EXPECT_EQ(v.at_ceiling, name == "saxpy") << name;
    }
  }
}

TEST(ncu_golden, symptoms_are_those_planted_and_no_others) {
  if (fixtures::data_file("traces/ncu/olajide/ncu__saxpy.csv").empty()) GTEST_SKIP() << fixtures::no_data;
  const auto conflicted = {"gemm_register_blocked", "gemm_vectorized"};
  for (const std::string name : kernels) {
    const auto v = verdict(name, true);
    EXPECT_EQ(shows(v, kernel_symptom::uncoalesced), name == "transpose_naive") << name;
    EXPECT_EQ(shows(v, kernel_symptom::bank_conflicts),
              std::ranges::find(conflicted, name) != conflicted.end())
        << name;
    EXPECT_EQ(shows(v, kernel_symptom::poor_l2_locality), name == "transpose_tiled") << name;
    EXPECT_FALSE(shows(v, kernel_symptom::above_peak)) << name;
    EXPECT_FALSE(shows(v, kernel_symptom::divergence)) << name;
  }
}

}  // namespace
}  // namespace ridge::trace
