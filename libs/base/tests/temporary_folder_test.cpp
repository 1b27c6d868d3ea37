// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/temporary_folder.hpp>

#include <fstream>
#include <optional>

#include <gtest/gtest.h>

namespace ridge {
namespace {

namespace fs = std::filesystem;

TEST(scratch_folder, is_new_and_goes_with_what_is_in_it) {
  std::optional<scratch_folder> one(std::in_place, "ridge-test"), other(std::in_place, "ridge-test");
  const auto path = one->path();
  EXPECT_NE(path, other->path());
  EXPECT_EQ(path.parent_path(), temporary_folder());
  EXPECT_TRUE(path.filename().string().starts_with("ridge-test-"));
  fs::create_directories(path / "a" / "b");
  std::ofstream(path / "a" / "file") << "text";
  one.reset();
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(fs::is_directory(other->path()));
}

TEST(scratch_folder, that_was_moved_is_removed_once) {
  scratch_folder first("ridge-test");
  const auto path = first.path();
  {
    scratch_folder second(std::move(first));
    EXPECT_EQ(second.path(), path);
    EXPECT_TRUE(fs::is_directory(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace ridge
