// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include <ridge/harness/plan.hpp>
#include <ridge/model/run.hpp>

namespace ridge::app {

// Keeps how long each problem took on this machine, with all that a run does for it, in a file of the
// user's cache: by experiment, backend, problem, number of variants and budget of each. A file that cannot be
// read or written is none.
class duration_cache final {
 public:
  // Keeps the file in this folder.
  explicit duration_cache(const std::filesystem::path& folder);
  // The seconds that the family took when it was last measured with such options; nothing where that is not
  // known, and under a budget for the whole run, which decides by itself.
  [[nodiscard]] std::optional<double> find(const harness::planned_family& family,
                                           const harness::run_options& options);
  // Notes the seconds that it took; a family without results is passed over.
  void keep(const model::family& measured, const harness::run_options& options, double seconds);

 private:
  [[nodiscard]] std::map<std::string, double>& all();
  std::filesystem::path file_;
  std::optional<std::map<std::string, double>> read_{};
};

}  // namespace ridge::app
