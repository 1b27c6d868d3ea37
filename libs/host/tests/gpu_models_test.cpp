// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/gpu_models.hpp>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace ridge::host {
namespace {

namespace fs = std::filesystem;

TEST(gpu_models, are_the_drivers_names_in_the_order_of_the_bus) {
  const auto root = fs::temp_directory_path() / ("ridge_gpu_models_" + std::to_string(getpid()));
  const auto add = [&](const std::string& bus, const std::string& text) {
    const auto folder = root / "proc/driver/nvidia/gpus" / bus;
    fs::create_directories(folder);
    std::ofstream(folder / "information") << text;
  };
  add("0000:81:00.0", "Model: \t\t NVIDIA A100-SXM4-80GB\nIRQ:   \t\t 16\n");
  add("0000:0a:00.0", "Model: \t\t NVIDIA H200\nIRQ:   \t\t 17\n");
  EXPECT_EQ(gpu_models(root), (std::vector<std::string>{"NVIDIA H200", "NVIDIA A100-SXM4-80GB"}));
  fs::remove_all(root);
}

TEST(gpu_models, are_none_without_the_driver) { EXPECT_TRUE(gpu_models("/nonexistent").empty()); }

}  // namespace
}  // namespace ridge::host
