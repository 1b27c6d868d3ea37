// SPDX-License-Identifier: Apache-2.0
// Workspaces get other physical pages between rounds, and no body sees anything of it but its time.
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <ridge/base/sanitized.hpp>
#include <ridge/harness/runner.hpp>

#include "doubling.hpp"
#include "host_device.hpp"

namespace ridge::harness {
namespace {

constexpr std::size_t table_elements = std::size_t{64} << 10;
std::atomic<long> damaged_calls, damaged_looks, faults_at_the_end;

long page_faults_so_far() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

void fill_table(std::span<float> table) {
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<float>(i % 1000);
}

bool is_intact(std::span<const float> table) {
  for (std::size_t i = 0; i < table.size(); i += 31) {
    if (table[i] != static_cast<float>(i % 1000)) return false;
  }
  return true;
}

auto with_a_table(doubling_workload&, setup& s) {
  const auto table = s.workspace<float>(table_elements);
  fill_table(table);
  return [table](doubling_workload& w, call& c) {
    if (!is_intact(table)) ++damaged_calls;
    faults_at_the_end = page_faults_so_far();
    twice(w, c);
  };
}

// Has a thread of its own that reads the table all the time.
class reader {
 public:
  explicit reader(std::span<const float> table)
      : thread_([this, table] {
          while (!stop_) damaged_looks += is_intact(table) ? 0 : 1;
        }) {}
  ~reader() {
    stop_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

auto with_a_reader(doubling_workload& w, setup& s) {
  const auto table = s.workspace<float>(table_elements);
  fill_table(table);
  return [body = with_a_table(w, s), look = std::make_shared<reader>(table)](doubling_workload& called,
                                                                             call& c) { body(called, c); };
}

// Page faults of the process that timed, over those of a session without tables.
long page_faults_of(ladder_of<doubling_workload> variants) {
  const auto where = host_device_for_tests();
  const instruments equipment{.device = where.get()};
  const auto e = doubling(variants, 4096);
  auto options = short_session(0.1);
  options.memory_pass = false;
  damaged_calls = damaged_looks = 0;
  const long before = page_faults_so_far();
  const auto f = measure_family({e, e.problems().front(), model::backend::cpu}, equipment, options);
  EXPECT_FALSE(f.comparisons.empty()) << f.skipped;
  return faults_at_the_end - before;
}

TEST(workspace_pages, are_renewed_between_rounds_and_keep_what_they_hold) {
  const long renewed = page_faults_of([]() -> ladder<doubling_workload> {
    return {{.name = "first", .is = role::baseline, .run = with_a_table},
            {.name = "second", .run = with_a_table}};
  });
  EXPECT_EQ(damaged_calls, 0);
  const long left_alone = page_faults_of([]() -> ladder<doubling_workload> {
    return {{.name = "first", .is = role::baseline, .run = with_a_table},
            {.name = "second", .run = with_a_reader}};
  });
  EXPECT_EQ(damaged_calls, 0);
  EXPECT_EQ(damaged_looks, 0) << "a thread of a variant's own may read its workspace at any time";
  if (sanitized) GTEST_SKIP() << "a sanitizer faults in pages of its own";
  EXPECT_GT(renewed, left_alone + 1000);
}

}  // namespace
}  // namespace ridge::harness
