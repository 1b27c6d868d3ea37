// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/side_stream.hpp>
#include <ridge/harness/experiment.hpp>

#include "double_buffering.hpp"

namespace ridge::experiments::ch01_double_buffering {
namespace {

// 128 rows are 4 MiB: some 80 us across PCIe, and one block of threads for nearly every multiprocessor.
constexpr std::size_t piece_blocks = 128 * row_blocks;

template <class T>
void copy(std::span<T> target, std::span<const T> source, cudaStream_t stream) {
  if (source.empty()) return;
  gpu::check(cudaMemcpyAsync(target.data(), source.data(), source.size_bytes(), cudaMemcpyDefault, stream),
             "cudaMemcpyAsync");
}

// Copies everything to the device, computes there, and copies back, one after the other.
class whole_table {
 public:
  whole_table(workload& w, setup& s)
      : table_(s.workspace<float>(w.table.size())),
        order_(s.workspace<std::uint32_t>(w.order.size())),
        coefficients_(s.workspace<float>(w.coefficients.size())),
        result_(s.workspace<float>(w.result.size())) {}

  void operator()(workload& w, call& c) {
    const stream queue = c.queue();
    copy(table_, w.table, queue);
    copy(order_, w.order, queue);
    copy(coefficients_, w.coefficients, queue);
    compute_gathered_rows(table_, order_, coefficients_, result_, queue);
    copy<float>(w.result, result_, queue);
  }

 private:
  std::span<float> table_;
  std::span<std::uint32_t> order_;
  std::span<float> coefficients_, result_;
};

// Sends pieces of rows in turn through a number of slots, each with a stream of its own. Within a slot a
// piece is brought, computed in place and taken back; the device decides what slots do at the same time.
class slotted_rows {
 public:
  slotted_rows(workload& w, setup& s, std::size_t slots)
      : table_(seen_by_device(w.table)),
        order_(s.workspace<std::uint32_t>(w.order.size())),
        coefficients_(s.workspace<float>(w.coefficients.size())),
        slots_(slots) {
    for (auto& slot : slots_) slot.values = s.workspace<float>(piece_blocks * block_floats);
  }

  void operator()(workload& w, call& c) {
    copy(order_, w.order, c.queue());
    copy(coefficients_, w.coefficients, c.queue());
    for (auto& slot : slots_) slot.stream.fork_from(c.queue());
    for (std::size_t from = 0; from < order_.size(); from += piece_blocks) {
      enqueue_piece(w, from, slots_[from / piece_blocks % slots_.size()]);
    }
    for (auto& slot : slots_) slot.stream.join(c.queue());
  }

 private:
  struct slot {
    std::span<float> values;
    gpu::side_stream stream{};
  };

  void enqueue_piece(workload& w, std::size_t begin, slot& slot) {
    const ridge::stream queue(slot.stream);
    const auto wanted = order_.subspan(begin, std::min(piece_blocks, order_.size() - begin));
    const auto values = slot.values.first(wanted.size() * block_floats);
    gather_blocks(table_, wanted, values, queue);
    compute_rows(coefficients_, values, queue);
    copy<float>(w.result.subspan(begin * block_floats, values.size()), values, queue);
  }

  std::span<const float> table_;
  std::span<std::uint32_t> order_;
  std::span<float> coefficients_;
  std::vector<slot> slots_;
};

auto whole(workload& w, setup& s) { return whole_table(w, s); }

auto with_slots(std::size_t slots) {
  return [slots](workload& w, setup& s) { return slotted_rows(w, s, slots); };
}

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "pageable",
       .is = role::baseline,
       .idea = "all is copied in, computed, copied back; the host waits while pageable memory is staged",
       .run = whole,
       .placement = device::placement::small_pages},
      {.name = "pinned",
       .idea = "the copy engines fetch from and store to pinned host memory by themselves",
       .run = whole,
       .placement = device::placement::pinned},
      {.name = "in_pieces",
       .idea = "a kernel gathers 4 MiB of rows at a time out of host memory; one slot, nothing overlaps yet",
       .run = with_slots(1),
       .placement = device::placement::pinned},
      {.name = "two_slots",
       .idea = "a second slot on a second stream: one piece is computed while the other crosses",
       .run = with_slots(2),
       .placement = device::placement::pinned},
      {.name = "three_slots",
       .idea = "a slot for each of bringing, computing and taking back: all three at once",
       .run = with_slots(3),
       .placement = device::placement::pinned},
  };
}

}  // namespace ridge::experiments::ch01_double_buffering
