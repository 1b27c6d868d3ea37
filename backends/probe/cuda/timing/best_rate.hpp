// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <ridge/model/ceiling.hpp>
#include <ridge/probe/prober.hpp>

namespace ridge::backends::probe_cuda {

// One variant of a measurement. `enqueue` puts one pass on the default stream, without waiting, and returns
// its amount of work in the ceiling's unit times seconds.
struct trial {
  std::string name{};
  std::function<double()> enqueue{};
};

// `row` with the median of `samples`, of which there is at least one, and its 95 % interval.
[[nodiscard]] model::ceiling with_median(model::ceiling row, std::vector<double> samples);

// `row` with the sustained rate of the best of the trials. Each trial is measured briefly, in turns; the best
// one is then measured with successive bursts of some milliseconds, each held until the host has enqueued it.
// The trials' rates are in the row's series, in their order; clock and power are from the request's meter.
[[nodiscard]] model::ceiling best_rate(model::ceiling row, const probe::request& request,
                                       const std::vector<trial>& trials);

// The median rate of a few bursts of one trial.
[[nodiscard]] double brief_rate(const trial& trial);

}  // namespace ridge::backends::probe_cuda
