// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ridge/base/temporary_folder.hpp>

namespace ridge::profile {

// The environment variable that tells the collector inside a profiled process where to write its files.
inline constexpr const char* events_folder_variable = "RIDGE_PROFILE_EVENTS";

// Returns the path of the collector, the library that CUDA loads into every process that uses it: in the
// program's folder (bin) or in the lib folder beside it. nullopt where this build has none.
[[nodiscard]] std::optional<std::filesystem::path> find_gpu_collector(
    const std::filesystem::path& program_folder);

// Returns the environment variables that make CUDA load the collector.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> collector_variables(
    const std::filesystem::path& library, const std::filesystem::path& events_folder);

// A folder for the collectors' files, which is removed with its owner. Each process writes two files: events
// (one JSON event per line) and facts (one JSON object per line: "device", "cuda_driver_version",
// "cuda_runtime_version", "dropped", "failed").
class events_folder {
 public:
  events_folder();  // throws io_failure
  // Path of the folder.
  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }
  // Paths of all files of events, and of all files of facts.
  [[nodiscard]] std::vector<std::string> events() const { return named("events-"); }
  [[nodiscard]] std::vector<std::string> facts() const { return named("facts-"); }

 private:
  [[nodiscard]] std::vector<std::string> named(const std::string& beginning) const;
  scratch_folder folder_;
};

}  // namespace ridge::profile
