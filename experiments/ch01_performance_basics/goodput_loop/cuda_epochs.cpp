// SPDX-License-Identifier: Apache-2.0
#include "cuda_epochs.hpp"

#include <algorithm>

#include <ridge/gpu/check.hpp>
#include <ridge/host/team.hpp>

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
  mlp::plain_device_step(w.model, batch, rate_per_sample * as_float(rows), memory_of(gradient, begin), queue);
}

void device_trainer::launch_steps(const workload& w, std::size_t number, std::size_t rows,
                                  cudaStream_t queue) const {
  const auto batch = number == 0 ? batch_rows : batch_;
  for (std::size_t from = 0; from < rows; from += batch) {
    const auto of_step = std::min(batch, rows - from);
    const bool very_first = number == 0 && from == 0;
    step(w, window(number), from, of_step, very_first ? w.first_gradient.data() : nullptr, queue);
    if (very_first) {
      mlp::mean_on_device(row_losses_, of_step, as_float(of_step), w.losses.data() + first, queue);
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
  mlp::mean_on_device(row_losses_, rows, as_float(rows), w.losses.data() + last, queue);
}

host_view::host_view(const workload& w, cudaStream_t queue) : workload_(w) {
  gpu::check(cudaMemcpyAsync(&seed_, w.order_seed.data(), sizeof seed_, cudaMemcpyDeviceToHost, queue),
             "cudaMemcpyAsync of the order's seed");
  synchronize(queue);
  workload_.order_seed = {&seed_, 1};
}

void synchronize(cudaStream_t queue) { gpu::check(cudaStreamSynchronize(queue), "cudaStreamSynchronize"); }

void copy_window(const mlp::samples& source, const device_window& target, cudaStream_t queue) {
  gpu::check(cudaMemcpyAsync(target.features, source.features.data(), source.features.size_bytes(),
                             cudaMemcpyHostToDevice, queue),
             "cudaMemcpyAsync of features");
  gpu::check(cudaMemcpyAsync(target.labels, source.labels.data(), source.labels.size_bytes(),
                             cudaMemcpyHostToDevice, queue),
             "cudaMemcpyAsync of labels");
}

serial_device_epoch::serial_device_epoch(const workload& w, setup& s)
    : room_(std::make_unique<host_room>(paging::pageable)),
      loader_(w, *room_),
      slot_(*room_),
      trainer_(w, s, batch_rows, step_by::launches) {}

void serial_device_epoch::operator()(workload& w, call& c) {
  const auto queue = c.queue();
  const host_view host(w, queue);
  trainer_.begin_epoch(w, queue);
  if (w.samples == 0) return;
  const record_file file(host.get());
  const auto order = loader_.begin_epoch(host.get());
  for (std::size_t i = 0; i < order.size(); ++i) {
    loader_.load(host.get(), file, order[i], slot_, [&](phase p) { return c.in(p); });
    {
      const auto marked = c.in(copy);
      copy_window(slot_.view(), trainer_.window(i), queue);
      synchronize(queue);
    }
    const auto marked = c.in(useful);
    trainer_.train(w, i, slot_.rows, queue);
    synchronize(queue);
  }
}

overlapped_device_epoch::overlapped_device_epoch(const workload& w, setup& s, std::size_t batch, step_by way)
    : room_(std::make_unique<host_room>(paging::pinned)),
      loader_(w, *room_),
      slots_{window_slot(*room_), window_slot(*room_)},
      trainer_(w, s, batch, way) {}

void overlapped_device_epoch::operator()(workload& w, call& c) {
  const host_view host(w, c.queue());
  trainer_.begin_epoch(w, c.queue());
  if (w.samples == 0) return;
  slots_in_turn_->reset();
  c.team().run([&](int rank, int) {
    if (rank == 0) train(w, c);
    if (rank == 1) load_ahead(host.get(), loader_, slots_, *slots_in_turn_);
  });
}

void overlapped_device_epoch::copy_to_device(std::size_t number, cudaStream_t queue) {
  copy_window(slots_[slots_in_turn_->filled_slot()].view(), trainer_.window(number), copies_);
  copied_.record(copies_);
  copied_.hold_back(queue);
  copied_.synchronize();
}

void overlapped_device_epoch::train(const workload& w, call& c) {
  host::stop_on_failure guard(*slots_in_turn_);
  const auto queue = c.queue();
  const auto count = windows_of(w);
  for (std::size_t i = 0; i < count; ++i) {
    {
      const auto marked = c.in(wait);
      if (!slots_in_turn_->wait_for_filled()) return;
    }
    const auto rows = slots_[slots_in_turn_->filled_slot()].rows;
    {
      const auto marked = c.in(copy);
      copy_to_device(i, queue);
      slots_in_turn_->give_back();
    }
    const auto marked = c.in(useful);
    trainer_.train(w, i, rows, queue);
    trained_[i % 2].record(queue);
    if (i > 0) trained_[(i - 1) % 2].synchronize();
  }
  const auto marked = c.in(useful);
  trained_[(count - 1) % 2].synchronize();
  guard.done();
}

}  // namespace ridge::experiments::ch01_goodput_loop
