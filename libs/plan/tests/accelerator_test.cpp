// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/accelerator.hpp>

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/gpu_name.hpp>

namespace ridge::plan {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const hardware::catalogue& known() { return hardware::catalogue::embedded(); }

accelerator named(std::string_view name) {
  auto one = accelerator_named(known(), name);
  EXPECT_TRUE(one.ok()) << name << ": " << (one.ok() ? "" : one.why().text());
  return one.ok() ? *one : accelerator{};
}

std::string name_complaint(std::string_view name) {
  const auto one = accelerator_named(known(), name);
  return one.ok() ? "found " + one.value().name : one.why().text();
}

struct spelling {
  const char* asked;
  const char* meant;
};

class names_of_gpus : public ::testing::TestWithParam<spelling> {};

TEST_P(names_of_gpus, mean_one_gpu) { EXPECT_EQ(named(GetParam().asked).name, GetParam().meant); }

INSTANTIATE_TEST_SUITE_P(
    spellings, names_of_gpus,
    ::testing::Values(
        spelling{"H100", "H100 SXM"}, spelling{"h100 sxm", "H100 SXM"}, spelling{"h100_sxm", "H100 SXM"},
        spelling{"H100-SXM5-80GB", "H100 SXM"}, spelling{"h100sxm", "H100 SXM"},
        spelling{"NVIDIA H100 80GB HBM3", "H100 SXM"}, spelling{"NVIDIA H100 PCIe", "H100 PCIe"},
        spelling{"h100-pcie", "H100 PCIe"}, spelling{"A100", "A100 SXM 80 GB"},
        spelling{"a100-40gb", "A100 SXM 40 GB"}, spelling{"A100-80GB", "A100 SXM 80 GB"},
        spelling{"A100 80 GB PCIe", "A100 PCIe 80 GB"}, spelling{"NVIDIA A100-SXM4-80GB", "A100 SXM 80 GB"},
        spelling{"H200", "H200 SXM"}, spelling{"H200 141GB", "H200 SXM"}, spelling{"B200", "B200 SXM"},
        spelling{"GB200", "GB200"}, spelling{"gb300 nvl72", "GB300"}, spelling{"B300", "B300 SXM"},
        spelling{"GH200", "GH200 96 GB"}, spelling{"gh200 144gb", "GH200 144 GB"},
        spelling{"RTX4090", "RTX 4090"}, spelling{"NVIDIA GeForce RTX 4090", "RTX 4090"},
        spelling{"RTX Pro 6000", "RTX PRO 6000 Blackwell"}, spelling{"rtxpro6000", "RTX PRO 6000 Blackwell"},
        spelling{"l4", "L4"}, spelling{"L40S", "L40S"}, spelling{"Tesla T4", "T4"}, spelling{"A10G", "A10G"},
        spelling{"H20", "H20"}, spelling{"AMD Instinct MI300X", "MI300X"}, spelling{"mi355x", "MI355X"}));

TEST(accelerator, is_not_another_one_of_a_like_name) {
  EXPECT_THAT(name_complaint("H100 NVL"), AllOf(HasSubstr("\"H100 NVL\""), HasSubstr("H100 SXM, H100 PCIe")));
  EXPECT_THAT(name_complaint("A10"), Not(HasSubstr("found")));
  EXPECT_THAT(name_complaint("L40"), HasSubstr("L40S"));
  EXPECT_THAT(name_complaint("RTX"), Not(HasSubstr("found")));
  EXPECT_THAT(name_complaint("NVIDIA"), Not(HasSubstr("found")));
  EXPECT_THAT(name_complaint("80GB"), Not(HasSubstr("found")));
  EXPECT_THAT(name_complaint(""), HasSubstr("ridge plan gpus"));
  EXPECT_THAT(name_complaint("H100 MIG 1g.10gb"), Not(HasSubstr("found")));
}

TEST(accelerator, every_gpu_is_found_by_each_of_its_own_names) {
  for (const auto& g : known().data().gpus) {
    const auto by_name = gpu_called(known(), g.name);
    ASSERT_TRUE(by_name.ok()) << g.name;
    EXPECT_EQ((*by_name)->name, g.name);
    for (const auto& reported : g.reported) {
      const auto by_report = gpu_called(known(), reported);
      ASSERT_TRUE(by_report.ok()) << reported;
      EXPECT_EQ((*by_report)->name, g.name) << reported;
    }
  }
}

TEST(accelerator, peaks_are_dense) {
  EXPECT_NEAR(named("H100").peak_flop_per_s("bf16"), 989.43e12, 1e9);  // 1978.86e12 with sparsity
  EXPECT_NEAR(named("H100").peak_flop_per_s("fp8"), 1978.86e12, 1e9);
  EXPECT_NEAR(named("A100").peak_flop_per_s("fp16"), 312e12, 1e9);
  EXPECT_NEAR(named("B200").peak_flop_per_s("fp4"), 9e15, 1e9);
  for (const auto& g : known().data().gpus) {
    const auto made = accelerator_named(known(), g.name);
    if (!made) continue;
    for (const auto& p : g.peaks) {
      const bool with_sparsity = p.unit == hardware::unit::matrix && p.sparse_flop_per_s;
      EXPECT_TRUE(!with_sparsity || made.value().peak_flop_per_s(p.dtype) < *p.sparse_flop_per_s)
          << g.name << " " << p.dtype;
    }
  }
}

TEST(accelerator, a_type_its_units_lack_runs_in_the_next_wider) {
  const auto a100 = named("A100");
  EXPECT_EQ(a100.peak_flop_per_s("fp8"), a100.peak_flop_per_s("bf16"));  // and not at the rate of int8
  EXPECT_EQ(a100.peak_flop_per_s("fp4"), a100.peak_flop_per_s("bf16"));
  EXPECT_GT(a100.peak_flop_per_s("int8"), a100.peak_flop_per_s("bf16"));
  const auto h100 = named("H100");
  EXPECT_EQ(h100.peak_flop_per_s("fp4"), h100.peak_flop_per_s("fp8"));
  EXPECT_EQ(named("T4").peak_flop_per_s("bf16"), named("T4").peak_flop_per_s("fp16"));
  EXPECT_EQ(h100.peak_flop_per_s("base64"), 0);
}

TEST(accelerator, fp32_products_are_not_tf32) {
  EXPECT_LT(named("H100").peak_flop_per_s("fp32"), 0.2 * named("H100").peak_flop_per_s("tf32"));
  EXPECT_GT(named("H100").peak_flop_per_s("fp32"), 60e12);
}

TEST(accelerator, links_are_bytes_a_second_in_one_direction) {
  const auto h100 = named("H100");
  EXPECT_EQ(h100.scale_up_bytes_per_s, 450e9);  // 900 GB/s are both directions
  EXPECT_EQ(h100.host_bytes_per_s, 63e9);
  EXPECT_EQ(h100.scale_up_size, 8);
  EXPECT_EQ(named("GB200").scale_up_size, 72);
  EXPECT_EQ(named("GB300").scale_up_size, 72);
  EXPECT_EQ(named("B200").scale_up_size, 8);
  EXPECT_EQ(named("GH200").scale_up_size, 4);
  EXPECT_EQ(named("T4").host_bytes_per_s, 15.75e9);
  EXPECT_EQ(named("L40S").scale_up_size, 1);
  EXPECT_EQ(named("L40S").scale_up_bytes_per_s, 31e9);
  EXPECT_EQ(named("GH200").host_bytes_per_s, 450e9);
  EXPECT_EQ(named("MI300X").scale_up_bytes_per_s, 448e9);
}

TEST(accelerator, generations_are_known) {
  EXPECT_EQ(named("A100").generation, "ampere");
  EXPECT_EQ(named("A10G").generation, "ampere");
  EXPECT_EQ(named("L4").generation, "ada");
  EXPECT_EQ(named("RTX 4090").generation, "ada");
  EXPECT_EQ(named("H20").generation, "hopper");
  EXPECT_EQ(named("GH200").generation, "hopper");
  EXPECT_EQ(named("GB300").generation, "blackwell");
  EXPECT_EQ(named("RTX PRO 6000").generation, "blackwell");
  EXPECT_EQ(named("T4").generation, "turing");
  EXPECT_EQ(named("MI325X").generation, "cdna3");
  EXPECT_EQ(named("MI355X").generation, "cdna4");
}

TEST(accelerator, names_its_source_with_the_date) {
  EXPECT_EQ(named("H100").source, "H100 SXM: accelerators (2026-08-22)");
}

hardware::catalogue own(std::string_view gpu) {
  const std::string text = R"({"schema": "ridge.hardware/1", "sources": {"s": {"what": "w", "where": "x",
    "date": "2026-01-01"}}, "gpus": [)" +
                           std::string(gpu) + R"(], "cpus": [], "prices": []})";
  auto made = hardware::catalogue::parse(text, "own.json");
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.why().text());
  return std::move(made).value();
}

TEST(accelerator, a_vital_figure_that_is_missing_is_named) {
  const auto no_memory = own(R"({"name": "X100", "vendor": "nvidia", "reported": [],
    "bandwidth_bytes_per_s": {"value": 1e12, "source": "s"}, "peaks": [], "links": []})");
  const auto refused = accelerator_named(no_memory, "x100");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.why().text(), AllOf(HasSubstr("memory size of X100"), HasSubstr("--hardware")));
  const auto no_bandwidth = own(R"({"name": "X100", "vendor": "nvidia", "reported": [],
    "memory_bytes": {"value": 1e10, "source": "s"}, "peaks": [], "links": []})");
  EXPECT_THAT(accelerator_named(no_bandwidth, "X100").why().text(), HasSubstr("memory bandwidth of X100"));
}

TEST(accelerator, several_families_are_not_guessed_among) {
  const auto two =
      own(R"({"name": "X4090", "vendor": "nvidia", "reported": ["Y 7000"], "peaks": [], "links": []},
    {"name": "Z10", "vendor": "nvidia", "reported": ["Y 7000 Max"], "peaks": [], "links": []})");
  const auto refused = gpu_called(two, "7000 y");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.why().text(), AllOf(HasSubstr("X4090, Z10"), HasSubstr("several")));
}

TEST(accelerator, a_gpu_of_no_known_kind_still_plans) {
  const auto bare = own(R"({"name": "X100", "vendor": "other", "reported": [],
    "memory_bytes": {"value": 1e10, "source": "s"}, "bandwidth_bytes_per_s": {"value": 1e12, "source": "s"},
    "peaks": [], "links": []})");
  const auto one = accelerator_named(bare, "X100");
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(one.value().generation, "");
  EXPECT_EQ(one.value().power_w, 0);
  EXPECT_EQ(one.value().scale_up_bytes_per_s, 0);
  EXPECT_EQ(one.value().scale_up_size, 1);
  EXPECT_EQ(one.value().peak_flop_per_s("bf16"), 0);
}

}  // namespace
}  // namespace ridge::plan
