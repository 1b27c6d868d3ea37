// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <cuda_runtime_api.h>

#include <ridge/gpu/graph.hpp>
#include <ridge/harness/setup.hpp>
#include <ridge/mlp/device_step.hpp>

#include "goodput_loop.hpp"

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
  void step(const workload& w, const device_window& data, std::size_t begin, std::size_t rows, float* gradient,
            cudaStream_t queue) const;
  void launch_steps(const workload& w, std::size_t number, std::size_t rows, cudaStream_t queue) const;

  std::size_t batch_;
  std::array<device_window, windows> windows_{};
  float *parameters_ = nullptr, *scratch_ = nullptr, *row_losses_ = nullptr;
  std::vector<gpu::graph> recorded_{};  // of a whole window, for each of windows_; empty where unused
  std::vector<std::unique_ptr<mlp::vendor_device_step>> vendors_{};  // likewise
};

// Enqueues the first weights, and zeros in the outputs that no sample will reach.
void begin_training(const workload& w, float* parameters, cudaStream_t stream);

}  // namespace ridge::experiments::ch01_goodput_loop
