// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <filesystem>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>
#include <ridge/host/isa.hpp>
#include <ridge/probe/conformance.hpp>
#include <ridge/probe/measure_peaks.hpp>

#include "../fma_probe.hpp"
#include "../memory_probe.hpp"
#include "../sampler.hpp"
#include "../scratch_file.hpp"
#include "steady.hpp"

namespace ridge::backends::probe_host {

std::unique_ptr<probe::prober> make();

namespace {

// The scratch file stands beside the test program: on storage, and removed with it.
std::filesystem::path here() { return std::filesystem::read_symlink("/proc/self/exe").parent_path(); }

TEST(fma_kernels, every_lane_holds_the_value_of_the_recurrence) {
  for (const auto& kernel : fma_kernels()) {
    if (!kernel.requires_isa.empty() && !host::has_isa(kernel.requires_isa)) continue;
    auto state = fresh_state();
    constexpr std::int64_t rounds = 1000;
    kernel.run(state, rounds, fma_factor, fma_addend);
    const auto start = fresh_state();
    const auto touched = static_cast<std::size_t>(accumulators) * static_cast<std::size_t>(kernel.lanes);
    for (std::size_t i = 0; i < state.x.size(); ++i) {
      const double x = static_cast<double>(start.x[i]);
      const double wanted = i < touched ? expected_after(x, rounds) : x;
      ASSERT_NEAR(static_cast<double>(state.x[i]), wanted, 1e-4) << kernel.name << " element " << i;
    }
  }
}

TEST(fma_kernels, one_round_is_one_multiply_add_fused_where_the_cpu_can) {
  for (const auto& kernel : fma_kernels()) {
    if (kernel.requires_isa.empty() || !host::has_isa(kernel.requires_isa)) continue;
    auto state = fresh_state();
    const float start = state.x[5];
    kernel.run(state, 1, 0.1f, 0.3f);
    const bool fused = !kernel.requires_isa.empty();
    EXPECT_EQ(state.x[5], fused ? std::fma(start, 0.1f, 0.3f) : start * 0.1f + 0.3f) << kernel.name;
  }
}

TEST(memory_kernels, each_set_writes_what_it_says_and_no_more) {
  for (const auto* kernels : all_memory_kernels()) {
    if (!kernels->requires_isa.empty() && !host::has_isa(kernels->requires_isa)) continue;
    for (const auto kernel :
         {kernels->triad, kernels->triad_streaming, kernels->copy, kernels->copy_streaming}) {
      if (kernel == nullptr) continue;
      constexpr std::size_t n = 192;
      const host::guarded_region a(n * 4, 64), b(n * 4, 64), c(n * 4, 64);
      for (std::size_t i = 0; i < n; ++i) b.as<float>()[i] = static_cast<float>(i), c.as<float>()[i] = 10;
      kernel(a.as<float>().data(), b.as<float>().data(), c.as<float>().data(), n);
      const bool triad = kernel == kernels->triad || kernel == kernels->triad_streaming;
      for (std::size_t i = 0; i < n; ++i)
        ASSERT_EQ(a.as<float>()[i], static_cast<float>(i) + (triad ? 30.0f : 0.0f));
      EXPECT_FALSE(a.damage());
    }
  }
}

TEST(memory_kernels, reading_adds_up_every_element) {
  for (const auto* kernels : all_memory_kernels()) {
    if (!kernels->requires_isa.empty() && !host::has_isa(kernels->requires_isa)) continue;
    constexpr std::size_t n = 256;
    const host::region a(64), b(n * 4);
    for (std::size_t i = 0; i < n; ++i) b.as<float>()[i] = static_cast<float>(i);
    kernels->read(a.as<float>().data(), b.as<float>().data(), nullptr, n);
    float sum = 0;
    for (const float s : a.as<float>()) sum += s;
    EXPECT_EQ(sum, 255.0f * 128.0f) << kernels->name;
  }
}

TEST(array_bytes, four_times_l2_at_least_64_mib_and_an_eighth_of_memory_at_most) {
  constexpr std::size_t mib = 1 << 20;
  host::topology machine{.allowed = {0, 1}, .memory_bytes = 32768 * mib};
  EXPECT_EQ(array_bytes(machine), 64 * mib);
  machine.caches = {{2, host::cache_kind::unified, 32 * mib, 64, 0, {0}},
                    {2, host::cache_kind::unified, 32 * mib, 64, 0, {1}}};
  EXPECT_EQ(array_bytes(machine), 256 * mib);
  machine.cgroup.memory_bytes = 512 * mib;
  EXPECT_EQ(array_bytes(machine), 64 * mib);
  EXPECT_GT(array_bytes(host::topology{}), 0u);
}

TEST(sample_rate, disturbed_samples_do_not_count_while_there_are_others) {
  int calls = 0;
  const auto every_other = [&] { return timing{++calls % 2 == 0 ? 10.0 : 1.0, calls % 2 != 0}; };
  const auto found = sample_rate(steady(), every_other, 100, 10);
  EXPECT_EQ(found.value, 100);
  EXPECT_EQ(found.note, "");
  EXPECT_EQ(calls, 29);
}

TEST(sample_rate, a_busy_machine_shows_its_fastest_sample_and_says_so) {
  int calls = 0;
  const auto busy = [&] { return timing{1.0 + ++calls, false}; };
  const auto found = sample_rate(steady(), busy, 120, 0);
  EXPECT_EQ(calls, 6);
  EXPECT_EQ(found.value, 60);
  EXPECT_EQ(found.ci, (interval{27, 60}));
  EXPECT_NE(found.note.find("0 of 6"), std::string::npos);
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
  probe::conformance::expect_prober(*make(), {.clock = clock, .scratch = here(), .how = probe::depth::quick});
}

TEST(host_prober, measures_the_three_ceilings_and_wider_is_not_slower) {
  const steady clock;
  const auto with = make();
  const model::peak found{.ceilings = probe::measure_peaks(
                              *with, {.clock = clock, .threads = 1, .how = probe::depth::essential})};
  const auto* fma = found.find("cpu.fma.fp32");
  ASSERT_NE(fma, nullptr);
  ASSERT_NE(found.find("cpu.triad"), nullptr);
  EXPECT_EQ(fma->unit, "FLOP/s");
  EXPECT_EQ(found.find("cpu.triad")->unit, "B/s");
  EXPECT_GE(found.find("cpu.triad")->size_bytes, 3.0 * (1 << 20));
  EXPECT_EQ(found.find("cpu.fma.fp32." + fma->variant)->value, fma->value);
  for (const auto& row : found.ceilings) EXPECT_LE(row.id.starts_with("cpu.fma") ? row.value : 0, fma->value);
}

}  // namespace
}  // namespace ridge::backends::probe_host
