// SPDX-License-Identifier: Apache-2.0
// Checks what a sample of the harness costs and whether its cold state is cold, compared with bare CUDA calls
// on the same GPU. Exit code: 0 both hold; 1 one does not; 77 there is no GPU.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <vector>

#include <cuda_runtime.h>

#include <ridge/base/error.hpp>
#include <ridge/device/cuda_options.hpp>
#include <ridge/device/device.hpp>
#include <ridge/device/host_options.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/event.hpp>
#include <ridge/gpu/graph.hpp>
#include <ridge/gpu/launch.hpp>
#include <ridge/gpu/memory.hpp>
#include <ridge/gpu/side_stream.hpp>
#include <ridge/harness/runner.hpp>
#include <ridge/stats/quantile.hpp>

namespace ridge::backends {
namespace device_cuda {
[[nodiscard]] std::unique_ptr<device::device> make(device::cuda_options options);
}  // namespace device_cuda
namespace device_host {
[[nodiscard]] std::unique_ptr<device::device> make(device::host_options options);
}  // namespace device_host
}  // namespace ridge::backends

namespace ridge {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr unsigned threads = 256;
constexpr std::size_t elements = std::size_t{1} << 20;
constexpr int samples_a_block = 6, blocks = 200;
constexpr double host_time_at_most = 1.2, cold_within = 0.02;

__global__ void __launch_bounds__(threads) add(const float* a, const float* b, float* y, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (i < n) y[i] = a[i] + b[i];
}

// Launched as the harness's own kernels are, with as many arguments.
__global__ void stand_in(void* destination, std::size_t bytes, const void* source) {
  if (bytes == ~std::size_t{0}) *static_cast<char*>(destination) = *static_cast<const char*>(source);
}

void enqueue_add(const float* a, const float* b, float* y, std::size_t n, cudaStream_t queue) {
  if (n > 0) add<<<gpu::blocks_for(n, threads), threads, 0, queue>>>(a, b, y, n);
  gpu::check_launch("add");
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct workload {
  input<float> a{}, b{};
  output<float> y{};
};

ladder<workload> adding() {
  const auto run = [](workload& w, call& c) {
    enqueue_add(w.a.data(), w.b.data(), w.y.data(), w.y.size(), c.queue());
  };
  return {{.name = "add", .is = role::baseline, .run = run}, {.name = "again", .run = run}};
}

experiment addition() {
  return experiment_of<workload>{
      .id = "peers.addition",
      .title = "Addition",
      .question = "What does a sample cost?",
      .axes = {values("elements", {static_cast<std::int64_t>(elements)}, {0, 1})},
      .make =
          [](const problem& p, memory& m) {
            return workload{m.in<float>(p.count("elements"), normal{}),
                            m.in<float>(p.count("elements"), normal{}), m.out<float>(p.count("elements"))};
          },
      .work = [](const problem& p) { return work{.flop = p.real("elements")}; },
      .oracle =
          [](workload& w) {
            for (std::size_t i = 0; i < w.y.size(); ++i) w.y[i] = w.a[i] + w.b[i];
          },
      .within = exact(),
      .cuda = adding,
  };
}

// Returns the host's seconds for a sample's enqueues as the harness reports them.
double by_harness(device::device& device) {
  const auto host = backends::device_host::make({});
  const harness::instruments with{.device = &device, .host = host.get()};
  harness::run_options options{.profile = {.name = "peers", .budget_per_arm_s = 0.3}};
  options.protocol.target_half_width = 0;
  const auto e = addition();
  const auto f = harness::measure_family({e, e.problems().front(), model::backend::cuda}, with, options);
  const auto upkeep = std::ranges::find(f.checks, "upkeep", &model::check::id);
  if (upkeep == f.checks.end() || !upkeep->value)
    throw failure({"the harness enqueued no block: " + f.skipped, "see its checks"});
  return *upkeep->value;
}

// Returns the seconds of the same enqueues by a program that does nothing else.
class bare_program {
 public:
  void enqueue_sample(cudaStream_t queue) {
    enqueue_before(queue);
    start_.record(queue);
    end_.record(queue);
    enqueue_after(queue);
  }
  void enqueue_kernels(cudaStream_t queue) {
    enqueue_before(queue);
    enqueue_after(queue);
  }
  // Median over blocks enqueued behind a hold of the device's.
  double seconds_a_sample(device::device& device, const std::function<void(cudaStream_t)>& sample) {
    std::vector<double> all;
    for (int block = 0; block < blocks; ++block) {
      device.hold();
      const double begin = seconds_now();
      for (int i = 0; i < samples_a_block; ++i) sample(device.queue());
      all.push_back((seconds_now() - begin) / samples_a_block);
      (void)device.release();
      device.synchronize();
    }
    return stats::median(all);
  }

 private:
  // Poison; the eviction's two kernels; the clocks.
  void enqueue_before(cudaStream_t queue) {
    auto* memory = memory_.data();
    gpu::check(cudaMemsetAsync(memory, 0xFF, elements * sizeof(float), queue), "cudaMemsetAsync");
    stand_in<<<2048, threads, 0, queue>>>(memory, elements, memory);
    stand_in<<<2048, threads, 0, queue>>>(memory, elements, memory);
    stand_in<<<1, 1, 0, queue>>>(memory, elements, memory);
  }
  // A digest of one result.
  void enqueue_after(cudaStream_t queue) {
    auto* memory = memory_.data();
    gpu::check(cudaMemsetAsync(memory, 0, sizeof(std::uint64_t), queue), "cudaMemsetAsync");
    stand_in<<<64, 32, 0, queue>>>(memory, elements, memory);
    gpu::check(cudaMemcpyAsync(pinned_.data(), memory, sizeof(std::uint64_t), cudaMemcpyDeviceToHost, queue),
               "cudaMemcpyAsync");
  }

  gpu::device_memory memory_{elements * sizeof(float)};
  gpu::pinned_memory pinned_{4096};
  gpu::event start_{gpu::timing::on}, end_{gpu::timing::on};
};

bool host_time_holds(device::device& device) {
  bare_program bare;
  const auto enqueue = [&](cudaStream_t queue) { bare.enqueue_sample(queue); };
  const double by_hand = bare.seconds_a_sample(device, enqueue);
  // Without the events, which a graph holds as nodes of another kind.
  const gpu::graph one([&](cudaStream_t queue) { bare.enqueue_kernels(queue); });
  const double as_graph = bare.seconds_a_sample(device, [&](cudaStream_t queue) { one.launch(queue); });
  const double harness = by_harness(device);
  const double again = bare.seconds_a_sample(device, enqueue);
  const double ratio = harness / std::max(by_hand, again);
  std::printf("host time of a sample, its calls left out, us\n");
  std::printf("  bare calls                     %8.2f, again %.2f\n", by_hand * 1e6, again * 1e6);
  std::printf("  bare, kernels as one graph     %8.2f\n", as_graph * 1e6);
  std::printf("  harness                        %8.2f   %.2f times the bare calls (limit %.1f)\n",
              harness * 1e6, ratio, host_time_at_most);
  return ratio <= host_time_at_most;
}

struct addends {
  std::unique_ptr<device::array> a, b, y;
};

double cold_add_s(device::device& device, const addends& operands) {
  const auto count = operands.y->bytes().size() / sizeof(float);
  const auto at = [](const std::unique_ptr<device::array>& array) {
    return reinterpret_cast<float*>(array->bytes().data());
  };
  device.hold();
  device.evict();
  const auto begin = device.mark();
  enqueue_add(at(operands.a), at(operands.b), at(operands.y), count, device.queue());
  const auto end = device.mark();
  (void)device.release();
  device.synchronize();
  return device.seconds_between(begin, end);
}

// Evicts each size in both ways in turn, A B B A.
bool cold_state_holds(device::device& ours, device::device& by_reads) {
  constexpr int rounds = 60;
  bool all = true;
  std::printf("cold y = a + b, us: L2 evicted by writes then reads, by reads alone, ratio (within %.0f %%)\n",
              cold_within * 100);
  for (const std::size_t size : {8u, 16u, 32u, 64u}) {
    const auto array = [&] { return ours.allocate({.bytes = size * mebibyte}); };
    const addends on{array(), array(), array()};
    for (const auto* one : {&on.a, &on.b}) ours.fill((*one)->bytes(), dtype::fp32, normal{}, 7);
    ours.synchronize();
    std::vector<double> written, read;
    for (int round = 0; round < rounds; ++round) {
      written.push_back(cold_add_s(ours, on));
      read.push_back(cold_add_s(by_reads, on));
      read.push_back(cold_add_s(by_reads, on));
      written.push_back(cold_add_s(ours, on));
    }
    const double ratio = stats::median(written) / stats::median(read);
    const bool holds = std::abs(ratio - 1) <= cold_within;
    std::printf("  %2zu MiB each %26.2f %10.2f %8.4f%s\n", size, stats::median(written) * 1e6,
                stats::median(read) * 1e6, ratio, holds ? "" : "  NOT WITHIN");
    all = all && holds;
  }
  return all;
}

int run() {
  const auto ours = backends::device_cuda::make({});
  const auto by_reads = backends::device_cuda::make({.evict_by_reads_alone = true});
  std::printf("%.*s\n", static_cast<int>(ours->name().size()), ours->name().data());
  const bool host_time = host_time_holds(*ours);
  const bool cold = cold_state_holds(*ours, *by_reads);
  return host_time && cold ? 0 : 1;
}

}  // namespace
}  // namespace ridge

int main() {
  try {
    return ridge::run();
  } catch (const ridge::unavailable& why) {
    std::printf("skipped: %s\n", why.what());
    return 77;
  } catch (const std::exception& why) {
    std::fprintf(stderr, "cuda_samples: %s\n", why.what());
    return 1;
  }
}
