// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <ridge/app/context.hpp>
#include <ridge/model/run.hpp>

namespace ridge::app {

// 26 characters that sort by time: 10 of milliseconds since 1970, 16 random, in Crockford's base 32 (a ULID).
[[nodiscard]] std::string new_run_id();

// Now, in UTC: "2026-11-21T12:00:00Z".
[[nodiscard]] std::string now_utc();

// A run that begins now: id, time, command line, machine.
[[nodiscard]] model::run run_header(const context& program, std::string profile, std::uint64_t seed);

}  // namespace ridge::app
