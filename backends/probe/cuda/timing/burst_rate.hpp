// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <ridge/model/ceiling.hpp>
#include <ridge/probe/prober.hpp>

#include "timing/span_log.hpp"

namespace ridge::backends::probe_cuda {

// The number of bursts, and the source of the clock that they ran at.
struct burst_plan {
  int warm_ups = 10, samples = 15;
  span_log* clock = nullptr;  // the spans that the kernels write; null where the clock stays unknown
};

// The plan for choosing among variants, which takes a third of the time.
inline constexpr burst_plan brief{.warm_ups = 2, .samples = 7};

// `row` with the median rate of bursts and its 95 % interval. `enqueue(rounds)` puts work on the default
// stream and returns its amount in the ceiling's unit times seconds. A burst takes some 2 ms, like the calls
// of experiments, and is followed by a rest of the same length, like the upkeep between those calls. A GPU
// that multiplies without pauses reaches its power limit within a tenth of a second and then runs a sixth
// slower, which hold_up() measures. Some 20 ms of bursts without rests come first, so that the clock rises.
// The whole takes 0.1 s; depth `deep` takes twice the samples. The row has no power, because a meter would
// include that of the rests.
[[nodiscard]] model::ceiling burst_rate(model::ceiling row, const probe::request& request,
                                        const std::function<double(int rounds)>& enqueue,
                                        const burst_plan& plan = {});

// Runs the same work without rests for half a second, followed by a rest in which the GPU cools down. Adds
// the rate of the later half to the row's series ("0.5 s without rests"), sets the row's power, and adds the
// reasons that held the clock down to its note. Returns the rate, its interval and the meter's clock as a
// separate row.
model::ceiling hold_up(model::ceiling& row, const probe::request& request,
                       const std::function<double(int rounds)>& enqueue);

// `row` with the rate of the same work without rests for `seconds`: the value is the rate of the last half,
// the series has the rate of each tenth, and the note has the clocks at the beginning and at the end.
[[nodiscard]] model::ceiling sustained_rate(model::ceiling row, const probe::request& request,
                                            const std::function<double(int rounds)>& enqueue, double seconds,
                                            span_log& clock);

// Converts the rate of dependent operations to the time of one in seconds; the note adds the number of cycles
// where the clock is known.
[[nodiscard]] model::ceiling as_latency(model::ceiling rate);

}  // namespace ridge::backends::probe_cuda
