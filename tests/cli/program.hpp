// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace ridge::cli {

// Words of a run that measures one variant of one small problem besides its baseline; the budget suffices on
// a busy machine, too.
constexpr const char* quick =
    "run ch01.coalescing --axis stride=2 --axis elements=2^12 --variant contiguous --budget 30s ";

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

// Whether a process runs; one that has ended and waits to be noticed does not.
[[nodiscard]] bool runs(pid_t id);

[[nodiscard]] std::string contents(const std::filesystem::path& file);

}  // namespace ridge::cli
