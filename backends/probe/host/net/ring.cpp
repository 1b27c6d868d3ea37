// SPDX-License-Identifier: Apache-2.0
#include "net/ring.hpp"

#include <sys/mman.h>

#include <bit>
#include <cstring>
#include <new>

#include <ridge/base/error.hpp>

namespace ridge::backends::probe_host {
namespace {

std::byte* map_shared(std::size_t bytes) {
  auto* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) throw unavailable("shared memory", "free some");
  return static_cast<std::byte*>(at);
}

}  // namespace

ring::ring(std::size_t slots, std::size_t message_bytes)
    : slots_(slots),
      bytes_(message_bytes),
      memory_(map_shared(size())),
      producer_(new(memory_) side),
      consumer_(new(memory_ + sizeof(side)) side) {
  expects(std::has_single_bit(slots), "ring: a power of two of slots");
}

ring::~ring() { munmap(memory_, size()); }

std::byte* ring::slot(std::uint64_t position) const {
  return memory_ + head + (position & (slots_ - 1)) * bytes_;
}

bool ring::put(std::span<const std::byte> message) {
  const auto at = producer_->position.load(std::memory_order_relaxed);
  if (at - producer_->others == slots_) {
    producer_->others = consumer_->position.load(std::memory_order_acquire);
    if (at - producer_->others == slots_) return false;
  }
  std::memcpy(slot(at), message.data(), bytes_);
  producer_->position.store(at + 1, std::memory_order_release);
  return true;
}

bool ring::take(std::span<std::byte> message) {
  const auto at = consumer_->position.load(std::memory_order_relaxed);
  if (at == consumer_->others) {
    consumer_->others = producer_->position.load(std::memory_order_acquire);
    if (at == consumer_->others) return false;
  }
  std::memcpy(message.data(), slot(at), bytes_);
  consumer_->position.store(at + 1, std::memory_order_release);
  return true;
}

}  // namespace ridge::backends::probe_host
