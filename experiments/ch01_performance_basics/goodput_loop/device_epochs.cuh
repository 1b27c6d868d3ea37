// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include <ridge/gpu/event.hpp>
#include <ridge/gpu/side_stream.hpp>
#include <ridge/harness/call.hpp>

#include "device_trainer.cuh"
#include "hand_over.hpp"
#include "host_room.cuh"
#include "window_loader.hpp"

namespace ridge::experiments::ch01_goodput_loop {

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
void copy_window(const ch01_mlp::samples& from, const device_window& to, cudaStream_t queue);

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
  overlapped_device_epoch(const workload& w, setup& s, std::size_t batch, step_by how);
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
  std::unique_ptr<ch01_hand_over::hand_over> slots_in_turn_ = std::make_unique<ch01_hand_over::hand_over>(2U);
};

}  // namespace ridge::experiments::ch01_goodput_loop
