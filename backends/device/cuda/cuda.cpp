// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstring>
#include <memory>
#include <string>

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/base/expects.hpp>
#include <ridge/device/block_sums.hpp>
#include <ridge/device/cuda_options.hpp>
#include <ridge/device/device.hpp>
#include <ridge/device/digest.hpp>
#include <ridge/device/fill.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/stream.hpp>
#include <ridge/gpu/stream_hold.hpp>

#include "block_sums.hpp"
#include "copy.hpp"
#include "enqueued_results.hpp"
#include "evictor.hpp"
#include "fill.hpp"
#include "gpus.hpp"
#include "guarded_array.hpp"
#include "marks.hpp"
#include "queues.hpp"
#include "record.hpp"
#include "scratch.hpp"
#include "settings.hpp"
#include "shared_range.hpp"

namespace ridge::backends::device_cuda {
namespace {

using device::array;
using device::array_request;
using device::block_sum;
using device::timestamp;

constexpr std::size_t scratch_bytes = std::size_t{1} << 20;

// Makes the GPU this thread's current device.
int select(int ordinal) {
  int count = 0;
  gpu::check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  if (ordinal < 0 || ordinal >= count) {
    throw unavailable(fmt::format("GPU {}: CUDA sees {}", ordinal, count),
                      "see nvidia-smi and CUDA_VISIBLE_DEVICES");
  }
  gpu::check(cudaSetDevice(ordinal), fmt::format("cudaSetDevice({})", ordinal));
  return ordinal;
}

cudaDeviceProp properties_of(int ordinal) {
  cudaDeviceProp found{};
  gpu::check(cudaGetDeviceProperties(&found, ordinal), "cudaGetDeviceProperties");
  return found;
}

std::size_t evicted_bytes(const device::cuda_options& options, std::size_t cache_bytes) {
  return options.evicted_bytes > 0 ? options.evicted_bytes : 2 * cache_bytes;
}

class cuda final : public device::device {
 public:
  explicit cuda(const ridge::device::cuda_options& options)
      : ordinal_(select(options.ordinal)),
        properties_(properties_of(ordinal_)),
        name_(fmt::format("cuda:{} {}", ordinal_, properties_.name)),
        marks_(options.marks),
        evictor_(evicted_bytes(options, last_level_cache_bytes()), options.evict_by_reads_alone),
        scratch_(scratch_bytes),
        hold_(options.hold_time_out_s) {
    load_kernels();
    settings_ = read_settings(ordinal_, queue_.handle());
  }
  ~cuda() override { (void)hold_.release(); }

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] bool on_host() const override { return false; }
  [[nodiscard]] std::unique_ptr<array> allocate(const array_request& request) override {
    return device_cuda::allocate(request, ordinal_);
  }
  [[nodiscard]] std::unique_ptr<ridge::device::shared_range> share(std::size_t bytes) override {
    return device_cuda::share(bytes, ordinal_);
  }
  [[nodiscard]] std::span<std::byte> map_shared(int descriptor, std::size_t bytes, bool read_only) override {
    return device_cuda::map_shared(descriptor, bytes, read_only, ordinal_);
  }
  [[nodiscard]] std::unique_ptr<ridge::device::queue_set> make_queues(int gpus, int queues_per_gpu) override {
    return device_cuda::make_queues(gpus, queues_per_gpu, ordinal_, queue_.handle());
  }

  void fill(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
            std::uint64_t first, std::uint64_t whole_count) override {
    if (on_the_hosts_side(target)) return ridge::device::fill(target, type, d, key, first, whole_count);
    device_cuda::fill(target, type, d, key, first, whole_count, queue_.handle());
  }
  void fill_parts(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
                  std::span<const ridge::device::part> parts) override {
    if (on_the_hosts_side(target)) return ridge::device::fill_each_part(*this, target, type, d, key, parts);
    device_cuda::fill_parts(target, type, d, key, parts, scratch_, queue_.handle());
  }
  void poison(std::span<std::byte> target) override {
    if (target.empty()) return;
    if (on_the_hosts_side(target)) {
      std::memset(target.data(), 0xFF, target.size());
      return;
    }
    gpu::check(cudaMemsetAsync(target.data(), 0xFF, target.size(), queue_.handle()),
               "cudaMemsetAsync of poison");
  }
  [[nodiscard]] std::uint64_t digest(std::span<const std::byte> source) override {
    if (on_the_hosts_side(source)) return ridge::device::digest(source);
    one_by_one_.digest(source, queue_.handle());
    synchronize();
    return one_by_one_.take_digests().front();
  }
  [[nodiscard]] std::vector<block_sum> block_sums(std::span<const std::byte> source, dtype type,
                                                  std::size_t blocks) override {
    if (on_the_hosts_side(source)) return ridge::device::block_sums(source, type, blocks);
    one_by_one_.block_sums(source, type, blocks, scratch_, queue_.handle());
    synchronize();
    return one_by_one_.take_block_sums().front();
  }
  void enqueue_digest(std::span<const std::byte> source) override {
    if (on_the_hosts_side(source)) return enqueued_.add(ridge::device::digest(source));
    enqueued_.digest(source, queue_.handle());
  }
  void enqueue_block_sums(std::span<const std::byte> source, dtype type, std::size_t blocks) override {
    if (on_the_hosts_side(source)) return enqueued_.add(ridge::device::block_sums(source, type, blocks));
    enqueued_.block_sums(source, type, blocks, scratch_, queue_.handle());
  }
  [[nodiscard]] std::vector<std::uint64_t> take_digests() override {
    synchronize();
    return enqueued_.take_digests();
  }
  [[nodiscard]] std::vector<std::vector<block_sum>> take_block_sums() override {
    synchronize();
    return enqueued_.take_block_sums();
  }
  [[nodiscard]] std::string tampering() const override {
    auto changed = evictor_.tampering();
    return changed.empty() ? difference(settings_, read_settings(ordinal_, queue_.handle())) : changed;
  }
  [[nodiscard]] double wait_for_other_work() override {
    const auto begin = std::chrono::steady_clock::now();
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  void enqueue_empty_kernel() override { device_cuda::enqueue_empty_kernel(queue_.handle()); }
  void enqueue_clock_reading() override { enqueued_.clock_reading(queue_.handle()); }
  [[nodiscard]] std::vector<ridge::device::clock_reading> take_clock_readings() override {
    synchronize();
    return enqueued_.take_clock_readings();
  }

  void copy_to_host(std::span<std::byte> target, std::span<const std::byte> source) override {
    device_cuda::copy(target, source, queue_.handle());
    synchronize();
  }
  // Waits, so that the caller may change `source` afterwards.
  void copy_from_host(std::span<std::byte> target, std::span<const std::byte> source) override {
    device_cuda::copy(target, source, queue_.handle());
    synchronize();
  }
  void copy(std::span<std::byte> target, std::span<const std::byte> source) override {
    device_cuda::copy(target, source, queue_.handle());
  }
  void evict() override { evictor_.evict(queue_.handle()); }
  [[nodiscard]] std::size_t last_level_cache_bytes() const override {
    return static_cast<std::size_t>(properties_.l2CacheSize);
  }
  [[nodiscard]] std::size_t memory_bytes() const override {
    std::size_t free = 0, all = 0;
    gpu::check(cudaMemGetInfo(&free, &all), "cudaMemGetInfo");
    return free;
  }
  [[nodiscard]] std::vector<ridge::device::gpu_use> gpus() const override { return gpus_in_use(ordinal_); }

  [[nodiscard]] stream queue() override { return stream(queue_.handle()); }
  [[nodiscard]] timestamp mark() override { return marks_.record(queue_.handle()); }
  [[nodiscard]] double seconds_between(timestamp start, timestamp end) override {
    return marks_.seconds_between(start, end);
  }
  void synchronize() override { queue_.synchronize(); }
  void hold() override { hold_.hold(queue_.handle()); }
  [[nodiscard]] bool release() override { return hold_.release(); }
  [[nodiscard]] result<std::unique_ptr<ridge::device::recorded>> record(
      const std::function<void()>& work) override {
    return device_cuda::record(work, queue_.handle());
  }

 private:
  // Launches every kernel once. Loading a kernel at its first launch waits for the device, which would never
  // end while the queue is held.
  void load_kernels() {
    evict();
    hold_.hold(queue_.handle());
    (void)hold_.release();
    std::byte bytes[8];
    const std::span<std::byte> few(static_cast<std::byte*>(scratch_.at_least(sizeof bytes)), sizeof bytes);
    poison(few);
    fill(few, dtype::u32, random_bits{}, 0, 0, 0);
    enqueue_digest(few);
    enqueue_block_sums(few, dtype::fp32, 1);
    enqueue_clock_reading();
    enqueue_empty_kernel();
    (void)mark();
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize of the new device");
    (void)take_digests();
    (void)take_block_sums();
    (void)take_clock_readings();
  }
  // Whether the bytes are pageable host memory; waits for the queue then, so that the host may touch them.
  [[nodiscard]] bool on_the_hosts_side(std::span<const std::byte> bytes) {
    if (bytes.empty() || !pageable(bytes.data())) return false;
    synchronize();
    return true;
  }

  int ordinal_;
  cudaDeviceProp properties_;
  std::string name_;
  gpu::stream queue_{};
  marks marks_;
  evictor evictor_;
  scratch scratch_;
  enqueued_results enqueued_, one_by_one_;
  gpu::stream_hold hold_;
  settings settings_{};  // as they were before any variant ran
};

}  // namespace

// One GPU, used by the thread that makes it or by one whose current CUDA device is the same. Throws
// unavailable where there is no driver or no such GPU. Arrays may outlive the device. While the queue is
// held, functions that wait for it (all but fill, poison, copy, evict and mark; for arrays in pageable memory
// these as well) wait for the time-out.
std::unique_ptr<device::device> make(device::cuda_options options) { return std::make_unique<cuda>(options); }

}  // namespace ridge::backends::device_cuda
