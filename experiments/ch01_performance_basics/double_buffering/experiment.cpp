// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <memory>

#include <ridge/harness/experiment.hpp>
#include <ridge/host/hand_over.hpp>
#include <ridge/host/team.hpp>

#include "double_buffering.hpp"

namespace ridge::experiments::ch01_double_buffering {
namespace {

ridge::work work_of(const problem& p) {
  const auto blocks = p.count("blocks");
  const double elements = p.real("blocks") * block_floats;
  // An element costs a square, its addition, the scaling, and two operations per term.
  return ridge::work::streaming(reads<float>(blocks, block_floats) + reads<std::uint32_t>(blocks),
                                writes<float>(blocks, block_floats))
      .with_flop(elements * (3 + 2 * p.real("terms")))
      .with_items(elements);
}

// The argument is at most 6/8 in size, so that a polynomial with coefficients below 1 stays below 4 and each
// step of Horner's rule damps the rounding of those before it: a few units in the last place of 4.
tolerance within(const problem&) { return {.abs = 8 * 4 * 0x1p-24}; }

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

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch01.double_buffering",
      .title = "Transfer hidden behind compute",
      .question = "How much transfer time hides behind compute with two buffers?",
      .answers = {"baseline_double_buffering.py", "optimized_double_buffering.py", "K11.2"},
      .tags = {"overlap", "pipeline", "threads"},
      .axes = {on_cuda(values("terms", {4, 1, 16, 64}, {0, 3}), {2048, 512, 8192}),
               on_cuda(values("blocks", {1 << 17}, {0, 1, 127, 128, 129, 500}), {1 << 18})},
      .make =
          [](const problem& p, memory& m) {
            const auto blocks = p.count("blocks"), floats = product(blocks, block_floats);
            return workload{m.in<float>(floats, normal{}), m.in<std::uint32_t>(blocks, permutation{}),
                            m.in<float>(p.count("terms"), uniform{-1, 1}), m.out<float>(floats)};
          },
      .work = work_of,
      .oracle = compute_in_double,
      .element = element_in_double,
      .within = within,
      .metrics = {time_per_call(), throughput("elements/s"), peak_memory()},
      .phases = {transfer, compute, wait},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch01_double_buffering
