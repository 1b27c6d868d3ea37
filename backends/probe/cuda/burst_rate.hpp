// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <ridge/model/ceiling.hpp>
#include <ridge/probe/prober.hpp>

namespace ridge::backends::probe_cuda {

// `what` with the median rate of bursts and its 95 % interval. `enqueue(rounds)` puts work on the default
// stream and returns how much it is, in the ceiling's unit times seconds.
// A burst takes some 2 ms, as the calls of experiments do, and is followed by a rest of the same length, as
// those are by their upkeep: a GPU that multiplies without a pause comes to its power limit within a tenth of
// a second and then runs a sixth slower, which is another figure than this one. Some 20 ms of bursts without
// rests go before, for the clock to rise. All in all 0.1 s.
// Clock and power are those that the request's meter saw meanwhile.
[[nodiscard]] model::ceiling burst_rate(model::ceiling what, const probe::request& how,
                                        const std::function<double(int rounds)>& enqueue);

}  // namespace ridge::backends::probe_cuda
