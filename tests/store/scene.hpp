// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ridge/store/store.hpp>

namespace ridge::backends::store_sqlite {
std::unique_ptr<ridge::store::store> make(const ridge::store::options& given);
}  // namespace ridge::backends::store_sqlite

namespace ridge::store::tests {

// A folder of its own for each test, and processes that write to a store in it.
class scene : public testing::Test {
 public:
  ~scene() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

 protected:
  scene() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }

  [[nodiscard]] std::string file() const { return folder_ / "ridge.db"; }
  [[nodiscard]] std::unique_ptr<store> open() const {
    return backends::store_sqlite::make({.location = file()});
  }

  // A family whose samples all are `mark`, so that a mixture would show.
  static model::family family_of(std::size_t samples, double mark = 1e-3) {
    model::family f{.experiment = "ch01.x"};
    f.measurements = {{.variant = "a"}, {.variant = "b"}};
    f.measurements[1].samples.push_back({.value = std::vector<double>(samples, mark)});
    f.comparisons.push_back({.reference = "a", .candidate = "b"});
    return f;
  }

  // Runs `work` in a child that then leaves without cleaning up; an exception is exit status 1.
  static pid_t in_a_child(const std::function<void()>& work) {
    const auto child = fork();
    if (child != 0) return child;
    try {
      work();
      _exit(0);
    } catch (const std::exception& e) {
      std::fprintf(stderr, "child: %s\n", e.what());
      _exit(1);
    }
  }
  static int status_of(pid_t child) {
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return status;
  }

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  const std::filesystem::path folder_ = std::filesystem::temp_directory_path() /
                                        ("ridge_survival_" + std::to_string(getpid()) + "_" +
                                         testing::UnitTest::GetInstance()->current_test_info()->name());
};

}  // namespace ridge::store::tests
