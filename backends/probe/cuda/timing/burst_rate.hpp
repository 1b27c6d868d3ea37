// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <ridge/model/ceiling.hpp>
#include <ridge/probe/prober.hpp>

#include "timing/span_log.hpp"

namespace ridge::backends::probe_cuda {

// How many bursts, and what tells the clock that they ran at.
struct burst_plan {
  int warm_ups = 10, samples = 15;
  span_log* clock = nullptr;  // where enqueue's kernels write their spans; null: the clock stays unknown
};

// For a choice among variants: a third of the time.
inline constexpr burst_plan brief{.warm_ups = 2, .samples = 7};

// `row` with the median rate of bursts and its 95 % interval. `enqueue(rounds)` puts work on the default
// stream and returns how much it is, in the ceiling's unit times seconds.
// A burst takes some 2 ms, as the calls of experiments do, and is followed by a rest of the same length, as
// those are by their upkeep: a GPU that multiplies without a pause comes to its power limit within a tenth of
// a second and then runs a sixth slower, which is another figure than this one. Some 20 ms of bursts without
// rests go before, for the clock to rise. All in all 0.1 s, and twice the samples at `deep`.
// Power is not told: a meter would tell that of the rests as well (see hold_up).
[[nodiscard]] model::ceiling burst_rate(model::ceiling row, const probe::request& request,
                                        const std::function<double(int rounds)>& enqueue,
                                        const burst_plan& plan = {});

// The same work without a rest for half a second, and a rest after it for the GPU to cool down. Adds the rate
// of the later half to the row's series ("0.5 s without rests"), and its power, and to the note what held the
// clock down meanwhile. Returns that rate, its interval and the meter's clock as a row of its own.
model::ceiling hold_up(model::ceiling& row, const probe::request& request,
                       const std::function<double(int rounds)>& enqueue);

// The same work without a rest for `seconds`: the row's value is the rate of the last half, its series the
// rate of each tenth, and the note says where clock and power began and ended.
[[nodiscard]] model::ceiling sustained_rate(model::ceiling row, const probe::request& request,
                                            const std::function<double(int rounds)>& enqueue, double seconds,
                                            span_log& clock);

// A rate of things done one after the other as the time that one takes, in seconds; the note adds how many
// cycles that is, where the clock is known.
[[nodiscard]] model::ceiling as_latency(model::ceiling rate);

}  // namespace ridge::backends::probe_cuda
