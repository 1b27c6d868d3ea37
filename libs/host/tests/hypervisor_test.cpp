// SPDX-License-Identifier: Apache-2.0
#include "system/hypervisor.hpp"

#include <string_view>

#include <gtest/gtest.h>

namespace ridge::host {
namespace {

TEST(hypervisor, signatures_become_names) {
  EXPECT_EQ(hypervisor_name({"KVMKVMKVM\0\0\0", 12}), "KVM");
  EXPECT_EQ(hypervisor_name("Microsoft Hv"), "Hyper-V");
  EXPECT_EQ(hypervisor_name({"New\0\0\0\0\0\0\0\0\0", 12}), "New");
  EXPECT_EQ(hypervisor_name({"\0\0\0\0\0\0\0\0\0\0\0\0", 12}), "unknown");
}

}  // namespace
}  // namespace ridge::host
