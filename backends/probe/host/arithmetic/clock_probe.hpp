// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/model/ceiling.hpp>

#include "sampler.hpp"

namespace ridge::backends::probe_host {

// Returns "cpu.clock", the mean clock of the cores in use; with `ramp` its series covers the first 50 ms
// after 20 ms of idling.
[[nodiscard]] model::ceiling probe_clock(sampler& sampler, bool ramp);

// Returns "cpu.clock_under_load", the lowest clock beside loops of any kind; its series has the clock beside
// each.
[[nodiscard]] model::ceiling probe_clock_under_load(sampler& sampler);

}  // namespace ridge::backends::probe_host
