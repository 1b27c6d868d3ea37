// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <ridge/harness/call.hpp>
#include <ridge/harness/setup.hpp>
#include <ridge/host/hand_over.hpp>
#include <ridge/host/team.hpp>
#include <ridge/mlp/captured_step.hpp>
#include <ridge/mlp/plain_step.hpp>

#include "goodput_loop.hpp"
#include "loader.hpp"

namespace ridge::experiments::ch01_goodput_loop {

// Writes a workload's outputs as its steps are taken, and zeros where there is no sample.
class training_log {
 public:
  explicit training_log(workload& w)
      : workload_(w), last_window_from_(w.samples == 0 ? 0 : (w.samples - 1) / window_rows * window_rows) {
    std::ranges::fill(w.losses, 0.0F);
    if (w.samples == 0) std::ranges::fill(w.first_gradient, 0.0F);
  }
  // The gradient may be empty after the first step.
  void step(std::size_t rows, float mean_loss, std::span<const float> gradient) {
    if (seen_ == 0) {
      workload_.losses[first] = mean_loss;
      std::ranges::copy(gradient, workload_.first_gradient.begin());
    }
    if (seen_ >= last_window_from_) sum_ += mean_loss * as_float(rows);
    seen_ += rows;
    if (seen_ == workload_.samples)
      workload_.losses[last] = sum_ / as_float(workload_.samples - last_window_from_);
  }

 private:
  workload& workload_;
  std::size_t last_window_from_;
  std::size_t seen_ = 0;
  float sum_ = 0;
};

using gradient_function = decltype(&mlp::plain_gradient);

// Trains window by window in batches of `batch` rows, the first window in batches of batch_rows: so the first
// gradient is the same whatever the batch, and the large steps begin when the loss has left its steepest part
// (a warm-up, Goyal et al. 2017, section 2.2).
class batch_trainer {
 public:
  batch_trainer(const workload& w, setup& s, std::size_t batch, gradient_function gradient_of);
  void begin_epoch(const workload& w);
  void train(const workload& w, std::size_t step_window, const mlp::samples& window, training_log& log);

 private:
  std::size_t batch_;
  gradient_function gradient_of_;
  std::span<float> parameters_, gradient_, activations_;
};

// Trains as batch_trainer does, by replaying recorded steps. A recording holds for one number of rows, so
// there is one for every step of the first window, one for whole windows, and one for the last.
class captured_trainer {
 public:
  captured_trainer(const workload& w, setup& s);
  void begin_epoch(const workload& w);
  void train(const workload& w, std::size_t step_window, const mlp::samples& window, training_log& log);

 private:
  [[nodiscard]] mlp::captured_step record(const workload& w, std::size_t rows, float* gradient) const;
  std::span<float> parameters_, gradient_, scratch_;
  std::vector<mlp::captured_step> opening_{}, whole_{}, ragged_{};
};

// An epoch that loads a window, then trains on it. `Trainer` has the functions of batch_trainer.
template <class Trainer>
class serial_epoch {
 public:
  serial_epoch(const workload& w, setup& s, Trainer trainer)
      : loader_(w, s), slot_(s), trainer_(std::move(trainer)) {}

  void operator()(workload& w, call& c) {
    training_log log(w);
    if (w.samples == 0) return;
    trainer_.begin_epoch(w);
    const record_file file(w);
    const auto order = loader_.begin_epoch(w);
    for (std::size_t i = 0; i < order.size(); ++i) {
      loader_.load(w, file, order[i], slot_, [&](phase p) { return c.in(p); });
      const auto marked = c.in(useful);
      trainer_.train(w, i, slot_.view(), log);
    }
  }

 private:
  window_loader loader_;
  window_slot slot_;
  Trainer trainer_;
};

// An epoch in which the second thread of the call's team loads ahead. Phases are marked on the training
// thread alone.
template <class Trainer>
class prefetched_epoch {
 public:
  prefetched_epoch(const workload& w, setup& s, Trainer trainer)
      : loader_(w, s), slots_{window_slot(s), window_slot(s)}, trainer_(std::move(trainer)) {}

  void operator()(workload& w, call& c) {
    training_log log(w);
    if (w.samples == 0) return;
    slots_in_turn_->reset();
    c.team().run([&](int rank, int) {
      if (rank == 0) train(w, c, log);
      if (rank == 1) load_ahead(w, loader_, slots_, *slots_in_turn_);
    });
  }

 private:
  void train(const workload& w, call& c, training_log& log) {
    host::stop_on_failure guard(*slots_in_turn_);
    trainer_.begin_epoch(w);
    for (std::size_t i = 0; i < windows_of(w); ++i) {
      {
        const auto marked = c.in(wait);
        if (!slots_in_turn_->wait_for_filled()) return;
      }
      const auto marked = c.in(useful);
      trainer_.train(w, i, slots_[slots_in_turn_->filled_slot()].view(), log);
      slots_in_turn_->give_back();
    }
    guard.done();
  }

  window_loader loader_;
  std::array<window_slot, 2> slots_;
  Trainer trainer_;
  std::unique_ptr<host::hand_over> slots_in_turn_ = std::make_unique<host::hand_over>(2U);
};

}  // namespace ridge::experiments::ch01_goodput_loop
