// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <ridge/app/context.hpp>
#include <ridge/model/run.hpp>
#include <ridge/model/run_stamp.hpp>

namespace ridge::app {

using model::new_run_id;
using model::now_utc;

// Returns a run that starts now: its id, time, command line and machine.
[[nodiscard]] model::run run_header(const context& program, std::string profile, std::uint64_t seed);

}  // namespace ridge::app
