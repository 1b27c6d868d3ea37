// SPDX-License-Identifier: Apache-2.0
#include "session/edge_cache.hpp"

#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/base/read_file.hpp>

#include "tiny_catalogue.hpp"

namespace ridge::app {
namespace {

namespace fs = std::filesystem;

class edge_caches : public testing::Test {
 protected:
  fs::path root = fs::temp_directory_path() / ("ridge_edges_" + std::to_string(getpid()));
  void SetUp() override { fs::create_directories(root); }
  void TearDown() override { fs::remove_all(root); }
  // The files of the folder.
  [[nodiscard]] std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    for (const auto& one : fs::directory_iterator(root)) all.push_back(one.path());
    return all;
  }
};

const experiment copied = tests::named("ch01.copy");
const variant_facts& slow() { return copied->variants.at(0); }
const variant_facts& fast() { return copied->variants.at(1); }

TEST_F(edge_caches, a_finding_is_found_by_a_later_process_of_the_same_build) {
  edge_cache first(root);
  EXPECT_FALSE(first.find(copied, slow()));
  first.keep(copied, slow(), {.sizes = 4});
  first.keep(copied, fast(),
             {.sizes = 3,
              .refused = "at the edge size n=17:\nelement 16\tis 0",
              .failure = model::failure_kind::crashed,
              .signal = "SIGSEGV"});
  edge_cache later(root);
  ASSERT_TRUE(later.find(copied, slow()));
  EXPECT_EQ(later.find(copied, slow())->sizes, 4u);
  EXPECT_EQ(later.find(copied, slow())->refused, "");
  const auto wrong = later.find(copied, fast());
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->refused, "at the edge size n=17: element 16 is 0") << "on one line";
  EXPECT_EQ(wrong->failure, model::failure_kind::crashed);
  EXPECT_EQ(wrong->signal, "SIGSEGV");
  EXPECT_FALSE(later.find(tests::named("ch07.copy"), slow())) << "of another experiment";
}

TEST_F(edge_caches, other_bytes_of_the_object_have_another_file) {
  const auto object = root / "experiments.so";
  const auto file_of = [&](const std::string& bytes) {
    std::ofstream(object, std::ios::binary) << bytes;
    return edge_file_name(object);
  };
  const auto one = file_of("one build");
  EXPECT_EQ(file_of("one build"), one);
  EXPECT_NE(file_of("One build"), one) << "so it is tried again";
  EXPECT_NE(file_of("one build "), one);
}

TEST_F(edge_caches, what_another_build_has_found_is_not_believed) {
  edge_cache(root).keep(copied, slow(), {.sizes = 4});
  ASSERT_EQ(files().size(), 1u);
  const auto own = files().front();
  EXPECT_EQ(own.filename(), edge_file_name("/proc/self/exe"));
  auto of_another_build = own.string();
  of_another_build.back() = of_another_build.back() == '0' ? '1' : '0';
  fs::rename(own, of_another_build);
  EXPECT_FALSE(edge_cache(root).find(copied, slow()));
}

TEST_F(edge_caches, damaged_lines_are_passed_over) {
  edge_cache(root).keep(copied, slow(), {.sizes = 4});
  ASSERT_EQ(files().size(), 1u);
  const auto whole = read_file(files().front()).value();
  {
    std::ofstream file(files().front());
    file << "ch01.copy\tcpu\tfast\t4\n"               // cut off
         << "ch01.copy\tcpu\tfast\tfour\tnone\t\t\n"  // no number
         << "ch01.copy\tcpu\tfast\t4\tno_word\t\t\n"  // no kind of failure
         << std::string("\0\xff\n", 3) << '\n'
         << whole << whole.substr(0, whole.size() / 2);
  }
  edge_cache later(root);
  EXPECT_FALSE(later.find(copied, fast()));
  ASSERT_TRUE(later.find(copied, slow()));
  EXPECT_EQ(later.find(copied, slow())->sizes, 4u);
}

TEST_F(edge_caches, a_folder_that_cannot_be_used_costs_the_findings_alone) {
  edge_cache nowhere(root / "missing");
  nowhere.keep(copied, slow(), {.sizes = 4});
  EXPECT_EQ(nowhere.find(copied, slow())->sizes, 4u) << "this process knows it";
  EXPECT_FALSE(edge_cache(root / "missing").find(copied, slow()));
}

}  // namespace
}  // namespace ridge::app
