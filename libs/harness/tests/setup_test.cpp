// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/setup.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <span>

#include <ridge/harness/memory.hpp>

#include "host_device.hpp"

namespace ridge::harness {
namespace {

std::uintptr_t offset_in_page(std::span<const float> array) {
  return reinterpret_cast<std::uintptr_t>(array.data()) % 4096;
}

TEST(setup, workspaces_of_all_variants_begin_at_the_same_offsets_and_at_others_than_the_arrays) {
  const auto device = host_device_for_tests();
  memory arrays(*device, device::guard::red_zones, device::placement::ordinary, "");
  const std::span<const float> source = arrays.in<float>(4096, normal{}), target = arrays.out<float>(4096);
  setup first({.device = *device}), second({.device = *device});
  const auto small = first.workspace<float>(10), large = first.workspace<float>(4096);
  const auto other_small = second.workspace<float>(20), other_large = second.workspace<float>(8192);
  EXPECT_EQ(offset_in_page(small), offset_in_page(other_small));
  EXPECT_EQ(offset_in_page(large), offset_in_page(other_large));
  EXPECT_NE(offset_in_page(small), offset_in_page(large));
  for (const auto array : {source, target}) {
    EXPECT_NE(offset_in_page(array), offset_in_page(small));
    EXPECT_NE(offset_in_page(array), offset_in_page(large));
  }
}

TEST(setup, workspaces_begin_where_the_resources_say_one_behind_the_other) {
  const auto device = host_device_for_tests();
  constexpr std::uintptr_t wished = std::uintptr_t{1} << 44, near = std::uintptr_t{1} << 20;
  setup placed({.device = *device, .address = wished});
  const auto begin = reinterpret_cast<std::uintptr_t>(placed.workspace<float>(4096).data());
  const auto behind = reinterpret_cast<std::uintptr_t>(placed.workspace<float>(4096).data());
  if (begin < wished || begin > wished + near) GTEST_SKIP() << "the system gave another address";
  EXPECT_GE(behind, begin + 4096 * sizeof(float));
  EXPECT_LT(behind, begin + near);
}

}  // namespace
}  // namespace ridge::harness
