// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <ridge/model/ceiling.hpp>
#include <ridge/probe/prober.hpp>

namespace ridge::backends::probe_cuda {

// A way to do it. `enqueue` puts one pass on the default stream, without waiting, and returns how much work
// it is, in the ceiling's unit times seconds.
struct trial {
  std::string name{};
  std::function<double()> enqueue{};
};

// `row` with the median of `samples` and its 95 % interval.
[[nodiscard]] model::ceiling with_median(model::ceiling row, std::vector<double> samples);

// `row` with the sustained rate of the best of the trials: each is tried briefly, in turns, and the winner
// measured with bursts of some milliseconds one after the other, each held back until the host has enqueued
// it. The trials' rates are kept in its series, in their order; clock and power are the meter's.
[[nodiscard]] model::ceiling best_rate(model::ceiling row, const probe::request& request,
                                       const std::vector<trial>& trials);

// The median rate of a few bursts of one trial.
[[nodiscard]] double brief_rate(const trial& trial);

}  // namespace ridge::backends::probe_cuda
