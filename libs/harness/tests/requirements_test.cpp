// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/device/simulated.hpp>
#include <ridge/harness/requirements.hpp>

namespace ridge::harness {
namespace {

using testing::HasSubstr;

std::string lacking(needs wanted, device::simulated_behaviour machine = {}, instruments equipment = {}) {
  device::simulated where(std::move(machine));
  equipment.device = &where;
  return unavailable_because(variant_facts{.needs = std::move(wanted)}, equipment);
}

TEST(requirements, a_variant_that_needs_nothing_runs_everywhere) { EXPECT_EQ(lacking({}), ""); }

TEST(requirements, compute_capability_is_the_least_and_architecture_the_only_one) {
  const auto at = [](int major, int minor) {
    return device::simulated_behaviour{.compute_capability = {major, minor}};
  };
  EXPECT_EQ(lacking({.compute_capability = {8, 9}}, at(9, 0)), "");
  EXPECT_EQ(lacking({.compute_capability = {8, 9}}, at(8, 0)),
            "needs compute capability 8.9, this GPU has 8.0; run on a newer GPU");
  EXPECT_EQ(lacking({.architecture = "sm_90a"}, at(9, 0)), "");
  EXPECT_EQ(lacking({.architecture = "sm_90a"}, at(10, 0)),
            "needs sm_90a, this GPU has compute capability 10.0; run on a GPU of 9.0");
  EXPECT_EQ(lacking({.architecture = "sm_100a"}, at(10, 0)), "");
}

TEST(requirements, an_architecture_needs_code_in_the_build) {
  EXPECT_EQ(lacking({.architecture = "sm_90a"}, {}, {.built_architectures = {"80", "90a"}}), "");
  EXPECT_THAT(lacking({.architecture = "sm_90a"}, {}, {.built_architectures = {"80", "90"}}),
              HasSubstr("this build holds no code; configure with"));
}

TEST(requirements, peer_access_is_asked_of_every_declared_gpu) {
  EXPECT_EQ(lacking({.gpus = 2, .peer_access = true}, {.gpus = 2}), "");
  EXPECT_THAT(lacking({.gpus = 2, .peer_access = true}, {.gpus = 2, .peers = false}),
              HasSubstr("needs peer access between GPUs 0 and 1; "));
  EXPECT_EQ(lacking({.gpus = 3}, {.gpus = 2}), "needs 3 GPUs, 2 are here");
}

TEST(requirements, a_library_is_asked_for_by_name) {
  const instruments with{.missing_library = [](std::string_view name) {
    return std::string(name == "openblas" ? "" : "not found; install it");
  }};
  EXPECT_EQ(lacking({.library = "openblas"}, {}, with), "");
  EXPECT_EQ(lacking({.library = "onednn"}, {}, with), "needs onednn: not found; install it");
}

TEST(requirements, an_idle_gpu_has_no_other_process) {
  std::optional<std::size_t> others = 0;
  const instruments with{.other_gpu_processes = [&] { return others; }};
  const needs wanted{.isolation = isolation::idle_gpu};
  EXPECT_EQ(lacking(wanted, {}, with), "");
  others = 2;
  EXPECT_EQ(lacking(wanted, {}, with), "needs an idle GPU, 2 other processes compute on it; end them");
  others.reset();
  EXPECT_THAT(lacking(wanted, {}, with), HasSubstr("does not tell"));
}

TEST(requirements, a_missing_privilege_or_isolation_comes_with_a_remedy) {
  for (const auto asked : {privilege::cpu_counters, privilege::gpu_counters, privilege::administrator,
                           privilege::locked_memory}) {
    const auto why = lacking({.privileges = {asked}});
    if (!why.empty()) {
      EXPECT_THAT(why, HasSubstr("; ")) << name(asked);
    }
  }
  const auto shared = lacking({.isolation = isolation::isolated_cores});
  if (!shared.empty()) {
    EXPECT_THAT(shared, HasSubstr("; boot with isolcpus"));
  }
}

}  // namespace
}  // namespace ridge::harness
