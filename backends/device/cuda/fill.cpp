// SPDX-License-Identifier: Apache-2.0
#include "fill.hpp"

#include <algorithm>

#include <ridge/base/expects.hpp>
#include <ridge/device/fill.hpp>
#include <ridge/gpu/check.hpp>

namespace ridge::backends::device_cuda {
namespace {

// Element `first`, made on the host, so that a distribution that the type cannot hold is the same bug on
// both.
struct first_element {
  alignas(8) std::byte bytes[8];

  first_element(const target& t, const distribution& d, std::uint64_t whole_count) {
    device::fill({bytes, size_of(t.type)}, t.type, d, t.key, t.first, whole_count);
  }
};

struct launcher {
  const target& t;
  std::uint64_t elements;  // elements of the whole array

  void operator()(const normal& d) const { fill_normal(t, device::line_of(d, t.type)); }
  void operator()(const uniform& d) const { fill_uniform(t, device::line_of(d, t.type)); }
  void operator()(const integers& d) const {
    (void)first_element(t, d, elements);
    fill_integers(t, d.below);
  }
  void operator()(const constant& d) const {
    const first_element one(t, d, elements);
    fill_constant(t, {one.bytes, size_of(t.type)});
  }
  void operator()(const permutation& d) const {
    expects(t.first <= elements && t.count <= elements - t.first,
            "permutation: the part lies inside the whole");
    (void)first_element(t, d, elements);
    fill_permutation(t, elements);
  }
  void operator()(const random_bits& d) const {
    (void)first_element(t, d, elements);
    fill_random_bits(t);
  }
  void operator()(const filled_by&) const {
    expects(false, "fill: what a function fills is filled on the host and copied");
  }
};

}  // namespace

void fill(std::span<std::byte> target_bytes, dtype type, const distribution& d, std::uint64_t key,
          std::uint64_t first, std::uint64_t whole_count, cudaStream_t queue) {
  expects(target_bytes.size() % size_of(type) == 0, "fill: the target holds whole elements");
  if (target_bytes.empty()) return;
  const std::uint64_t count = target_bytes.size() / size_of(type);
  const target t{target_bytes.data(), type, count, key, first, queue};
  std::visit(launcher{t, whole_count == 0 ? count : whole_count}, d);
}

void fill_parts(std::span<std::byte> target_bytes, dtype type, const distribution& d, std::uint64_t key,
                std::span<const device::part> parts, scratch& room, cudaStream_t queue) {
  expects(target_bytes.size() % size_of(type) == 0, "fill_parts: the target holds whole elements");
  expects(!std::holds_alternative<filled_by>(d), "fill_parts: what a function fills is filled as a whole");
  const std::uint64_t count = target_bytes.size() / size_of(type);
  for (const auto& p : parts) {
    expects(p.first <= count && p.count <= count - p.first, "fill_parts: the parts lie inside the array");
  }
  if (parts.empty() || count == 0) return;
  const target t{target_bytes.data(), type, count, key, 0, queue};
  const first_element one(t, d, count);
  auto* on_device = static_cast<device::part*>(room.at_least(parts.size_bytes()));
  gpu::check(cudaMemcpyAsync(on_device, parts.data(), parts.size_bytes(), cudaMemcpyDefault, queue),
             "cudaMemcpyAsync of parts to fill");
  fill_parts(t, {on_device, parts.size()}, d, {one.bytes, size_of(type)});
}

}  // namespace ridge::backends::device_cuda
