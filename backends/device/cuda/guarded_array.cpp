// SPDX-License-Identifier: Apache-2.0
#include "guarded_array.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>

#include <cuda_runtime_api.h>

#include <ridge/base/expects.hpp>
#include <ridge/device/guard_layout.hpp>
#include <ridge/device/guard_zone.hpp>
#include <ridge/device/host_array.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/memory.hpp>

#include "gpus.hpp"
#include "mapped_range.hpp"

namespace ridge::backends::device_cuda {
namespace {

using device::array;
using device::array_request;
using device::guard_layout;
using device::placement;

constexpr std::size_t least_alignment = 256;

// A guard zone: at most device::zone_bytes, painted and read through copies.
struct zone {
  std::byte* begin;
  std::size_t bytes;

  void paint() const {
    std::byte pattern[device::zone_bytes];
    device::paint({pattern, bytes});
    copy(begin, pattern);
  }
  std::span<const std::byte> read(std::byte (&into)[device::zone_bytes]) const {
    copy(into, begin);
    return {into, bytes};
  }

 private:
  void copy(void* target, const void* source) const {
    if (bytes > 0)
      gpu::check(cudaMemcpy(target, source, bytes, cudaMemcpyDefault), "cudaMemcpy of a guard zone");
  }
};

class guarded_array final : public array {
 public:
  guarded_array(std::shared_ptr<void> memory, std::byte* start, const guard_layout& layout)
      : memory_(std::move(memory)),
        before_{start + layout.before, layout.payload - layout.before},
        payload_(start + layout.payload, layout.after - layout.payload),
        after_{start + layout.after, layout.end - layout.after} {
    before_.paint();
    after_.paint();
    gpu::check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize after painting guard zones");
  }
  [[nodiscard]] std::span<std::byte> bytes() const override { return payload_; }
  [[nodiscard]] std::string damage() const override {
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize before reading guard zones");
    std::byte front[device::zone_bytes], back[device::zone_bytes];
    return device::damage_text(before_.read(front), after_.read(back));
  }

 private:
  std::shared_ptr<void> memory_;
  zone before_;
  std::span<std::byte> payload_;
  zone after_;
};

std::shared_ptr<void> shared_device_memory(std::size_t bytes) {
  const auto owner = std::make_shared<gpu::device_memory>(bytes);
  return {owner, owner->data()};
}

std::shared_ptr<void> shared_pinned_memory(std::size_t bytes) {
  const auto owner = std::make_shared<gpu::pinned_memory>(bytes, unsigned{cudaHostAllocDefault});
  return {owner, owner->data()};
}

std::unique_ptr<array> in_zones(const array_request& r) {
  const std::size_t alignment = std::max(r.alignment, least_alignment);
  const std::size_t room = device::bytes_with_zones(r.bytes, alignment);
  auto memory = r.placement == placement::pinned ? shared_pinned_memory(room) : shared_device_memory(room);
  auto* start = static_cast<std::byte*>(memory.get());
  const auto at = device::between_zones(reinterpret_cast<std::uintptr_t>(start), r.bytes, alignment);
  return std::make_unique<guarded_array>(std::move(memory), start, at);
}

std::unique_ptr<array> in_pages(const array_request& r, int ordinal, int own) {
  const auto at = device::between_pages(r.bytes, r.alignment, granule(ordinal));
  auto range = std::make_shared<mapped_range>(ordinal, at.end, own);
  std::byte* start = range->start();
  return std::make_unique<guarded_array>(std::move(range), start, at);
}

// Makes another GPU this thread's current one until it is destroyed.
class current_gpu {
 public:
  current_gpu(int ordinal, int own) : ordinal_(ordinal), own_(own) {
    gpu::check(cudaSetDevice(ordinal), "cudaSetDevice of an array's GPU");
  }
  ~current_gpu() { (void)cudaSetDevice(own_); }
  current_gpu(const current_gpu&) = delete;
  current_gpu& operator=(const current_gpu&) = delete;
  [[nodiscard]] int ordinal() const { return ordinal_; }

 private:
  int ordinal_, own_;
};

}  // namespace

std::unique_ptr<array> allocate(const array_request& request, int ordinal) {
  expects(std::has_single_bit(request.alignment) && request.alignment <= 4096,
          "allocate: the alignment is a power of two up to 4096");
  if (request.placement == placement::small_pages || request.placement == placement::huge_pages) {
    return device::allocate_on_host(request);
  }
  const bool pages = request.guard == device::guard::pages && request.placement == placement::ordinary;
  if (request.gpu == 0) return pages ? in_pages(request, ordinal, ordinal) : in_zones(request);
  open_peer(request.gpu, ordinal);
  const current_gpu elsewhere(ordinal_of(request.gpu, ordinal), ordinal);
  return pages ? in_pages(request, elsewhere.ordinal(), ordinal) : in_zones(request);
}

}  // namespace ridge::backends::device_cuda
