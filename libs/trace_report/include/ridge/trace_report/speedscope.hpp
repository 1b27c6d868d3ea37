// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <ridge/trace/flame.hpp>
#include <ridge/trace/trace.hpp>

// The file format of speedscope.app (https://www.speedscope.app/file-format-schema.json).
namespace ridge::trace_report {

// A "sampled" profile: one stack with its weight for each frame that has a weight of its own.
[[nodiscard]] std::string speedscope_of(const trace::flame_tree& tree, const std::string& title,
                                        bool samples = false);

// "evented" profiles, one for each thread (and its interpreter's frames), in the order of time. An event that
// outlives the one it began in ends with it, as the format wants it. `window` cuts what reaches beyond it.
[[nodiscard]] std::string speedscope_of(const trace::trace& t, const std::string& title,
                                        std::optional<trace::time_range> window = {});

}  // namespace ridge::trace_report
