// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <ridge/trace/flame.hpp>
#include <ridge/trace/trace.hpp>

// The file format of speedscope.app (https://www.speedscope.app/file-format-schema.json).
namespace ridge::trace_report {

// Returns a "sampled" profile: one stack with its weight for each frame that has a weight of its own.
[[nodiscard]] std::string speedscope_of(const trace::flame_tree& tree, const std::string& title,
                                        bool samples = false);

// Returns "evented" profiles, one for each thread with its interpreter's frames, in order of time. An event
// that outlives the one that it began in ends with it, as the format requires. `window` cuts events that
// reach beyond it.
[[nodiscard]] std::string speedscope_of(const trace::trace& t, const std::string& title,
                                        std::optional<trace::time_range> window = {});

}  // namespace ridge::trace_report
