// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/gpu_driver.hpp>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace ridge::host {
namespace {

namespace fs = std::filesystem;

std::string version_in(const std::string& text) {
  const auto root = fs::temp_directory_path() / ("ridge_gpu_driver_" + std::to_string(getpid()));
  fs::create_directories(root / "proc/driver/nvidia");
  std::ofstream(root / "proc/driver/nvidia/version") << text;
  auto found = gpu_driver(root);
  fs::remove_all(root);
  return found;
}

TEST(gpu_driver, is_the_version_of_the_open_module_and_of_the_closed) {
  EXPECT_EQ(version_in("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build  "
                       "(dvs-builder@U22-I3)\nGCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n"),
            "580.65.06");
  EXPECT_EQ(
      version_in("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC\n"),
      "535.183.01");
}

TEST(gpu_driver, is_not_taken_from_the_compilers_line) {
  EXPECT_EQ(version_in("NVRM version: unknown\nGCC version:  gcc version 12.2.0\n"), "");
}

TEST(gpu_driver, is_nothing_without_the_driver) { EXPECT_EQ(gpu_driver("/nonexistent"), ""); }

}  // namespace
}  // namespace ridge::host
