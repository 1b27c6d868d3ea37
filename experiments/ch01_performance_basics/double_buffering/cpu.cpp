// SPDX-License-Identifier: Apache-2.0
#include "double_buffering.hpp"

#include <array>
#include <memory>

#include <ridge/host/hand_over.hpp>
#include <ridge/host/team.hpp>

namespace ridge::experiments::ch01_double_buffering {
namespace {

class serial_rows {
 public:
  serial_rows(workload&, setup& s) : buffer_(s.workspace<float>(row_floats)) {}

  void operator()(workload& w, call& c) {
    for (std::size_t row = 0; row < rows_of(w); ++row) {
      const auto values = bring(w, c, row);
      const auto marked = c.in(compute);
      compute_row(w, row, values);
    }
  }

 private:
  std::span<const float> bring(const workload& w, call& c, std::size_t row) {
    const auto marked = c.in(transfer);
    return transfer_row(w, row, buffer_);
  }
  std::span<float> buffer_;
};

// Rank 1 of the team transfers, rank 0 computes; phases are marked on rank 0 alone.
class buffered_rows {
 public:
  buffered_rows(workload&, setup& s)
      : buffers_{s.workspace<float>(row_floats), s.workspace<float>(row_floats)} {}

  void operator()(workload& w, call& c) {
    turns_->reset();
    c.team().run([&](int rank, int) {
      if (rank == 0) compute_rows(w, c);
      if (rank == 1) transfer_rows(w);
    });
  }

 private:
  void transfer_rows(const workload& w) {
    for (std::size_t row = 0; row < rows_of(w) && turns_->wait_for_free(); ++row) {
      const auto slot = turns_->free_slot();
      filled_[slot] = transfer_row(w, row, buffers_[slot]);
      turns_->publish();
    }
  }

  void compute_rows(const workload& w, call& c) {
    for (std::size_t row = 0; row < rows_of(w) && next_is_there(c); ++row) {
      const auto marked = c.in(compute);
      compute_row(w, row, filled_[turns_->filled_slot()]);
      turns_->give_back();
    }
  }

  [[nodiscard]] bool next_is_there(call& c) {
    const auto marked = c.in(wait);
    return turns_->wait_for_filled();
  }

  std::array<std::span<float>, 2> buffers_;
  std::array<std::span<const float>, 2> filled_{};
  std::unique_ptr<host::hand_over> turns_ = std::make_unique<host::hand_over>(2U);
};

auto serial(workload& w, setup& s) { return serial_rows(w, s); }
auto two_slots(workload& w, setup& s) { return buffered_rows(w, s); }

}  // namespace

ladder<workload> cpu() {
  return {
      {.name = "serial",
       .is = role::baseline,
       .idea = "a row is transferred, then computed; each waits for the other",
       .run = serial},
      {.name = "two_slots",
       .idea = "a second thread transfers the next row into the other buffer meanwhile",
       .run = two_slots,
       .needs = {.cores = 2},
       .threads = 2},
  };
}

}  // namespace ridge::experiments::ch01_double_buffering
