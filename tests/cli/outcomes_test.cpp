// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/base/sanitized.hpp>
#include <ridge/model/json.hpp>

#include "program.hpp"

namespace ridge::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(outcomes, values_that_an_axis_does_not_take_exit_64_and_name_its_range) {
  const scene in;
  for (const auto& [axis, range] : {std::pair{"stride=-4", "between 1 and 2^20"},
                                    {"stride=0", "between 1 and 2^20"},
                                    {"elements=2^60", "between 0 and 2^47"},
                                    {"elements=-1", "between 0 and 2^47"}}) {
    for (const auto* command : {"run", "verify"}) {
      const auto seen = in.ridge(std::string(command) + " ch01.coalescing --axis " + axis);
      EXPECT_EQ(seen.code, 64) << axis;
      EXPECT_THAT(seen.err, HasSubstr("is out of range")) << axis;
      EXPECT_THAT(seen.err, HasSubstr(range)) << axis;
      EXPECT_EQ(seen.out, "") << axis;
    }
  }
}

std::size_t times_in(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

TEST(outcomes, what_no_machine_holds_is_unavailable_and_said_once) {
  const scene in;
  for (const auto& [elements, why] :
       {std::pair{"2^46", "is more than a process can hold"}, {"2^38", "of memory are free"}}) {
    const auto start = std::chrono::steady_clock::now();
    const auto seen =
        in.ridge("run ch01.coalescing --axis stride=2 --no-store --axis elements=" + std::string(elements));
    EXPECT_LT(seconds_since(start), 60) << "nothing is generated";
    EXPECT_EQ(seen.code, 69) << seen.out << seen.err;
    EXPECT_EQ(times_in(seen.out + seen.err, why), 1U) << seen.out << seen.err;
    EXPECT_THAT(seen.out, Not(HasSubstr("wrong output"))) << seen.out;
  }
}

TEST(outcomes, a_budget_is_kept_and_what_it_leaves_out_is_named) {
  if (sanitized) GTEST_SKIP() << "what is not timed takes longer here than a budget allows for";
  const scene in;
  ASSERT_EQ(in.ridge("run ch01.coalescing --axis stride=2 --axis elements=2^12 --budget 60s --no-store").code,
            0)
      << "this measures the ceilings";
  const auto start = std::chrono::steady_clock::now();
  const auto seen = in.ridge("run ch01 --budget 5s --save run.json");
  EXPECT_LE(seconds_since(start), 6.0);
  const auto run = model::run_from_json(contents(in.folder() / "run.json"));
  ASSERT_TRUE(run);
  const bool measured = std::ranges::any_of(run->families, [](const auto& family) {
    return std::ranges::any_of(family.measurements, [](const auto& m) { return !m.metrics.empty(); });
  });
  EXPECT_TRUE(measured) << seen.out;
  ASSERT_FALSE(run->left_out.empty());
  for (const auto& one : run->left_out) EXPECT_THAT(one.reason, HasSubstr("budget")) << one.experiment;
  EXPECT_THAT(seen.out, HasSubstr("left out"));
  EXPECT_THAT(seen.out, HasSubstr("budget"));
  EXPECT_THAT(in.ridge("show last").out, HasSubstr("budget")) << "the store keeps it";
  EXPECT_THAT(in.ridge("export last --format md").out, HasSubstr("Left out: "));
}

TEST(outcomes, one_core_skips_variants_that_need_two_and_refuses_none) {
  const scene in;
  const auto seen =
      in.ridge("run ch01.arithmetic_intensity --axis elements=2^12 --budget 60s --no-store --save run.json",
               "taskset -c " + std::to_string(sched_getcpu()));
  EXPECT_THAT(seen.out, Not(HasSubstr("refused"))) << seen.out;
  const auto run = contents(in.folder() / "run.json");
  EXPECT_THAT(run, HasSubstr("\"skipped\": \"needs two physical cores or more")) << seen.out;
  EXPECT_THAT(run, HasSubstr("\"failure\": \"none\""));
  for (const auto* kind : {"unknown", "wrong_output", "threw", "crashed", "timed_out", "out_of_memory"})
    EXPECT_THAT(run, Not(HasSubstr(std::string("\"failure\": \"") + kind))) << kind;
}

TEST(outcomes, a_limit_of_one_call_is_a_duration) {
  const scene in;
  EXPECT_EQ(in.ridge("run ch01 --timeout soon").code, 64);
  EXPECT_EQ(in.ridge("verify ch01 --timeout -1s").code, 64);
}

// Processes that run in this folder: those of this test alone.
std::size_t processes_in(const std::filesystem::path& folder) {
  std::size_t count = 0;
  for (const auto& one : std::filesystem::directory_iterator("/proc")) {
    std::error_code gone;
    const auto place = std::filesystem::read_symlink(one.path() / "cwd", gone);
    count += !gone && place == folder ? 1U : 0U;
  }
  return count;
}

TEST(outcomes, no_process_outlives_a_killed_run) {
  const scene in;
  for (const auto* seconds : {"0.3", "0.8", "1.7"}) {
    // timeout ends the program alone, not the processes that it has started.
    (void)in.ridge("run ch01 --no-store", "timeout --foreground -s KILL " + std::string(seconds));
    const auto start = std::chrono::steady_clock::now();
    while (processes_in(in.folder()) > 0 && seconds_since(start) < 2)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(processes_in(in.folder()), 0u) << "killed after " << seconds << " s";
  }
}

TEST(outcomes, a_build_is_tried_at_edge_sizes_once) {
  const scene in;
  const auto cache = in.folder() / "cache";
  const auto variables = "XDG_CACHE_HOME=" + cache.string();
  const std::string words =
      "run ch01.coalescing --axis stride=2 --axis elements=2^12 --variant contiguous --no-store --save "
      "run.json";
  const auto run_says_that_edges_are_right = [&] {
    const auto seen = in.ridge(words, variables);
    EXPECT_EQ(seen.code, 0) << seen.out;
    return contents(in.folder() / "run.json").find("both variants are right at every edge size") !=
           std::string::npos;
  };
  const auto file_of_edges = [&]() -> std::string {
    for (const auto& one : std::filesystem::directory_iterator(cache / "ridge")) {
      if (one.path().filename().string().starts_with("edges-")) return one.path();
    }
    return {};
  };
  EXPECT_TRUE(run_says_that_edges_are_right());
  ASSERT_NE(file_of_edges(), "");
  const auto kept = contents(file_of_edges());
  EXPECT_THAT(kept, HasSubstr("ch01.coalescing\tcpu\tcontiguous\t28\tnone"));
  EXPECT_TRUE(run_says_that_edges_are_right());
  EXPECT_EQ(contents(file_of_edges()), kept) << "nothing was tried again";
}

}  // namespace
}  // namespace ridge::cli
