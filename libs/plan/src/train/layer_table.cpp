// SPDX-License-Identifier: Apache-2.0
#include "layer_table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace ridge::plan::train {
namespace {

// Number of powers of two on each axis.
constexpr std::size_t tensor_powers = 7, context_powers = 7, micro_batch_powers = 5, expert_powers = 9,
                      expert_tensor_powers = 4;

// The position of a value on an axis of powers of two; none beyond it.
std::optional<std::size_t> place(int value, std::size_t powers) {
  const auto n = static_cast<unsigned>(value);
  if (value < 1 || !std::has_single_bit(n)) return {};
  const auto at = static_cast<std::size_t>(std::countr_zero(n));
  return at < powers ? std::optional(at) : std::nullopt;
}

int power(std::size_t of_two) { return 1 << of_two; }

std::optional<std::size_t> place(const layer_division& d) {
  const auto t = place(d.tensor, tensor_powers), c = place(d.context, context_powers),
             b = place(d.micro_batch, micro_batch_powers);
  if (!t || !c || !b) return {};
  return ((*t * context_powers + *c) * micro_batch_powers + *b) * 2 + (d.sequence_parallel ? 1 : 0);
}

std::optional<std::size_t> place(const expert_division& d) {
  const auto t = place(d.tensor, tensor_powers), c = place(d.context, context_powers),
             b = place(d.micro_batch, micro_batch_powers), e = place(d.expert, expert_powers),
             x = place(d.expert_tensor, expert_tensor_powers);
  if (!t || !c || !b || !e || !x || d.forwarded) return {};
  return (((*t * context_powers + *c) * micro_batch_powers + *b) * expert_powers + *e) *
             expert_tensor_powers +
         *x;
}

// The mean of a quantity over the layers of a model, computed once per kind of layer.
template <class Seconds, class Count>
Seconds mean_of(const model_shape& m, Count count) {
  Seconds sum;
  for (std::size_t k = 0; k < m.kinds.size(); ++k) {
    const auto many = std::ranges::count(m.order, static_cast<std::uint8_t>(k));
    if (many > 0) sum += count(m.kinds[k]).times(static_cast<double>(many));
  }
  return sum.times(1.0 / static_cast<double>(std::max<std::size_t>(1, m.order.size())));
}

model_seconds counted(const layer_clock& clock, const layer_division& d) {
  return {.layer = mean_of<layer_seconds>(clock.job.model,
                                          [&](const layer_shape& l) { return clock.dense(l, d); }),
          .head = clock.head(d),
          .embedding = clock.embedding(d)};
}

expert_seconds counted(const layer_clock& clock, const expert_division& d) {
  return mean_of<expert_seconds>(clock.job.model, [&](const layer_shape& l) { return clock.experts(l, d); });
}

}  // namespace

layer_table::layer_table(const layer_clock& clock)
    : cells_(tensor_powers * context_powers * micro_batch_powers * 2) {
  for (std::size_t t = 0; t < tensor_powers; ++t)
    for (std::size_t c = 0; c < context_powers; ++c)
      for (std::size_t b = 0; b < micro_batch_powers; ++b)
        for (const bool sequence : {false, true}) {
          const layer_division d{power(t), power(c), power(b), sequence};
          cells_[*place(d)] = counted(clock, d);
        }
}

model_seconds layer_table::at(const layer_clock& clock, const layer_division& d) const {
  const auto i = place(d);
  return i ? cells_[*i] : counted(clock, d);
}

expert_table::expert_table(const layer_clock& clock) : empty_(!clock.job.model.has_experts()) {
  if (empty_) return;
  cells_.resize(tensor_powers * context_powers * micro_batch_powers * expert_powers * expert_tensor_powers);
  for (std::size_t t = 0; t < tensor_powers; ++t)
    for (std::size_t c = 0; c < context_powers; ++c)
      for (std::size_t b = 0; b < micro_batch_powers; ++b)
        for (std::size_t e = 0; e < expert_powers; ++e)
          for (std::size_t x = 0; x < expert_tensor_powers; ++x) {
            const expert_division d{power(t), power(c), power(b), power(e), power(x)};
            cells_[*place(d)] = counted(clock, d);
          }
}

expert_seconds expert_table::at(const layer_clock& clock, const expert_division& d) const {
  if (empty_) return {};
  const auto i = place(d);
  return i ? cells_[*i] : counted(clock, d);
}

}  // namespace ridge::plan::train
