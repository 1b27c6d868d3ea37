// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <ridge/measure/clock.hpp>
#include <ridge/probe/measure_peaks.hpp>
#include <ridge/probe/prober.hpp>

namespace ridge::backends::probe_cuda {

std::unique_ptr<probe::prober> make();

namespace {

// The interface requires a host clock, which the GPU's probes do not use.
class no_clock final : public measure::clock {
 public:
  std::int64_t now() const noexcept override { return 0; }
  double seconds(std::int64_t) const noexcept override { return 0; }
  double resolution_s() const noexcept override { return 1; }
  double read_cost_s() const noexcept override { return 0; }
  std::string_view name() const noexcept override { return "none"; }
};

class cuda_prober : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (cudaGetDeviceCount(&gpus_) != cudaSuccess || gpus_ == 0 || cudaFree(nullptr) != cudaSuccess) return;
    const auto start = std::chrono::steady_clock::now();
    const no_clock clock;
    const auto with = make();
    const auto tell = [](const probe::outcome& done) {
      if (!done.skipped.empty()) skipped_ += done.probe->id + ": " + done.skipped + '\n';
    };
    for (const auto& c :
         probe::measure_peaks(*with, {.clock = clock, .depth = probe::depth::essential}, {}, tell))
      found_.emplace(c.id, c);
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  void SetUp() override {
    if (gpus_ == 0) GTEST_SKIP() << "CUDA sees no GPU";
  }
  // Operations or bytes per second of all multiprocessors together at the highest clock.
  static double at_most(double a_clock_and_processor) {
    int processors = 0, kilohertz = 0;
    (void)cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    (void)cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0);
    return a_clock_and_processor * processors * kilohertz * 1e3;
  }
  static bool is_hopper() {
    int major = 0, minor = 0;
    (void)cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    (void)cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
    return major == 9 && minor == 0;
  }
  void expect_share(const std::string& id, double a_clock_and_processor, double least) {
    ASSERT_TRUE(found_.contains(id)) << id << "; skipped: " << skipped_;
    const double share = found_[id].value / at_most(a_clock_and_processor);
    EXPECT_GT(share, least) << id;
    EXPECT_LT(share, 1.01) << id;
  }

  static inline int gpus_ = 0;
  static inline std::map<std::string, model::ceiling> found_{};
  static inline std::string skipped_{};  // skipped rows and the reasons, one per line
  static inline double seconds_ = 0;
};

TEST_F(cuda_prober, is_quick_and_gives_every_ceiling_an_interval_around_it) {
  EXPECT_LT(seconds_, 1.5);
  for (const auto& [id, c] : found_)
    std::printf("%-14s %8.1f G/s [%.1f, %.1f] %s\n", id.c_str(), c.value / 1e9, c.ci.lo / 1e9, c.ci.hi / 1e9,
                c.variant.c_str());
  for (const auto* id : {"cuda.copy", "cuda.read", "cuda.l2.read", "cuda.fma.fp32"})
    EXPECT_TRUE(found_.contains(id)) << id << "; skipped: " << skipped_;
  for (const auto& [id, c] : found_) {
    EXPECT_GT(c.ci.lo, 0) << id;
    EXPECT_LE(c.ci.lo, c.value) << id;
    EXPECT_GE(c.ci.hi, c.value) << id;
    EXPECT_LT(c.ci.hi, 1.2 * c.ci.lo) << id;
  }
}

TEST_F(cuda_prober, finds_the_levels_of_memory_in_order) {
  EXPECT_GT(found_["cuda.l2.read"].value, found_["cuda.read"].value);
  EXPECT_GT(found_["cuda.read"].value, 0.9 * found_["cuda.copy"].value);
}

// Operations per clock of a multiprocessor of compute capability 9.0, 4096 for 16-bit types (NVIDIA H100
// whitepaper).
TEST_F(cuda_prober, keeps_the_pipes_of_a_hopper_busy_but_not_busier_than_they_can_be) {
  if (!is_hopper()) GTEST_SKIP() << "known figures are of compute capability 9.0";
  expect_share("cuda.fma.fp32", 256, 0.9);
  expect_share("cuda.mma.tf32", 2048, 0.6);
  expect_share("cuda.mma.bf16", 4096, 0.6);
  expect_share("cuda.mma.fp16", 4096, 0.6);
  expect_share("cuda.mma.fp8", 8192, 0.6);
}

}  // namespace
}  // namespace ridge::backends::probe_cuda
