// SPDX-License-Identifier: Apache-2.0
// The exit codes of commands that verify and measure, with experiments and GPUs of the test's own.
#include "session/experiment_session.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/device/simulated.hpp>

#include "command_line/command_line.hpp"

namespace ridge::app {
namespace {

using testing::HasSubstr;
using testing::Not;

struct doubled {
  input<float> x{};
  output<float> y{};
};

void double_all(doubled& w) {
  std::ranges::transform(w.x, w.y.begin(), [](float v) { return 2 * v; });
}
void right(doubled& w, call&) { double_all(w); }
void wrong(doubled& w, call&) {
  double_all(w);
  w.y[3] += 1;
}
void crash(doubled&, call&) { std::raise(SIGSEGV); }

const needs more_gpus_than_there_are{.gpus = 1000};

ladder<doubled> two_right() {
  return {{.name = "slow", .is = role::baseline, .run = right}, {.name = "fast", .run = right}};
}
ladder<doubled> one_wrong() {
  return {{.name = "slow", .is = role::baseline, .run = right}, {.name = "fast", .run = wrong}};
}
ladder<doubled> one_lacking() {
  return {{.name = "slow", .is = role::baseline, .run = right},
          {.name = "fast", .run = right, .needs = more_gpus_than_there_are}};
}
ladder<doubled> all_lacking() {
  return {{.name = "slow", .is = role::baseline, .run = right, .needs = more_gpus_than_there_are}};
}
ladder<doubled> crashing() {
  return {{.name = "slow", .is = role::baseline, .run = crash}, {.name = "fast", .run = right}};
}

experiment doubling(std::string id, ladder_of<doubled> cpu, ladder_of<doubled> cuda) {
  return experiment_of<doubled>{
      .id = std::move(id),
      .title = "Doubling",
      .question = "Is it doubled?",
      .axes = {values("n", {64})},
      .make =
          [](const problem& p, memory& m) {
            return doubled{m.in<float>(p.count("n"), normal{}), m.out<float>(p.count("n"))};
          },
      .work = [](const problem& p) { return work{.flop = p.real("n")}; },
      .oracle = [](doubled& w) { double_all(w); },
      .within = exact(),
      .cpu = cpu,
      .cuda = cuda,
  };
}

std::vector<experiment> catalogue() {
  return {doubling("ch01.right", two_right, {}),     doubling("ch01.wrong", one_wrong, {}),
          doubling("ch01.lacking", one_lacking, {}), doubling("ch01.none", all_lacking, {}),
          doubling("ch02.right", {}, two_right),     doubling("ch02.crash", {}, crashing),
          doubling("ch02.both", two_right, crashing)};
}

void with_simulated_gpu(harness::instruments& equipment) {
  equipment.open_gpu = [] {
    return harness::opened_gpu{
        .device = std::make_unique<device::simulated>(device::simulated_behaviour{.apart = true})};
  };
  equipment.open_traced_gpu = {};
  equipment.measure_gpu = {};
}
void with_gpu_that_does_not_open(harness::instruments& equipment) {
  equipment.open_gpu = []() -> harness::opened_gpu { throw failure({"the GPU fell off the bus", ""}); };
}

struct outcome {
  int code = 0;
  std::string out{}, err{};
};

class commands : public testing::Test {
 protected:
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("ridge_outcomes_" + std::to_string(getpid()));
  void SetUp() override {
    std::filesystem::create_directories(folder);
    setenv("XDG_CACHE_HOME", folder.c_str(), 1);
    setenv("RIDGE_UNOPTIMIZED", "judged", 1);  // the experiments of this file are
  }
  void TearDown() override {
    unsetenv("XDG_CACHE_HOME");
    unsetenv("RIDGE_UNOPTIMIZED");
    std::filesystem::remove_all(folder);
  }

  static outcome run(std::vector<std::string> words,
                     void (*equip)(harness::instruments&) = with_simulated_gpu) {
    words.insert(words.begin(), "ridge");
    context program{.typed = std::move(words), .experiments = catalogue(), .equip = equip};
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = run_command_line(program);
    return {code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
  }
};

TEST_F(commands, verify_tells_right_from_wrong) {
  EXPECT_EQ(run({"verify", "ch01.right"}).code, exit_code::good);
  EXPECT_EQ(run({"verify", "ch02.right"}).code, exit_code::good);
  EXPECT_EQ(run({"verify", "ch01.wrong"}).code, exit_code::refused);
  EXPECT_EQ(run({"verify", "ch01.lacking"}).code, exit_code::good);
}

TEST_F(commands, verify_says_when_nothing_can_run_here) {
  const auto seen = run({"verify", "ch01.none"});
  EXPECT_EQ(seen.code, exit_code::unavailable);
  EXPECT_THAT(seen.err, HasSubstr("no chosen variant can run here"));
}

TEST_F(commands, verify_refuses_a_family_that_its_process_did_not_survive) {
  for (const auto* id : {"ch02.crash", "ch02.both"}) {
    const auto seen = run({"verify", id});
    EXPECT_EQ(seen.code, exit_code::refused) << id;
    EXPECT_THAT(seen.out, HasSubstr("SIGSEGV")) << id;
    EXPECT_THAT(seen.err, Not(HasSubstr("can run here"))) << id;
  }
}

TEST_F(commands, verify_names_the_backend_that_no_variant_has) {
  for (const auto* id : {"ch01.right", "ch02.right"}) {
    const bool on_cpu = std::string(id) == "ch01.right";
    const auto seen = run({"verify", id, "--backend", on_cpu ? "cuda" : "cpu"});
    EXPECT_EQ(seen.code, exit_code::unavailable) << id;
    EXPECT_THAT(seen.err, HasSubstr(on_cpu ? "no chosen experiment has a cuda variant"
                                           : "has a cpu variant in this build"));
  }
}

TEST_F(commands, a_missing_gpu_leaves_what_runs_without_one) {
  const auto alone = run({"verify", "ch02.right"}, with_gpu_that_does_not_open);
  EXPECT_EQ(alone.code, exit_code::unavailable);
  EXPECT_THAT(alone.err, HasSubstr("fell off the bus"));
  const auto both = run({"verify", "ch02.both"}, with_gpu_that_does_not_open);
  EXPECT_EQ(both.code, exit_code::good);
  EXPECT_THAT(both.out, HasSubstr("fell off the bus"));
}

TEST_F(commands, run_fails_where_a_process_on_the_gpu_crashed) {
  EXPECT_EQ(run({"run", "ch02.crash", "--no-store", "--profile", "minimal"}).code, exit_code::refused);
}

TEST_F(commands, compare_needs_a_comparison) {
  const auto lacking = run({"compare", "ch01.lacking:slow", "ch01.lacking:fast", "--arm-budget", "20ms"});
  EXPECT_EQ(lacking.code, exit_code::unavailable);
  EXPECT_THAT(lacking.err, HasSubstr("nothing was compared"));
  EXPECT_EQ(run({"compare", "ch02.crash:slow", "ch02.crash:fast", "--arm-budget", "20ms"}).code,
            exit_code::refused);
  EXPECT_EQ(run({"compare", "ch01.wrong:slow", "ch01.wrong:fast", "--arm-budget", "20ms"}).code,
            exit_code::refused);
}

TEST_F(commands, results_of_code_without_optimization_are_invalid_and_name_the_remedy) {
#ifdef __OPTIMIZE__
  GTEST_SKIP() << "this file was compiled with optimization";
#endif
  unsetenv("RIDGE_UNOPTIMIZED");
  const auto seen = run({"run", "ch01.right", "--backend", "cpu", "--no-store", "--profile", "minimal"});
  EXPECT_EQ(seen.code, exit_code::refused) << seen.out << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("INVALID"));
  EXPECT_THAT(seen.out, HasSubstr("-DCMAKE_BUILD_TYPE=Release"));
}

}  // namespace
}  // namespace ridge::app
