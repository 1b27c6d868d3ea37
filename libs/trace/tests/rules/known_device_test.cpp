// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/known_device.hpp>

#include <gtest/gtest.h>

namespace ridge::trace {
namespace {

known_device device(const char* reported, int sms, double memory_bytes) {
  known_device d{.reported = {reported}, .memory_bytes = memory_bytes};
  d.peaks.name = reported;
  d.peaks.sms = sms;
  return d;
}

std::string named(const char* name, int sms = 0, std::int64_t memory_bytes = 0) {
  const std::vector all{
      device("NVIDIA H200", 132, 141e9),          device("NVIDIA H20", 78, 96e9),
      device("NVIDIA A100-SXM4-80GB", 108, 80e9), device("NVIDIA A100-SXM4-40GB", 108, 40e9),
      device("NVIDIA L40S", 142, 48e9),           device("NVIDIA L4", 58, 24e9),
      device("AMD Instinct MI300X", 304, 192e9)};
  device_facts facts{.name = name, .memory_bytes = memory_bytes, .sms = sms};
  const auto* found = recognised(all, facts);
  return found == nullptr ? "" : found->peaks.name;
}

TEST(known_device, is_recognised_whatever_its_maker_and_form_are_called) {
  EXPECT_EQ(named("NVIDIA H200", 132), "NVIDIA H200");
  EXPECT_EQ(named("AMD Instinct MI300X VF", 304), "AMD Instinct MI300X");
  EXPECT_EQ(named("MI300X"), "AMD Instinct MI300X");
  EXPECT_EQ(named("H200"), "NVIDIA H200");
}

TEST(known_device, is_chosen_by_memory_where_the_model_comes_in_several_sizes) {
  EXPECT_EQ(named("NVIDIA A100-PG509-200", 108, 42'000'000'000), "NVIDIA A100-SXM4-40GB");
  EXPECT_EQ(named("NVIDIA A100-PG509-200", 108, 85'000'000'000), "NVIDIA A100-SXM4-80GB");
  EXPECT_EQ(named("NVIDIA A100-SXM4-40GB"), "NVIDIA A100-SXM4-40GB");
}

TEST(known_device, is_not_taken_for_one_whose_name_begins_alike) {
  EXPECT_EQ(named("NVIDIA L40", 142), "");
  EXPECT_EQ(named("NVIDIA H20"), "NVIDIA H20");
  EXPECT_EQ(named("NVIDIA H100 80GB HBM3"), "");
  EXPECT_EQ(named("NVIDIA A100-SXM4-80GB MIG 1g.10gb", 14, 10'000'000'000), "");
}

}  // namespace
}  // namespace ridge::trace
