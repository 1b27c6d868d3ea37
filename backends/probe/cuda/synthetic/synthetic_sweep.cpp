// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/event.hpp>
#include <ridge/probe/synthetic.hpp>

#include "allocation/device_memory.hpp"
#include "synthetic/synthetic_kernels.cuh"

namespace ridge::backends::probe_cuda {
namespace {

constexpr std::size_t array_floats = std::size_t{1} << 28;
constexpr double sample_s = 1e-3;
constexpr int least_sweep_rounds = 7, most_sweep_rounds = 60;

struct bench {
  bench() {
    gpu::check(cudaGetDevice(&device), "cudaGetDevice");
    gpu::check(cudaGetDeviceProperties(&gpu, device), "cudaGetDeviceProperties");
    fill_synthetic(from.get(), array_floats, nullptr);
  }
  int device = 0;
  cudaDeviceProp gpu{};
  device_memory from{array_floats * sizeof(float)}, to{std::size_t{64} << 20};
  gpu::event start{gpu::timing::on}, end{gpu::timing::on};

  template <class Enqueue>
  double seconds(Enqueue enqueue) {
    start.record(nullptr);
    enqueue();
    end.record(nullptr);
    end.synchronize();
    return end.seconds_since(start);
  }
};

// One kernel over `count` floats, as many passes a sample as sample_s takes.
class stepper {
 public:
  stepper(bench& bench, std::size_t count, int fma_per_element)
      : on_(bench), count_(count), fma_(fma_per_element) {
    (void)rate();
    const double once = on_.seconds([&] { (void)enqueue(); });
    passes_ = static_cast<int>(std::clamp(std::round(sample_s / std::max(once, 1e-6)), 1.0, 1e5));
  }
  double rate() {
    synthetic_work work;
    const double seconds = on_.seconds([&] { work = enqueue(); });
    return (fma_ == 0 ? work.bytes : work.flop) / seconds;
  }
  [[nodiscard]] int fma_per_element() const { return fma_; }

 private:
  synthetic_work enqueue() {
    return synthetic(on_.from.get(), on_.to.get(), count_, passes_, fma_, on_.gpu.multiProcessorCount,
                     nullptr);
  }
  bench& on_;
  std::size_t count_;
  int fma_, passes_ = 1;
};

// Multiply-adds on registers alone, which are the other limit.
class peak_step {
 public:
  explicit peak_step(bench& bench) : on_(bench) {
    (void)rate();
    const double once = on_.seconds([&] { (void)enqueue(); });
    rounds_ = static_cast<int>(std::clamp(std::round(rounds_ * sample_s / std::max(once, 1e-6)), 1.0, 1e6));
  }
  double rate() {
    double flop = 0;
    const double seconds = on_.seconds([&] { flop = enqueue(); });
    return flop / seconds;
  }

 private:
  double enqueue() { return synthetic_peak(on_.to.get(), rounds_, on_.gpu.multiProcessorCount, nullptr); }
  bench& on_;
  int rounds_ = 4;
};

model::intensity_sweep sweep_one(bench& bench, const measure::clock& clock, const char* level,
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

// Floats of about a quarter of the L2, as many pieces for every block: with some more for a few, the others
// would wait for those.
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
    bench on;
    return {sweep_one(on, clock, "L2", sweep_in_cache(on.gpu), options.time_s),
            sweep_one(on, clock, "DRAM", array_floats, options.time_s)};
  }
};

}  // namespace

std::unique_ptr<probe::intensity_sweeper> make_sweeper() { return std::make_unique<sweeper>(); }

}  // namespace ridge::backends::probe_cuda
