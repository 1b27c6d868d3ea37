// SPDX-License-Identifier: Apache-2.0
#include "cuda_epochs.hpp"

#include <ridge/gpu/check.hpp>
#include <ridge/host/team.hpp>

namespace ridge::experiments::ch01_goodput_loop {

host_view::host_view(const workload& w, cudaStream_t queue) : of_(w) {
  gpu::check(cudaMemcpyAsync(&seed_, w.order_seed.data(), sizeof seed_, cudaMemcpyDeviceToHost, queue),
             "cudaMemcpyAsync of the order's seed");
  synchronize(queue);
  of_.order_seed = {&seed_, 1};
}

void synchronize(cudaStream_t queue) { gpu::check(cudaStreamSynchronize(queue), "cudaStreamSynchronize"); }

void copy_window(const mlp::samples& source, const device_window& target, cudaStream_t queue) {
  gpu::check(cudaMemcpyAsync(target.features, source.features.data(), source.features.size_bytes(),
                             cudaMemcpyHostToDevice, queue),
             "cudaMemcpyAsync of features");
  gpu::check(
      cudaMemcpyAsync(target.labels, source.labels.data(), source.labels.size_bytes(), cudaMemcpyHostToDevice, queue),
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
