// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ridge::cli {

struct outcome {
  int code = 0;
  std::string out{};
  std::string err{};
};

// A folder for one test, with the store and the cache of the programs it runs.
class scene {
 public:
  scene();
  ~scene();
  scene(const scene&) = delete;
  scene& operator=(const scene&) = delete;

  // Runs the program with these words, as a shell reads them; `before` may set variables or start a pipe.
  [[nodiscard]] outcome ridge(const std::string& words, const std::string& before = "") const;
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

[[nodiscard]] std::string contents(const std::filesystem::path& file);

}  // namespace ridge::cli
