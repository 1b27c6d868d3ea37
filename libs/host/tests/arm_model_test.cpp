// SPDX-License-Identifier: Apache-2.0
#include "cpu/arm_model.hpp"

#include <gtest/gtest.h>

#include "system/system_state.hpp"

namespace ridge::host {
namespace {

constexpr const char* grace =
    "processor\t: 0\nBogoMIPS\t: 2000.00\nFeatures\t: fp asimd sve\nCPU implementer\t: 0x41\n"
    "CPU architecture: 8\nCPU variant\t: 0x0\nCPU part\t: 0xd4f\nCPU revision\t: 0\n\nprocessor\t: 1\n";

TEST(arm_model, by_implementer_and_part) {
  EXPECT_EQ(arm_model(grace), "Arm Neoverse-V2");
  EXPECT_EQ(arm_model("CPU implementer : 0x99\nCPU part : 0x123"), "Arm implementer 0x99 part 0x123");
  EXPECT_EQ(arm_model("model name : Xeon"), "");
}

TEST(arm_model, names_the_processor_where_the_kernel_gives_no_name) {
  EXPECT_EQ(parse_cpuinfo(grace).model, "Arm Neoverse-V2");
}

}  // namespace
}  // namespace ridge::host
