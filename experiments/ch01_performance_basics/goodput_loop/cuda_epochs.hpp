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
#include <ridge/gpu/graph.hpp>
#include <ridge/gpu/memory.hpp>
#include <ridge/gpu/side_stream.hpp>
#include <ridge/harness/call.hpp>
#include <ridge/harness/setup.hpp>
#include <ridge/host/hand_over.hpp>
#include <ridge/mlp/device_step.hpp>

#include "goodput_loop.hpp"
#include "loader.hpp"

namespace ridge::experiments::ch01_goodput_loop {

// Room on the GPU for the samples of one window.
struct device_window {
  float* features = nullptr;
  std::uint8_t* labels = nullptr;
};

// How the steps of a whole window are put on the queue; the first window's and a ragged last one's are
// launched kernel by kernel.
enum class step_by : std::uint8_t { launches, graph, cublaslt };

// Trains as batch_trainer does, on the GPU: window by window, in batches of `batch` rows, the first window in
// batches of batch_rows. Everything is enqueued; the host waits for nothing.
class device_trainer {
 public:
  static constexpr std::size_t windows = 2;

  device_trainer(const workload& w, setup& s, std::size_t batch, step_by way);

  [[nodiscard]] const device_window& window(std::size_t i) const { return windows_[i % windows]; }
  void begin_epoch(const workload& w, cudaStream_t queue);
  // Steps over the `rows` samples in window(number), the number-th of the epoch; the workload's outputs are
  // written where they are due.
  void train(const workload& w, std::size_t number, std::size_t rows, cudaStream_t queue);

 private:
  void record_steps(const workload& w);
  void plan_steps(const workload& w, setup& s);
  [[nodiscard]] mlp::device_arrays memory_of(float* gradient, std::size_t begin) const;
  void step(const workload& w, const device_window& data, std::size_t begin, std::size_t rows,
            float* gradient, cudaStream_t queue) const;
  void launch_steps(const workload& w, std::size_t number, std::size_t rows, cudaStream_t queue) const;

  std::size_t batch_;
  std::array<device_window, windows> windows_{};
  float *parameters_ = nullptr, *scratch_ = nullptr, *row_losses_ = nullptr;
  std::vector<gpu::graph> recorded_{};  // steps of a whole window, for each of windows_; empty where unused
  std::vector<std::unique_ptr<mlp::vendor_device_step>> vendors_{};  // likewise
};

// Enqueues the first weights, and zeros in the outputs that no sample will reach.
void begin_training(const workload& w, float* parameters, cudaStream_t stream);

enum class paging : std::uint8_t { pageable, pinned };

// Host memory for a loader, zeroed, alive as long as the room; setup::workspace is the GPU's.
class host_room {
 public:
  explicit host_room(paging kind) : paging_(kind) {}

  template <class T>
  [[nodiscard]] std::span<T> workspace(std::size_t count) {
    if (count == 0) return {};
    return {reinterpret_cast<T*>(take(count * sizeof(T))), count};
  }

 private:
  [[nodiscard]] std::byte* take(std::size_t bytes) {
    if (paging_ == paging::pageable) {
      return pageable_.emplace_back(std::make_unique<std::byte[]>(bytes)).get();
    }
    auto* const first = pinned_.emplace_back(bytes, cudaHostAllocDefault).as<std::byte>();
    for (std::size_t i = 0; i < bytes; ++i) first[i] = std::byte{0};
    return first;
  }

  paging paging_;
  std::vector<std::unique_ptr<std::byte[]>> pageable_{};
  std::vector<gpu::pinned_memory> pinned_{};
};

// The workload with its order's seed where the host can read it. Its constructor waits for the queue.
class host_view {
 public:
  host_view(const workload& w, cudaStream_t queue);
  host_view(const host_view&) = delete;
  host_view& operator=(const host_view&) = delete;
  [[nodiscard]] const workload& get() const { return workload_; }

 private:
  workload workload_;
  std::uint32_t seed_ = 0;
};

// Waits until all work on `queue` is done.
void synchronize(cudaStream_t queue);
// Enqueues the copy of a window's samples to the GPU.
void copy_window(const mlp::samples& source, const device_window& target, cudaStream_t queue);

// An epoch that loads a window, copies it from pageable memory, then trains on it, and waits after each.
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

// An epoch in which the second thread of the call's team loads ahead into pinned memory; copies run on a
// stream of their own while the GPU trains on the window before. The host waits for a copy, because its
// memory is the loader's next, and for the window before the one it has just put on the queue.
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
