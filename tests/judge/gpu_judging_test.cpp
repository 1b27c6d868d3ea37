// SPDX-License-Identifier: Apache-2.0
// Judging on a GPU, with one that is simulated in host memory: everything but the driver.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <ridge/judge/compile.hpp>

#include "judged.hpp"
#include "simulated_gpu.hpp"

namespace ridge::judge {
namespace {

using testing::HasSubstr;

harness::instruments instruments_with_gpu() {
  static const auto gpu = open_simulated_gpu();
  auto made = instruments_of_tests();
  made.host = made.device;
  made.device = gpu.get();
  return made;
}

judge_options on_gpu(double budget_s = 0.25) {
  return {.budget_s = budget_s, .seed = 20261123, .backend = model::backend::cuda};
}

judgement judged_on_gpu(const contender& candidate, const judge_options& options = on_gpu()) {
  auto made = judge(candidate, chain::make(), judged_size(), "passes", instruments_with_gpu(), options);
  return std::move(made.value());
}

TEST(gpu_judging, a_faster_candidate_is_better_and_every_check_holds) {
  const auto made = judged_on_gpu(candidate_named("gpu_fused"), on_gpu(1));
  ASSERT_EQ(made.refused, "");
  EXPECT_EQ(made.verdict, model::verdict::better);
  for (const auto& one : made.checks)
    EXPECT_NE(one.result, model::outcome::fail) << one.id << ": " << one.evidence;
  EXPECT_EQ(outcome_of_check(made, "idle_gpu"), model::outcome::pass);
  EXPECT_EQ(outcome_of_check(made, "timed_results"), model::outcome::pass);
}

TEST(gpu_judging, the_baselines_own_body_is_no_gain) {
  for (const contender& same : {contender(own_variant{"again"}), candidate_named("gpu_same")}) {
    const auto made = judged_on_gpu(same);
    EXPECT_EQ(made.refused, "");
    EXPECT_NE(made.verdict, model::verdict::better);
  }
}

TEST(gpu_judging, arrays_changed_in_place_are_restored_for_every_call) {
  auto made = judge(own_variant{"doubling"}, chain::make_in_place(), judged_size(), "doubling",
                    instruments_with_gpu(), on_gpu());
  ASSERT_TRUE(made) << made.why().text();
  EXPECT_EQ(made->refused, "");
}

struct gpu_refusal {
  const char* candidate;
  const char* reason;  // a part of it
};
class gpu_refusals : public testing::TestWithParam<gpu_refusal> {};

TEST_P(gpu_refusals, end_the_judgement_with_their_reason) {
  const auto made = judged_on_gpu(candidate_named(GetParam().candidate));
  EXPECT_THAT(made.refused, HasSubstr(GetParam().reason));
  EXPECT_EQ(made.verdict, model::verdict::invalid);
  EXPECT_FALSE(made.sandbox.empty());
}

INSTANTIATE_TEST_SUITE_P(candidates, gpu_refusals,
                         testing::Values(gpu_refusal{"gpu_wrong", "results are wrong: out0[4095]"},
                                         gpu_refusal{"gpu_writes_outside", "bytes after the end"},
                                         gpu_refusal{"gpu_writes_inputs", "it changed its inputs"},
                                         gpu_refusal{"gpu_returns_seven", "ridge_cuda_candidate returned 7"},
                                         gpu_refusal{"honest_same", "no function ridge_cuda_candidate"}),
                         [](const auto& tested) { return std::string(tested.param.candidate); });

TEST(gpu_judging, a_variant_on_several_gpus_is_no_opponent) {
  const auto made =
      judge(own_variant{"again"}, chain::make(), judged_size(), "on_two", instruments_with_gpu(), on_gpu());
  ASSERT_FALSE(made);
  EXPECT_THAT(made.why().text(), HasSubstr("2 GPUs"));
  EXPECT_THAT(
      judge(own_variant{"again"}, chain::make(), judged_size(), "none", instruments_with_gpu(), on_gpu())
          .why()
          .text(),
      HasSubstr("on the GPU"));
}

TEST(gpu_judging, the_functions_of_an_object_say_where_it_is_judged) {
  const auto of = [](const char* name) {
    return entries_of(std::string(RIDGE_CANDIDATES) + "/" + name + ".so").value();
  };
  EXPECT_TRUE(of("honest_same").cpu);
  EXPECT_FALSE(of("honest_same").cuda);
  EXPECT_TRUE(of("gpu_same").cuda);
  EXPECT_FALSE(of("gpu_same").cpu);
  EXPECT_TRUE(of("gpu_fused").cpu && of("gpu_fused").cuda);
  EXPECT_FALSE(of("has_no_function").cpu);
  EXPECT_FALSE(entries_of("/nowhere.so"));
}

TEST(gpu_judging, without_nvcc_a_cuda_source_says_so) {
  const std::string path = std::getenv("PATH");
  if (std::filesystem::exists("/usr/local/cuda/bin/nvcc")) GTEST_SKIP() << "nvcc is here";
  ::setenv("PATH", "/nowhere", 1);
  const auto source = std::filesystem::path(testing::TempDir()) / "ridge_judge_any.cu";
  std::ofstream(source) << "\n";
  const auto compiled = compile(source, {.gpu_architecture = "sm_90a"});
  ::setenv("PATH", path.c_str(), 1);
  std::filesystem::remove(source);
  ASSERT_FALSE(compiled);
  EXPECT_THAT(compiled.why().text(), HasSubstr("nvcc"));
}

TEST(gpu_judging, nvcc_compiles_a_source_in_the_sandbox_of_the_compiler) {
  const auto source = [](const char* name) { return std::string(RIDGE_CANDIDATE_SOURCES) + "/" + name; };
  const auto compiled = compile(source("honest_faster.cu"), {.gpu_architecture = "sm_90a"});
  if (!compiled && compiled.why().text().find("nvcc,") != std::string::npos)
    GTEST_SKIP() << compiled.why().text();
  ASSERT_TRUE(compiled) << compiled.why().text();
  EXPECT_TRUE(entries_of(compiled->path()).value().cuda);
  const auto failed = compile(source("honest_same.cu"), {.gpu_architecture = "sm_90a"});
  ASSERT_FALSE(failed);  // it includes a file beside it
  EXPECT_THAT(failed.why().text(), HasSubstr("does not compile"));
}

TEST(gpu_judging, architectures_have_the_names_of_nvcc) {
  EXPECT_EQ(architecture_of({8, 0}), "sm_80");
  EXPECT_EQ(architecture_of({9, 0}), "sm_90a");
  EXPECT_EQ(architecture_of({10, 0}), "sm_100a");
}

}  // namespace
}  // namespace ridge::judge
