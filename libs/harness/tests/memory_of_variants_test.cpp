// SPDX-License-Identifier: Apache-2.0
// What memory is reported of variants that take it in different ways.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <vector>

#include <gtest/gtest.h>
#include <ridge/base/sanitized.hpp>
#include <ridge/harness/runner.hpp>
#include <ridge/host/resident_memory.hpp>

#include "doubling.hpp"
#include "host_device.hpp"

namespace ridge::harness {
namespace {

constexpr std::size_t workspace_elements = std::size_t{1} << 19;
constexpr double workspace_bytes = 4 * workspace_elements;

void through(doubling_workload& w, std::span<float> workspace) {
  std::ranges::fill(workspace, 1.0F);
  std::ranges::transform(w.x, w.y.begin(), [&](float v) { return 2 * v * workspace[0]; });
}

auto of_setup(doubling_workload&, setup& s) {
  return
      [memory = s.workspace<float>(workspace_elements)](doubling_workload& w, call&) { through(w, memory); };
}
auto of_statics(doubling_workload&, setup&) {
  static std::array<float, workspace_elements> memory;
  std::ranges::fill(memory, 1.0F);
  return [](doubling_workload& w, call&) { through(w, memory); };
}
auto of_a_mapping(doubling_workload&, setup&) {
  static auto* start = static_cast<float*>(
      ::mmap(nullptr, 4 * workspace_elements, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  std::fill_n(start, workspace_elements, 1.0F);
  return [](doubling_workload& w, call&) { through(w, {start, workspace_elements}); };
}
void of_the_stack(doubling_workload& w, call&) {
  std::array<float, workspace_elements> memory;
  through(w, memory);
}
void for_a_moment(doubling_workload& w, call&) {
  std::vector<float> memory(workspace_elements);
  through(w, memory);
}
pid_t made_by = 0;
void where_it_is_timed(doubling_workload& w, call& c) {
  if (::getpid() != made_by) return twice(w, c);
  static auto* start = static_cast<float*>(
      ::mmap(nullptr, 4 * workspace_elements, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  through(w, {start, workspace_elements});
}

template <auto Body>
ladder<doubling_workload> beside_a_workspace() {
  return {{.name = "counted", .is = role::baseline, .run = of_setup}, {.name = "other", .run = Body}};
}

model::family measured_memory(ladder_of<doubling_workload> variants) {
  const auto where = host_device_for_tests();
  const instruments equipment{.device = where.get()};
  const auto e = doubling(variants, 4096);
  made_by = ::getpid();
  return measure_family({e, e.problems().front(), model::backend::cpu}, equipment, short_session(0.02));
}

double bytes_of(const model::family& f, std::size_t index) { return f.measurements[index].memory.peak_bytes; }

class memory_of_variants : public testing::Test {
 protected:
  void SetUp() override {
    if (sanitized) GTEST_SKIP() << "a sanitizer takes memory of its own";
    if (!host::read_memory_of(::getpid())) GTEST_SKIP() << "/proc tells no process's memory";
  }
};

TEST_F(memory_of_variants, a_workspace_counts_as_it_was_taken) {
  const auto f = measured_memory(beside_a_workspace<of_setup>);
  EXPECT_EQ(bytes_of(f, 0), workspace_bytes);
  EXPECT_EQ(bytes_of(f, 1), workspace_bytes);
  const auto& checks = f.comparisons.front().checks;
  const auto found = std::ranges::find(checks, "memory", &model::check::id);
  ASSERT_NE(found, checks.end());
  EXPECT_EQ(found->result, model::outcome::pass) << found->evidence;
}

TEST_F(memory_of_variants, what_is_taken_elsewhere_counts_the_same) {
  for (const auto& variants : std::vector<ladder_of<doubling_workload>>{
           beside_a_workspace<of_statics>, beside_a_workspace<of_a_mapping>, beside_a_workspace<of_the_stack>,
           beside_a_workspace<for_a_moment>}) {
    const auto f = measured_memory(variants);
    EXPECT_NEAR(bytes_of(f, 1), workspace_bytes, 0.15 * workspace_bytes);
    EXPECT_EQ(bytes_of(f, 0), workspace_bytes);
  }
}

TEST_F(memory_of_variants, what_only_the_timing_process_takes_is_reported_and_said) {
  const auto f = measured_memory(beside_a_workspace<where_it_is_timed>);
  EXPECT_GT(bytes_of(f, 1), 0.7 * workspace_bytes);
  const auto& checks = f.comparisons.front().checks;
  const auto found = std::ranges::find(checks, "memory", &model::check::id);
  ASSERT_NE(found, checks.end());
  EXPECT_EQ(found->result, model::outcome::warn) << found->evidence;
}

}  // namespace
}  // namespace ridge::harness
