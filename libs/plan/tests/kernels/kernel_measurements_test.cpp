// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kernels/kernel_measurements.hpp>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/hardware/hardware_catalogue.hpp>

namespace ridge::plan::kernels {
namespace {

using testing::HasSubstr;
using distance = efficiency_catalogue::match::distance;

accelerator h100() { return *accelerator_named(hardware::catalogue::embedded(), "H100 SXM"); }

// A machine whose products and decode attention follow curves that no shipped entry has.
efficiency_catalogue known_curves() {
  efficiency_catalogue c;
  c.entries = {
      {.gpu = "H100 SXM",
       .generation = "hopper",
       .kernel = "product",
       .format = "bf16",
       .curve = {5e-6, 0.62, 0.51, 90, 0.001, 0.001}},
      {.gpu = "H100 SXM", .generation = "hopper", .kernel = "elementwise", .curve = {4e-6, 0.71, 1}}};
  return c;
}

kernel_measurements measured(const std::vector<std::string>& kernels, std::size_t most) {
  kernel_measurements m;
  m.gpu = "H100 SXM", m.generation = "hopper", m.device = "simulated", m.date = "2026-11-27";
  const auto curves = known_curves();
  const auto times = analytic_times(h100(), curves);
  std::map<std::string, std::size_t> rows;
  for (const auto& call : calls_to_measure({.memory_bytes = 4e9})) {
    if (std::ranges::find(kernels, call.kernel) == kernels.end() || ++rows[call.kernel] > most) continue;
    measured_call row{.call = call, .seconds = 1, .implementation = "a simulation"};
    row.seconds = prediction_of(row)->predict(*times);
    m.rows.push_back(row);
  }
  return m;
}

TEST(kernel_measurements, of_a_known_curve_give_it_back) {
  auto m = measured({"product", "elementwise"}, 60);
  ASSERT_TRUE(fit_curves(m, h100()).ok());
  ASSERT_EQ(m.curves.size(), 2U);
  for (const auto& e : m.curves) {
    EXPECT_LT(e.p90_error, 0.03) << e.kernel;
    EXPECT_THAT(e.source, HasSubstr("measured here"));
  }
  const auto& product = m.curves.back().curve;
  EXPECT_NEAR(product.floor_s, 5e-6, 5e-7);
  EXPECT_NEAR(product.bandwidth_share, 0.62, 0.03);
  EXPECT_NEAR(product.flop_share, 0.51, 0.03);
  EXPECT_GT(error_on_rows(m, h100(), m.curves.back(), embedded_efficiencies()).median, 0.05);
}

TEST(kernel_measurements, take_the_place_of_the_same_kernel_and_format_alone) {
  auto m = measured({"product"}, 60);
  ASSERT_TRUE(fit_curves(m, h100()).ok());
  const auto all = with_measured(embedded_efficiencies(), m);
  EXPECT_EQ(all.entries.size(), embedded_efficiencies().entries.size());
  EXPECT_TRUE(all.find(h100(), "product", "bf16").entry->measured_here);
  EXPECT_FALSE(all.find(h100(), "product", "fp8").entry->measured_here);
  EXPECT_FALSE(all.find(h100(), "experts", "bf16").entry->measured_here);
}

TEST(kernel_measurements, are_read_as_they_were_written) {
  auto m = measured({"elementwise", "decode_attention"}, 20);
  ASSERT_TRUE(fit_curves(m, h100()).ok());
  m.refused = {{"experts", "fp8", "no library has it"}};
  const auto again = parse_measurements(measurements_json(m), "test");
  ASSERT_TRUE(again.ok()) << again.why().text();
  EXPECT_EQ(measurements_json(*again), measurements_json(m));
  EXPECT_TRUE(again->has(m.rows.back().call));
  const auto bad = parse_measurements(
      R"({"schema":"ridge.plan.kernels/1","gpu":"A","device":"B","date":"C","rows":[{"kernel":"product","sizes":{"m":-1}}]})",
      "kernels.json");
  ASSERT_FALSE(bad.ok());
  EXPECT_THAT(bad.why().message, HasSubstr("kernels.json: /rows/0/sizes/m"));
}

// The rows that judged the fit, and no others, are kept; docs/design/plan/figures.md has the same table.
TEST(kernel_measurements, that_are_kept_of_an_h100_have_the_errors_of_the_figures) {
  const std::filesystem::path sources = std::getenv("RIDGE_SOURCE_DIR");
  const auto m =
      load_measurements(sources / "results/intel-xeon-x16-nvidia-h100/plan-kernels/2026-11-26.json");
  ASSERT_TRUE(m.ok()) << m.why().text();
  const std::map<std::string, std::array<double, 4>> percent{
      {"decode_attention bf16", {5.51, 27.5, 28.1, 138.4}},
      {"elementwise ", {1.44, 52.8, 14.0, 76.6}},
      {"experts bf16", {7.46, 26.4, 14.4, 38.8}},
      {"product bf16", {5.27, 16.9, 4.96, 16.6}},
      {"product fp8", {6.96, 20.0, 50.0, 121.2}}};
  const efficiency_catalogue measured{.entries = m->curves};
  ASSERT_EQ(m->curves.size(), percent.size());
  const auto used = with_measured(embedded_efficiencies(), *m);
  EXPECT_TRUE(used.find(h100(), "product", "bf16").entry->measured_here);
  EXPECT_FALSE(
      used.find(h100(), "product", "fp8").entry->measured_here);  // without their inputs' quantization
  for (const auto& e : m->curves) {
    const auto& printed = percent.at(e.kernel + " " + e.format);
    const auto here = error_on_rows(*m, h100(), e, measured);
    const auto shipped = error_on_rows(*m, h100(), e, embedded_efficiencies());
    EXPECT_NEAR(100 * here.median, printed[0], 0.1) << e.kernel << e.format;
    EXPECT_NEAR(100 * here.p90, printed[1], 0.1) << e.kernel << e.format;
    EXPECT_NEAR(100 * shipped.median, printed[2], 0.1) << e.kernel << e.format;
    EXPECT_NEAR(100 * shipped.p90, printed[3], 0.1) << e.kernel << e.format;
  }
}

// 100 GFLOP/s and 20 GB/s, and 10 us for every kernel.
TEST(kernel_measurements, of_a_cpu_tell_its_limits_or_what_they_lack) {
  kernel_measurements m;
  m.gpu = m.device = "Made-up CPU", m.generation = cpu_generation, m.date = "2026-11-27";
  for (const auto& call : calls_to_measure({.gpu = false, .memory_bytes = 2.5e8})) {
    EXPECT_TRUE(call.kernel != "product" || call.format == "fp32");
    if (call.kernel == "product")
      m.rows.push_back(
          {call, 1e-5 + 2e-11 * static_cast<double>(call.size("m") * call.size("n") * call.size("k"))});
  }
  const auto unknown = measured_host(m, 1e10);
  ASSERT_FALSE(unknown.ok());
  EXPECT_THAT(unknown.why().message, HasSubstr("elementwise"));
  m.rows.push_back({{"elementwise", "", {{"bytes", 1 << 27}}}, 1e-5 + (1 << 27) / 20e9});
  m.rows.push_back({{"elementwise", "", {{"bytes", 1 << 14}}}, 1e-8});  // from a cache
  const auto host = measured_host(m, 1e10);
  ASSERT_TRUE(host.ok()) << host.why().text();
  EXPECT_NEAR(host->bandwidth_bytes_per_s, 20e9, 1e8);
  EXPECT_NEAR(host->peak_flop_per_s("bf16"), 100e9, 1e9);  // widened: the CPU has rows of fp32 alone
  const auto catalogue = hardware::catalogue::parse(hardware_json(*host, m), "written");
  ASSERT_TRUE(catalogue.ok()) << catalogue.why().text();
  const auto again = accelerator_named(*catalogue, "Made-up CPU");
  ASSERT_TRUE(again.ok()) << again.why().text();
  EXPECT_EQ(again->bandwidth_bytes_per_s, host->bandwidth_bytes_per_s);
  EXPECT_EQ(again->peak_flop_per_s("fp32"), host->peak_flop_per_s("fp32"));
}

TEST(kernel_measurements, of_any_beginning_hold_every_kernel_and_both_halves) {
  const auto calls = calls_to_measure({.fp8 = true, .gpus = 2, .memory_bytes = 4e9});
  std::map<std::string, std::set<bool>> halves;
  for (std::size_t i = 0; i < calls.size() / 5; ++i) halves[calls[i].kernel].insert(held_out(calls[i]));
  for (const auto* kernel : {"product", "decode_attention", "prefill_attention", "experts", "elementwise",
                             "all_reduce", "all_to_all"})
    EXPECT_EQ(halves[kernel].size(), 2U) << kernel;
}

}  // namespace
}  // namespace ridge::plan::kernels
