// SPDX-License-Identifier: Apache-2.0
#include "session/judge_opponent.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tiny_catalogue.hpp"

namespace ridge::app {
namespace {

using model::backend;
using testing::HasSubstr;

ladder<tests::workload> on_gpu() {
  const auto nothing = [](tests::workload&, call&) {};
  return {{.name = "slow", .is = role::baseline, .run = nothing}, {.name = "tiled", .run = nothing}};
}

// An experiment of which "slow" is on both backends, "fast" on the CPU and "tiled" on the GPU alone.
opponent against_both(const std::string& variant = {}) {
  return {.entry = experiment_of<tests::workload>{
              .id = "ch01.copy",
              .title = "Title",
              .question = "Which?",
              .axes = {values("n", {8})},
              .make = [](const problem& p, memory& m) { return tests::workload{m.out<float>(p.count("n"))}; },
              .work = [](const problem&) { return work{}; },
              .oracle = [](tests::workload&) {},
              .cpu = tests::two_variants,
              .cuda = on_gpu,
          },
          .variant = variant};
}

// A file that holds names as the symbol table of a shared object does.
class object_with final {
 public:
  explicit object_with(std::string_view names)
      : path_(std::filesystem::path(testing::TempDir()) /
              ("ridge_object_" + std::to_string(::getpid()) + ".so")) {
    std::ofstream(path_, std::ios::binary) << names;
  }
  ~object_with() { std::filesystem::remove(path_); }
  object_with(const object_with&) = delete;
  object_with& operator=(const object_with&) = delete;
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

using namespace std::string_view_literals;

TEST(judge_opponent, is_on_the_backend_that_a_source_is_for) {
  EXPECT_EQ(backend_for("mine.cu", against_both(), "").value(), backend::cuda);
  EXPECT_EQ(backend_for("mine.cpp", against_both(), "").value(), backend::cpu);
  EXPECT_EQ(backend_for("mine.cpp", against_both(), "cuda").value(), backend::cuda);
  const auto refused = backend_for("mine.cu", against_both(), "cpu");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.why().text(), HasSubstr("compiled for a GPU"));
}

TEST(judge_opponent, is_on_the_backend_that_an_object_has_a_function_for) {
  const object_with cpu("\0ridge_candidate\0"sv);
  EXPECT_EQ(backend_for(cpu.path(), against_both(), "").value(), backend::cpu);
  EXPECT_EQ(backend_for(cpu.path(), against_both(), "cuda").value(), backend::cuda);
}

TEST(judge_opponent, of_an_object_for_a_gpu_is_there) {
  const object_with gpu("\0ridge_cuda_candidate\0ridge_candidate_setup\0"sv);
  EXPECT_EQ(backend_for(gpu.path(), against_both(), "").value(), backend::cuda);
}

TEST(judge_opponent, of_an_object_for_both_is_where_its_variant_is) {
  const object_with both("\0ridge_cuda_candidate\0ridge_candidate\0"sv);
  EXPECT_EQ(backend_for(both.path(), against_both(), "").value(), backend::cpu);
  EXPECT_EQ(backend_for(both.path(), against_both("slow"), "").value(), backend::cpu);
  EXPECT_EQ(backend_for(both.path(), against_both("tiled"), "").value(), backend::cuda);
}

TEST(judge_opponent, of_a_variant_is_where_both_are) {
  EXPECT_EQ(backend_for("ch1.copy:fast", against_both(), "").value(), backend::cpu);
  EXPECT_EQ(backend_for("ch01.copy:tiled", against_both(), "").value(), backend::cuda);
  EXPECT_EQ(backend_for("ch01.copy:slow", against_both("tiled"), "").value(), backend::cuda);
  EXPECT_EQ(own_variant_of("ch1.copy:fast", against_both().entry), "fast");
  EXPECT_EQ(own_variant_of("fast.so", against_both().entry), "");
}

TEST(judge_opponent, of_a_file_that_cannot_be_read_is_an_error) {
  EXPECT_FALSE(backend_for("/nowhere.so", against_both(), ""));
}

}  // namespace
}  // namespace ridge::app
