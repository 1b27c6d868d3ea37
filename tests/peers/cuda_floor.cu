// SPDX-License-Identifier: Apache-2.0
// The cost of launching, timing and copying on this GPU in a bare CUDA program, the floor that the harness is
// compared with. Prints medians of many repetitions with the 10th and 90th percentile.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

#include <cuda_runtime.h>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>

namespace {

using ridge::gpu::check;
using ridge::gpu::check_launch;

constexpr int repetitions = 100, copy_repetitions = 15;
constexpr int graph_nodes = 1000;
constexpr int queued_kernels = 500;  // a stream accepts about a thousand before the host must wait
constexpr std::size_t copied_bytes = std::size_t{256} << 20;

__global__ void empty() {}

__global__ void empty_dependent() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;\n\tgriddepcontrol.wait;" ::: "memory");
#endif
}

__device__ unsigned long long nanoseconds() {
  unsigned long long now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

// Holds the stream until the host sets the flag, for at most a second.
__global__ void hold_stream(const volatile int* released) {
  const auto from = nanoseconds();
  while (*released == 0 && nanoseconds() - from < 1000000000ULL) __nanosleep(200);
}

double host_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

cudaStream_t new_stream() {
  cudaStream_t made = nullptr;
  check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return made;
}

cudaEvent_t new_event() {
  cudaEvent_t made = nullptr;
  check(cudaEventCreate(&made), "cudaEventCreate");
  return made;
}

int* new_flag() {
  void* made = nullptr;
  check(cudaHostAlloc(&made, sizeof(int), cudaHostAllocMapped), "cudaHostAlloc of a flag");
  return static_cast<int*>(made);
}

// A stream, two events and the flag that holds the stream. They are freed when the program ends.
struct bench {
  bool has_dependent_launch = false;
  cudaStream_t stream = new_stream();
  cudaEvent_t begin = new_event(), end = new_event();
  volatile int* released = new_flag();

  void wait() const { check(cudaStreamSynchronize(stream), "cudaStreamSynchronize"); }
  void record(cudaEvent_t event) const { check(cudaEventRecord(event, stream), "cudaEventRecord"); }
  void launch_empty() const {
    empty<<<1, 1, 0, stream>>>();
    check_launch("empty");
  }

  // The device's seconds for the work that `enqueue` puts on the stream, all of it enqueued before it begins.
  double device_seconds(const std::function<void()>& enqueue) const {
    *released = 0;
    hold_stream<<<1, 1, 0, stream>>>(released);
    check_launch("hold_stream");
    record(begin);
    enqueue();
    record(end);
    *released = 1;
    wait();
    return between(begin, end);
  }
  static double between(cudaEvent_t first, cudaEvent_t second) {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, first, second), "cudaEventElapsedTime");
    return double{milliseconds} * 1e-3;
  }
};

double quantile(std::vector<double> values, double q) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1) + 0.5)];
}

void print(const char* title, const char* unit, const std::vector<double>& values) {
  std::printf("%-44s %10.3f %10.3f %10.3f  %s\n", title, quantile(values, 0.5), quantile(values, 0.1),
              quantile(values, 0.9), unit);
}

// The results of `times` calls, after one that is not counted.
std::vector<double> readings(int times, const std::function<double()>& read) {
  static_cast<void>(read());
  std::vector<double> all(static_cast<std::size_t>(times));
  std::ranges::generate(all, read);
  return all;
}

cudaGraphExec_t recorded(const bench& b, const std::function<void()>& enqueue) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  check(cudaStreamBeginCapture(b.stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  enqueue();
  check(cudaStreamEndCapture(b.stream, &graph), "cudaStreamEndCapture");
  check(cudaGraphInstantiate(&ready, graph, 0), "cudaGraphInstantiate");
  check(cudaGraphDestroy(graph), "cudaGraphDestroy");
  return ready;
}

void print_node(const char* title, const bench& b, const std::function<void()>& enqueue) {
  const auto graph = recorded(b, enqueue);
  print(title, "us", readings(repetitions, [&] {
          return b.device_seconds([&] { check(cudaGraphLaunch(graph, b.stream), "cudaGraphLaunch"); }) /
                 graph_nodes * 1e6;
        }));
  check(cudaGraphExecDestroy(graph), "cudaGraphExecDestroy");
}

void launch_dependent_chain(const bench& b) {
  cudaLaunchAttribute dependent{};
  dependent.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  dependent.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t how{};
  how.gridDim = how.blockDim = dim3(1);
  how.stream = b.stream;
  how.attrs = &dependent;
  for (int i = 0; i < graph_nodes; ++i) {
    how.numAttrs = i == 0 ? 0 : 1;
    check(cudaLaunchKernelEx(&how, empty_dependent), "launch of empty_dependent");
  }
}

void launch_empty_chain(const bench& b, int kernels) {
  for (int i = 0; i < kernels; ++i) b.launch_empty();
}

void print_launches(const bench& b) {
  print_node("empty kernel, graph node", b, [&] { launch_empty_chain(b, graph_nodes); });
  if (b.has_dependent_launch) {
    print_node("empty kernel, graph node, dependent launch", b, [&] { launch_dependent_chain(b); });
  }
  print("empty kernel, queued on a stream", "us", readings(repetitions, [&] {
          return b.device_seconds([&] { launch_empty_chain(b, queued_kernels); }) / queued_kernels * 1e6;
        }));
  print("host, per launch", "us", readings(repetitions, [&] {
          const double start = host_seconds();
          launch_empty_chain(b, queued_kernels);
          const double taken = host_seconds() - start;
          b.wait();
          return taken / queued_kernels * 1e6;
        }));
  print("host, launch and synchronize", "us", readings(10 * repetitions, [&] {
          const double start = host_seconds();
          b.launch_empty();
          b.wait();
          return (host_seconds() - start) * 1e6;
        }));
}

// The tick of events: the smallest difference between times from event to event, with one kernel in each,
// which are multiples of the tick.
double tick(const bench& b) {
  std::vector<cudaEvent_t> events(queued_kernels / 2);
  std::ranges::generate(events, new_event);
  b.device_seconds([&] {
    for (const auto event : events) {
      b.launch_empty();
      b.record(event);
    }
  });
  std::vector<double> spans;
  for (std::size_t i = 1; i < events.size(); ++i) spans.push_back(bench::between(events[i - 1], events[i]));
  for (const auto event : events) check(cudaEventDestroy(event), "cudaEventDestroy");
  std::ranges::sort(spans);
  constexpr double rounding = 1e-9;  // of the milliseconds in fp32
  double smallest = spans.back();
  for (std::size_t i = 1; i < spans.size(); ++i) {
    const double difference = spans[i] - spans[i - 1];
    if (difference > rounding) smallest = std::min(smallest, difference);
  }
  return smallest;
}

void print_events(const bench& b) {
  print("event tick", "us", readings(repetitions / 5, [&] { return tick(b) * 1e6; }));
  print("empty event pair", "us", readings(10 * repetitions, [&] { return b.device_seconds([] {}) * 1e6; }));
}

// Prints the rate of a copy. Pageable copies make the host wait, so the stream is not held here.
void print_copy(const char* title, const bench& b, void* target, const void* source) {
  print(title, "GB/s", readings(copy_repetitions, [&] {
          b.record(b.begin);
          check(cudaMemcpyAsync(target, source, copied_bytes, cudaMemcpyDefault, b.stream),
                "cudaMemcpyAsync");
          b.record(b.end);
          b.wait();
          return static_cast<double>(copied_bytes) / bench::between(b.begin, b.end) * 1e-9;
        }));
}

void print_copies(const bench& b) {
  void *device = nullptr, *pinned = nullptr;
  check(cudaMalloc(&device, copied_bytes), "cudaMalloc of 256 MiB");
  check(cudaMallocHost(&pinned, copied_bytes), "cudaMallocHost of 256 MiB");
  std::memset(pinned, 1, copied_bytes);
  std::vector<char> pageable(copied_bytes, 1);
  print_copy("pinned, host to device, 256 MiB", b, device, pinned);
  print_copy("pinned, device to host, 256 MiB", b, pinned, device);
  print_copy("pageable, host to device, 256 MiB", b, device, pageable.data());
  print_copy("pageable, device to host, 256 MiB", b, pageable.data(), device);
  check(cudaFreeHost(pinned), "cudaFreeHost");
  check(cudaFree(device), "cudaFree");
}

void print_all() {
  cudaDeviceProp gpu{};
  check(cudaGetDeviceProperties(&gpu, 0), "cudaGetDeviceProperties");
  const bench b{.has_dependent_launch = gpu.major >= 9};
  std::printf("%s\n%-44s %10s %10s %10s\n", gpu.name, "", "median", "p10", "p90");
  print_launches(b);
  print_events(b);
  print_copies(b);
}

}  // namespace

int main() {
  try {
    print_all();
    return 0;
  } catch (const ridge::unavailable& missing) {
    std::fprintf(stderr, "cuda_floor: %s\n", missing.why().text().c_str());
    return 77;
  } catch (const ridge::failure& failed) {
    std::fprintf(stderr, "cuda_floor: %s\n", failed.why().text().c_str());
    return 1;
  }
}
