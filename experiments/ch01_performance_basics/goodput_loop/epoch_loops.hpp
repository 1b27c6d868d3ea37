// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include <ridge/harness/call.hpp>
#include <ridge/host/hand_over.hpp>
#include <ridge/host/team.hpp>

#include "loader.hpp"
#include "trainers.hpp"

namespace ridge::experiments::ch01_goodput_loop {

// An epoch that loads a window, then trains on it. Trainer: see batch_trainer.
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

// The same with the loading done ahead by the second thread of the call's team. Phases are marked on the
// training thread alone.
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
