// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ridge::profile {

// The variable that tells the collector inside a profiled process where its files belong.
inline constexpr const char* events_folder_variable = "RIDGE_PROFILE_EVENTS";

// The library that CUDA loads into every process that uses it, beside a program (`program_folder`: bin) or in
// the lib folder beside that; nullopt: this build has none.
[[nodiscard]] std::optional<std::filesystem::path> find_gpu_collector(
    const std::filesystem::path& program_folder);

// What a program's environment must hold for the collector to be loaded.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> collector_variables(
    const std::filesystem::path& library, const std::filesystem::path& events_folder);

// A folder for the collectors' files, gone with its owner. Each process writes two: events (one JSON event a
// line) and facts (one JSON object a line: "device", "cuda_driver_version", "cuda_runtime_version",
// "dropped", "failed").
class events_folder {
 public:
  events_folder();  // throws io_failure
  ~events_folder();
  events_folder(const events_folder&) = delete;
  events_folder& operator=(const events_folder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::vector<std::string> events() const { return named("events-"); }
  [[nodiscard]] std::vector<std::string> facts() const { return named("facts-"); }

 private:
  [[nodiscard]] std::vector<std::string> named(const std::string& beginning) const;
  std::filesystem::path path_{};
};

}  // namespace ridge::profile
