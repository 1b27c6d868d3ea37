// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <cuda_runtime_api.h>

#include <ridge/gpu/event.hpp>
#include <ridge/gpu/memory.hpp>
#include <ridge/gpu/side_stream.hpp>
#include <ridge/harness/call.hpp>
#include <ridge/host/hand_over.hpp>

#include "cuda_trainer.hpp"
#include "loader.hpp"

namespace ridge::experiments::ch01_goodput_loop {

enum class paging : std::uint8_t { pageable, pinned };

// Host memory for a loader, zeroed, alive as long as the room; setup::workspace is the GPU's.
class host_room {
 public:
  explicit host_room(paging kind) : how_(kind) {}

  template <class T>
  [[nodiscard]] std::span<T> workspace(std::size_t count) {
    if (count == 0) return {};
    return {reinterpret_cast<T*>(take(count * sizeof(T))), count};
  }

 private:
  [[nodiscard]] std::byte* take(std::size_t bytes) {
    if (how_ == paging::pageable) {
      return pageable_.emplace_back(std::make_unique<std::byte[]>(bytes)).get();
    }
    auto* const first = pinned_.emplace_back(bytes, cudaHostAllocDefault).as<std::byte>();
    for (std::size_t i = 0; i < bytes; ++i) first[i] = std::byte{0};
    return first;
  }

  paging how_;
  std::vector<std::unique_ptr<std::byte[]>> pageable_{};
  std::vector<gpu::pinned_memory> pinned_{};
};

// The workload with its order's seed where the host can read it; waits for the queue.
class host_view {
 public:
  host_view(const workload& w, cudaStream_t queue);
  host_view(const host_view&) = delete;
  host_view& operator=(const host_view&) = delete;
  [[nodiscard]] const workload& get() const { return of_; }

 private:
  workload of_;
  std::uint32_t seed_ = 0;
};

void synchronize(cudaStream_t queue);
// Enqueued.
void copy_window(const mlp::samples& source, const device_window& target, cudaStream_t queue);

// Every window and every step makes its buffers on both sides and frees them; the host waits for each copy,
// for each step and for its loss.
void malloc_pageable_epoch(workload& w, call& c);

// An epoch that loads a window, copies it from pageable memory, then trains on it, each waited for.
class serial_device_epoch {
 public:
  serial_device_epoch(const workload& w, setup& s);
  void operator()(workload& w, call& c);

 private:
  std::unique_ptr<host_room> room_;
  window_loader loader_;
  window_slot slot_;
  device_trainer trainer_;
};

// Loading is done ahead by the second thread of the call's team, into pinned memory; copies run on a stream
// of their own while the window before is trained on. The host waits for a copy, because its memory is the
// loader's next, and for the window before the one it has just put on the queue.
class overlapped_device_epoch {
 public:
  overlapped_device_epoch(const workload& w, setup& s, std::size_t batch, step_by way);
  void operator()(workload& w, call& c);

 private:
  void train(const workload& w, call& c);
  void copy_to_device(std::size_t number, cudaStream_t queue);

  std::unique_ptr<host_room> room_;
  window_loader loader_;
  std::array<window_slot, 2> slots_;
  device_trainer trainer_;
  gpu::side_stream copies_{};
  gpu::event copied_{};
  std::array<gpu::event, 2> trained_{gpu::event(), gpu::event()};
  std::unique_ptr<host::hand_over> slots_in_turn_ = std::make_unique<host::hand_over>(2U);
};

}  // namespace ridge::experiments::ch01_goodput_loop
