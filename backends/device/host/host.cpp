// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <cstring>
#include <ctime>
#include <memory>
#include <utility>

#include <ridge/base/expects.hpp>
#include <ridge/device/block_sums.hpp>
#include <ridge/device/digest.hpp>
#include <ridge/device/fill.hpp>
#include <ridge/device/host_array.hpp>
#include <ridge/device/host_options.hpp>
#include <ridge/device/immediate_device.hpp>
#include <ridge/host/streaming_fill.hpp>
#include <ridge/host/topology.hpp>

namespace ridge::backends::device_host {
namespace {

using device::array;
using device::array_request;
using device::block_sum;
using device::timestamp;

constexpr std::size_t cache_line = 64;
constexpr std::size_t most_evicting_bytes = std::size_t{1} << 30;
constexpr std::size_t least_streamed_bytes = std::size_t{8} << 20;

std::uint64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}

void copy_bytes(std::span<std::byte> target, std::span<const std::byte> source) {
  expects(target.size() == source.size(), "copy: both sides have the same size");
  if (!target.empty()) std::memcpy(target.data(), source.data(), target.size());
}

class host final : public device::immediate_device {
 public:
  host(ridge::device::host_options options, const ridge::host::topology& machine)
      : options_(std::move(options)),
        cache_bytes_(machine.last_level_cache_bytes()),
        streamed_from_(std::max(least_streamed_bytes, 4 * machine.cache_bytes(2))),
        memory_bytes_(std::min(machine.available_bytes, machine.usable_memory_bytes())) {
    if (!options_.now) options_.now = monotonic_ns, options_.seconds_per_tick = 1e-9;
    if (options_.evicting_bytes > 0) return;
    options_.evicting_bytes = std::min({2 * cache_bytes_, most_evicting_bytes, memory_bytes_ / 4});
  }

  [[nodiscard]] std::string_view name() const override { return "host"; }
  [[nodiscard]] std::unique_ptr<array> allocate(const array_request& request) override {
    return ridge::device::allocate_on_host(request);
  }
  void fill(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
            std::uint64_t first, std::uint64_t whole_count) override {
    ridge::device::fill(target, type, d, key, first, whole_count);
  }
  void poison(std::span<std::byte> target) override {
    if (target.size() > streamed_from_) return ridge::host::streaming_fill(target, std::byte{0xFF});
    if (!target.empty()) std::memset(target.data(), 0xFF, target.size());
  }
  [[nodiscard]] std::uint64_t digest(std::span<const std::byte> source) override {
    return ridge::device::digest(source);
  }
  [[nodiscard]] std::vector<block_sum> block_sums(std::span<const std::byte> source, dtype type,
                                                  std::size_t blocks) override {
    return ridge::device::block_sums(source, type, blocks);
  }
  void copy_to_host(std::span<std::byte> target, std::span<const std::byte> source) override {
    copy_bytes(target, source);
  }
  void copy_from_host(std::span<std::byte> target, std::span<const std::byte> source) override {
    copy_bytes(target, source);
  }
  void copy(std::span<std::byte> target, std::span<const std::byte> source) override {
    copy_bytes(target, source);
  }

  // Reading is enough: evicted lines are written back, and the lines read are clean.
  void evict() override {
    if (evicting_ == nullptr) evicting_ = evicting_array();
    unsigned char sum = 0;
    const auto bytes = evicting_->bytes();
    for (std::size_t i = 0; i < bytes.size(); i += cache_line) sum ^= static_cast<unsigned char>(bytes[i]);
    evicted_.store(sum, std::memory_order_relaxed);
  }
  [[nodiscard]] std::size_t last_level_cache_bytes() const override { return cache_bytes_; }
  [[nodiscard]] std::size_t memory_bytes() const override { return memory_bytes_; }

  [[nodiscard]] timestamp mark() override { return {options_.now()}; }
  [[nodiscard]] double seconds_between(timestamp start, timestamp end) override {
    return static_cast<double>(static_cast<std::int64_t>(end.ticks - start.ticks)) *
           options_.seconds_per_tick;
  }

 private:
  // The array is written once, so that its pages are not all the kernel's one page of zeros.
  [[nodiscard]] std::unique_ptr<array> evicting_array() {
    auto made =
        allocate({.bytes = options_.evicting_bytes, .placement = ridge::device::placement::huge_pages});
    poison(made->bytes());
    return made;
  }

  ridge::device::host_options options_;
  std::size_t cache_bytes_;
  std::size_t streamed_from_;  // bytes from which on an array is poisoned past the caches
  std::size_t memory_bytes_;
  std::unique_ptr<array> evicting_{};
  std::atomic<unsigned char> evicted_{0};  // keeps the compiler from dropping the reads
};

}  // namespace

// The processor that this program runs on: variants run on the caller's thread, the queue is null, and marks
// read options.now.
std::unique_ptr<device::device> make(device::host_options options) {
  return std::make_unique<host>(std::move(options), ridge::host::read_topology());
}

}  // namespace ridge::backends::device_host
