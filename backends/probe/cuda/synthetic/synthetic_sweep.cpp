// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/memory.hpp>
#include <ridge/probe/synthetic.hpp>

#include "synthetic/synthetic_kernels.cuh"
#include "timing/event_seconds.hpp"

namespace ridge::backends::probe_cuda {
namespace {

constexpr std::size_t sweep_floats = std::size_t{1} << 28;
constexpr double sample_s = 1e-3;
constexpr int least_sweep_rounds = 7, most_sweep_rounds = 60;

struct sweep_bench {
  sweep_bench() {
    gpu::check(cudaGetDevice(&device), "cudaGetDevice");
    gpu::check(cudaGetDeviceProperties(&gpu, device), "cudaGetDeviceProperties");
    fill_synthetic(source.as<float>(), sweep_floats, nullptr);
  }
  int device = 0;
  cudaDeviceProp gpu{};
  gpu::device_memory source{sweep_floats * sizeof(float)}, results{std::size_t{64} << 20};
};

// One kernel over `count` floats, with as many passes per sample as fit into sample_s.
class stepper {
 public:
  stepper(sweep_bench& bench, std::size_t count, int fma_per_element)
      : bench_(bench), count_(count), fma_(fma_per_element) {
    (void)rate();
    const double once = event_seconds(nullptr, [&] { (void)enqueue(); });
    passes_ = static_cast<int>(std::clamp(std::round(sample_s / std::max(once, 1e-6)), 1.0, 1e5));
  }
  double rate() {
    synthetic_work work;
    const double seconds = event_seconds(nullptr, [&] { work = enqueue(); });
    return (fma_ == 0 ? work.bytes : work.flop) / seconds;
  }
  [[nodiscard]] int fma_per_element() const { return fma_; }

 private:
  synthetic_work enqueue() {
    return synthetic(bench_.source.as<float>(), bench_.results.as<float>(), count_, passes_, fma_,
                     bench_.gpu.multiProcessorCount, nullptr);
  }
  sweep_bench& bench_;
  std::size_t count_;
  int fma_, passes_ = 1;
};

// Multiply-adds on registers alone, the other limit of the roofline.
class peak_step {
 public:
  explicit peak_step(sweep_bench& bench) : bench_(bench) {
    (void)rate();
    const double once = event_seconds(nullptr, [&] { (void)enqueue(); });
    rounds_ = static_cast<int>(std::clamp(std::round(rounds_ * sample_s / std::max(once, 1e-6)), 1.0, 1e6));
  }
  double rate() {
    double flop = 0;
    const double seconds = event_seconds(nullptr, [&] { flop = enqueue(); });
    return flop / seconds;
  }

 private:
  double enqueue() {
    return synthetic_peak(bench_.results.as<float>(), rounds_, bench_.gpu.multiProcessorCount, nullptr);
  }
  sweep_bench& bench_;
  int rounds_ = 4;
};

model::intensity_sweep sweep_one(sweep_bench& bench, const measure::clock& clock, const char* level,
                                 std::size_t count, double time_s) {
  peak_step peak(bench);
  std::vector<stepper> steps;
  for (const int n : synthetic_counts()) steps.emplace_back(bench, count, n);
  std::vector<std::vector<probe::sweep_sample>> seen(steps.size());
  const auto begin = clock.now();
  for (int r = 0;
       r < least_sweep_rounds || (r < most_sweep_rounds && clock.seconds(clock.now() - begin) < time_s);
       ++r) {
    const double ceiling = peak.rate();
    double bandwidth = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const double rate = steps[i].rate();
      if (i == 0) bandwidth = rate;
      seen[i].push_back({rate, bandwidth, ceiling});
    }
  }
  model::intensity_sweep made{.level = level, .threads = 1};
  made.working_set_bytes = static_cast<double>(count * sizeof(float));
  for (std::size_t i = 0; i < steps.size(); ++i)
    made.steps.push_back(probe::step_of(steps[i].fma_per_element(), sizeof(float), seen[i]));
  std::vector<double> peaks;
  for (const auto& s : seen[0]) peaks.push_back(s.peak);
  std::ranges::sort(peaks);
  made.bandwidth = made.steps.front().flop_per_s;
  made.peak = peaks[peaks.size() / 2];
  probe::finish(made);
  return made;
}

// Number of floats of about a quarter of the L2, with the same number of pieces for every block: if a few
// blocks had more, the others would wait for them.
std::size_t sweep_in_cache(const cudaDeviceProp& gpu) {
  const auto a_round = synthetic_threads(gpu.multiProcessorCount) / synthetic_block * synthetic_piece;
  const auto wanted = static_cast<std::size_t>(gpu.l2CacheSize) / 4 / sizeof(float);
  return std::max<std::size_t>(1, (wanted + a_round / 2) / a_round) * a_round;
}

class sweeper final : public probe::intensity_sweeper {
 public:
  std::vector<model::intensity_sweep> sweep(const measure::clock& clock,
                                            const probe::sweep_options& options) override {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)
      throw unavailable("an intensity sweep on a GPU needs one",
                        "`ridge doctor` shows what this machine offers");
    sweep_bench bench;
    return {sweep_one(bench, clock, "L2", sweep_in_cache(bench.gpu), options.time_s),
            sweep_one(bench, clock, "DRAM", sweep_floats, options.time_s)};
  }
};

}  // namespace

std::unique_ptr<probe::intensity_sweeper> make_sweeper() { return std::make_unique<sweeper>(); }

}  // namespace ridge::backends::probe_cuda
