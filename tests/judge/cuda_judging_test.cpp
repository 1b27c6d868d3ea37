// SPDX-License-Identifier: Apache-2.0
// Judging on a GPU of NVIDIA. The test is its own runner.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include <ridge/base/error.hpp>
#include <ridge/device/cuda_options.hpp>
#include <ridge/judge/compile.hpp>
#include <ridge/judge/judge.hpp>
#include <ridge/judge/runner.hpp>

#include "four_steps.hpp"
#include "judged.hpp"

namespace ridge::backends::device_cuda {
std::unique_ptr<device::device> make(device::cuda_options options);
}  // namespace ridge::backends::device_cuda

namespace ridge::judge {
namespace {

using testing::HasSubstr;

float four_steps_of(float x) {
  for (const auto& [scale, shift] :
       {std::pair{0.75F, 0.5F}, {-1.25F, 1.0F}, {0.625F, -0.25F}, {1.5F, 2.0F}}) {
    const float product = scale * x;
    x = product + shift;
  }
  return x;
}

experiment four_steps_experiment() {
  return experiment_of<four_steps::workload>{
      .id = "judged.four_steps",
      .title = "Four steps",
      .question = "How fast are four steps?",
      .axes = {values("elements", {std::int64_t{1} << 22}, {0, 1, 17})},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return four_steps::workload{m.in<float>(n, uniform{-1, 1}), m.out<float>(n)};
          },
      .work = [](const problem& p) { return work{.flop = 8 * p.real("elements")}; },
      .oracle =
          [](four_steps::workload& w) {
            for (std::size_t i = 0; i < w.target.size(); ++i) w.target[i] = four_steps_of(w.source[i]);
          },
      .within = tolerance{.abs = 1e-6},
      .cuda =
          [] {
            return ladder<four_steps::workload>{
                {.name = "passes", .is = role::baseline, .run = enqueues(four_steps::launch_passes)},
                {.name = "again", .run = enqueues(four_steps::launch_passes)}};
          },
  };
}

std::unique_ptr<device::device> open_first_gpu() { return backends::device_cuda::make({}); }

problem large() { return problem({{"elements", std::int64_t{1} << 22}}); }

class cuda_judging : public testing::Test {
 protected:
  void SetUp() override { gpu_ = open_first_gpu(); }
  judgement judged_here(const contender& candidate, double budget_s = 0.3, bool edges = false,
                        double time_limit_s = 10) {
    auto equipment = instruments_of_tests();
    equipment.host = equipment.device;
    equipment.device = gpu_.get();
    auto made = judge(candidate, four_steps_experiment(), large(), "passes", equipment,
                      {.budget_s = budget_s,
                       .time_limit_s = time_limit_s,
                       .seed = 20261123,
                       .edges = edges,
                       .backend = model::backend::cuda});
    show(made.value());
    return std::move(made.value());
  }
  std::unique_ptr<device::device> gpu_;

 private:
  static void show(const judgement& made) {
    std::string refused;
    for (const auto& part : made.sandbox)
      refused += part.granted ? "" : " " + part.part + ": " + part.refused;
    std::printf("%s %s\n  not granted:%s\n", std::string(model::name(made.verdict)).c_str(),
                made.refused.c_str(), refused.c_str());
    if (!made.session) return;
    std::printf("  ratio %.4f, %llu calls, %zu rounds, hand-over %.1f us\n",
                made.session->results.front().estimate.ratio, static_cast<unsigned long long>(made.calls),
                static_cast<std::size_t>(made.session->rounds), made.hand_over_s * 1e6);
    for (const auto& one : made.checks) {
      if (one.result != model::outcome::pass) std::printf("  %s: %s\n", one.id.c_str(), one.evidence.c_str());
    }
  }
};

contender cuda_candidate(const std::string& name) {
  return shared_object{std::string(RIDGE_CANDIDATES) + "/" + name + ".so"};
}

TEST_F(cuda_judging, a_faster_candidate_is_better_and_every_check_holds) {
  const auto made = judged_here(cuda_candidate("honest_faster"), 1, true);
  ASSERT_EQ(made.refused, "");
  EXPECT_EQ(made.verdict, model::verdict::better);
  EXPECT_GT(made.session->results.front().estimate.ratio, 1.5);
  for (const auto& one : made.checks)
    EXPECT_NE(one.result, model::outcome::fail) << one.id << ": " << one.evidence;
}

TEST_F(cuda_judging, the_same_work_is_no_gain) {
  for (const contender& same : {contender(own_variant{"again"}), cuda_candidate("honest_same")}) {
    const auto made = judged_here(same, 2);
    EXPECT_EQ(made.refused, "");
    EXPECT_NE(made.verdict, model::verdict::better);
    EXPECT_NE(made.verdict, model::verdict::invalid);
  }
}

TEST_F(cuda_judging, what_was_remembered_fits_no_data) {
  const auto made = judged_here(cuda_candidate("remembers_gpu_content"));
  EXPECT_EQ(made.refused, "");
  const auto faster = judged_here(cuda_candidate("honest_faster"));
  ASSERT_TRUE(made.session && faster.session);
  EXPECT_LT(made.session->results.front().estimate.ratio, faster.session->results.front().estimate.ratio);
}

TEST_F(cuda_judging, a_stream_that_is_not_joined_is_waited_for) {
  const auto made = judged_here(cuda_candidate("returns_before_it_ends"));
  EXPECT_EQ(made.refused, "");
  const auto faster = judged_here(cuda_candidate("honest_faster"));
  ASSERT_TRUE(made.session && faster.session);
  EXPECT_LT(made.session->results.front().estimate.ratio,
            1.1 * faster.session->results.front().estimate.ratio);
}

TEST_F(cuda_judging, work_in_another_context_is_seen) {
  for (const char* name : {"works_in_another_context", "spins_in_another_context"})
    EXPECT_EQ(judged_here(cuda_candidate(name)).verdict, model::verdict::invalid) << name;
}

TEST_F(cuda_judging, what_is_wrong_is_refused_with_its_reason) {
  EXPECT_THAT(judged_here(cuda_candidate("wrong_results")).refused, HasSubstr("elements are wrong"));
  EXPECT_THAT(judged_here(cuda_candidate("writes_outside")).refused, HasSubstr("bytes after the end"));
  EXPECT_NE(judged_here(cuda_candidate("writes_gpu_inputs")).refused, "");
  EXPECT_THAT(judged_here(cuda_candidate("faults")).refused, HasSubstr("llegal"));
  EXPECT_THAT(judged_here(cuda_candidate("endless"), 0.3, false, 3).refused, HasSubstr("did not answer"));
}

TEST_F(cuda_judging, a_source_is_compiled_for_this_gpu_and_judged) {
  const auto architecture = architecture_of(gpu_->gpus().front().compute_capability);
  auto compiled =
      compile(std::string(RIDGE_CANDIDATE_SOURCES) + "/honest_faster.cu", {.gpu_architecture = architecture});
  if (!compiled && compiled.why().text().find("nvcc,") != std::string::npos)
    GTEST_SKIP() << compiled.why().text();
  ASSERT_TRUE(compiled) << compiled.why().text();
  EXPECT_EQ(judged_here(shared_object{compiled->path()}).verdict, model::verdict::better);
}

}  // namespace

experiment experiment_of_test(const std::string& id) {
  if (id != "judged.four_steps") throw failure({"there is no experiment " + id, ""});
  return four_steps_experiment();
}

std::unique_ptr<device::device> gpu_of_test() { return open_first_gpu(); }

// Why there is no GPU here; empty where there is one.
std::string missing_gpu() {
  try {
    static_cast<void>(open_first_gpu());
  } catch (const unavailable& why) {
    return why.what();
  }
  return {};
}

}  // namespace ridge::judge

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "judge-runner")
    return ridge::judge::run_as_runner(ridge::judge::experiment_of_test, ridge::judge::gpu_of_test);
  testing::InitGoogleTest(&argc, argv);
  if (const auto why = ridge::judge::missing_gpu(); !why.empty()) {
    std::printf("skipped: %s\n", why.c_str());
    return 77;
  }
  return RUN_ALL_TESTS();
}
