// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/nvml.hpp>

#include <gtest/gtest.h>

#include "simulated_nvml.hpp"

namespace ridge::gpu {
namespace {

TEST(nvml, a_machine_without_the_library_is_told_what_to_install) {
  const auto loaded = load_nvml("libridge-no-such-nvml.so.1");
  ASSERT_FALSE(loaded.ok());
  EXPECT_NE(loaded.why().message.find("libridge-no-such-nvml.so.1"), std::string::npos)
      << loaded.why().message;
  EXPECT_NE(loaded.why().remedy.find("driver"), std::string::npos);
}

TEST(nvml, another_library_is_not_taken_for_it) {
  const auto loaded = load_nvml("libm.so.6");
  ASSERT_FALSE(loaded.ok());
  EXPECT_NE(loaded.why().message.find("nvmlInit_v2"), std::string::npos) << loaded.why().message;
}

TEST(nvml, a_second_look_is_the_same_answer) { EXPECT_EQ(&nvml(), &nvml()); }

TEST(nvml, a_refusal_names_the_call_its_reason_and_what_to_do) {
  const simulated_nvml simulated;
  auto functions = simulated.functions();
  const auto why = nvml_refusal(functions, "nvmlInit_v2", nvml_driver_not_loaded);
  EXPECT_EQ(why.message, "nvmlInit_v2 failed: Refused (code 9)");
  EXPECT_NE(why.remedy.find("modprobe"), std::string::npos);
  functions.error_string = nullptr;
  EXPECT_EQ(nvml_refusal(functions, "f", 999).message, "f failed: it refused (code 999)");
  functions.error_string = [](int) -> const char* { return nullptr; };
  EXPECT_EQ(nvml_refusal(functions, "f", 999).message, "f failed: it refused (code 999)");
}

TEST(nvml, its_version_is_told_or_why_not) {
  simulated_nvml simulated;
  EXPECT_EQ(*nvml_version(simulated.functions()), "13.580.65.06");
  simulated.refused["version"] = nvml_not_supported;
  const auto refused = nvml_version(simulated.functions());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.why().message, "nvmlSystemGetNVMLVersion failed: Not Supported (code 3)");
  EXPECT_FALSE(nvml_version({}).ok());
}

}  // namespace
}  // namespace ridge::gpu
