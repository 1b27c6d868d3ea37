// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include <ridge/app/app.hpp>
#include <ridge/app_results/commands.hpp>
#include <ridge/base/text.hpp>

namespace ridge::app_results {

// What the program says to a command line.
struct command_run {
  int code = 0;
  std::string out{}, err{};
};

// Runs a command line in this process, by the same parser and commands as the program. Words are divided by
// single spaces.
inline command_run run_line(const std::string& line) {
  std::vector<std::string> words{"ridge"};
  for (const auto word : split(line, ' ')) words.emplace_back(word);
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  command_run made;
  made.code = app::main(static_cast<int>(pointers.size()), pointers.data(), {},
                        {app::linked_group("results", commands)});
  made.out = testing::internal::GetCapturedStdout();
  made.err = testing::internal::GetCapturedStderr();
  return made;
}

// A store in a folder of its own, which holds one of the reference runs of /results.
class imported_store {
 public:
  imported_store() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    const auto seen = run_line("import " RIDGE_RESULTS "/intel-xeon-x16-nvidia-h100-80gb/2026-11-27-1.json" +
                               std::string(" --store ") + path());
    EXPECT_EQ(seen.code, 0) << seen.err;
  }
  ~imported_store() { std::filesystem::remove_all(folder_); }
  imported_store(const imported_store&) = delete;
  imported_store& operator=(const imported_store&) = delete;

  [[nodiscard]] std::string path() const { return (folder_ / "ridge.db").string(); }
  [[nodiscard]] std::filesystem::path folder() const { return folder_; }
  // Runs a command on this store.
  [[nodiscard]] command_run run(const std::string& line) const {
    return run_line(line + " --store " + path());
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("ridge_app_results_" + std::to_string(::getpid()));
};

}  // namespace ridge::app_results
