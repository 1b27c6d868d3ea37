// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace ridge::backends::store_sqlite {

// A new folder for each test, removed after it.
class in_a_folder : public testing::Test {
 public:
  ~in_a_folder() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

 protected:
  in_a_folder() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  [[nodiscard]] std::string file(const std::string& name = "ridge.db") const { return folder_ / name; }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  const std::filesystem::path folder_ = std::filesystem::temp_directory_path() /
                                        ("ridge_sqlite_" + std::to_string(getpid()) + "_" +
                                         testing::UnitTest::GetInstance()->current_test_info()->name());
};

}  // namespace ridge::backends::store_sqlite
