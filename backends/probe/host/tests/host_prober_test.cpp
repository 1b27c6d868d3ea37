// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/base/byte_units.hpp>
#include <ridge/base/error.hpp>
#include <ridge/probe/conformance.hpp>
#include <ridge/probe/measure_peaks.hpp>

#include "memory/memory_probe.hpp"
#include "sampler.hpp"
#include "storage/scratch_file.hpp"
#include "tests/steady.hpp"

namespace ridge::backends::probe_host {

std::unique_ptr<probe::prober> make();

namespace {

// The scratch file stands beside the test program, on storage, and is removed with it.
std::filesystem::path here() { return std::filesystem::read_symlink("/proc/self/exe").parent_path(); }

TEST(array_bytes, four_times_l2_at_least_64_mib_and_an_eighth_of_memory_at_most) {
  host::topology machine{.allowed = {0, 1}, .memory_bytes = 32768 * mib};
  EXPECT_EQ(array_bytes(machine), 64 * mib);
  machine.caches = {{2, host::cache_kind::unified, 32 * mib, 64, 0, {0}},
                    {2, host::cache_kind::unified, 32 * mib, 64, 0, {1}}};
  EXPECT_EQ(array_bytes(machine), 256 * mib);
  machine.cgroup.memory_bytes = 512 * mib;
  EXPECT_EQ(array_bytes(machine), 64 * mib);
  EXPECT_GT(array_bytes(host::topology{}), 0u);
}

TEST(long_array_bytes, are_beyond_a_claimed_last_level_where_memory_allows) {
  host::topology machine{.allowed = {0, 1}, .memory_bytes = 32768 * mib};
  machine.caches = {{3, host::cache_kind::unified, 480 * mib, 64, 0, {0, 1}}};
  EXPECT_EQ(long_array_bytes(machine), 512 * mib);
  machine.caches[0].bytes = 64 * mib;
  EXPECT_EQ(long_array_bytes(machine), 128 * mib);
  machine.memory_bytes = 1024 * mib;
  EXPECT_EQ(long_array_bytes(machine), 64 * mib);
}

TEST(sample_rate, disturbed_samples_do_not_count_while_there_are_others) {
  int calls = 0;
  const auto every_other = [&] { return timing{++calls % 2 == 0 ? 10.0 : 1.0, calls % 2 != 0}; };
  const auto found = sample_rate(steady(), every_other, 100, 10);
  EXPECT_EQ(found.value, 100);
  EXPECT_EQ(found.note, "");
  EXPECT_FALSE(found.disturbed);
  EXPECT_EQ(calls, 29);
}

TEST(sample_rate, a_busy_machine_shows_its_fastest_sample_and_says_so) {
  int calls = 0;
  const auto busy = [&] { return timing{1.0 + ++calls, false}; };
  const auto found = sample_rate(steady(), busy, 120, 0);
  EXPECT_EQ(calls, 7);
  EXPECT_EQ(found.value, 60);
  EXPECT_EQ(found.ci, (interval{24, 60}));
  EXPECT_NE(found.note.find("0 of 7"), std::string::npos);
  EXPECT_TRUE(found.disturbed);
}

TEST(sample_rate, a_row_is_disturbed_when_most_of_its_samples_were) {
  int calls = 0;
  const auto every_third = [&] { return timing{1.0, ++calls % 3 == 0}; };
  const auto found = sample_rate(steady(), every_third, 100, 10);
  EXPECT_EQ(found.value, 100);
  EXPECT_TRUE(found.disturbed);
}

TEST(sample_rate, samples_that_differ_by_a_twentieth_are_unlike) {
  EXPECT_TRUE((rate{100, {97, 103}, "", false}).unlike());
  EXPECT_FALSE((rate{100, {98, 102}, "", false}).unlike());
}

TEST(scratch_file, is_as_long_as_it_says_random_and_gone_afterwards) {
  std::filesystem::path path;
  {
    const scratch_file file(here(), 2 * scratch_file::block_bytes, 10);
    path = file.path();
    EXPECT_EQ(std::filesystem::file_size(path), file.size());
    EXPECT_EQ(file.size(), 2 * scratch_file::block_bytes);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  const scratch_file least(here(), 1, 0);
  EXPECT_EQ(least.size(), scratch_file::block_bytes);
  EXPECT_THROW(scratch_file("/no/such/folder", 1, 1), io_failure);
}

TEST(host_prober, conforms) {
  const steady clock;
  probe::conformance::expect_prober(*make(),
                                    {.clock = clock, .scratch = here(), .depth = probe::depth::quick});
}

TEST(host_prober, measures_the_three_ceilings_and_wider_is_not_slower) {
  const steady clock;
  const auto with = make();
  const model::peak found{.ceilings = probe::measure_peaks(
                              *with, {.clock = clock, .threads = 1, .depth = probe::depth::essential})};
  const auto* fma = found.find("cpu.fma.fp32");
  ASSERT_NE(fma, nullptr);
  ASSERT_NE(found.find("cpu.triad"), nullptr);
  EXPECT_EQ(fma->unit, "FLOP/s");
  EXPECT_EQ(found.find("cpu.triad")->unit, "B/s");
  EXPECT_GE(found.find("cpu.triad")->size_bytes, 3.0 * (1 << 20));
  EXPECT_EQ(found.find("cpu.fma.fp32." + fma->variant)->value, fma->value);
  for (const auto& row : found.ceilings)
    EXPECT_LE(row.id.starts_with("cpu.fma.fp32") ? row.value : 0, fma->value);
}

}  // namespace
}  // namespace ridge::backends::probe_host
