// SPDX-License-Identifier: Apache-2.0
#include "cuda_trainer.hpp"

#include <algorithm>

#include <ridge/gpu/check.hpp>

#include "records.hpp"

namespace ridge::experiments::ch01_goodput_loop {

void begin_training(const workload& w, float* parameters, cudaStream_t stream) {
  mlp::initialise_on_device(w.model, w.unit_weights.data(), parameters, stream);
  gpu::check(cudaMemsetAsync(w.losses.data(), 0, w.losses.size_bytes(), stream), "cudaMemsetAsync of losses");
  if (w.samples > 0) return;
  gpu::check(cudaMemsetAsync(w.first_gradient.data(), 0, w.first_gradient.size_bytes(), stream),
             "cudaMemsetAsync of the gradient");
}

device_trainer::device_trainer(const workload& w, setup& s, std::size_t batch, step_by way) : batch_(batch) {
  for (auto& at : windows_) {
    at = {s.workspace<float>(window_rows * features_per_record).data(),
          s.workspace<std::uint8_t>(window_rows).data()};
  }
  parameters_ = s.workspace<float>(w.model.parameters()).data();
  scratch_ = s.workspace<float>(mlp::plain_device_floats(w.model, window_rows)).data();
  row_losses_ = s.workspace<float>(window_rows).data();
  if (way == step_by::graph) record_steps(w);
  if (way == step_by::cublaslt) plan_steps(w, s);
}

void device_trainer::record_steps(const workload& w) {
  for (const auto& at : windows_) {
    recorded_.emplace_back([&](cudaStream_t queue) { step(w, at, 0, window_rows, nullptr, queue); });
  }
}

void device_trainer::plan_steps(const workload& w, setup& s) {
  void* const workspace = s.workspace<std::byte>(vendor::workspace_bytes).data();
  for (const auto& at : windows_) {
    auto memory = memory_of(nullptr, 0);
    memory.scratch = s.workspace<float>(mlp::vendor_device_step::floats(w.model, window_rows)).data();
    vendors_.push_back(std::make_unique<mlp::vendor_device_step>(
        w.model, mlp::device_batch{at.features, at.labels, window_rows}, rate_per_sample * window_rows,
        memory, workspace, s.queue()));
  }
}

mlp::device_arrays device_trainer::memory_of(float* gradient, std::size_t begin) const {
  return {.parameters = parameters_,
          .updated = parameters_,
          .gradient = gradient,
          .row_losses = row_losses_ + begin,
          .scratch = scratch_};
}

void device_trainer::begin_epoch(const workload& w, cudaStream_t queue) {
  begin_training(w, parameters_, queue);
}

void device_trainer::step(const workload& w, const device_window& data, std::size_t begin, std::size_t rows,
                          float* gradient, cudaStream_t queue) const {
  const mlp::device_batch batch{data.features + begin * w.model.features, data.labels + begin, rows};
  mlp::plain_device_step(w.model, batch, rate_per_sample * static_cast<float>(rows),
                         memory_of(gradient, begin), queue);
}

void device_trainer::launch_steps(const workload& w, std::size_t number, std::size_t rows,
                                  cudaStream_t queue) const {
  const auto batch = number == 0 ? batch_rows : batch_;
  for (std::size_t from = 0; from < rows; from += batch) {
    const auto of_step = std::min(batch, rows - from);
    const bool very_first = number == 0 && from == 0;
    step(w, window(number), from, of_step, very_first ? w.first_gradient.data() : nullptr, queue);
    if (very_first) {
      mlp::mean_on_device(row_losses_, of_step, static_cast<float>(of_step), w.losses.data() + first, queue);
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
  mlp::mean_on_device(row_losses_, rows, static_cast<float>(rows), w.losses.data() + last, queue);
}

}  // namespace ridge::experiments::ch01_goodput_loop
