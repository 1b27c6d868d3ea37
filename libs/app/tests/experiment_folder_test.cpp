// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "catalogue/experiment_folder.hpp"

namespace ridge::app {
namespace {

namespace fs = std::filesystem;

class folder_of_its_own : public testing::Test {
 protected:
  fs::path root = fs::temp_directory_path() / ("ridge_new_" + std::to_string(getpid()));
  void SetUp() override { fs::create_directories(root / "experiments" / "ch07_memory_access"); }
  void TearDown() override { fs::remove_all(root); }
};

TEST(parse_experiment_name, takes_chapters_and_snake_case) {
  EXPECT_EQ(parse_experiment_name("ch7.my_copy")->id(), "ch07.my_copy");
  EXPECT_EQ(parse_experiment_name("ch20.x")->space(), "ch20_x");
  for (const auto* wrong :
       {"ch00.x", "ch21.x", "ch07", "ch07.", "ch07.My", "ch07.1x", "ch07.a-b", "x.y", "ch07.../x"})
    EXPECT_FALSE(parse_experiment_name(wrong)) << wrong;
}

TEST_F(folder_of_its_own, belongs_to_its_chapter_where_there_is_one) {
  const auto name = *parse_experiment_name("ch07.mine");
  EXPECT_EQ(folder_for(name, root), root / "experiments/ch07_memory_access/mine");
  EXPECT_EQ(folder_for(name, root / "experiments/ch07_memory_access"),
            root / "experiments/ch07_memory_access/mine");
  EXPECT_EQ(folder_for(*parse_experiment_name("ch08.mine"), root), root / "experiments/ch08.mine");
  EXPECT_EQ(folder_for(name, root / "elsewhere"), root / "elsewhere/ch07.mine");
}

TEST_F(folder_of_its_own, belongs_to_a_new_chapter_in_a_checkout) {
  fs::create_directories(root / "cmake");
  for (const auto* file : {"Makefile", "cmake/RidgePlugins.cmake", "experiments/CMakeLists.txt"})
    std::ofstream(root / file) << "# here\n";
  const auto name = *parse_experiment_name("ch05.mine");
  const auto folder = root / "experiments/ch05_storage_and_io/mine";
  EXPECT_EQ(folder_for(name, root), folder);
  EXPECT_EQ(folder_for(name, root / "experiments"), folder);
  EXPECT_EQ(folder_for(*parse_experiment_name("ch13.mine"), root),
            root / "experiments/ch13_training_profile_tune_scale/mine");
  EXPECT_FALSE(is_in_checkout(root / "experiments/ch05.mine"));
  ASSERT_TRUE(write_experiment(name, folder));
  EXPECT_TRUE(is_in_checkout(folder));
  const auto page = root / "experiments/ch05_storage_and_io/README.md";
  ASSERT_TRUE(fs::exists(page));
  const auto before = fs::last_write_time(page);
  ASSERT_EQ(write_experiment(*parse_experiment_name("ch05.other"),
                             folder_for(*parse_experiment_name("ch05.other"), root))
                ->size(),
            5u);
  EXPECT_EQ(fs::last_write_time(page), before);
}

TEST_F(folder_of_its_own, leaves_no_placeholder_and_overwrites_nothing) {
  const auto name = *parse_experiment_name("ch07.mine");
  const auto folder = folder_for(name, root);
  const auto written = write_experiment(name, folder);
  ASSERT_TRUE(written);
  EXPECT_EQ(written->size(), 5u);
  for (const auto& path : *written) {
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(text.find('@'), std::string::npos) << path;
    EXPECT_EQ(path.string().find(".in"), std::string::npos) << path;
  }
  EXPECT_FALSE(write_experiment(name, folder));
}

}  // namespace
}  // namespace ridge::app
