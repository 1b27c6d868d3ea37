// SPDX-License-Identifier: Apache-2.0
#include "enqueued_results.hpp"

#include <ridge/base/expects.hpp>
#include <ridge/device/digest_step.hpp>
#include <ridge/gpu/check.hpp>

#include "digest.hpp"

namespace ridge::backends::device_cuda {
namespace {

constexpr std::size_t bytes = std::size_t{1} << 20;
constexpr std::size_t alignment = 16;

}  // namespace

enqueued_results::enqueued_results() : memory_(bytes), word_(sizeof(std::uint64_t)) {}

template <class T>
T* enqueued_results::room(std::size_t count) {
  const auto needed = (count * sizeof(T) + alignment - 1) / alignment * alignment;
  expects(used_ + needed <= bytes, "cuda: take what was enqueued before enqueueing more");
  auto* at = memory_.as<std::byte>() + used_;
  used_ += needed;
  return reinterpret_cast<T*>(at);
}

void enqueued_results::reuse_room() {
  if (digests_.empty() && sums_.empty() && clocks_.empty()) used_ = 0;
}

void enqueued_results::digest(std::span<const std::byte> source, cudaStream_t queue) {
  auto* sum = word_.as<std::uint64_t>();
  auto* to = room<std::uint64_t>(1);
  sum_of_chunks(source, sum, queue);
  gpu::check(cudaMemcpyAsync(to, sum, sizeof *to, cudaMemcpyDeviceToHost, queue),
             "cudaMemcpyAsync of a digest");
  digests_.push_back({to, source.size()});
}

void enqueued_results::block_sums(std::span<const std::byte> source, dtype type, std::size_t blocks,
                                  scratch& space, cudaStream_t queue) {
  auto* to = room<partial_sum>(blocks);
  enqueue_block_sums(source, type, blocks, space, to, queue);
  sums_.push_back({.parts = {to, blocks}, .elements = source.size() / size_of(type)});
}

void enqueued_results::clock_reading(cudaStream_t queue) {
  auto* to = room<clock_words>(1);
  enqueue_clock_reading(to, queue);
  clocks_.push_back(to);
}

void enqueued_results::add(std::uint64_t digest) { digests_.push_back({nullptr, digest}); }
void enqueued_results::add(std::vector<device::block_sum> sums) {
  sums_.push_back({.known = std::move(sums)});
}

std::vector<std::uint64_t> enqueued_results::take_digests() {
  std::vector<std::uint64_t> taken;
  for (const auto& d : digests_) {
    taken.push_back(d.chunks ? device::digest_mixed(device::digest_mixed(d.value) + *d.chunks) : d.value);
  }
  digests_.clear();
  reuse_room();
  return taken;
}

std::vector<std::vector<device::block_sum>> enqueued_results::take_block_sums() {
  std::vector<std::vector<device::block_sum>> taken;
  for (auto& s : sums_) taken.push_back(s.parts.empty() ? std::move(s.known) : sums_of(s.parts, s.elements));
  sums_.clear();
  reuse_room();
  return taken;
}

std::vector<device::clock_reading> enqueued_results::take_clock_readings() {
  std::vector<device::clock_reading> taken;
  for (const auto* words : clocks_) taken.push_back(reading_of(*words));
  clocks_.clear();
  reuse_room();
  return taken;
}

}  // namespace ridge::backends::device_cuda
