// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/event.hpp>
#include <ridge/probe/prober.hpp>
#include <ridge/stats/quantile.hpp>

#include "probe_kernels.cuh"

namespace ridge::backends::probe_cuda {
namespace {

constexpr std::size_t array_bytes = std::size_t{1} << 30;
constexpr int warm_ups = 10, samples = 21, rounds = 8192;
// Of the L2: arrays of an eighth of this, twice the L2, already stream (see ridge::harness::limit_of).
constexpr double streaming_sizes = 16;

class device_memory final {
 public:
  explicit device_memory(std::size_t bytes) {
    gpu::check(cudaMalloc(&at_, bytes), "cudaMalloc for the probe");
  }
  ~device_memory() { cudaFree(at_); }
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;
  [[nodiscard]] float* get() const { return static_cast<float*>(at_); }

 private:
  void* at_ = nullptr;
};

// Rates of work ÷ time of what `enqueue` puts on the default stream, after a warm-up that raises the clock.
model::ceiling rate_of(model::ceiling what, double work, const std::function<void()>& enqueue) {
  gpu::event start(gpu::timing::on), end(gpu::timing::on);
  std::vector<double> rates;
  for (int i = 0; i < warm_ups + samples; ++i) {
    start.record(nullptr);
    enqueue();
    end.record(nullptr);
    end.synchronize();
    if (i >= warm_ups) rates.push_back(work / end.seconds_since(start));
  }
  std::ranges::sort(rates);
  const auto found = stats::quantile_with_interval(rates, 0.5, 0.95);
  what.value = found ? found->value : rates.front();
  what.ci = found ? found->ci : interval{rates.front(), rates.back()};
  return what;
}

class prober final : public probe::prober {
 public:
  std::vector<model::ceiling> measure(const measure::clock&, const probe::probe_options&) override {
    cudaDeviceProp gpu{};
    gpu::check(cudaGetDeviceProperties(&gpu, 0), "cudaGetDeviceProperties");
    const int processors = gpu.multiProcessorCount;
    const device_memory from(array_bytes), to(array_bytes);
    const auto count = array_bytes / sizeof(float);
    fill_unlike(from.get(), count, nullptr);
    const model::ceiling copying{.id = "cuda.copy",
                                 .what = "b = a over device memory, bytes read and written",
                                 .unit = "B/s",
                                 .variant = gpu.name,
                                 .size_bytes = streaming_sizes * static_cast<double>(gpu.l2CacheSize)};
    const auto by_kernel =
        rate_of(copying, 2.0 * array_bytes, [&] { copy(from.get(), to.get(), count, processors, nullptr); });
    const auto by_driver = rate_of(copying, 2.0 * array_bytes, [&] {
      gpu::check(cudaMemcpyAsync(to.get(), from.get(), array_bytes, cudaMemcpyDeviceToDevice, nullptr),
                 "cudaMemcpyAsync within the device");
    });
    const double flop =
        2.0 * multiply_adds_a_round * rounds * static_cast<double>(multiply_add_threads(processors));
    return {by_kernel.value > by_driver.value ? by_kernel : by_driver,
            rate_of({.id = "cuda.fma.fp32",
                     .what = "fp32 multiply-adds on registers",
                     .unit = "FLOP/s",
                     .variant = gpu.name},
                    flop, [&] { multiply_add(to.get(), rounds, processors, nullptr); })};
  }
};

}  // namespace

// Ceilings of device 0, in some 30 ms. Throws unavailable where there is none.
std::unique_ptr<probe::prober> make() { return std::make_unique<prober>(); }

}  // namespace ridge::backends::probe_cuda
