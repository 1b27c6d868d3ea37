// SPDX-License-Identifier: Apache-2.0
#include "device_trainer.cuh"

#include <algorithm>
#include <cmath>

#include <ridge/gpu/check.hpp>

#include "records.hpp"

namespace ridge::experiments::ch01_goodput_loop {
namespace {

constexpr unsigned threads = 256;

struct weight_scales {
  double first, second;
};

// As ch01_mlp::initialise, one weight a thread; a shape's biases follow its weights.
__global__ void initialise(const float* unit, float* parameters, ch01_mlp::shape s, weight_scales by) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  const std::size_t b1 = s.features * s.hidden, w2 = b1 + s.hidden, b2 = w2 + s.hidden * s.classes;
  if (i >= b2 + s.classes) return;
  double scale = 0;
  if (i < b1) scale = by.first;
  if (i >= w2 && i < b2) scale = by.second;
  parameters[i] = static_cast<float>(scale * unit[i]);
}

}  // namespace

void initialise_on_device(const workload& w, float* parameters, cudaStream_t queue) {
  const auto& s = w.model;
  const weight_scales by{1 / std::sqrt(static_cast<double>(s.features)),
                         1 / std::sqrt(static_cast<double>(s.hidden))};
  const auto blocks = static_cast<unsigned>((s.parameters() + threads - 1) / threads);
  initialise<<<blocks, threads, 0, queue>>>(w.unit_weights.data(), parameters, s, by);
  gpu::check_launch("initialise");
  gpu::check(cudaMemsetAsync(w.losses.data(), 0, w.losses.size_bytes(), queue), "cudaMemsetAsync of losses");
  if (w.samples > 0) return;
  gpu::check(cudaMemsetAsync(w.first_gradient.data(), 0, w.first_gradient.size_bytes(), queue),
             "cudaMemsetAsync of the gradient");
}

device_trainer::device_trainer(const workload& w, setup& s, std::size_t batch, step_by how) : batch_(batch) {
  for (auto& at : windows_) {
    at = {s.workspace<float>(window_rows * features_per_record).data(),
          s.workspace<std::uint8_t>(window_rows).data()};
  }
  parameters_ = s.workspace<float>(w.model.parameters()).data();
  scratch_ = s.workspace<float>(ch01_mlp::plain_device_floats(w.model, window_rows)).data();
  row_losses_ = s.workspace<float>(window_rows).data();
  if (how == step_by::graph) record_steps(w);
  if (how == step_by::cublaslt) plan_steps(w, s);
}

void device_trainer::record_steps(const workload& w) {
  for (const auto& at : windows_) {
    recorded_.emplace_back([&](cudaStream_t queue) { step(w, at, 0, window_rows, nullptr, queue); });
  }
}

void device_trainer::plan_steps(const workload& w, setup& s) {
  void* const workspace = s.workspace<std::byte>(ch01_matmul::workspace_bytes).data();
  for (const auto& at : windows_) {
    auto memory = memory_of(nullptr, 0);
    memory.scratch = s.workspace<float>(ch01_mlp::vendor_device_step::floats(w.model, window_rows)).data();
    vendors_.push_back(std::make_unique<ch01_mlp::vendor_device_step>(
        w.model, ch01_mlp::device_batch{at.features, at.labels, window_rows}, rate_per_sample * window_rows,
        memory, workspace, s.queue()));
  }
}

ch01_mlp::device_memory device_trainer::memory_of(float* gradient, std::size_t from) const {
  return {.parameters = parameters_,
          .updated = parameters_,
          .gradient = gradient,
          .row_losses = row_losses_ + from,
          .scratch = scratch_};
}

void device_trainer::begin_epoch(const workload& w, cudaStream_t queue) {
  initialise_on_device(w, parameters_, queue);
}

void device_trainer::step(const workload& w, const device_window& of, std::size_t from, std::size_t rows,
                          float* gradient, cudaStream_t queue) const {
  const ch01_mlp::device_batch batch{of.features + from * w.model.features, of.labels + from, rows};
  ch01_mlp::plain_device_step(w.model, batch, rate_per_sample * static_cast<float>(rows),
                              memory_of(gradient, from), queue);
}

void device_trainer::launch_steps(const workload& w, std::size_t number, std::size_t rows,
                                  cudaStream_t queue) const {
  const auto batch = number == 0 ? batch_rows : batch_;
  for (std::size_t from = 0; from < rows; from += batch) {
    const auto of_step = std::min(batch, rows - from);
    const bool very_first = number == 0 && from == 0;
    step(w, window(number), from, of_step, very_first ? w.first_gradient.data() : nullptr, queue);
    if (very_first) {
      ch01_mlp::mean_on_device(row_losses_, of_step, static_cast<float>(of_step), w.losses.data() + first,
                               queue);
    }
  }
}

void device_trainer::train(const workload& w, std::size_t number, std::size_t rows, cudaStream_t queue) {
  const bool whole = number > 0 && rows == window_rows;
  if (whole && !recorded_.empty()) {
    recorded_[number % windows].launch(queue);
  } else if (whole && !vendors_.empty()) {
    (*vendors_[number % windows])(queue);
  } else {
    launch_steps(w, number, rows, queue);
  }
  if ((number + 1) * window_rows < w.samples) return;
  ch01_mlp::mean_on_device(row_losses_, rows, static_cast<float>(rows), w.losses.data() + last, queue);
}

}  // namespace ridge::experiments::ch01_goodput_loop
